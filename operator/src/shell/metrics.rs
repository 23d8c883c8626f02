//! Numbers about rotations; none of them is a secret.
//!
//! Only what was last seen is kept. Ages are worked out when somebody asks, so they grow while nobody looks.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

use super::report::KeySince;
use super::time;
use crate::core::{Phase, Time};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, EncodeLabelSet)]
pub struct Which {
    pub namespace: String,
    pub name: String,
}

/// Where a rotation was last seen to stand.
#[derive(Debug, Clone)]
pub struct Standing {
    pub phase: &'static str,
    pub reason: String,
    /// By a clock that does not step.
    pub since: Instant,
    pub stalled: bool,
    pub rotated: Option<Time>,
    pub expires: Option<Time>,
    pub due: Option<Time>,
    pub keys: Vec<KeySince>,
}

#[derive(Debug, Default)]
struct Counted {
    writes: u64,
    troubles: u64,
    standing: Option<Standing>,
}

/// What cannot be done for any rotation: `lease`, `watch`, `look` or `event`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct At {
    at: &'static str,
}

#[derive(Debug, Default)]
struct Rotations(Mutex<BTreeMap<Which, Counted>>);

#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    rotations: Arc<Rotations>,
    beside: Family<At, Counter>,
}

impl Default for Metrics {
    fn default() -> Self {
        let (mut registry, rotations) = (Registry::default(), Arc::new(Rotations::default()));
        let prefixed = registry.sub_registry_with_prefix("strata_rotation");
        prefixed.register_collector(Box::new(Arc::clone(&rotations)));
        let beside = Family::<At, Counter>::default();
        let help = "Failures that the status of no rotation tells, by what was tried";
        prefixed.register("operator_troubles", help, beside.clone());
        Self { registry, rotations, beside }
    }
}

impl Metrics {
    pub fn wrote(&self, which: &Which) {
        self.rotations.known().entry(which.clone()).or_default().writes += 1;
    }

    pub fn failed(&self, which: &Which) {
        self.rotations.known().entry(which.clone()).or_default().troubles += 1;
    }

    /// Of what no status tells.
    pub fn failed_at(&self, at: &'static str) {
        self.beside.get_or_create(&At { at }).inc();
    }

    pub fn stands(&self, which: &Which, standing: Standing) {
        self.rotations.known().entry(which.clone()).or_default().standing = Some(standing);
    }

    /// Of one that is not even looked at, what was known of its times stays.
    pub fn stops(&self, which: &Which, reason: String, since: Instant) {
        let phase = Phase::Stopped.name();
        let mut known = self.rotations.known();
        let standing = &mut known.entry(which.clone()).or_default().standing;
        *standing = Some(match standing.take() {
            Some(before) => Standing { phase, reason, since, stalled: true, ..before },
            None => Standing {
                phase,
                reason,
                since,
                stalled: true,
                rotated: None,
                expires: None,
                due: None,
                keys: Vec::new(),
            },
        });
    }

    /// Who leads no more says nothing of rotations: another does.
    pub fn forget_all(&self) {
        self.rotations.known().clear();
    }

    /// Nothing is said of what is no longer there.
    pub fn forget(&self, which: &Which) {
        self.rotations.known().remove(which);
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => text,
            Err(_) => String::new(),
        }
    }
}

impl Rotations {
    fn known(&self) -> MutexGuard<'_, BTreeMap<Which, Counted>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Collector for Rotations {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let (known, now) = (self.known(), time::now());
        let standings = || {
            let of = |(which, counted): (_, &'_ Counted)| Some((which, counted.standing.clone()?));
            known.iter().filter_map(of)
        };

        let mut counter = |name: &str, help: &str, value: &dyn Fn(&Counted) -> u64| {
            let mut metric = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
            for (which, counted) in known.iter() {
                let mut one = metric.encode_family(which)?;
                one.encode_counter::<[(&str, &str); 0], _, u64>(&value(counted), None)?;
            }
            fmt::Result::Ok(())
        };
        counter("writes", "Writes that were made", &|counted| counted.writes)?;
        counter("troubles", "Reads and writes that failed", &|counted| counted.troubles)?;

        let since = |time: Time| now.since(time).max(0);
        let mut gauge = |name: &str, help: &str, value: &dyn Fn(&Standing) -> Option<i64>| {
            let mut metric = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            for (which, standing) in standings() {
                if let Some(value) = value(&standing) {
                    metric.encode_family(which)?.encode_gauge(&value)?;
                }
            }
            fmt::Result::Ok(())
        };
        gauge("age_seconds", "Since the last rotation", &|standing| standing.rotated.map(since))?;
        let help = "Since a rotation was due, and 0 before";
        gauge("overdue_seconds", help, &|standing| standing.due.map(since))?;
        let help = "Until Keystone refuses what is in use by itself, and 0 afterwards";
        let until = |time: Time| time.since(now).max(0);
        gauge("expires_in_seconds", help, &|standing| standing.expires.map(until))?;
        let help = "1 if a person is needed";
        gauge("stalled", help, &|standing| Some(i64::from(standing.stalled)))?;

        let help = "For how long it has stood where it stands";
        let mut metric =
            encoder.encode_descriptor("phase_seconds", help, None, MetricType::Gauge)?;
        for (which, standing) in standings() {
            let labels = [
                ("namespace", which.namespace.as_str()),
                ("name", &which.name),
                ("phase", standing.phase),
                ("reason", &standing.reason),
            ];
            let seconds = i64::try_from(standing.since.elapsed().as_secs()).unwrap_or(i64::MAX);
            metric.encode_family(&labels)?.encode_gauge(&seconds)?;
        }

        let help = "For how long a key has had its role in the ring";
        let mut metric =
            encoder.encode_descriptor("key_age_seconds", help, None, MetricType::Gauge)?;
        for (which, standing) in standings() {
            for key in &standing.keys {
                let index = key.index.to_string();
                let labels = [
                    ("namespace", which.namespace.as_str()),
                    ("name", &which.name),
                    ("key", &index),
                    ("role", key.role),
                ];
                metric.encode_family(&labels)?.encode_gauge(&since(key.since))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn which(name: &str) -> Which {
        Which { namespace: "openstack".into(), name: name.into() }
    }

    fn standing(phase: &'static str, reason: &str) -> Standing {
        Standing {
            phase,
            reason: reason.to_owned(),
            since: Instant::now(),
            stalled: false,
            rotated: Some(time::now().plus(-100)),
            expires: None,
            due: Some(time::now().plus(-40)),
            keys: vec![KeySince { index: 2, role: "primary", since: time::now().plus(-100) }],
        }
    }

    fn lines(metrics: &Metrics, start: &str) -> Vec<String> {
        metrics.text().lines().filter(|line| line.starts_with(start)).map(str::to_owned).collect()
    }

    #[test]
    fn each_rotation_stands_in_one_place() {
        let metrics = Metrics::default();
        metrics.stands(&which("nova"), standing("Idle", "UpToDate"));
        metrics.stands(&which("glance"), standing("Idle", "UpToDate"));
        metrics.stands(&which("nova"), standing("Minted", "CannotAskKeystone"));
        let places = lines(&metrics, "strata_rotation_phase_seconds{");
        assert_eq!(places.len(), 2, "{places:?}");
        assert!(places.iter().any(|line| line.contains("nova") && line.contains("Minted")));
        metrics.forget(&which("glance"));
        assert!(!metrics.text().contains("glance"));
    }

    #[test]
    fn how_long_a_credential_lasts_is_told_of_those_that_end() {
        let metrics = Metrics::default();
        let ends = |seconds| Standing {
            expires: Some(time::now().plus(seconds)),
            ..standing("Idle", "UpToDate")
        };
        metrics.stands(&which("keys"), standing("Idle", "UpToDate"));
        metrics.stands(&which("nova"), ends(-5));
        metrics.stands(&which("glance"), ends(5_000));
        let left = lines(&metrics, "strata_rotation_expires_in_seconds{");
        assert_eq!(left.len(), 2, "{left:?}");
        let (glance, nova) = (&left[0], &left[1]);
        assert!(nova.contains("nova") && nova.ends_with(" 0"), "{nova}");
        assert!(glance.contains("glance") && !glance.ends_with(" 0"), "{glance}");
    }

    #[test]
    fn what_is_overdue_and_how_old_keys_are_is_told() {
        let metrics = Metrics::default();
        metrics.wrote(&which("keys"));
        let due = standing("Distributing", "WaitingForReplicas");
        metrics.stands(&which("keys"), due.clone());
        metrics.stands(&which("nova"), Standing { due: Some(time::now().plus(99)), ..due });
        let labels = r#"{namespace="openstack",name="keys"}"#;
        let writes = format!("strata_rotation_writes_total{labels} 1");
        assert_eq!(lines(&metrics, "strata_rotation_writes_total{")[0], writes);
        let overdue = lines(&metrics, "strata_rotation_overdue_seconds{");
        let (late, early) = (&overdue[0], &overdue[1]);
        assert!(late.contains(labels) && !late.ends_with(" 0"), "{late}");
        assert!(early.ends_with(" 0"), "{early}");
        let ages = lines(&metrics, "strata_rotation_key_age_seconds{");
        assert!(ages[0].contains(r#"key="2",role="primary"} 10"#), "{ages:?}");
    }
}
