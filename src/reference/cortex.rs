//! Cortex, the scheduler that looks at the whole cloud.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

use crate::reference::parts::{Database, Dependency, Image, KeystoneAuth, Resources, ServiceTls};

kind! {
    /// A Cortex deployment.
    "Cortex" CortexSpec in "cortex.c5c3.io", status "CortexStatus" {
        /// How many there are.
        #[schemars(range(min = 1))]
        pub replicas: i32,
        /// What it runs.
        pub image: Image,
        /// A PostgreSQL database, where what it learned lies.
        pub database: Database,
        /// How it proves who it is.
        pub keystone: KeystoneAuth,
        /// What it schedules, by service.
        pub pipelines: BTreeMap<String, Pipeline>,
        /// Where it learns about the cloud, by name.
        pub datasources: Option<BTreeMap<String, Datasource>>,
        /// Encryption of what it serves and calls.
        pub tls: Option<ServiceTls>,
        /// Processor and memory of each replica.
        pub resources: Option<Resources>,
        /// What must be ready first.
        pub depends_on: Option<Vec<Dependency>>,
    }
}

part! {
    /// How one service's requests are placed.
    Pipeline {
        /// Whether Cortex places them.
        pub enabled: bool,
        /// What takes hosts out, in order.
        pub filters: Option<Vec<Filter>>,
        /// What puts the rest in order.
        pub weighers: Option<Vec<Weigher>>,
    }
}

part! {
    /// Takes hosts out.
    Filter {
        /// Its name.
        pub name: String,
    }
}

part! {
    /// Puts hosts in order.
    Weigher {
        /// Its name.
        pub name: String,
        /// How much it counts beside the others.
        pub weight: Option<f64>,
    }
}

part! {
    /// Where it learns about the cloud.
    Datasource rules {
        "!self.enabled || has(self.endpoint)" => "a source that is read has an endpoint",
    } {
        /// Whether it is read.
        pub enabled: bool,
        /// Where it answers.
        pub endpoint: Option<String>,
    }
}

part! {
    /// What the operator reports.
    CortexStatus {
        /// Ready and PipelinesReady.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub conditions: Vec<Condition>,
        /// Where it answers.
        pub endpoint: Option<String>,
        /// The generation of the spec that this is about.
        pub observed_generation: Option<i64>,
        /// The pipelines that place requests now.
        pub active_pipelines: Option<Vec<String>>,
    }
}
