//! Neutron, the network service.

use crate::reference::parts::{
    Database, Dependency, Image, KeystoneAuth, Messaging, ObjectRef, Process, Status,
};

kind! {
    /// A Neutron deployment.
    "Neutron" NeutronSpec in "neutron.openstack.c5c3.io", status "Status" {
        pub api: Process,
        pub image: Image,
        pub database: Database,
        pub messaging: Messaging,
        pub keystone: KeystoneAuth,
        pub ovn: OvnBackend,
        pub ml2: Option<Ml2>,
        pub depends_on: Option<Vec<Dependency>>,
    }
}

part! {
    /// The OVN databases that networks are written into.
    OvnBackend {
        pub enabled: bool,
        /// The OVNCluster that serves them.
        pub cluster_ref: Option<ObjectRef>,
        pub nb_connection: Option<String>,
        pub sb_connection: Option<String>,
    }
}

part! {
    /// The modular layer 2 plugin.
    Ml2 {
        pub type_drivers: Vec<String>,
        pub tenant_network_types: Vec<String>,
        pub mechanism_drivers: Vec<String>,
        pub extension_drivers: Option<Vec<String>>,
    }
}
