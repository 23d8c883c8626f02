//! Placement, the inventory of resources.

use crate::reference::parts::{Database, Dependency, Image, KeystoneAuth, Resources, Status};

kind! {
    /// A Placement deployment.
    "Placement" PlacementSpec in "placement.openstack.c5c3.io", status "Status" {
        #[schemars(range(min = 1))]
        pub replicas: i32,
        pub image: Image,
        pub database: Database,
        pub keystone: KeystoneAuth,
        pub resources: Option<Resources>,
        pub depends_on: Option<Vec<Dependency>>,
    }
}
