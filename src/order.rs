//! The order of objects in a stream: kustomize's default, which it calls legacy.
//!
//! Kinds that others need come first and webhooks last; within a rank the order is that of the
//! texts `group_version_kind`, then `namespace|name`. They are compared as texts, not field by
//! field, which differs where one field is the beginning of another: `openstack-b` comes before
//! `openstack`, because `-` is less than the `|` behind it.

use crate::value::Value;
use std::cmp::Ordering;

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
#[derive(Clone, Copy, Debug)]
pub struct SortKey<'o> {
    rank: u8,
    group: &'o str,
    version: &'o str,
    kind: &'o str,
    namespace: &'o str,
    name: &'o str,
}

impl<'o> SortKey<'o> {
    pub fn new(api_version: &'o str, kind: &'o str, namespace: &'o str, name: &'o str) -> Self {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        SortKey {
            rank: rank(kind),
            // These stand for what is missing, and `~` puts it behind what is there.
            group: or(group, "~G"),
            version: or(version, "~V"),
            kind: or(kind, "~K"),
            namespace: or(namespace, "~X"),
            name: or(name, "~N"),
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

    fn compare_type(&self, other: &Self) -> Ordering {
        let order = joined([self.group, self.version, self.kind], b'_')
            .cmp(joined([other.group, other.version, other.kind], b'_'));
        // A Namespace of some other group must not come before the real ones.
        let core = self.group == "~G" || other.group == "~G";
        if self.kind == "Namespace" && core { order.reverse() } else { order }
    }
}

impl Ord for SortKey<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_type = || {
            let same = self.group == other.group
                && self.version == other.version
                && self.kind == other.kind;
            if same { Ordering::Equal } else { self.compare_type(other) }
        };
        let by_place = || {
            joined([self.namespace, self.name], b'|')
                .cmp(joined([other.namespace, other.name], b'|'))
        };
        self.rank.cmp(&other.rank).then_with(by_type).then_with(by_place)
    }
}

impl PartialOrd for SortKey<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SortKey<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for SortKey<'_> {}

fn rank(kind: &str) -> u8 {
    let place = |kinds: &[&str]| kinds.iter().position(|other| *other == kind).map(|at| at as u8);
    let others = FIRST.len() as u8;
    place(&FIRST).or_else(|| place(&LAST).map(|at| others + 1 + at)).unwrap_or(others)
}

fn or<'o>(text: &'o str, missing: &'static str) -> &'o str {
    if text.is_empty() { missing } else { text }
}

/// The bytes of the texts with a separator between them.
fn joined<'o, const N: usize>(texts: [&'o str; N], separator: u8) -> impl Iterator<Item = u8> + 'o {
    let last = N - 1;
    texts
        .into_iter()
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
