//! Where a component answers. One model: catalog, configuration and every other mention of a URL
//! read it here.

use crate::finding::{Code, Findings, Path};
use crate::layers::Written;
use crate::record::Door;
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

/// A way in from outside: a public name, and the Service and port that answer to it.
#[derive(Clone, Debug)]
pub struct Way {
    pub host: String,
    pub service: String,
    pub port: i64,
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
        let identity = component.identity()?;
        component.record.port()?;
        (!identity.service_type.is_empty())
            .then(|| format!("{}.{}", component.name(), public.domain))
    }

    /// All ways to a component from outside: to what the catalog has of it, and to what else its
    /// record opens. Before each stands what expressions call it; nothing before the catalog's.
    pub fn ways<'c>(&self, component: &'c Component) -> Vec<(&'c str, Way)> {
        let record = component.record;
        let api = self.public_host(component).zip(record.port());
        let api =
            api.map(|(host, port)| Way { host, service: record.object_name.to_string(), port });
        let domain = self.public.as_ref().map(|public| public.domain.as_str());
        let doors = domain.into_iter().flat_map(|domain| {
            component.doors().map(move |door| {
                let host = format!("{}.{domain}", door.host);
                let way = Way {
                    host,
                    service: door.service.to_string(),
                    port: self.door_port(component, door),
                };
                (door.host.as_ref(), way)
            })
        });
        api.map(|way| ("", way)).into_iter().chain(doors).collect()
    }

    /// Whether it speaks TLS inside the cluster, which it can where it has a certificate for it.
    pub fn is_encrypted(&self, component: &Component) -> bool {
        self.tls && !component.is_cobaltcore() && !component.record.certificate.is_empty()
    }

    fn door_port(&self, component: &Component, door: &Door) -> i64 {
        let plain = door.plain_port.filter(|_| !self.is_encrypted(component));
        plain.unwrap_or(door.port)
    }

    /// Where a further API of a component is reached, inside and outside.
    pub fn door_urls(&self, component: &Component, door: &Door) -> (String, Option<String>) {
        let scheme = if self.is_encrypted(component) { "https" } else { "http" };
        let Door { host, service, path, .. } = door;
        let port = self.door_port(component, door);
        let inside =
            format!("{scheme}://{service}.{}.svc.cluster.local:{port}{path}", self.namespace);
        let public = self.public.as_ref();
        (inside, public.map(|public| format!("https://{host}.{}{path}", public.domain)))
    }

    /// Where those outside reach it. Always encrypted: it ends at a gateway that has a certificate.
    pub fn public_url(&self, component: &Component) -> Option<String> {
        let path = component.identity().map_or("", |identity| identity.path.as_ref());
        Some(format!("https://{}{path}", self.public_host(component)?))
    }

    /// Where other services of the cloud reach it; none if it has no port.
    pub fn internal_url(&self, component: &Component) -> Option<String> {
        let path = component.identity().map_or("", |identity| identity.path.as_ref());
        Some(format!("{}{path}", self.address(component)?))
    }

    /// The same without the path of its API.
    pub fn address(&self, component: &Component) -> Option<String> {
        let scheme = if self.is_encrypted(component) { "https" } else { "http" };
        Some(format!("{scheme}://{}:{}", self.host(component), component.record.port()?))
    }
}
