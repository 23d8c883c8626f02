//! What the operator may do, in one table: the Roles are made of it, and the tests run under them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::names::MANAGER;
use crate::{ConsumerKind, CredentialRotationSpec};

#[derive(Debug, Clone, Copy)]
pub struct Right {
    pub group: &'static str,
    pub resource: &'static str,
    pub verbs: &'static [&'static str],
    pub names: Names,
}

/// Which objects it is limited to. Verbs that cannot be limited by name stand in rows for all.
#[derive(Debug, Clone, Copy)]
pub enum Names {
    All,
    These(&'static [&'static str]),
    /// Those that rotations name, where these are known; else all.
    OfRotations(fn(&CredentialRotationSpec) -> Vec<String>),
}

use Names::{All, OfRotations, These};

const fn all(group: &'static str, resource: &'static str, verbs: &'static [&'static str]) -> Right {
    Right { group, resource, verbs, names: All }
}

const fn named(
    (group, resource): (&'static str, &'static str),
    verbs: &'static [&'static str],
    names: fn(&CredentialRotationSpec) -> Vec<String>,
) -> Right {
    Right { group, resource, verbs, names: OfRotations(names) }
}

const LEASES: (&str, &str) = ("coordination.k8s.io", "leases");

/// In its own namespace.
pub const OWN: &[Right] = &[
    all(LEASES.0, LEASES.1, &["create"]),
    Right {
        group: LEASES.0,
        resource: LEASES.1,
        verbs: &["get", "update"],
        names: These(&[MANAGER]),
    },
];

/// In the namespace of each control plane, and nowhere else.
pub const PLANE: &[Right] = &[
    all("c5c3.io", "credentialrotations", &["get", "list", "watch"]),
    all("c5c3.io", "credentialrotations/status", &["patch"]),
    all("c5c3.io", "secretaggregates", &["get", "list", "watch"]),
    all("c5c3.io", "secretaggregates/status", &["patch"]),
    // Generations are named by numbers that nobody knows before: no name can be given here. Whoever may
    // list may watch; of what is watched, only names are looked at.
    all("", "secrets", &["get", "list", "watch", "create", "update", "delete"]),
    all("", "pods", &["list"]),
    all("events.k8s.io", "events", &["create"]),
    // Who may patch a workload runs what they like under any account of the namespace.
    named(("apps", "deployments"), &["get", "patch"], |rotation| {
        consumers(rotation, ConsumerKind::Deployment)
    }),
    named(("apps", "statefulsets"), &["get", "patch"], |rotation| {
        consumers(rotation, ConsumerKind::StatefulSet)
    }),
    named(("apps", "daemonsets"), &["get", "patch"], |rotation| {
        consumers(rotation, ConsumerKind::DaemonSet)
    }),
    all("batch", "jobs", &["get", "create", "delete"]),
    named(("external-secrets.io", "pushsecrets"), &["get", "patch"], |rotation| {
        let delivery = &rotation.delivery;
        let names = [Some(&delivery.push_secret_name), delivery.first_push_secret_name.as_ref()];
        names.into_iter().flatten().cloned().collect()
    }),
    named(("external-secrets.io", "externalsecrets"), &["get", "patch"], |rotation| {
        vec![rotation.delivery.external_secret_name.clone()]
    }),
    all("openstack.k-orc.cloud", "applicationcredentials", &["list", "get", "create", "delete"]),
    // The ids that an aggregate may join.
    all("openstack.k-orc.cloud", "domains", &["get"]),
    all("openstack.k-orc.cloud", "projects", &["get"]),
    all("openstack.k-orc.cloud", "users", &["get"]),
    named(("k8s.mariadb.com", "users"), &["get"], |rotation| users(rotation, "k8s.mariadb.com/")),
    named(("rabbitmq.com", "users"), &["get"], |rotation| users(rotation, "rabbitmq.com/")),
];

fn consumers(rotation: &CredentialRotationSpec, kind: ConsumerKind) -> Vec<String> {
    let of_kind = rotation.consumers.iter().filter(|consumer| consumer.kind == kind);
    of_kind.map(|consumer| consumer.name.clone()).collect()
}

fn users(rotation: &CredentialRotationSpec, group: &str) -> Vec<String> {
    let users = rotation.alternating_users.as_ref();
    let users = users.filter(|users| users.api_version.starts_with(group));
    users.map(|users| users.names.clone()).unwrap_or_default()
}

/// The rules of a Role that knows no rotation.
pub fn rules(rights: &[Right]) -> Vec<Value> {
    rights.iter().filter_map(|right| rule(right, None)).collect()
}

/// The rule for one right, limited to what these rotations name; none where they name nothing of the kind.
pub fn rule(right: &Right, rotations: Option<&[CredentialRotationSpec]>) -> Option<Value> {
    let mut rule =
        json!({"apiGroups": [right.group], "resources": [right.resource], "verbs": right.verbs});
    match (right.names, rotations) {
        (All, _) | (OfRotations(_), None) => {}
        (These(names), _) => rule["resourceNames"] = json!(names),
        (OfRotations(names), Some(rotations)) => {
            let names: BTreeSet<String> = rotations.iter().flat_map(names).collect();
            if names.is_empty() {
                return None;
            }
            rule["resourceNames"] = json!(names);
        }
    }
    Some(rule)
}

/// A Role with these rights in a namespace, and its binding to the operator's account.
pub fn role(namespace: &str, own_namespace: &str, rights: &[Right]) -> [Value; 2] {
    let name = if namespace == own_namespace { "strata-operator-lease" } else { MANAGER };
    let metadata = json!({
        "name": name, "namespace": namespace,
        "labels": {"app.kubernetes.io/name": MANAGER},
    });
    let role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
        "metadata": metadata, "rules": rules(rights),
    });
    let binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
        "metadata": metadata,
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": name},
        "subjects": [{"kind": "ServiceAccount", "name": MANAGER, "namespace": own_namespace}],
    });
    [role, binding]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn no_right_is_a_wildcard_and_none_is_cluster_wide() {
        for right in OWN.iter().chain(PLANE) {
            assert!(!right.verbs.contains(&"*") && right.resource != "*" && right.group != "*");
            let unlimited =
                ["create", "list", "watch"].iter().any(|verb| right.verbs.contains(verb));
            assert!(matches!(right.names, All) || !unlimited, "{right:?}");
        }
        let [role, binding] = role("openstack", "strata-system", PLANE);
        assert_eq!(role["kind"], "Role");
        assert_eq!(binding["roleRef"]["kind"], "Role");
    }

    #[test]
    fn rotations_limit_rights_to_what_they_name() {
        let rotation: CredentialRotationSpec = serde_json::from_value(json!({
            "rotationType": "databasePassword",
            "alternatingUsers": {"apiVersion": "k8s.mariadb.com/v1alpha1", "names": ["a", "b"]},
            "delivery": {"pushSecretName": "push", "externalSecretName": "pull", "secretName": "it"},
            "consumers": [{"kind": "Deployment", "name": "api"}],
        }))
        .unwrap();
        let rotations = [rotation];
        let names = |resource: &str, group: &str| {
            let of = |right: &&Right| right.resource == resource && right.group == group;
            let right = PLANE.iter().find(of).unwrap();
            rule(right, Some(&rotations)).map(|rule| rule["resourceNames"].clone())
        };
        assert_eq!(names("deployments", "apps"), Some(json!(["api"])));
        assert_eq!(names("statefulsets", "apps"), None);
        assert_eq!(names("pushsecrets", "external-secrets.io"), Some(json!(["push"])));
        assert_eq!(names("externalsecrets", "external-secrets.io"), Some(json!(["pull"])));
        assert_eq!(names("users", "k8s.mariadb.com"), Some(json!(["a", "b"])));
        assert_eq!(names("users", "rabbitmq.com"), None);
        assert_eq!(names("secrets", ""), Some(Value::Null));
        assert_eq!(rules(PLANE).len(), PLANE.len(), "without rotations all is there");
    }
}
