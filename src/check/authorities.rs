//! Every cloud has an authority of its own, and an operator stands once in a cluster. One that speaks to
//! servers trusts the authority of the cloud that installs it; of the other clouds' it has to be told.

use crate::finding::{Code, Findings, Place};
use crate::record::Record;
use crate::resolve::{Cloud, Component};
use crate::value::Value;

/// The option in which an operator is told.
const AUTHORITIES: &str = "authorities";

/// Who trusts whom among the clouds of one input.
#[derive(Debug, Default)]
pub struct Authorities {
    operators: Vec<Operator>,
    servers: Vec<Server>,
}

#[derive(Debug)]
struct Operator {
    component: String,
    cloud: String,
    trusts: Vec<String>,
    /// Where it is told.
    place: Place,
}

/// A server that an operator of another cloud has to reach.
#[derive(Debug)]
struct Server {
    component: String,
    cloud: String,
    /// The Secret with its authority, as it is called where that operator is.
    authority: String,
    operator: String,
}

impl Authorities {
    pub fn add(&mut self, cloud: &Cloud) {
        let own = format!("{}/{}", cloud.namespace, cloud.name);
        for component in cloud.components.iter().filter(|it| is_told(it.record)) {
            self.operators.push(Operator {
                component: component.name().to_owned(),
                cloud: own.clone(),
                trusts: trusted(component),
                place: cloud.written.place(&component.path.key(AUTHORITIES)),
            });
        }
        let operators = cloud.catalogue.records().filter(|record| is_told(record));
        for operator in operators.filter(|record| cloud.component(&record.component).is_none()) {
            let waits = |it: &&Component| it.record.after.contains(&operator.component);
            for server in cloud.components.iter().filter(waits) {
                if cloud.is_encrypted(server) && !server.is_external() {
                    self.servers.push(Server {
                        component: server.name().to_owned(),
                        cloud: own.clone(),
                        authority: format!("ca-{}", cloud.namespace),
                        operator: operator.component.to_string(),
                    });
                }
            }
        }
    }

    /// A finding for each server that its operator would not speak to.
    pub fn check(&self, findings: &mut Findings) {
        for operator in &self.operators {
            let Operator { component, cloud, trusts, place } = operator;
            let is_unknown =
                |it: &&Server| it.operator == *component && !trusts.contains(&it.authority);
            for server in self.servers.iter().filter(is_unknown) {
                let Server { authority, .. } = server;
                findings.push(
                    Code::UntrustedAuthority
                        .at(place.clone())
                        .because(format!("{component} of {cloud} does not trust the authority of {}, and makes nothing on its {}", server.cloud, server.component))
                        .remedy(format!("add `{authority}` to `{AUTHORITIES}`, and make a Secret of that name beside the operator, with ca.crt of that cloud's authority")),
                );
            }
        }
    }
}

fn is_told(record: &Record) -> bool {
    record.is_platform() && record.options.iter().any(|(name, _)| name == AUTHORITIES)
}

fn trusted(operator: &Component) -> Vec<String> {
    let named = operator.options.get(AUTHORITIES).and_then(Value::as_list).unwrap_or_default();
    named.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}
