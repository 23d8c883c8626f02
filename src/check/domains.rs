//! A public name leads to one cloud: no two clouds of one input have the same domain.

use crate::finding::{Code, Findings, Path};
use crate::quick_hash::QuickMap;
use crate::resolve::Cloud;

/// Which cloud has which public domain.
#[derive(Debug, Default)]
pub struct Domains(QuickMap<String, String>);

impl Domains {
    /// Every cloud has a Keystone, so that one domain means at least one name for two.
    pub fn add(&mut self, cloud: &Cloud, findings: &mut Findings) {
        let Some(public) = &cloud.public else { return };
        let owner = format!("{}/{}", cloud.namespace, cloud.name);
        let Some(other) = self.0.insert(public.domain.clone(), owner.clone()) else { return };
        // One cloud written twice is refused as that, and its domain is no second mistake.
        if other == owner {
            return;
        }
        findings.push(
            Code::SharedDomain
                .at(cloud.written.place(&Path::from("spec.endpoints.domain")))
                .because(format!(
                    "keystone.{} and all other public names are those of {other} already",
                    public.domain
                ))
                .remedy(format!(
                    "write a domain of its own, such as {}.{}",
                    cloud.name, public.domain
                )),
        );
    }
}
