//! Placement, the inventory of resources.

use crate::reference::parts::{
    Database, Dependency, Image, KeystoneAuth, Resources, Sections, ServiceTls, Status,
};

kind! {
    /// A Placement deployment.
    "Placement" PlacementSpec in "placement.openstack.c5c3.io", status "Status" {
        /// How many there are.
        #[schemars(range(min = 1))]
        pub replicas: i32,
        /// Worker processes in each replica.
        #[schemars(range(min = 1))]
        pub workers: Option<i32>,
        /// What it runs.
        pub image: Image,
        /// Where inventories and allocations lie.
        pub database: Database,
        /// How it proves who it is.
        pub keystone: KeystoneAuth,
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
