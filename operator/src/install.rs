//! How the operator is installed, without Helm: made of the same tables that the program uses.

use serde_json::{Value, json};

use crate::shell::names::MANAGER;
use crate::{api, rbac};

pub const OWN_NAMESPACE: &str = "strata-system";
/// The namespace that the example looks after; a cloud has its own.
pub const PLANE_NAMESPACE: &str = "openstack";
const PORT: u16 = 8080;

/// Files of `flux/operator/` and the objects in each.
pub fn files() -> Vec<(&'static str, Vec<Value>)> {
    vec![
        ("crds.yaml", api::crds().iter().map(|crd| json!(crd)).collect()),
        ("operator.yaml", operator()),
        ("plane.yaml", rbac::role(PLANE_NAMESPACE, OWN_NAMESPACE, rbac::PLANE).into()),
        ("kustomization.yaml", vec![kustomization()]),
    ]
}

fn kustomization() -> Value {
    json!({
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": ["crds.yaml", "operator.yaml", "plane.yaml"],
    })
}

fn metadata(name: &str) -> Value {
    json!({"name": name, "namespace": OWN_NAMESPACE, "labels": {"app.kubernetes.io/name": MANAGER}})
}

fn operator() -> Vec<Value> {
    let mut objects = vec![
        json!({
            "apiVersion": "v1", "kind": "Namespace",
            "metadata": {
                "name": OWN_NAMESPACE,
                "labels": {"pod-security.kubernetes.io/enforce": "restricted"},
            },
        }),
        json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata(MANAGER)}),
    ];
    objects.extend(rbac::role(OWN_NAMESPACE, OWN_NAMESPACE, rbac::OWN));
    objects.extend([deployment(), network_policy()]);
    objects
}

fn deployment() -> Value {
    let labels = json!({"app.kubernetes.io/name": MANAGER});
    let from_field = |name: &str, field: &str| json!({"name": name, "valueFrom": {"fieldRef": {"fieldPath": field}}});
    let probe =
        |path: &str| json!({"httpGet": {"path": path, "port": "http"}, "periodSeconds": 10});
    let container = json!({
        "name": "operator",
        "image": "ghcr.io/c5c3/strata-operator:0.1.0",
        "args": ["run"],
        "env": [
            {"name": "WATCH_NAMESPACES", "value": PLANE_NAMESPACE},
            from_field("POD_NAME", "metadata.name"),
            from_field("POD_NAMESPACE", "metadata.namespace"),
        ],
        "ports": [{"name": "http", "containerPort": PORT}],
        "livenessProbe": probe("/healthz"),
        // One of two leads; the other is as well as it can be.
        "readinessProbe": probe("/healthz"),
        "resources": {"requests": {"cpu": "10m", "memory": "32Mi"}, "limits": {"memory": "64Mi"}},
        "securityContext": {
            "allowPrivilegeEscalation": false,
            "readOnlyRootFilesystem": true,
            "capabilities": {"drop": ["ALL"]},
        },
    });
    let pod = json!({
        "serviceAccountName": MANAGER,
        "securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [container],
    });
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": metadata(MANAGER),
        "spec": {
            "replicas": 2,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    })
}

/// To the API server, to DNS and to Keystone; from whoever collects metrics.
fn network_policy() -> Value {
    let port = |number: u16, protocol: &str| json!({"port": number, "protocol": protocol});
    json!({
        "apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy",
        "metadata": metadata(MANAGER),
        "spec": {
            "podSelector": {"matchLabels": {"app.kubernetes.io/name": MANAGER}},
            "policyTypes": ["Ingress", "Egress"],
            "ingress": [{"ports": [port(PORT, "TCP")]}],
            "egress": [{"ports": [
                port(53, "UDP"), port(53, "TCP"), port(443, "TCP"), port(6443, "TCP"), port(5000, "TCP"),
            ]}],
        },
    })
}
