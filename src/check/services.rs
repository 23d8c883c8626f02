//! Distributions call their kinds the same, and a cluster has one CRD of each name: of the clouds of one
//! cluster, all have a service from one distribution.

use crate::finding::{Code, Findings, Path};
use crate::quick_hash::QuickMap;
use crate::resolve::{Cloud, Component};
use crate::spec::Distribution;

/// Who had a kind of a service first, and from which distribution.
#[derive(Debug, Default)]
pub struct Services(QuickMap<String, (String, Distribution)>);

impl Services {
    /// Adds the services of a cloud; a finding for those that another cloud has from somebody else.
    pub fn add(&mut self, cloud: &Cloud, findings: &mut Findings) {
        let own = format!("{}/{}", cloud.namespace, cloud.name);
        let mut clashes: Vec<Clash> = Vec::new();
        for component in &cloud.components {
            for kind in kinds(component) {
                let known =
                    self.0.entry(kind).or_insert_with(|| (own.clone(), component.distribution));
                if known.1 != component.distribution {
                    add(&mut clashes, cloud, component, known);
                }
            }
        }
        for Clash { at, other: (other, distribution), services } in clashes {
            findings.push(
                Code::TwoDistributions
                    .at(cloud.written.place(&at))
                    .because(format!(
                        "{other} has these from {}, with other kinds of the same names: {}",
                        distribution.name(),
                        services.join(", ")
                    ))
                    .remedy("take each service from one distribution for all clouds, or render them one by one if they are of different clusters"),
            );
        }
    }
}

/// What two clouds have from different distributions, by the one setting that says so.
struct Clash<'a> {
    at: Path,
    other: (String, Distribution),
    services: Vec<&'a str>,
}

fn add<'a>(
    clashes: &mut Vec<Clash<'a>>,
    cloud: &Cloud,
    component: &'a Component,
    other: &(String, Distribution),
) {
    let at = component.says_distribution(cloud);
    match clashes.iter_mut().find(|clash| clash.at == at && clash.other == *other) {
        // A service may have several kinds.
        Some(clash) if clash.services.last() == Some(&component.name()) => {}
        Some(clash) => clash.services.push(component.name()),
        None => {
            clashes.push(Clash { at, other: other.clone(), services: vec![component.name()] });
        }
    }
}

/// What it renders for its distribution alone.
fn kinds(component: &Component) -> impl Iterator<Item = String> {
    let own = component.objects().filter(|object| !object.distribution.is_empty());
    own.filter_map(|object| {
        let text = |field: &str| object.object.get(field)?.literal();
        let group = text("apiVersion")?.split('/').next()?;
        Some(format!("{} {}.{group}", component.name(), text("kind")?))
    })
}
