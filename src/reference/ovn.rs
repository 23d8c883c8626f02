//! OVN, the virtual network below Neutron.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

use crate::reference::parts::{Image, Resources, ServiceTls};

kind! {
    /// The databases of an OVN network, and what runs on its hypervisors.
    "OVNCluster" OVNClusterSpec in "ovn.c5c3.io", status "OVNClusterStatus"
    columns [
        r#"{"name":"Version","type":"string","jsonPath":".spec.ovnImage.tag"}"#,
        r#"{"name":"Chassis","type":"integer","jsonPath":".status.chassisCount"}"#,
        r#"{"name":"Northbound","type":"string","jsonPath":".status.endpoints.northbound","priority":1}"#,
        r#"{"name":"Southbound","type":"string","jsonPath":".status.endpoints.southbound","priority":1}"#,
    ] {
        /// What runs the databases and the controllers.
        pub ovn_image: Image,
        /// What runs the switches.
        pub ovs_image: Image,
        /// What Neutron writes: networks as they are meant to be.
        pub northbound: OvnDatabase,
        /// What hypervisors read: flows, and who is bound where.
        pub southbound: OvnDatabase,
        /// The OVN controller on every hypervisor.
        pub controller: Option<Agent>,
        /// Open vSwitch on every hypervisor.
        pub ovs: Option<Agent>,
        /// Where Neutron finds the databases.
        pub neutron_integration: Option<NeutronIntegration>,
        /// Encryption between all parts.
        pub tls: Option<ServiceTls>,
        /// How packets travel between hypervisors.
        #[schemars(extend("enum" = ["geneve", "vxlan"]))]
        pub encapsulation: Option<String>,
        /// Which bridge leads into which physical network, on every hypervisor.
        #[schemars(length(max = 64), extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["physicalNetwork"]))]
        pub bridge_mappings: Option<Vec<BridgeMapping>>,
    }
}

kind! {
    /// A hypervisor in an OVN network. The operator makes it from a Node.
    "OVNChassis" OVNChassisSpec in "ovn.c5c3.io", status "OVNChassisStatus"
    columns [
        r#"{"name":"Host","type":"string","jsonPath":".spec.hostname"}"#,
        r#"{"name":"Address","type":"string","jsonPath":".spec.encapsulation.ip"}"#,
        r#"{"name":"Heartbeat","type":"string","jsonPath":".status.lastHeartbeat","priority":1}"#,
    ] {
        /// The node's name.
        pub hostname: String,
        /// The name of its switch in the southbound database.
        pub system_id: String,
        /// Which bridge leads into which physical network.
        pub bridge_mappings: Option<Vec<BridgeMapping>>,
        /// How its packets travel.
        pub encapsulation: Option<ChassisEncapsulation>,
    }
}

part! {
    /// A Raft cluster that holds one of the two databases.
    OvnDatabase rules {
        "self.replicas % 2 == 1" => "Raft decides by majority: the number of members is odd",
    } {
        /// How many members it has.
        #[schemars(range(min = 1))]
        pub replicas: i32,
        /// The volume of each member.
        pub storage: OvnStorage,
        /// Processor and memory of each member.
        pub resources: Option<Resources>,
    }
}

part! {
    /// The volume of each member.
    OvnStorage {
        /// Its size.
        pub size: String,
        /// Its StorageClass; the cluster's default if left out.
        pub storage_class: Option<String>,
    }
}

part! {
    /// What runs on hypervisors.
    Agent {
        /// The labels by which a node is a hypervisor.
        pub node_selector: Option<BTreeMap<String, String>>,
        /// Processor and memory on each.
        pub resources: Option<Resources>,
    }
}

part! {
    /// Where Neutron finds the databases.
    NeutronIntegration {
        /// The northbound database.
        pub nb_connection: OvnConnection,
        /// The southbound database.
        pub sb_connection: OvnConnection,
    }
}

part! {
    /// A way to one of the databases.
    OvnConnection {
        /// The Service before it.
        pub service: OvnService,
    }
}

part! {
    /// A Service before one of the databases.
    OvnService {
        /// Its name.
        pub name: String,
        /// Its port.
        #[schemars(range(min = 1, max = 65535))]
        pub port: i32,
    }
}

part! {
    /// Which bridge leads into which physical network.
    BridgeMapping {
        /// The network's name, as Neutron knows it.
        pub physical_network: String,
        /// The bridge's name on the node.
        pub bridge: String,
    }
}

part! {
    /// How a hypervisor's packets travel.
    ChassisEncapsulation {
        /// The protocol, such as geneve.
        #[serde(rename = "type")]
        pub kind: String,
        /// The node's address in it.
        pub ip: String,
    }
}

part! {
    /// What the operator reports.
    OVNClusterStatus {
        /// Ready, NorthboundReady, SouthboundReady and ControllersReady.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub conditions: Vec<Condition>,
        /// Where the databases answer.
        pub endpoints: Option<OvnEndpoints>,
        /// How many hypervisors are registered.
        pub chassis_count: Option<i64>,
        /// How many of their controllers are connected.
        pub active_controllers: Option<i64>,
        /// The generation of the spec that this is about.
        pub observed_generation: Option<i64>,
    }
}

part! {
    /// Where the databases answer.
    OvnEndpoints {
        /// The northbound database.
        pub northbound: Option<String>,
        /// The southbound database.
        pub southbound: Option<String>,
    }
}

part! {
    /// What the operator reports about a hypervisor.
    OVNChassisStatus {
        /// Ready and OVSConnected.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub conditions: Vec<Condition>,
        /// When it first connected.
        pub registered_at: Option<String>,
        /// When it was last heard of.
        pub last_heartbeat: Option<String>,
        /// The generation of the spec that this is about.
        pub observed_generation: Option<i64>,
    }
}
