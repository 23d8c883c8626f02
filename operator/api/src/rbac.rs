//! What the operator may do, in one table: the Roles are made of it, and the tests run under them.

use serde_json::{Value, json};

use crate::names::MANAGER;

#[derive(Debug, Clone, Copy)]
pub struct Right {
    pub group: &'static str,
    pub resource: &'static str,
    pub verbs: &'static [&'static str],
    /// Limits it to objects of these names; verbs that cannot be limited so are in another row.
    pub names: &'static [&'static str],
}

/// In its own namespace.
pub const OWN: &[Right] = &[
    Right { group: "coordination.k8s.io", resource: "leases", verbs: &["create"], names: &[] },
    Right {
        group: "coordination.k8s.io",
        resource: "leases",
        verbs: &["get", "update"],
        names: &[MANAGER],
    },
];

/// In the namespace of each control plane, and nowhere else.
pub const PLANE: &[Right] = &[
    Right {
        group: "c5c3.io",
        resource: "credentialrotations",
        verbs: &["get", "list", "watch"],
        names: &[],
    },
    Right {
        group: "c5c3.io",
        resource: "credentialrotations/status",
        verbs: &["patch"],
        names: &[],
    },
    Right {
        group: "c5c3.io",
        resource: "secretaggregates",
        verbs: &["get", "list", "watch"],
        names: &[],
    },
    Right { group: "c5c3.io", resource: "secretaggregates/status", verbs: &["patch"], names: &[] },
    // Generations are named by numbers that nobody knows before: no name can be given here. Whoever may
    // list may watch; of what is watched, only names are looked at.
    Right {
        group: "",
        resource: "secrets",
        verbs: &["get", "list", "watch", "create", "update", "delete"],
        names: &[],
    },
    Right { group: "", resource: "pods", verbs: &["list"], names: &[] },
    Right { group: "events.k8s.io", resource: "events", verbs: &["create"], names: &[] },
    Right { group: "apps", resource: "deployments", verbs: &["get", "patch"], names: &[] },
    Right { group: "apps", resource: "statefulsets", verbs: &["get", "patch"], names: &[] },
    Right { group: "apps", resource: "daemonsets", verbs: &["get", "patch"], names: &[] },
    Right { group: "batch", resource: "jobs", verbs: &["get", "create", "delete"], names: &[] },
    Right {
        group: "external-secrets.io",
        resource: "pushsecrets",
        verbs: &["get", "patch"],
        names: &[],
    },
    Right {
        group: "external-secrets.io",
        resource: "externalsecrets",
        verbs: &["get", "patch"],
        names: &[],
    },
    Right {
        group: "openstack.k-orc.cloud",
        resource: "applicationcredentials",
        verbs: &["list", "get", "create", "delete"],
        names: &[],
    },
    // The ids that an aggregate may join.
    Right { group: "openstack.k-orc.cloud", resource: "domains", verbs: &["get"], names: &[] },
    Right { group: "openstack.k-orc.cloud", resource: "projects", verbs: &["get"], names: &[] },
    Right { group: "openstack.k-orc.cloud", resource: "users", verbs: &["get"], names: &[] },
    Right { group: "k8s.mariadb.com", resource: "users", verbs: &["get"], names: &[] },
    Right { group: "rabbitmq.com", resource: "users", verbs: &["get"], names: &[] },
];

/// The rules of a Role.
pub fn rules(rights: &[Right]) -> Vec<Value> {
    let rule = |right: &Right| {
        let mut rule = json!({"apiGroups": [right.group], "resources": [right.resource], "verbs": right.verbs});
        if !right.names.is_empty() {
            rule["resourceNames"] = json!(right.names);
        }
        rule
    };
    rights.iter().map(rule).collect()
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
mod tests {
    use super::*;

    #[test]
    fn no_right_is_a_wildcard_and_none_is_cluster_wide() {
        for right in OWN.iter().chain(PLANE) {
            assert!(!right.verbs.contains(&"*") && right.resource != "*" && right.group != "*");
            assert!(right.names.is_empty() || !right.verbs.contains(&"create"), "{right:?}");
        }
        let [role, binding] = role("openstack", "strata-system", PLANE);
        assert_eq!(role["kind"], "Role");
        assert_eq!(binding["roleRef"]["kind"], "Role");
    }
}
