//! Whoever asks for encryption learns which services do not have it.

use crate::finding::{Code, Findings, Path};
use crate::resolve::{Cloud, Component};

pub(super) fn check(cloud: &Cloud, findings: &mut Findings) {
    let asked = Path::from("spec.global.tls.enabled");
    // Every cloud is encrypted unless told otherwise; only who wrote it down counts on it.
    if !cloud.tls || cloud.written.get(&asked).is_none() {
        return;
    }
    let plain: Vec<&str> = cloud
        .components
        .iter()
        .filter(|component| component.is_cobaltcore() && is_asked(component))
        .map(Component::name)
        .collect();
    if plain.is_empty() {
        return;
    }
    findings.push(
        Code::PlainHttp
            .at(cloud.written.place(&asked))
            .because(format!("these speak plain HTTP inside the cluster: {}", plain.join(", ")))
            .remedy("let a gateway encrypt what comes from outside (`endpoints.gateway`), and keep others away with `global.networkPolicies`"),
    );
}

/// Whether it has an API or a page.
fn is_asked(component: &Component) -> bool {
    let has_api = component.identity().is_some_and(|it| !it.service_type.is_empty());
    has_api || component.doors().next().is_some()
}
