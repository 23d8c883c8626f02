//! Cinder, the volume service.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

use crate::reference::parts::{
    Database, Dependency, Image, KeystoneAuth, Messaging, Process, Rbd, Sections, ServiceTls,
};

kind! {
    /// A Cinder deployment.
    "Cinder" CinderSpec in "cinder.openstack.c5c3.io", status "CinderStatus" rules {
        "!has(self.volumeTypes) || self.volumeTypes.all(t, self.backends.exists(b, b.name == t.backend))" =>
            "every volume type names one of the backends",
        "!has(self.volumeTypes) || !has(self.defaultVolumeType) || self.volumeTypes.exists(t, t.name == self.defaultVolumeType)" =>
            "the default is one of the volume types",
    } {
        /// What clients speak to.
        pub api: Process,
        /// What chooses a backend for each volume.
        pub scheduler: Process,
        /// What makes volumes on the backends.
        pub volume: Option<Process>,
        /// What it runs.
        pub image: Image,
        /// Where what is known about volumes lies.
        pub database: Database,
        /// How its processes speak to each other.
        pub messaging: Messaging,
        /// How it proves who it is.
        pub keystone: KeystoneAuth,
        /// Where volumes lie.
        #[schemars(length(min = 1, max = 64), extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"]))]
        pub backends: Vec<Backend>,
        /// The volume type of those who name none.
        #[schemars(length(max = 255))]
        pub default_volume_type: Option<String>,
        /// What users choose a volume by; each backend by its name if left out.
        #[schemars(length(max = 64), extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"]))]
        pub volume_types: Option<Vec<VolumeType>>,
        /// Encryption of what it serves and calls.
        pub tls: Option<ServiceTls>,
        /// What must be ready first.
        pub depends_on: Option<Vec<Dependency>>,
        /// Options of its own configuration file that have no field here, by section.
        pub extra_config: Option<Sections>,
    }
}

part! {
    /// Where volumes lie.
    Backend {
        /// Its name.
        #[schemars(length(max = 255))]
        pub name: String,
        /// The driver's class.
        pub driver: String,
        /// The Ceph pool, for the driver of Ceph.
        pub rbd: Option<Rbd>,
    }
}

part! {
    /// What a user chooses a volume by.
    VolumeType {
        /// The name that users write.
        #[schemars(length(max = 255))]
        pub name: String,
        /// The backend that such volumes lie on.
        #[schemars(length(max = 255))]
        pub backend: String,
        /// What users read about it.
        pub description: Option<String>,
    }
}

part! {
    /// What the operator reports.
    CinderStatus {
        /// Ready and CephConnected.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub conditions: Vec<Condition>,
        /// Where the API answers.
        pub endpoint: Option<String>,
        /// The generation of the spec that this is about.
        pub observed_generation: Option<i64>,
        /// Each backend.
        pub backends: Option<Vec<BackendStatus>>,
    }
}

part! {
    /// What the operator reports about a backend.
    BackendStatus {
        /// Its name.
        pub name: String,
        /// How it is.
        pub status: Option<String>,
        /// How much room is left, in gibibytes.
        pub available_capacity_gb: Option<i64>,
    }
}
