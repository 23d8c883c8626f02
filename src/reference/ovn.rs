//! OVN, the virtual network below Neutron.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

use crate::reference::parts::{Image, Resources, SecretRef, Status};

kind! {
    /// The databases of an OVN network, and what runs on its hypervisors.
    "OVNCluster" OVNClusterSpec in "ovn.c5c3.io", status "OVNClusterStatus" {
        pub ovn_image: Image,
        pub ovs_image: Image,
        pub northbound: OvnDatabase,
        pub southbound: OvnDatabase,
        /// The OVN controller on every hypervisor.
        pub controller: Option<Agent>,
        /// Open vSwitch on every hypervisor.
        pub ovs: Option<Agent>,
        pub neutron_integration: Option<NeutronIntegration>,
        pub tls: Option<OvnTls>,
        pub encapsulation: Option<String>,
        pub bridge_mappings: Option<Vec<BridgeMapping>>,
    }
}

kind! {
    /// A hypervisor in an OVN network. The operator makes it from a Node.
    "OVNChassis" OVNChassisSpec in "ovn.c5c3.io", status "Status" {
        pub hostname: String,
        pub system_id: String,
        pub bridge_mappings: Option<Vec<BridgeMapping>>,
        pub encapsulation: Option<ChassisEncapsulation>,
    }
}

part! {
    /// A Raft cluster that holds one of the two databases.
    OvnDatabase {
        #[schemars(range(min = 1))]
        pub replicas: i32,
        pub storage: OvnStorage,
        pub resources: Option<Resources>,
    }
}

part! {
    /// The volume of each member.
    OvnStorage { pub size: String, pub storage_class: Option<String>, }
}

part! {
    /// What runs on hypervisors.
    Agent { pub node_selector: Option<BTreeMap<String, String>>, pub resources: Option<Resources>, }
}

part! {
    /// Where Neutron finds the databases.
    NeutronIntegration { pub nb_connection: OvnConnection, pub sb_connection: OvnConnection, }
}

part! {
    /// A Service before one of the databases.
    OvnConnection { pub service: OvnService, }
}

part! {
    /// Name and port of a Service.
    OvnService { pub name: String, pub port: i32, }
}

part! {
    /// Encryption between all parts.
    OvnTls { pub enabled: bool, pub cert_secret_ref: Option<SecretRef>, }
}

part! {
    /// Which bridge leads into which physical network.
    BridgeMapping { pub physical_network: String, pub bridge: String, }
}

part! {
    /// How a hypervisor's packets travel.
    ChassisEncapsulation {
        #[serde(rename = "type")]
        pub kind: String,
        pub ip: String,
    }
}

part! {
    /// What the operator reports.
    OVNClusterStatus {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub conditions: Vec<Condition>,
        pub endpoints: Option<OvnEndpoints>,
        pub chassis_count: Option<i64>,
        pub active_controllers: Option<i64>,
        pub observed_generation: Option<i64>,
    }
}

part! {
    /// Where the databases answer.
    OvnEndpoints { pub northbound: Option<String>, pub southbound: Option<String>, }
}
