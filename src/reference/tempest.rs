//! Tempest, the integration tests of OpenStack.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

use crate::reference::parts::{Dependency, Image, KeystoneAuth, Resources};

kind! {
    /// Test runs on a schedule.
    "Tempest" TempestSpec in "tempest.openstack.c5c3.io", status "TempestStatus" {
        /// When the tests run, as a cron expression.
        pub schedule: String,
        pub image: Image,
        pub keystone: KeystoneAuth,
        pub tests: Option<Tests>,
        pub resources: Option<Resources>,
        pub depends_on: Option<Vec<Dependency>>,
    }
}

part! {
    /// What is tested.
    Tests {
        /// By service type.
        pub services: Option<Vec<String>>,
        #[schemars(range(min = 1))]
        pub concurrency: Option<i32>,
        pub include_regex: Option<String>,
        pub exclude_regex: Option<String>,
    }
}

part! {
    /// What the last run gave.
    TempestStatus {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub conditions: Vec<Condition>,
        pub observed_generation: Option<i64>,
        pub last_run: Option<String>,
        pub last_duration: Option<String>,
        pub results: Option<Results>,
    }
}

part! {
    /// How many tests ended how.
    Results {
        pub passed_tests: Option<i64>,
        pub failed_tests: Option<i64>,
        pub skipped_tests: Option<i64>,
        pub total_tests: Option<i64>,
    }
}
