//! Glance, the image service.

use crate::reference::parts::{Database, Dependency, Image, KeystoneAuth, Rbd, Resources, Status};

kind! {
    /// A Glance deployment.
    "Glance" GlanceSpec in "glance.openstack.c5c3.io", status "Status" {
        #[schemars(range(min = 1))]
        pub replicas: i32,
        pub image: Image,
        pub database: Database,
        pub keystone: KeystoneAuth,
        pub storage: ImageStorage,
        pub resources: Option<Resources>,
        pub depends_on: Option<Vec<Dependency>>,
    }
}

part! {
    /// Where images lie.
    ImageStorage {
        /// The kind of store; `rbd` is a Ceph pool.
        pub backend: String,
        pub rbd: Option<Rbd>,
    }
}
