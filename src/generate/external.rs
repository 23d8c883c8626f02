//! What must exist before a cloud: what its spec names, and what records declare.

use std::borrow::Cow;

use crate::generate::scope::Scope;
use crate::generate::{Batch, sentinel};
use crate::links::External;
use crate::record::Outside;
use crate::resolve::Cloud;

/// The store of all secrets, or what one of the cloud's own hangs on.
fn store(cloud: &Cloud) -> Vec<External<'static>> {
    let external = |kind: String, name: &str, why: String| External {
        component: sentinel::HOME,
        kind,
        name: name.to_owned(),
        why: Cow::Owned(why),
    };
    let Some(vault) = &cloud.store.vault else {
        let kind = format!("{:?}", cloud.store.kind);
        return vec![external(
            kind,
            &cloud.store.name,
            "holds every secret of the cloud".to_owned(),
        )];
    };
    let mut needed = vec![external(
        "VaultRole".to_owned(),
        &vault.role,
        format!(
            "lets ServiceAccount {}/{} read and write {}* in mount {} of {}",
            cloud.namespace,
            vault.service_account,
            cloud.secret_path(""),
            vault.mount,
            vault.server
        ),
    )];
    needed.extend(vault.ca_secret.as_ref().map(|secret| {
        external("Secret".to_owned(), secret, "holds ca.crt of the store's authority".to_owned())
    }));
    needed
}

/// The store of all secrets, and what public names hang on.
pub fn of_spec(cloud: &Cloud) -> Vec<External<'static>> {
    let mut external = store(cloud);
    let Some(public) = &cloud.public else { return external };
    if let Some(issuer) = &cloud.issuer {
        external.push(External {
            component: "certificates",
            kind: issuer.kind.clone().unwrap_or_else(|| "ClusterIssuer".to_owned()),
            name: issuer.name.clone(),
            why: Cow::Borrowed("issues certificates for public names"),
        });
    }
    if let Some(gateway) = &public.gateway {
        external.push(External {
            component: "certificates",
            kind: "Gateway".to_owned(),
            name: gateway.name.clone(),
            why: Cow::Borrowed("lets the world in"),
        });
    }
    external
}

impl<'a> Batch<'a, '_, '_> {
    /// What the record declares.
    pub(super) fn external(&mut self, scope: &Scope) -> Vec<External<'a>> {
        let declared = self.component.record.external.iter();
        declared.flat_map(|outside| self.outside(outside, scope)).collect()
    }

    fn outside(&mut self, outside: &'a Outside, scope: &Scope) -> Vec<External<'a>> {
        let component = self.component.name();
        let external = |name| External {
            component,
            kind: outside.kind.to_string(),
            name,
            why: Cow::Borrowed(outside.why.as_ref()),
        };
        self.names(&outside.named, scope).into_iter().map(external).collect()
    }
}
