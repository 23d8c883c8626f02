//! Neutron, the network service.

use crate::reference::parts::{
    Database, Dependency, Image, KeystoneAuth, Messaging, ObjectRef, Process, SecretKeyRef,
    Sections, ServiceTls, Status,
};

kind! {
    /// A Neutron deployment.
    "Neutron" NeutronSpec in "neutron.openstack.c5c3.io", status "Status" {
        /// What clients speak to.
        pub api: Process,
        /// What it runs.
        pub image: Image,
        /// Where networks and ports lie.
        pub database: Database,
        /// How its processes speak to each other.
        pub messaging: Messaging,
        /// How it proves who it is.
        pub keystone: KeystoneAuth,
        /// The OVN databases that networks are written into.
        pub ovn: OvnBackend,
        /// The modular layer 2 plugin.
        pub ml2: Option<Ml2>,
        /// Where questions of machines about themselves go.
        pub metadata: Option<MetadataProxy>,
        /// Encryption of what it serves and calls.
        pub tls: Option<ServiceTls>,
        /// What must be ready first.
        pub depends_on: Option<Vec<Dependency>>,
        /// Options of its own configuration file that have no field here, by section.
        pub extra_config: Option<Sections>,
    }
}

part! {
    /// The OVN databases that networks are written into.
    OvnBackend rules {
        "!self.enabled || has(self.clusterRef) || (has(self.nbConnection) && has(self.sbConnection))" =>
            "OVN is named by its cluster or by both of its connections",
    } {
        /// Whether OVN is the backend.
        pub enabled: bool,
        /// The OVNCluster that serves them.
        pub cluster_ref: Option<ObjectRef>,
        /// The northbound database, such as ssl:ovn-nb:6641.
        pub nb_connection: Option<String>,
        /// The southbound database, such as ssl:ovn-sb:6642.
        pub sb_connection: Option<String>,
    }
}

part! {
    /// Where questions of machines about themselves go.
    MetadataProxy {
        /// The host that Nova answers at.
        pub host: String,
        /// Its port.
        #[schemars(range(min = 1, max = 65535))]
        pub port: i32,
        /// What the proxy proves itself with.
        pub shared_secret_ref: SecretKeyRef,
    }
}

part! {
    /// The modular layer 2 plugin.
    Ml2 {
        /// The kinds of networks there can be.
        pub type_drivers: Vec<String>,
        /// The kinds that projects get.
        pub tenant_network_types: Vec<String>,
        /// What makes networks real.
        pub mechanism_drivers: Vec<String>,
        /// What else ports can do.
        pub extension_drivers: Option<Vec<String>>,
    }
}
