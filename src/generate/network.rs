//! Who may speak to whom: nobody reaches a pod of the namespace but those whose records say so. Every
//! object here follows from `needs`, `talksTo` and `network` of the records.

use crate::finding::Findings;
use crate::generate::evaluate::{Evaluator, Trouble};
use crate::generate::scope::{Scope, Shared};
use crate::generate::sentinel;
use crate::map;
use crate::resolve::{Cloud, Component, Operator};
use crate::value::{Map, Value};

/// Every namespace bears its own name under this label.
const NAMESPACE: &str = "kubernetes.io/metadata.name";
/// The pods of a gateway bear its name under this label (Gateway API, GEP-1762).
const GATEWAY: &str = "gateway.networking.k8s.io/gateway-name";
/// What pods bear whose record says nothing else.
const NAME: &str = "app.kubernetes.io/name";
/// What Kubernetes puts on the pods of every Job.
const JOB: &str = "batch.kubernetes.io/job-name";

/// A port, and what is spoken there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Port {
    number: i64,
    protocol: &'static str,
}

impl Port {
    const fn tcp(number: i64) -> Self {
        Port { number, protocol: "TCP" }
    }

    /// As a record writes it: a number, or one with `/UDP` behind it.
    fn written(value: &Value) -> Option<Self> {
        match value {
            Value::Int(number) => Some(Port::tcp(*number)),
            Value::Str(text) => {
                let number = text.strip_suffix("/UDP")?.parse().ok()?;
                Some(Port { number, protocol: "UDP" })
            }
            _ => None,
        }
    }
}

/// One sort of pods of a component, as its record has it.
#[derive(Clone, Debug)]
pub struct Pods {
    component: String,
    /// Empty for the only sort.
    sort: String,
    labels: Map,
    ports: Vec<Port>,
    peers: Vec<Port>,
    /// By the component that each operator is.
    operators: Vec<(String, Vec<Port>)>,
    metrics: Vec<Port>,
    open: Vec<Port>,
}

/// The pods of all components. Their records read the cloud and themselves here, nothing that others
/// provide: a policy names the clients of a component, which come after it.
pub fn pods(
    cloud: &Cloud,
    shared: &Shared,
    evaluator: &mut Evaluator,
    findings: &mut Findings,
) -> Vec<Pods> {
    if cloud.policies.is_none() {
        return Vec::new();
    }
    let mut all = Vec::new();
    let runs_here =
        |component: &&Component| !component.record.is_platform() && !component.is_external();
    for component in cloud.components.iter().filter(runs_here) {
        let record = component.record;
        if record.network.is_empty() && component.image.is_some() {
            let labels = map! { NAME => record.object_name.clone() };
            all.push(Pods::new(component, "", &map! { "labels" => labels }));
        }
        if record.network.is_empty() {
            continue;
        }
        let scope = Scope::new(shared, cloud, component);
        for (sort, template) in record.network.iter() {
            match evaluator.template(template, &scope) {
                Ok(Some(Value::Map(body))) => all.push(Pods::new(component, sort, &body)),
                Ok(_) => {}
                Err(troubles) => {
                    let tell = |trouble: Trouble| findings.push(trouble.finding(record));
                    troubles.into_iter().for_each(tell);
                }
            }
        }
    }
    all
}

impl Pods {
    fn new(component: &Component, sort: &str, body: &Map) -> Self {
        let own = || {
            let ports = component.processes.iter().filter_map(|process| process.port);
            ports.map(Port::tcp).collect()
        };
        let ports = |key: &str| Some(listed(body.get(key).and_then(Value::as_list)?));
        let by_operator = body.get("operators").and_then(Value::as_map);
        let operators = by_operator.into_iter().flat_map(Map::iter).map(|(operator, ports)| {
            (operator.to_string(), ports.as_list().map(listed).unwrap_or_default())
        });
        Pods {
            component: component.name().to_owned(),
            sort: sort.to_owned(),
            labels: body.get("labels").and_then(Value::as_map).cloned().unwrap_or_default(),
            ports: ports("ports").unwrap_or_else(own),
            peers: ports("peers").unwrap_or_default(),
            operators: operators.collect(),
            metrics: ports("metrics").unwrap_or_default(),
            open: ports("open").unwrap_or_default(),
        }
    }

    fn name(&self) -> String {
        match self.sort.as_str() {
            "" => self.component.clone(),
            sort => format!("{}-{sort}", self.component),
        }
    }

    fn selector(&self) -> Map {
        map! { "podSelector" => map! { "matchLabels" => self.labels.clone() } }
    }
}

/// What nobody may do unless a policy of a component allows it.
pub fn nothing(cloud: &Cloud, component: &Component) -> Option<Map> {
    (cloud.policies.is_some() && component.name() == sentinel::HOME)
        .then(|| policy("nothing-unless-allowed".to_owned(), map! {}, Vec::new()))
}

/// The policies of a component's pods, once the pods of all are known.
pub fn objects(cloud: &Cloud, component: &Component, all: &[Pods]) -> Vec<Map> {
    let Some(policies) = &cloud.policies else { return Vec::new() };
    let own = || all.iter().filter(|pods| pods.component == component.name());
    own()
        .filter_map(|pods| {
            let mut rules = Vec::new();
            let mut allow = |from: Vec<Map>, ports: &[Port]| {
                if !ports.is_empty() && !from.is_empty() {
                    rules.push(rule(from, ports));
                }
            };
            let is_client = |other: &&Pods| {
                let client = cloud.component(&other.component);
                client.is_some_and(|client| speaks_to(client, component))
            };
            let clients: Vec<&Pods> = all.iter().filter(is_client).collect();
            let mut from: Vec<Map> = clients.iter().map(|client| client.selector()).collect();
            from.extend(jobs(cloud, &clients));
            allow(from, &pods.ports);
            let ways = cloud.ways(component);
            let mut routed: Vec<Port> = ways.iter().map(|(_, way)| Port::tcp(way.port)).collect();
            routed.retain(|port| pods.ports.contains(port));
            if !routed.is_empty() {
                allow(gateway(cloud).into_iter().collect(), &routed);
            }
            allow(own().map(Pods::selector).collect(), &pods.peers);
            for operator in &policies.operators {
                allow(vec![namespace(&operator.namespace)], &reached(pods, operator, component));
            }
            if cloud.monitoring {
                allow(vec![namespace(&policies.monitoring_namespace)], &pods.metrics);
            }
            if !pods.open.is_empty() {
                rules.push(map! { "ports" => ports(&pods.open) });
            }
            (!rules.is_empty()).then(|| policy(pods.name(), pods.labels.clone(), rules))
        })
        .collect()
}

/// What an operator reaches of such pods: all that clients do if it runs them, and what their record
/// says.
fn reached(pods: &Pods, operator: &Operator, component: &Component) -> Vec<Port> {
    let is_of = |distribution: &str| {
        distribution.is_empty() || distribution == component.distribution.name()
    };
    let serves = operator.serves == component.name() && is_of(&operator.distribution);
    let named = pods.operators.iter().filter(|(name, _)| operator.component == name.as_str());
    let mut ports: Vec<Port> = named.flat_map(|(_, ports)| ports.iter().copied()).collect();
    ports.extend(pods.ports.iter().filter(|_| serves));
    ports.sort_unstable();
    ports.dedup();
    ports
}

/// By need or by word.
fn speaks_to(client: &Component, server: &Component) -> bool {
    let (client, server) = (client.record, server.record);
    client.waits_for().chain(client.talks_to.iter()).any(|name| *name == server.component)
}

/// CobaltCore's operators put no label on the pods of the Jobs that fill and migrate a database, so that
/// these are known by being of a Job.
fn jobs(cloud: &Cloud, clients: &[&Pods]) -> Option<Map> {
    let component = |client: &&Pods| cloud.component(&client.component);
    let is_cobaltcore = clients.iter().filter_map(component).any(Component::is_cobaltcore);
    let is_of_a_job = map! { "key" => JOB, "operator" => "Exists" };
    is_cobaltcore
        .then(|| map! { "podSelector" => map! { "matchExpressions" => vec![is_of_a_job] } })
}

/// The pods of the gateway. Some run beside the Gateway, and others, as Envoy Gateway's, beside the
/// controller.
fn gateway(cloud: &Cloud) -> Option<Map> {
    let public = cloud.public.as_ref()?;
    let proxies = cloud.policies.as_ref().and_then(|policies| policies.gateway_namespace.as_ref());
    // Something else than a Gateway may lead to the services; it has no other mark than where it runs.
    let Some(gateway) = &public.gateway else { return proxies.map(|name| namespace(name)) };
    Some(match proxies.or(gateway.namespace.as_ref()) {
        Some(name) if *name != cloud.namespace => namespace(name),
        _ => {
            let labels = map! { GATEWAY => gateway.name.clone() };
            map! { "podSelector" => map! { "matchLabels" => labels } }
        }
    })
}

fn namespace(name: &str) -> Map {
    map! { "namespaceSelector" => map! { "matchLabels" => map! { NAMESPACE => name.to_owned() } } }
}

fn rule(from: Vec<Map>, allowed: &[Port]) -> Map {
    map! { "from" => from, "ports" => ports(allowed) }
}

fn listed(ports: &[Value]) -> Vec<Port> {
    ports.iter().filter_map(Port::written).collect()
}

fn ports(allowed: &[Port]) -> Vec<Map> {
    let port = |port: &Port| map! { "port" => port.number, "protocol" => port.protocol };
    allowed.iter().map(port).collect()
}

fn policy(name: String, labels: Map, ingress: Vec<Map>) -> Map {
    let selector = if labels.is_empty() {
        map! {}
    } else {
        map! { "matchLabels" => labels }
    };
    let mut spec = map! { "podSelector" => selector, "policyTypes" => vec!["Ingress"] };
    if !ingress.is_empty() {
        spec.insert("ingress", ingress);
    }
    map! {
        "apiVersion" => "networking.k8s.io/v1",
        "kind" => "NetworkPolicy",
        "metadata" => map! { "name" => name },
        "spec" => spec,
    }
}
