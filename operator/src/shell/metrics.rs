//! Numbers about rotations; none of them is a secret.

use std::sync::Mutex;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

#[derive(Debug, Clone, Hash, PartialEq, Eq, EncodeLabelSet)]
pub struct Which {
    pub namespace: String,
    pub name: String,
}

#[derive(Debug, Clone, Hash, PartialEq, Eq, EncodeLabelSet)]
pub struct Where {
    pub namespace: String,
    pub name: String,
    pub phase: String,
    pub reason: String,
}

#[derive(Debug, Default)]
pub struct Metrics {
    registry: Mutex<Registry>,
    pub writes: Family<Which, Counter>,
    pub troubles: Family<Which, Counter>,
    pub age: Family<Which, Gauge>,
    pub waiting: Family<Where, Gauge>,
    pub stalled: Family<Which, Gauge>,
}

impl Metrics {
    pub fn new() -> Self {
        let metrics = Self::default();
        if let Ok(mut registry) = metrics.registry.lock() {
            let prefixed = registry.sub_registry_with_prefix("strata_rotation");
            prefixed.register("writes", "Writes that were made", metrics.writes.clone());
            prefixed.register("troubles", "Reads and writes that failed", metrics.troubles.clone());
            prefixed.register("age_seconds", "Since the last rotation", metrics.age.clone());
            let help = "For how long it has stood where it stands";
            prefixed.register("phase_seconds", help, metrics.waiting.clone());
            prefixed.register("stalled", "1 if a person is needed", metrics.stalled.clone());
        }
        metrics
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Ok(registry) = self.registry.lock() {
            let _ = encode(&mut text, &registry);
        }
        text
    }
}
