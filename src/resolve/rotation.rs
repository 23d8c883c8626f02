//! How services log in, and how often what they log in with is made anew.

use crate::finding::{Code, Findings};
use crate::record::Phase;
use crate::resolve::{Cloud, Component};
use crate::spec::ControlPlaneSpec;
use crate::value::Value;

#[derive(Clone, Copy, Debug)]
pub struct Rotation {
    /// Whether a credential that was made is ever replaced.
    pub enabled: bool,
    pub interval_days: i64,
    pub pre_rotation_days: i64,
    pub grace_period_days: i64,
}

impl Rotation {
    /// A quarter of a year, a week to hand the new one out, and a day more for the old one.
    pub(super) fn of(spec: &ControlPlaneSpec) -> Self {
        let given = spec.rotation.clone().unwrap_or_default();
        Rotation {
            enabled: given.enabled.unwrap_or(true),
            interval_days: given.interval_days.map_or(90, i64::from),
            pre_rotation_days: given.pre_rotation_days.map_or(7, i64::from),
            grace_period_days: given.grace_period_days.map_or(1, i64::from),
        }
    }
}

/// Whether the spec asks for application credentials; says what must run then, and who cannot.
pub(super) fn application_credentials(cloud: &Cloud, findings: &mut Findings) -> bool {
    let Some(catalog) = cloud.component("catalog") else { return false };
    let chosen = catalog.options.get("credentials").and_then(Value::as_str);
    if chosen != Some("applicationCredential") {
        return false;
    }
    let place = cloud.written.place(&catalog.path.key("credentials"));
    findings.push(
        Code::CompanionNeeded
            .at(place.clone())
            .because("services wait until strata-operator has made their credentials")
            .remedy("run strata-operator in the cluster, or write password"),
    );
    // Keystone itself, before the catalog, has no account.
    let unable = |component: &&Component| {
        component.is_cobaltcore()
            && component.record.identity.is_some()
            && component.record.phase > Phase::Catalog
    };
    let names: Vec<&str> = cloud.components.iter().filter(unable).map(Component::name).collect();
    if !names.is_empty() {
        findings.push(
            Code::NoApplicationCredential
                .at(place)
                .because(format!(
                    "cobaltcore's operators log in with passwords: {}",
                    names.join(", ")
                ))
                .remedy("write password, or take these services from another distribution"),
        );
    }
    true
}
