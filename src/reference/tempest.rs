//! Tempest, the integration tests of OpenStack.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

use crate::reference::parts::{ClientTls, Dependency, Image, KeystoneAuth, Resources, Sections};

kind! {
    /// Test runs on a schedule.
    "Tempest" TempestSpec in "tempest.openstack.c5c3.io", status "TempestStatus"
    columns [
        r#"{"name":"Schedule","type":"string","jsonPath":".spec.schedule"}"#,
        r#"{"name":"Passed","type":"integer","jsonPath":".status.results.passedTests"}"#,
        r#"{"name":"Failed","type":"integer","jsonPath":".status.results.failedTests"}"#,
        r#"{"name":"Last run","type":"string","jsonPath":".status.lastRun","priority":1}"#,
    ] {
        /// When the tests run, as a cron expression.
        pub schedule: String,
        /// What it runs.
        pub image: Image,
        /// How it proves who it is.
        pub keystone: KeystoneAuth,
        /// What is tested.
        pub tests: Option<Tests>,
        /// What it trusts.
        pub tls: Option<ClientTls>,
        /// Processor and memory of each run.
        pub resources: Option<Resources>,
        /// What must be ready first.
        pub depends_on: Option<Vec<Dependency>>,
        /// Options of its own configuration file that have no field here, by section.
        pub extra_config: Option<Sections>,
    }
}

part! {
    /// What is tested.
    Tests {
        /// By service type.
        pub services: Option<Vec<String>>,
        /// How many tests run side by side.
        #[schemars(range(min = 1))]
        pub concurrency: Option<i32>,
        /// Only tests whose names it matches.
        pub include_regex: Option<String>,
        /// No tests whose names it matches.
        pub exclude_regex: Option<String>,
    }
}

part! {
    /// What the last run gave.
    TempestStatus {
        /// Ready and TestsPassed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub conditions: Vec<Condition>,
        /// The generation of the spec that this is about.
        pub observed_generation: Option<i64>,
        /// When the last run began.
        pub last_run: Option<String>,
        /// How long it took.
        pub last_duration: Option<String>,
        /// How its tests ended.
        pub results: Option<Results>,
    }
}

part! {
    /// How many tests ended how.
    Results {
        /// Those that passed.
        pub passed_tests: Option<i64>,
        /// Those that failed.
        pub failed_tests: Option<i64>,
        /// Those that were left out.
        pub skipped_tests: Option<i64>,
        /// All of them.
        pub total_tests: Option<i64>,
    }
}
