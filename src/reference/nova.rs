//! Nova, the compute service.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

use crate::reference::parts::{
    Dependency, Image, KeystoneAuth, Messaging, ObjectRef, Process, Resources, SecretRef,
};

kind! {
    /// A Nova deployment.
    "Nova" NovaSpec in "nova.openstack.c5c3.io", status "NovaStatus" {
        pub api: Process,
        pub scheduler: Scheduler,
        pub conductor: Process,
        pub metadata: Option<Process>,
        pub console_proxy: Option<Process>,
        pub image: Image,
        pub database: NovaDatabase,
        pub messaging: Messaging,
        pub keystone: KeystoneAuth,
        pub service_auth: Option<ServiceAuth>,
        pub cells: Option<Vec<Cell>>,
        pub depends_on: Option<Vec<Dependency>>,
    }
}

part! {
    /// The scheduler.
    Scheduler {
        #[schemars(range(min = 1))]
        pub replicas: i32,
        pub resources: Option<Resources>,
        pub external_scheduler: Option<ExternalScheduler>,
    }
}

part! {
    /// A scheduler outside Nova that has the last word.
    ExternalScheduler { pub enabled: bool, pub endpoint: Option<String>, }
}

part! {
    /// Nova's three databases.
    NovaDatabase {
        /// Holds `username` and `password`.
        pub secret_ref: SecretRef,
        pub database: String,
        pub api_database: String,
        pub cell_database: String,
        pub host: Option<String>,
        #[schemars(range(min = 1, max = 65535))]
        pub port: Option<i32>,
    }
}

part! {
    /// Users as which Nova speaks to other services.
    ServiceAuth {
        pub placement_service_user_ref: Option<ObjectRef>,
        pub neutron_service_user_ref: Option<ObjectRef>,
        pub glance_service_user_ref: Option<ObjectRef>,
        pub cinder_service_user_ref: Option<ObjectRef>,
    }
}

part! {
    /// A part of the hypervisors, with a database and a queue of its own.
    Cell {
        pub name: String,
        /// The hypervisor cluster behind it.
        pub compute_ref: Option<ObjectRef>,
        pub database: Option<String>,
        pub vhost: Option<String>,
    }
}

part! {
    /// What the operator reports.
    NovaStatus {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub conditions: Vec<Condition>,
        pub endpoint: Option<String>,
        pub observed_generation: Option<i64>,
        pub cells: Option<Vec<CellStatus>>,
    }
}

part! {
    /// What the operator reports about a cell.
    CellStatus { pub name: String, pub status: Option<String>, pub compute_nodes: Option<i64>, }
}
