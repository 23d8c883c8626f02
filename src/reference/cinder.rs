//! Cinder, the volume service.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

use crate::reference::parts::{Database, Dependency, Image, KeystoneAuth, Messaging, Process, Rbd};

kind! {
    /// A Cinder deployment.
    "Cinder" CinderSpec in "cinder.openstack.c5c3.io", status "CinderStatus" {
        pub api: Process,
        pub scheduler: Process,
        pub volume: Option<Process>,
        pub image: Image,
        pub database: Database,
        pub messaging: Messaging,
        pub keystone: KeystoneAuth,
        pub backends: Vec<Backend>,
        pub default_volume_type: Option<String>,
        pub volume_types: Option<Vec<VolumeType>>,
        pub depends_on: Option<Vec<Dependency>>,
    }
}

part! {
    /// Where volumes lie.
    Backend {
        pub name: String,
        /// The driver's class.
        pub driver: String,
        pub rbd: Option<Rbd>,
    }
}

part! {
    /// What a user chooses a volume by.
    VolumeType { pub name: String, pub backend: String, }
}

part! {
    /// What the operator reports.
    CinderStatus {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub conditions: Vec<Condition>,
        pub endpoint: Option<String>,
        pub observed_generation: Option<i64>,
        pub backends: Option<Vec<BackendStatus>>,
    }
}

part! {
    /// What the operator reports about a backend.
    BackendStatus { pub name: String, pub status: Option<String>, pub available_capacity_gb: Option<i64>, }
}
