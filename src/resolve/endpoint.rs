//! Where a component answers. One model: catalog, configuration and every other mention of a URL
//! read it here.

use crate::finding::{Code, Findings, Path};
use crate::layers::Written;
use crate::resolve::{Cloud, Component};
use crate::spec::Gateway;

/// The outside of a cloud.
#[derive(Clone, Debug)]
pub struct Public {
    /// Service names stand before it: `keystone.cloud.example.com`.
    pub domain: String,
    /// What routes hang on, if Strata makes them.
    pub gateway: Option<Gateway>,
}

/// A route needs a name to listen for.
pub(super) fn public(written: &Written, findings: &mut Findings) -> Option<Public> {
    let endpoints = written.spec.endpoints.clone()?;
    match (endpoints.domain, endpoints.gateway) {
        (Some(domain), gateway) => Some(Public { domain, gateway }),
        (None, Some(_)) => {
            findings.push(
                Code::MissingField
                    .at(written.place(&Path::from("spec.endpoints")))
                    .because(
                        "routes on the gateway need a public domain, and `domain` is missing here",
                    )
                    .remedy("add `domain:` (a DNS name such as cloud.example.com)"),
            );
            None
        }
        (None, None) => None,
    }
}

impl Cloud<'_> {
    pub fn scheme(&self) -> &'static str {
        if self.tls { "https" } else { "http" }
    }

    /// The name of a component's Service inside the cluster.
    pub fn host(&self, component: &Component) -> String {
        format!("{}.{}.svc.cluster.local", component.record.object_name, self.namespace)
    }

    /// Its name outside; none if it has no service in the catalog or the cloud has no outside.
    pub fn public_host(&self, component: &Component) -> Option<String> {
        let public = self.public.as_ref()?;
        let identity = component.record.identity.as_ref()?;
        component.record.port()?;
        (!identity.service_type.is_empty())
            .then(|| format!("{}.{}", component.name(), public.domain))
    }

    /// Where those outside reach it. Always encrypted: it ends at a gateway that has a certificate.
    pub fn public_url(&self, component: &Component) -> Option<String> {
        let path = component.record.identity.as_ref().map_or("", |identity| identity.path.as_ref());
        Some(format!("https://{}{path}", self.public_host(component)?))
    }

    /// Where other services of the cloud reach it; none if it has no port.
    pub fn internal_url(&self, component: &Component) -> Option<String> {
        let path = component.record.identity.as_ref().map_or("", |identity| identity.path.as_ref());
        Some(format!("{}{path}", self.address(component)?))
    }

    /// The same without the path of its API.
    pub fn address(&self, component: &Component) -> Option<String> {
        let scheme = if component.is_cobaltcore() { "http" } else { self.scheme() };
        Some(format!("{scheme}://{}:{}", self.host(component), component.record.port()?))
    }
}
