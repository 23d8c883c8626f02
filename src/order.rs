//! The order of objects in a stream: kustomize's default, which it calls legacy.
//!
//! Kinds that others need come first and webhooks last; within a rank the order is that of the
//! texts `group_version_kind`, then `namespace|name`. They are compared as texts, not field by
//! field, which differs where one field is the beginning of another: `openstack-b` comes before
//! `openstack`, because `-` is less than the `|` behind it.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use crate::quick_hash::QuickMap;
use crate::value::Value;

/// In front of all other kinds, in this order; kustomize has declared its list final.
const FIRST: [&str; 22] = [
    "Namespace",
    "ResourceQuota",
    "StorageClass",
    "CustomResourceDefinition",
    "ServiceAccount",
    "PodSecurityPolicy",
    "Role",
    "ClusterRole",
    "RoleBinding",
    "ClusterRoleBinding",
    "ConfigMap",
    "Secret",
    "Endpoints",
    "Service",
    "LimitRange",
    "PriorityClass",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "Deployment",
    "StatefulSet",
    "CronJob",
    "PodDisruptionBudget",
];

/// Behind all other kinds.
const LAST: [&str; 2] = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

/// Where an object stands among others. Borrows, so that making one costs a look at the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortKey<'o> {
    of_type: Type<'o>,
    place: Place<'o>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Type<'o> {
    group: &'o str,
    version: &'o str,
    kind: &'o str,
}

/// The kind tells almost all apart.
impl Hash for Type<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place<'o> {
    namespace: &'o str,
    name: &'o str,
}

impl<'o> SortKey<'o> {
    pub fn new(api_version: &'o str, kind: &'o str, namespace: &'o str, name: &'o str) -> Self {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        SortKey {
            // These stand for what is missing, and `~` puts it behind what is there.
            of_type: Type {
                group: or(group, "~G"),
                version: or(version, "~V"),
                kind: or(kind, "~K"),
            },
            place: Place { namespace: or(namespace, "~X"), name: or(name, "~N") },
        }
    }

    pub fn of(object: &'o Value) -> Self {
        let field = |path: &[&str]| object.at(path).and_then(Value::as_str).unwrap_or_default();
        SortKey::new(
            field(&["apiVersion"]),
            field(&["kind"]),
            field(&["metadata", "namespace"]),
            field(&["metadata", "name"]),
        )
    }
}

/// Puts objects in order; those with the same key stay as they stand. Types are few and objects are
/// many, so the types are put in order first, and then the objects of each.
pub fn sort<T>(objects: &mut [T], key: impl Fn(&T) -> SortKey<'_>) {
    let mut types: Vec<(Type, Vec<usize>)> = Vec::new();
    let mut numbers: QuickMap<Type, usize> = QuickMap::default();
    for (index, SortKey { of_type, .. }) in objects.iter().map(&key).enumerate() {
        let number = *numbers.entry(of_type).or_insert_with(|| {
            types.push((of_type, Vec::new()));
            types.len() - 1
        });
        types[number].1.push(index);
    }
    types.sort_by_key(|(of_type, _)| *of_type);
    let mut from = Vec::with_capacity(objects.len());
    for (_, members) in types {
        let place = |index: usize| (key(&objects[index]).place, index);
        let mut places: Vec<(Place, usize)> = members.into_iter().map(place).collect();
        places.sort_unstable();
        from.extend(places.into_iter().map(|(_, index)| index));
    }
    arrange(objects, from);
}

/// Moves to each position what `from` names for it, following one circle of moves after the other:
/// a second list of all objects would be felt.
fn arrange<T>(objects: &mut [T], mut from: Vec<usize>) {
    for start in 0..from.len() {
        let mut at = start;
        while from[at] != start {
            let next = from[at];
            objects.swap(at, next);
            from[at] = at;
            at = next;
        }
        from[at] = at;
    }
}

impl Ord for SortKey<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.of_type.cmp(&other.of_type).then_with(|| self.place.cmp(&other.place))
    }
}

impl PartialOrd for SortKey<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Type<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = as_one_text(
            &[self.group, self.version, self.kind],
            &[other.group, other.version, other.kind],
            b'_',
        );
        // A Namespace of some other group must not come before the real ones.
        let core = self.group == "~G" || other.group == "~G";
        let order = if self.kind == "Namespace" && core { order.reverse() } else { order };
        rank(self.kind).cmp(&rank(other.kind)).then(order)
    }
}

impl PartialOrd for Type<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.namespace == other.namespace {
            return self.name.cmp(other.name);
        }
        as_one_text(&[self.namespace, self.name], &[other.namespace, other.name], b'|')
    }
}

impl PartialOrd for Place<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn rank(kind: &str) -> u8 {
    let place = |kinds: &[&str]| kinds.iter().position(|other| *other == kind).map(|at| at as u8);
    let others = FIRST.len() as u8;
    place(&FIRST).or_else(|| place(&LAST).map(|at| others + 1 + at)).unwrap_or(others)
}

fn or<'o>(text: &'o str, missing: &'static str) -> &'o str {
    if text.is_empty() { missing } else { text }
}

/// How fields stand to each other as one text with a separator between them.
fn as_one_text(left: &[&str], right: &[&str], separator: u8) -> Ordering {
    let same = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    let (left, right) = (&left[same..], &right[same..]);
    let (Some(first), Some(second)) = (left.first(), right.first()) else {
        return left.len().cmp(&right.len());
    };
    let shorter = first.len().min(second.len());
    // Only where one field is the beginning of the other does the rest of the text count.
    first.as_bytes()[..shorter]
        .cmp(&second.as_bytes()[..shorter])
        .then_with(|| joined(left, separator).cmp(joined(right, separator)))
}

/// The bytes of the texts with a separator between them.
fn joined(texts: &[&str], separator: u8) -> impl Iterator<Item = u8> {
    let last = texts.len() - 1;
    texts
        .iter()
        .enumerate()
        .flat_map(move |(index, text)| text.bytes().chain((index < last).then_some(separator)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map;

    fn check(expect: &[(&str, &str, &str, &str)]) {
        let keys: Vec<_> = expect.iter().map(|(a, k, s, n)| SortKey::new(a, k, s, n)).collect();
        for (i, left) in keys.iter().enumerate() {
            for (j, right) in keys.iter().enumerate() {
                assert_eq!(left.cmp(right), i.cmp(&j), "{left:?} {right:?}");
            }
        }
    }

    #[test]
    fn kinds_have_ranks() {
        check(&[
            ("v1", "Namespace", "", "z"),
            ("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "y"),
            ("v1", "Secret", "b", "a"),
            ("apps/v1", "StatefulSet", "b", "a"),
            ("batch/v1", "Job", "b", "a"),
            ("k8s.mariadb.com/v1alpha1", "MariaDB", "b", "a"),
            ("v1", "Pod", "b", "a"),
            ("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", "", "a"),
            ("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", "a"),
        ]);
    }

    #[test]
    fn the_core_namespace_comes_before_any_other() {
        check(&[
            ("v1", "Namespace", "", "a"),
            ("a.example/v1", "Namespace", "", "a"),
            ("b.example/v1", "Namespace", "", "a"),
        ]);
    }

    #[test]
    fn fields_are_compared_as_one_text() {
        check(&[
            ("example.com/v1", "Thing", "x", "a"),
            ("example/v1", "Thing", "x", "a"),
            ("v1", "ThingA", "openstack-b", "z"),
            ("v1", "ThingA", "openstack", "a"),
            ("v1", "ThingA", "openstack", "a-b"),
            ("v1", "ThingA", "openstack", "a1"),
            ("v1", "ThingA", "openstack", "a10"),
            ("v1", "ThingA", "openstack", "a2"),
            ("v1", "ThingA", "", "a"),
        ]);
    }

    #[test]
    fn an_object_knows_its_own() {
        let object = map! { "apiVersion" => "apps/v1", "kind" => "Deployment",
        "metadata" => map! { "name" => "nova", "namespace" => "openstack" } };
        assert_eq!(
            SortKey::of(&object.into()),
            SortKey::new("apps/v1", "Deployment", "openstack", "nova")
        );
    }
}
