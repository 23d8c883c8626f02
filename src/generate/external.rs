//! What must exist before a cloud: what its spec names, and what records declare.

use std::borrow::Cow;

use crate::generate::scope::Scope;
use crate::generate::{Batch, sentinel};
use crate::links::External;
use crate::record::Outside;
use crate::resolve::Cloud;
use crate::value::Value;

/// The store of all secrets, and what public names hang on.
pub fn of_spec(cloud: &Cloud) -> Vec<External<'static>> {
    let mut external = vec![External {
        component: sentinel::HOME,
        kind: format!("{:?}", cloud.store.kind),
        name: cloud.store.name.clone(),
        why: Cow::Borrowed("holds every secret of the cloud"),
    }];
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
        let mut external = Vec::new();
        for outside in self.component.record.external.iter() {
            match &outside.each {
                None => external.extend(self.outside(outside, scope)),
                Some(each) => {
                    for item in self.list(each, scope) {
                        external.extend(self.outside(outside, &scope.with_item(item)));
                    }
                }
            }
        }
        external
    }

    fn outside(&mut self, outside: &'a Outside, scope: &Scope) -> Option<External<'a>> {
        let name = match self.evaluator.template(&outside.name, scope) {
            Ok(Some(Value::Str(name))) => name.into_owned(),
            Ok(_) => return None,
            Err(troubles) => {
                for trouble in troubles {
                    self.findings.push(trouble.finding(self.component.record));
                }
                return None;
            }
        };
        Some(External {
            component: self.component.name(),
            kind: outside.kind.to_string(),
            name,
            why: Cow::Borrowed(outside.why.as_ref()),
        })
    }
}
