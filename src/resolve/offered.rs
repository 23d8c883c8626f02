//! Every component comes from a distribution that has it, or a finding says what to do. One setting may choose
//! for many: what it lacks is said once.

use crate::catalogue::Catalogue;
use crate::finding::{Code, Finding, Findings, Path};
use crate::resolve::{Cloud, Component};
use crate::spec::Distribution;

pub(super) fn check(cloud: &Cloud, catalogue: &Catalogue, findings: &mut Findings) {
    let mut choices: Vec<(Path, Distribution, Vec<&Component>)> = Vec::new();
    for component in cloud.components.iter().filter(|component| !is_offered(component)) {
        let (path, chosen) = (component.says_distribution(cloud), component.distribution);
        match choices.iter_mut().find(|(known, other, _)| (known, *other) == (&path, chosen)) {
            Some((.., lacking)) => lacking.push(component),
            None => choices.push((path, chosen, vec![component])),
        }
    }
    let built = built(catalogue);
    for (path, chosen, lacking) in choices {
        let place = cloud.written.place(&path);
        findings.push(if built.contains(&chosen.name()) {
            lacks(Code::NoSuchDistribution.at(place), chosen, &lacking, cloud)
        } else {
            Code::NotBuilt
                .at(place)
                .because(format!(
                    "the distribution {} cannot be rendered by this version",
                    chosen.name()
                ))
                .remedy(format!("write {}", built.join(" or ")))
        });
    }
}

fn is_offered(component: &Component) -> bool {
    let mut offers = distributions(component).peekable();
    let chosen = component.distribution.name();
    offers.peek().is_none() || offers.any(|offer| offer.is_empty() || offer == chosen)
}

fn distributions<'a>(component: &Component<'a>) -> impl Iterator<Item = &'a str> {
    component.record.objects.iter().map(|object| object.distribution.as_ref())
}

/// The distributions that any record has objects for.
fn built(catalogue: &Catalogue) -> Vec<&'static str> {
    let is_built = |name: &&str| {
        let mut objects = catalogue.records().flat_map(|record| record.objects.iter());
        objects.any(|object| object.distribution == *name)
    };
    Distribution::ALL.iter().map(|distribution| distribution.name()).filter(is_built).collect()
}

fn lacks(finding: Finding, chosen: Distribution, lacking: &[&Component], cloud: &Cloud) -> Finding {
    let names: Vec<&str> = lacking.iter().map(|component| component.name()).collect();
    let mut offers: Vec<&str> =
        lacking.iter().flat_map(|component| distributions(component)).collect();
    offers.sort_unstable();
    offers.dedup();
    // What is of use only to others goes with them.
    let mut switched: Vec<&&Component> =
        lacking.iter().filter(|component| !component.record.where_needed).collect();
    if switched.is_empty() {
        switched = lacking.iter().collect();
    }
    let setting = |component: &Component, key: &str, value: &str| {
        format!("`{}: {value}`", cloud.written.shown(&component.path.key(key)))
    };
    let off: Vec<String> =
        switched.iter().map(|component| setting(component, "enabled", "false")).collect();
    let elsewhere: Vec<String> = lacking
        .iter()
        .map(|component| setting(component, "distribution", &offers.join(" or ")))
        .collect();
    finding.because(format!("{} has no {}", chosen.name(), names.join(", "))).remedy(format!(
        "switch off what the cloud can do without: {}; what it needs, take from another: {}",
        off.join(", "),
        elsewhere.join(", ")
    ))
}
