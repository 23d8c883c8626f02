//! What the operator may do, in one table: the Roles are made of it, and the tests run under them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::names::{self, MANAGER};
use crate::{ConsumerKind, CredentialRotation, RotationType};

#[derive(Debug, Clone, Copy)]
pub struct Right {
    pub group: &'static str,
    pub resource: &'static str,
    pub verbs: &'static [&'static str],
    pub names: Names,
    /// The types of rotations that need it; all of them if none is named.
    pub types: &'static [RotationType],
}

impl Right {
    const fn only_for(self, types: &'static [RotationType]) -> Self {
        Self { types, ..self }
    }

    fn is_needed(&self, rotations: &[CredentialRotation]) -> bool {
        let mut types = rotations.iter().map(|rotation| rotation.spec.rotation_type);
        self.types.is_empty() || types.any(|found| self.types.contains(&found))
    }
}

/// Which objects it is limited to. Verbs that cannot be limited by name stand in rows for all.
#[derive(Debug, Clone, Copy)]
pub enum Names {
    All,
    These(&'static [&'static str]),
    /// Those that rotations name, where these are known; else all.
    OfRotations(fn(&CredentialRotation) -> Vec<String>),
}

use Names::{All, OfRotations, These};

const fn all(group: &'static str, resource: &'static str, verbs: &'static [&'static str]) -> Right {
    Right { group, resource, verbs, names: All, types: &[] }
}

const fn named(
    (group, resource): (&'static str, &'static str),
    verbs: &'static [&'static str],
    names: fn(&CredentialRotation) -> Vec<String>,
) -> Right {
    Right { group, resource, verbs, names: OfRotations(names), types: &[] }
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
        types: &[],
    },
];

const JOBS: (&str, &str) = ("batch", "jobs");
const KORC: &str = "openstack.k-orc.cloud";

/// In the namespace of each control plane, and nowhere else.
pub const PLANE: &[Right] = &[
    all("c5c3.io", "credentialrotations", &["get", "list", "watch"]),
    all("c5c3.io", "credentialrotations/status", &["patch"]),
    all("c5c3.io", "secretaggregates", &["get", "list", "watch"]),
    all("c5c3.io", "secretaggregates/status", &["patch"]),
    // Generations are named by numbers that nobody knows before: no name can be given here. Whoever may
    // list may watch; of what is watched, only names are looked at.
    all("", "secrets", &["get", "list", "watch", "create", "update"]),
    all("", "secrets", &["delete"]).only_for(&[RotationType::ApplicationCredential]),
    all("", "pods", &["list"]),
    all("events.k8s.io", "events", &["create"]),
    named(("apps", "deployments"), &["get"], |rotation| {
        consumers(rotation, ConsumerKind::Deployment)
    }),
    named(("apps", "statefulsets"), &["get"], |rotation| {
        consumers(rotation, ConsumerKind::StatefulSet)
    }),
    named(("apps", "daemonsets"), &["get"], |rotation| {
        consumers(rotation, ConsumerKind::DaemonSet)
    }),
    // Who may patch a workload runs what they like under any account of the namespace.
    named(("apps", "deployments"), &["patch"], |rotation| {
        stamped(rotation, ConsumerKind::Deployment)
    }),
    named(("apps", "statefulsets"), &["patch"], |rotation| {
        stamped(rotation, ConsumerKind::StatefulSet)
    }),
    named(("apps", "daemonsets"), &["patch"], |rotation| {
        stamped(rotation, ConsumerKind::DaemonSet)
    }),
    // Who may create a Job does, too.
    all(JOBS.0, JOBS.1, &["create"]).only_for(&[RotationType::CredentialKeys]),
    named(JOBS, &["get", "delete"], migrations),
    named(("external-secrets.io", "pushsecrets"), &["get", "patch"], |rotation| {
        let delivery = &rotation.spec.delivery;
        let names = [Some(&delivery.push_secret_name), delivery.first_push_secret_name.as_ref()];
        names.into_iter().flatten().cloned().collect()
    }),
    named(("external-secrets.io", "externalsecrets"), &["get", "patch"], |rotation| {
        vec![rotation.spec.delivery.external_secret_name.clone()]
    }),
    all(KORC, "applicationcredentials", &["list", "get", "create", "delete"])
        .only_for(&[RotationType::ApplicationCredential]),
    // The ids that an aggregate may join, beside such a credential.
    all(KORC, "domains", &["get"]).only_for(&[RotationType::ApplicationCredential]),
    all(KORC, "projects", &["get"]).only_for(&[RotationType::ApplicationCredential]),
    all(KORC, "users", &["get"]).only_for(&[RotationType::ApplicationCredential]),
    named(("k8s.mariadb.com", "users"), &["get"], |rotation| users(rotation, "k8s.mariadb.com/")),
    named(("rabbitmq.com", "users"), &["get"], |rotation| users(rotation, "rabbitmq.com/")),
];

fn consumers(rotation: &CredentialRotation, kind: ConsumerKind) -> Vec<String> {
    let of_kind = rotation.spec.consumers.iter().filter(|consumer| consumer.kind == kind);
    of_kind.map(|consumer| consumer.name.clone()).collect()
}

/// The consumers that the operator stamps: replicas that mount keys notice them by themselves, and an operator may stamp
/// its own.
fn stamped(rotation: &CredentialRotation, kind: ConsumerKind) -> Vec<String> {
    let ours = rotation.spec.consumers.iter().filter(|_| rotation.spec.keys.is_none());
    let ours = ours.filter(|consumer| consumer.kind == kind && !consumer.stamped);
    ours.map(|consumer| consumer.name.clone()).collect()
}

/// The Job of a rotation with rows to re-encrypt; only that one has such a name.
fn migrations(rotation: &CredentialRotation) -> Vec<String> {
    let name = rotation.metadata.name.as_deref();
    let name = name.filter(|_| rotation.spec.rotation_type == RotationType::CredentialKeys);
    name.map(names::migration).into_iter().collect()
}

fn users(rotation: &CredentialRotation, group: &str) -> Vec<String> {
    let users = rotation.spec.alternating_users.as_ref();
    let users = users.filter(|users| users.api_version.starts_with(group));
    users.map(|users| users.names.clone()).unwrap_or_default()
}

/// The rules of a Role that knows no rotation.
pub fn rules(rights: &[Right]) -> Vec<Value> {
    rights.iter().filter_map(|right| rule(right, None)).collect()
}

/// The rule for one right, limited to what these rotations name; none where they name nothing of the kind, or none is of
/// a type that needs it.
pub fn rule(right: &Right, rotations: Option<&[CredentialRotation]>) -> Option<Value> {
    if rotations.is_some_and(|rotations| !right.is_needed(rotations)) {
        return None;
    }
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
    // By what it is for and not by where it is: a cloud may have the operator's own namespace, and the second of two
    // Roles of one name would take away what the first gives.
    let is_lease = rights.iter().all(|right| right.resource == LEASES.1);
    let name = if is_lease { "strata-operator-lease" } else { MANAGER };
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
        let rotations = [rotation(json!({
            "rotationType": "databasePassword",
            "alternatingUsers": {"apiVersion": "k8s.mariadb.com/v1alpha1", "names": ["a", "b"]},
            "consumers": [
                {"kind": "Deployment", "name": "api"},
                {"kind": "Deployment", "name": "worker", "stamped": true},
            ],
        }))];
        let names = |resource: &str, group: &str| {
            let of = |right: &&Right| right.resource == resource && right.group == group;
            let right = PLANE.iter().find(of).unwrap();
            rule(right, Some(&rotations)).map(|rule| rule["resourceNames"].clone())
        };
        assert_eq!(names("deployments", "apps"), Some(json!(["api", "worker"])));
        assert_eq!(names("statefulsets", "apps"), None);
        assert_eq!(names("pushsecrets", "external-secrets.io"), Some(json!(["push"])));
        assert_eq!(names("externalsecrets", "external-secrets.io"), Some(json!(["pull"])));
        assert_eq!(names("users", "k8s.mariadb.com"), Some(json!(["a", "b"])));
        assert_eq!(names("users", "rabbitmq.com"), None);
        assert_eq!(names("secrets", ""), Some(Value::Null));
        assert_eq!(rules(PLANE).len(), PLANE.len(), "without rotations all is there");
    }

    fn rotation(mut spec: Value) -> CredentialRotation {
        spec["delivery"] =
            json!({"pushSecretName": "push", "externalSecretName": "pull", "secretName": "it"});
        CredentialRotation::new("rows", serde_json::from_value(spec).unwrap())
    }

    #[test]
    fn no_right_is_given_that_no_rotation_needs() {
        let granted = |rotation_type: &str| {
            let mut spec = json!({"rotationType": rotation_type, "consumers": [
                {"kind": "Deployment", "name": "api"},
                {"kind": "StatefulSet", "name": "worker", "stamped": true},
            ]});
            if rotation_type.ends_with("Keys") {
                spec["keys"] = json!({"secretName": "keys"});
            }
            let rotations = [rotation(spec)];
            let rules = PLANE.iter().filter_map(|right| rule(right, Some(&rotations)));
            let of = |rule: Value| {
                let text = |field: &str| rule[field][0].as_str().unwrap().to_owned();
                let verbs = rule["verbs"].as_array().unwrap().iter();
                let verbs = verbs.map(|verb| verb.as_str().unwrap()).collect::<Vec<_>>().join(",");
                format!("{verbs} {} {}", text("resources"), rule["resourceNames"])
            };
            rules.map(of).collect::<Vec<_>>()
        };
        let jobs = ["create jobs null", r#"get,delete jobs ["rows-migrate"]"#];
        let korc = ["applicationcredentials", "domains", "projects", "users"];
        let has = |rules: &[String], part: &str| rules.iter().any(|rule| rule.contains(part));
        for kind in ["fernetKeys", "databasePassword", "messagingPassword"] {
            let rules = granted(kind);
            assert!(!has(&rules, "jobs"), "{kind}: {rules:?}");
            assert!(!korc.iter().any(|resource| has(&rules, resource)), "{kind}: {rules:?}");
        }
        let rules = granted("credentialKeys");
        assert!(jobs.iter().all(|job| has(&rules, job)), "{rules:?}");
        assert!(!korc.iter().any(|resource| has(&rules, resource)), "{rules:?}");
        let rules = granted("applicationCredential");
        assert!(!has(&rules, "jobs") && korc.iter().all(|resource| has(&rules, resource)));
        for (kind, stamps, deletes) in [
            ("fernetKeys", false, false),
            ("credentialKeys", false, false),
            ("databasePassword", true, false),
            ("messagingPassword", true, false),
            ("applicationCredential", true, true),
        ] {
            let rules = granted(kind);
            assert!(has(&rules, r#"get deployments ["api"]"#), "{kind}: {rules:?}");
            assert!(has(&rules, r#"get statefulsets ["worker"]"#), "{kind}: {rules:?}");
            assert_eq!(has(&rules, r#"patch deployments ["api"]"#), stamps, "{kind}: {rules:?}");
            assert!(!has(&rules, "patch statefulsets"), "{kind}: {rules:?}");
            assert_eq!(has(&rules, "delete secrets"), deletes, "{kind}: {rules:?}");
        }
    }

    #[test]
    fn two_roles_of_one_namespace_stand_beside_each_other() {
        let [own, _] = role("strata-system", "strata-system", OWN);
        let [plane, _] = role("strata-system", "strata-system", PLANE);
        assert_ne!(own["metadata"]["name"], plane["metadata"]["name"]);
    }
}
