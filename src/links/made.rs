//! What an object makes: itself, and what its operator makes of it.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use strata_rotation_api::names;

use crate::generate::Made;
use crate::links::Reference;
use crate::links::generated::generated;
use crate::links::table::{ALWAYS, BESIDE, DELIVERED, SECRET, STORE_PATH};
use crate::object::Object;
use crate::quick_hash::QuickMap;
use crate::value::Value;

/// The identity of something that is made. A group of `*` means any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Id<'a> {
    pub group: &'a str,
    pub kind: &'a str,
    pub namespace: &'a str,
    pub name: Cow<'a, str>,
}

impl<'a> Id<'a> {
    pub fn of(object: &'a Object) -> Self {
        Id {
            group: group(object),
            kind: object.kind(),
            namespace: object.namespace(),
            name: Cow::Borrowed(object.name()),
        }
    }
}

/// Name and kind tell almost all apart, and this is asked for everything that is made or named.
impl Hash for Id<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
        self.name.hash(state);
    }
}

pub fn group(object: &Object) -> &str {
    object.api_version().split_once('/').map_or("", |(group, _)| group)
}

/// Kinds that belong to no namespace, or to all of them.
pub(super) fn is_cluster_wide(kind: &str) -> bool {
    matches!(
        kind,
        "StorageClass"
            | "ClusterIssuer"
            | "ClusterSecretStore"
            | "Namespace"
            | "PriorityClass"
            | STORE_PATH
    )
}

/// Who makes what, in one cloud.
#[derive(Debug)]
pub struct Makers<'a> {
    /// By index into the objects; the first of those that make the same.
    first: QuickMap<Id<'a>, usize>,
    /// What a second object makes again: what, the first, and the second.
    pub twice: Vec<(Id<'a>, usize, usize)>,
    /// What each object is.
    pub own: Vec<Id<'a>>,
}

impl<'a> Makers<'a> {
    pub fn of(made: &'a [Made<'a>]) -> Self {
        let first = QuickMap::with_capacity_and_hasher(4 * made.len(), Default::default());
        let mut makers = Makers {
            first,
            twice: Vec::new(),
            own: made.iter().map(|made| Id::of(&made.object)).collect(),
        };
        for (index, Made { object, .. }) in made.iter().enumerate() {
            let own = &makers.own[index];
            // The same object twice is another finding.
            makers.first.entry(Id { group: "*", ..own.clone() }).or_insert(index);
            makers.first.entry(own.clone()).or_insert(index);
            for product in products(object, own) {
                match makers.first.get(&product) {
                    Some(&other) if makers.own[other] == *own => {}
                    Some(&other) if takes_over(&made[other].object, object) => {}
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

/// Whether one of two PushSecrets writes only where nothing is, and the other goes on from there, as with
/// the first keys of a cloud.
fn takes_over(one: &Object, other: &Object) -> bool {
    let pushes = |object: &Object| object.body().at(&["spec", "selector", "secret"]).is_some();
    let begins = |object: &Object| {
        let policy = object.body().at(&["spec", "updatePolicy"]);
        policy.and_then(Value::as_str) == Some("IfNotExists")
    };
    pushes(one) && pushes(other) && begins(one) != begins(other)
}

/// The Secrets that the companion operator makes for a rotation. Those of single generations have names
/// that nobody knows before.
fn rotated(object: &Object, spec: &Value) -> Vec<String> {
    let name = object.name();
    if let Some(keys) = spec.at(&["keys", "secretName"]).and_then(Value::as_str) {
        return vec![keys.to_owned(), names::next(keys), names::first(keys)];
    }
    let mut made = vec![names::published(name)];
    if spec.at(&["alternatingUsers"]).is_some() {
        made.extend([names::place(name, 1), names::place(name, 2)]);
    }
    made
}

/// What is there without anybody making it.
pub fn is_always_there(reference: &Reference) -> bool {
    ALWAYS.iter().any(|(kind, name)| reference.kind == *kind && reference.name == *name)
}

/// What an object makes beside itself: Secrets, and paths in the store.
fn products<'a>(object: &'a Object, own: &Id<'a>) -> Vec<Id<'a>> {
    let is = |group: &str, kind: &str| group == own.group && kind == own.kind;
    let Some(spec) = object.body().at(&["spec"]) else { return Vec::new() };
    let mut products = Vec::new();
    let mut add = |kind, name| {
        let namespace = if is_cluster_wide(kind) { "" } else { own.namespace };
        let id = Id { group: "", kind, namespace, name };
        if !products.contains(&id) {
            products.push(id);
        }
    };
    for (_, _, path) in DELIVERED.iter().filter(|(group, kind, _)| is(group, kind)) {
        // One that only adds to a Secret makes none.
        let policy = spec.at(&["target", "creationPolicy"]).and_then(Value::as_str);
        if policy.is_none_or(|policy| policy == "Owner" || policy == "Orphan") {
            let usual = is("external-secrets.io", "ExternalSecret").then_some(object.name());
            if let Some(name) = spec.at(path).and_then(Value::as_str).or(usual) {
                add(SECRET, Cow::Borrowed(name));
            }
        }
    }
    for (_, _, before, after) in BESIDE.iter().filter(|(group, kind, ..)| is(group, kind)) {
        add(SECRET, Cow::Owned(format!("{before}{}{after}", object.name())));
    }
    for (name, _) in generated(object) {
        add(SECRET, Cow::Owned(name));
    }
    if is("c5c3.io", "CredentialRotation") {
        rotated(object, spec).into_iter().for_each(|name| add(SECRET, Cow::Owned(name)));
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
