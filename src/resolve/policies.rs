//! Network policies of a cloud: whether there are any, and from where those come who are no pods of it.

use crate::catalogue::Catalogue;
use crate::finding::{Code, Findings, Path};
use crate::layers::Written;
use crate::resolve::Cloud;
use crate::resolve::switch::is_on;
use crate::schema::nearest;
use crate::spec::NetworkPolicies;
use crate::value::Text;

#[derive(Debug)]
pub struct Policies {
    /// From where metrics are read.
    pub monitoring_namespace: String,
    /// From where the gateway speaks, if that is not where it stands.
    pub gateway_namespace: Option<String>,
    /// The operators that may have to reach pods, whoever installed them.
    pub operators: Vec<Operator>,
}

/// An operator and where its pods run.
#[derive(Debug)]
pub struct Operator {
    pub component: Text,
    pub namespace: String,
    /// The component that it runs; empty if it is of use to several.
    pub serves: Text,
    /// The distribution that component must come from; empty for any.
    pub distribution: Text,
}

pub(super) fn resolve(
    asked: Option<NetworkPolicies>,
    written: &Written,
    catalogue: &Catalogue,
    findings: &mut Findings,
) -> Option<Policies> {
    let path = Path::from("spec.global.networkPolicies");
    let off = (&path, "there are no policies unless they are switched on");
    let asked = asked.filter(|asked| is_on(asked.enabled, true, off, written, findings))?;
    let elsewhere = asked.operator_namespaces.unwrap_or_default();
    let known = || catalogue.records().filter(|record| !record.namespace.is_empty());
    let path = path.key("operatorNamespaces");
    for name in elsewhere.keys() {
        if known().any(|record| record.component == name.as_str()) {
            continue;
        }
        let names = || known().map(|record| record.component.as_ref());
        let remedy = match nearest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("name one of {}", names().collect::<Vec<&str>>().join(", ")),
        };
        findings.push(
            Code::UnknownField
                .at(written.place(&path.key(name)))
                .because(format!("`{name}` is no operator that reaches pods of a cloud"))
                .remedy(remedy),
        );
    }
    let operators = known().map(|record| Operator {
        component: record.component.clone(),
        namespace: elsewhere
            .get(record.component.as_ref())
            .map_or_else(|| record.namespace.to_string(), Clone::clone),
        serves: record.serves.clone(),
        distribution: record.distribution.clone(),
    });
    Some(Policies {
        monitoring_namespace: asked.monitoring_namespace.unwrap_or_else(|| "monitoring".to_owned()),
        gateway_namespace: asked.gateway_namespace,
        operators: operators.collect(),
    })
}

/// Public names that something else than a Gateway leads to: nobody here knows where its pods run.
pub(super) fn let_in(cloud: &Cloud, findings: &mut Findings) {
    let Some(Policies { gateway_namespace: None, .. }) = &cloud.policies else { return };
    let Some(public) = cloud.public.as_ref().filter(|public| public.gateway.is_none()) else {
        return;
    };
    findings.push(
        Code::ShutOut
            .at(cloud.written.place(&Path::from("spec.global.networkPolicies")))
            .because(format!(
                "names below {} lead to services that take no connection from outside the cloud",
                public.domain
            ))
            .remedy("add `gatewayNamespace`, the namespace of what leads to them; or name `endpoints.gateway`"),
    );
}
