//! A claim (OpenStackCluster) is a ControlPlane in fewer words. One table says where each of its
//! fields belongs; its schema, its translation and the places of findings all follow from it.

use std::borrow::Cow;

use crate::finding::{Path, Step};
use crate::schema::{Kind, Schema};
use crate::yaml::tree::{Data, Key, Node};

/// Fields of a claim that a ControlPlane has in a group: the field, the group, its name there.
const MOVED: &[(&str, &str, &str)] = &[
    ("region", "global", "region"),
    ("tls", "global", "tls"),
    ("hypervisorClusters", "compute", "hypervisorClusters"),
    ("storageClusters", "storage", "storageClusters"),
];

/// What a tenant does not decide: whoever runs the installation does, with Defaults.
const WITHHELD: &[&str] =
    &["compute", "delivery", "global", "openstack", "platform", "rotation", "secrets", "storage"];

/// The namespace of the cloud that a claim becomes.
pub fn namespace(name: &str) -> String {
    format!("openstack-{name}")
}

/// The schema of a claim, from that of a ControlPlane.
pub fn schema(control_plane: &Schema) -> Schema {
    let mut claim = control_plane.clone();
    let Some(spec) = claim.property_mut("spec") else { return claim };
    spec.description = "An OpenStack cloud of a tenant.".into();
    let fields = spec.properties.to_mut();
    fields.retain(|(name, _)| !WITHHELD.contains(&name.as_ref()));
    for (own, group, name) in MOVED {
        if let Some(schema) = control_plane.at(&["spec", group, name]) {
            fields.push((Cow::Borrowed(own), schema.clone()));
        }
    }
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    if let Some(services) = spec.property_mut("services") {
        for (_, service) in services.properties.to_mut() {
            service.short = Some(Kind::Boolean);
        }
    }
    if let Some(issuer) = spec.property_mut("tls").and_then(|tls| tls.property_mut("issuerRef")) {
        issuer.short = Some(Kind::String);
    }
    claim
}

/// The ControlPlane that a claim stands for. Every value keeps its place in the claim.
pub fn translate(claim: &Node) -> Node {
    let Some((key, spec)) = claim.entry("spec") else { return claim.clone() };
    let Data::Map(fields) = &spec.data else { return claim.clone() };
    let mut translated: Vec<(Key, Node)> = Vec::with_capacity(fields.len());
    for (field, value) in fields {
        match MOVED.iter().find(|(own, ..)| *own == field.name) {
            Some((_, group, name)) => {
                let entry = (named(field, name), long_issuer(value));
                match translated.iter_mut().find(|(key, _)| key.name == *group) {
                    Some((_, Node { data: Data::Map(entries), .. })) => entries.push(entry),
                    _ => translated.push((
                        named(field, group),
                        Node { at: value.at, data: Data::Map(vec![entry]) },
                    )),
                }
            }
            None if field.name == "services" => translated.push((field.clone(), switched(value))),
            None => translated.push((field.clone(), value.clone())),
        }
    }
    let spec = holding(spec, translated);
    holding(claim, vec![(key.clone(), spec)])
}

/// How a claim writes what stands at a path of the ControlPlane.
pub fn own_path(path: &Path, claim: &Node) -> Path {
    let key = |index: usize| match path.steps().get(index) {
        Some(Step::Key(key)) => key.as_str(),
        _ => "",
    };
    let moved = MOVED.iter().find(|(_, group, name)| key(1) == *group && key(2) == *name);
    let steps: Path = match moved {
        Some((own, ..)) => {
            let rest = path.steps().iter().skip(3).cloned();
            [Step::Key("spec".into()), Step::Key((*own).into())].into_iter().chain(rest).collect()
        }
        None => path.clone(),
    };
    written_part(&steps, claim)
}

/// `nova: true` is all there is of `nova.enabled`: a path ends where a short form stands.
fn written_part(path: &Path, claim: &Node) -> Path {
    let mut node = Some(claim);
    let mut steps = Vec::new();
    for step in path.steps() {
        if matches!(node, Some(Node { data: Data::Bool(_) | Data::Str(_), .. })) {
            break;
        }
        node = match step {
            Step::Key(key) => node.and_then(|node| node.get(key)),
            Step::Index(index) => node.and_then(|node| match &node.data {
                Data::List(items) => items.get(*index),
                _ => None,
            }),
        };
        steps.push(step.clone());
    }
    steps.into_iter().collect()
}

fn named(key: &Key, name: &str) -> Key {
    Key { at: key.at, name: name.to_owned() }
}

/// `nova: true` is `nova: {enabled: true}`.
fn switched(services: &Node) -> Node {
    let Data::Map(fields) = &services.data else { return services.clone() };
    let switch = |(key, value): &(Key, Node)| match value.data {
        Data::Bool(_) => {
            (key.clone(), holding(value, vec![(named(key, "enabled"), value.clone())]))
        }
        _ => (key.clone(), value.clone()),
    };
    holding(services, fields.iter().map(switch).collect())
}

/// `issuerRef: letsencrypt` is a ClusterIssuer: one that is there for every namespace.
fn long_issuer(value: &Node) -> Node {
    let Data::Map(fields) = &value.data else { return value.clone() };
    let lengthen = |(key, value): &(Key, Node)| match &value.data {
        Data::Str(_) if key.name == "issuerRef" => {
            let kind = Node { at: value.at, data: Data::Str("ClusterIssuer".to_owned()) };
            let fields = vec![(named(key, "name"), value.clone()), (named(key, "kind"), kind)];
            (key.clone(), holding(value, fields))
        }
        _ => (key.clone(), value.clone()),
    };
    holding(value, fields.iter().map(lengthen).collect())
}

/// A map in the place of another node.
fn holding(node: &Node, fields: Vec<(Key, Node)>) -> Node {
    Node { at: node.at, data: Data::Map(fields) }
}
