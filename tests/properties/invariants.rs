//! What holds of every cloud that is rendered.

use std::collections::{BTreeMap, HashSet};

use strata::deliver::Rendered;
use strata::schema::Format;
use strata::value::Value;
use strata::yaml::read::read_bytes;
use strata::yaml::unfit::unfit;

use crate::drive::Answer;
use crate::references::{self, Outside};
use crate::{endpoints, versions, written};

/// Of every cloud of an answer, and what the clouds take as given.
pub fn check(answer: &Answer, external: &[Outside]) {
    let mut clouds: BTreeMap<&str, Vec<(&Rendered, Value)>> = BTreeMap::new();
    for object in answer.objects() {
        clouds.entry(&object.cloud).or_default().push((object, parsed(object)));
    }
    for objects in clouds.values() {
        for (object, body) in objects {
            stands_as_written(object, body);
            is_named(object);
            is_marked(object, body);
            holds_no_secret(object, body);
            versions::are_exact(object, body);
        }
        let plan = plan(objects);
        needs_come_first(plan, objects);
        let ways = references::lead_somewhere(objects, external);
        nobody_waits_in_a_circle(plan, ways);
        endpoints::agree(objects);
        brokers_may_import(objects);
    }
    ids_differ(answer.objects());
}

fn parsed(object: &Rendered) -> Value {
    let reading = read_bytes(object.yaml.as_bytes());
    assert!(reading.faults.is_empty(), "{:?}\n{}", reading.faults, object.yaml);
    assert_eq!(reading.documents.len(), 1, "{}", object.yaml);
    reading.documents[0].root.to_value()
}

fn stands_as_written(object: &Rendered, body: &Value) {
    assert_eq!(written(body), *object.yaml, "reading and writing changes it");
    assert_eq!(unfit(body), [], "{}", object.yaml);
}

fn is_named(object: &Rendered) {
    let parts = object.name.split(['.', '-']);
    let letters = |part: &str| part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    assert!(object.name.len() <= 253 && parts.into_iter().all(letters), "{}", object.yaml);
    // These become a Service or a label of pods.
    if ["Service", "MariaDB", "MaxScale", "RabbitmqCluster", "Memcached"].contains(&&*object.kind) {
        assert!(object.name.len() <= 63, "{}", object.yaml);
    }
    const OF_THE_CLUSTER: &[&str] =
        &["Namespace", "ClusterSecretStore", "ClusterIssuer", "CustomResourceDefinition"];
    if OF_THE_CLUSTER.contains(&&*object.kind) {
        assert_eq!(&*object.namespace, "");
    } else {
        assert!(Format::DnsLabel.accepts(&object.namespace), "{}", object.yaml);
    }
}

fn is_marked(object: &Rendered, body: &Value) {
    let mark = |group: &str, key: &str| {
        let mark = body.at(&["metadata", group, key]).and_then(Value::as_str);
        mark.unwrap_or_else(|| panic!("no {group} {key} in\n{}", object.yaml))
    };
    assert_eq!(mark("labels", "app.kubernetes.io/managed-by"), "strata");
    assert_eq!(mark("labels", "strata.c5c3.io/component"), &*object.component);
    let owner = mark("annotations", "strata.c5c3.io/owner");
    let cloud = mark("labels", "app.kubernetes.io/part-of");
    // Some objects stand in a namespace of their operator; the mark still leads to the cloud.
    assert_eq!(owner, format!("{}/{cloud}", object.cloud));
}

fn holds_no_secret(object: &Rendered, body: &Value) {
    let empty = ["data", "stringData"].iter().all(|field| body.at(&[field]).is_none());
    assert!(object.kind != "Secret" || empty, "{}", object.yaml);
}

fn ids_differ(objects: &[Rendered]) {
    let mut seen = HashSet::new();
    for object in objects {
        let id = (&*object.api_version, &*object.kind, &*object.namespace, &*object.name);
        assert!(seen.insert(id), "twice: {id:?}");
    }
}

/// The sentinel carries it: `component: need need`, each line after those it names.
fn plan<'a>(objects: &'a [(&Rendered, Value)]) -> &'a str {
    objects
        .iter()
        .filter(|(object, _)| object.kind == "ConfigMap" && object.name.starts_with("strata-"))
        .find_map(|(_, body)| body.at(&["data", "plan"])?.as_str())
        .expect("the sentinel carries the plan")
}

/// A component is applied when those it needs are ready, and is ready when what its objects name is there.
/// So whoever makes that must not wait for the one that names it.
fn nobody_waits_in_a_circle(plan: &str, ways: HashSet<(&str, &str)>) {
    let mut waits: BTreeMap<&str, HashSet<&str>> = BTreeMap::new();
    for line in plan.lines() {
        let (component, needs) = line.split_once(':').unwrap();
        waits.entry(component).or_default().extend(needs.split_whitespace());
    }
    for (reader, maker) in ways.into_iter().filter(|(reader, maker)| reader != maker) {
        waits.entry(reader).or_default().insert(maker);
    }
    while !waits.is_empty() {
        let left = waits.len();
        let waiting: HashSet<&str> = waits.keys().copied().collect();
        waits.retain(|_, others| others.iter().any(|other| waiting.contains(other)));
        assert!(waits.len() < left, "these wait for each other: {waits:#?}");
    }
}

/// The topology operator's webhook refuses a User whose Secret does not carry its label.
fn brokers_may_import(objects: &[(&Rendered, Value)]) {
    let of = |api: &str, kind: &str| {
        let wanted = (api.to_owned(), kind.to_owned());
        objects.iter().filter(move |(object, _)| {
            (&*object.api_version, &*object.kind) == (&*wanted.0, &*wanted.1)
        })
    };
    for (user, body) in of("rabbitmq.com/v1beta1", "User") {
        let secret = body.at(&["spec", "importCredentialsSecret", "name"]).and_then(Value::as_str);
        let makes =
            |body: &&Value| body.at(&["spec", "target", "name"]).and_then(Value::as_str) == secret;
        let makers = of("external-secrets.io/v1", "ExternalSecret");
        for maker in makers.map(|(_, body)| body).filter(makes) {
            let labels = ["spec", "target", "template", "metadata", "labels"];
            let label =
                maker.at(&labels).and_then(|labels| labels.at(&["rabbitmq.com/topology-operator"]));
            assert_eq!(label.and_then(Value::as_str), Some("true"), "{}", user.yaml);
        }
    }
}

fn needs_come_first(plan: &str, objects: &[(&Rendered, Value)]) {
    let mut started = HashSet::new();
    for line in plan.lines() {
        let (component, needs) = line.split_once(':').unwrap();
        for need in needs.split_whitespace() {
            assert!(started.contains(need), "{component} starts before {need}:\n{plan}");
        }
        assert!(started.insert(component), "{component} starts twice:\n{plan}");
    }
    for (object, _) in objects {
        assert!(started.contains(&*object.component), "{} is not planned", object.component);
    }
}
