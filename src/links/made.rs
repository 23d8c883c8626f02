//! What an object makes: itself, and what its operator makes of it.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::generate::Made;
use crate::links::Reference;
use crate::links::table::{ALWAYS, BESIDE, DELIVERED, SECRET, STORE_PATH};
use crate::object::Object;
use crate::value::Value;

/// The identity of something that is made. A group of `*` means any.
#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub struct Id<'a> {
    pub group: &'a str,
    pub kind: &'a str,
    pub namespace: &'a str,
    pub name: Cow<'a, str>,
}

pub fn group(object: &Object) -> &str {
    object.api_version().split_once('/').map_or("", |(group, _)| group)
}

/// Kinds that belong to no namespace, or to all of them.
pub(super) fn is_cluster_wide(kind: &str) -> bool {
    matches!(
        kind,
        "StorageClass" | "ClusterIssuer" | "ClusterSecretStore" | "Namespace" | STORE_PATH
    )
}

/// Who makes what, in one cloud.
#[derive(Debug)]
pub struct Makers<'a> {
    /// By index into the objects; the first of those that make the same.
    first: HashMap<Id<'a>, usize>,
    /// What a second object makes again: what, the first, and the second.
    pub twice: Vec<(Id<'a>, usize, usize)>,
}

impl<'a> Makers<'a> {
    pub fn of(made: &'a [Made<'a>]) -> Self {
        let mut makers =
            Makers { first: HashMap::with_capacity(4 * made.len()), twice: Vec::new() };
        for (index, Made { object, .. }) in made.iter().enumerate() {
            let own = |group| Id {
                group,
                kind: object.kind(),
                namespace: object.namespace(),
                name: Cow::Borrowed(object.name()),
            };
            // The same object twice is another finding.
            makers.first.entry(own(group(object))).or_insert(index);
            makers.first.entry(own("*")).or_insert(index);
            for product in products(object) {
                match makers.first.get(&product) {
                    Some(&other) if is_same(&made[other].object, object) => {}
                    Some(&other) => makers.twice.push((product, other, index)),
                    None => {
                        makers.first.insert(product, index);
                    }
                }
            }
        }
        makers
    }

    /// The object that makes what is referred to.
    pub fn of_reference(&self, reference: &Reference<'a, '_>) -> Option<usize> {
        let Reference { group, kind, namespace, name, .. } = *reference;
        self.first.get(&Id { group, kind, namespace, name: Cow::Borrowed(name) }).copied()
    }

    /// Everything that is made of a kind, in no order.
    pub fn of_kind(&self, kind: &str) -> impl Iterator<Item = (&Id<'a>, usize)> {
        self.first
            .iter()
            .filter(move |(id, _)| id.kind == kind && id.group != "*")
            .map(|(id, index)| (id, *index))
    }
}

fn is_same(one: &Object, other: &Object) -> bool {
    (group(one), one.kind(), one.name()) == (group(other), other.kind(), other.name())
        && one.namespace() == other.namespace()
}

/// What is there without anybody making it.
pub fn is_always_there(reference: &Reference) -> bool {
    ALWAYS.iter().any(|(kind, name)| reference.kind == *kind && reference.name == *name)
}

/// What an object makes beside itself: Secrets, and paths in the store.
pub fn products(object: &Object) -> Vec<Id<'_>> {
    let own = group(object);
    let is = |group: &str, kind: &str| group == own && kind == object.kind();
    let Some(spec) = object.body().at(&["spec"]) else { return Vec::new() };
    let mut products = Vec::new();
    let mut add = |kind, name| {
        let namespace = if is_cluster_wide(kind) { "" } else { object.namespace() };
        let id = Id { group: "", kind, namespace, name };
        if !products.contains(&id) {
            products.push(id);
        }
    };
    for (_, _, path) in DELIVERED.iter().filter(|(group, kind, _)| is(group, kind)) {
        // One that only adds to a Secret makes none.
        let policy = spec.at(&["target", "creationPolicy"]).and_then(Value::as_str);
        if policy.is_none_or(|policy| policy == "Owner" || policy == "Orphan") {
            let name = spec.at(path).and_then(Value::as_str).unwrap_or(object.name());
            add(SECRET, Cow::Borrowed(name));
        }
    }
    for (_, _, before, after) in BESIDE.iter().filter(|(group, kind, ..)| is(group, kind)) {
        add(SECRET, Cow::Owned(format!("{before}{}{after}", object.name())));
    }
    if is("external-secrets.io", "PushSecret") {
        for item in spec.at(&["data"]).and_then(Value::as_list).unwrap_or_default() {
            if let Some(path) = item.at(&["match", "remoteRef", "remoteKey"]) {
                add(STORE_PATH, Cow::Borrowed(path.as_str().unwrap_or_default()));
            }
        }
    }
    products
}
