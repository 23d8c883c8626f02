//! Glance, the image service.

use crate::reference::parts::{
    Database, Dependency, Image, KeystoneAuth, Rbd, Resources, Sections, ServiceTls, Status,
};

kind! {
    /// A Glance deployment.
    "Glance" GlanceSpec in "glance.openstack.c5c3.io", status "Status" {
        /// How many there are.
        #[schemars(range(min = 1))]
        pub replicas: i32,
        /// Worker processes in each replica.
        #[schemars(range(min = 1))]
        pub workers: Option<i32>,
        /// What it runs.
        pub image: Image,
        /// Where what is known about images lies.
        pub database: Database,
        /// How it proves who it is.
        pub keystone: KeystoneAuth,
        /// Where images lie.
        pub storage: ImageStorage,
        /// Encryption of what it serves and calls.
        pub tls: Option<ServiceTls>,
        /// Processor and memory of each replica.
        pub resources: Option<Resources>,
        /// What must be ready first.
        pub depends_on: Option<Vec<Dependency>>,
        /// Options of its own configuration file that have no field here, by section.
        pub extra_config: Option<Sections>,
    }
}

part! {
    /// Where images lie.
    ImageStorage rules {
        "self.backend != 'rbd' || has(self.rbd)" => "the backend rbd names its pool under rbd",
    } {
        /// The kind of store; `rbd` is a Ceph pool.
        pub backend: String,
        /// The pool, for the backend rbd.
        pub rbd: Option<Rbd>,
    }
}
