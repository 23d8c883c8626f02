//! Cortex, the scheduler that looks at the whole cloud.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

use crate::reference::parts::{Database, Dependency, Image, KeystoneAuth, Resources};

kind! {
    /// A Cortex deployment.
    "Cortex" CortexSpec in "cortex.c5c3.io", status "CortexStatus" {
        #[schemars(range(min = 1))]
        pub replicas: i32,
        pub image: Image,
        /// A PostgreSQL database.
        pub database: Database,
        pub keystone: KeystoneAuth,
        /// What it schedules, by service.
        pub pipelines: BTreeMap<String, Pipeline>,
        pub datasources: Option<BTreeMap<String, Datasource>>,
        pub resources: Option<Resources>,
        pub depends_on: Option<Vec<Dependency>>,
    }
}

part! {
    /// How one service's requests are placed.
    Pipeline {
        pub enabled: bool,
        pub filters: Option<Vec<Filter>>,
        pub weighers: Option<Vec<Weigher>>,
    }
}

part! {
    /// Takes hosts out.
    Filter { pub name: String, }
}

part! {
    /// Puts hosts in order.
    Weigher { pub name: String, pub weight: Option<f64>, }
}

part! {
    /// Where it learns about the cloud.
    Datasource { pub enabled: bool, pub endpoint: Option<String>, }
}

part! {
    /// What the operator reports.
    CortexStatus {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub conditions: Vec<Condition>,
        pub endpoint: Option<String>,
        pub observed_generation: Option<i64>,
        pub active_pipelines: Option<Vec<String>>,
    }
}
