//! Where a component answers. One model: catalog, configuration and every other mention of a URL
//! read it here.

use crate::resolve::{Cloud, Component};

impl Cloud<'_> {
    pub fn scheme(&self) -> &'static str {
        if self.tls { "https" } else { "http" }
    }

    /// The name of a component's Service inside the cluster.
    pub fn host(&self, component: &Component) -> String {
        format!("{}.{}.svc.cluster.local", component.record.object_name, self.namespace)
    }

    /// Where other services of the cloud reach it; none if it has no port.
    pub fn internal_url(&self, component: &Component) -> Option<String> {
        let record = component.record;
        let path = record.identity.as_ref().map_or("", |identity| identity.path.as_ref());
        Some(format!("{}://{}:{}{path}", self.scheme(), self.host(component), record.port()?))
    }
}
