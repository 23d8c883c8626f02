//! The objects that are there before the operator is.

use serde_json::{Value, json};

use super::keystone::CANARY;

/// Of kinds that others define: as much of a definition as it takes to keep any object of them.
pub fn foreign_kinds() -> Vec<Value> {
    let kind = |group: &str, version: &str, kind: &str| {
        let plural = format!("{}s", kind.to_lowercase());
        let schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": format!("{plural}.{group}")},
            "spec": {
                "group": group, "scope": "Namespaced",
                "names": {"kind": kind, "plural": plural},
                "versions": [{
                    "name": version, "served": true, "storage": true,
                    "subresources": {"status": {}}, "schema": {"openAPIV3Schema": schema},
                }],
            },
        })
    };
    vec![
        kind("external-secrets.io", "v1alpha1", "PushSecret"),
        kind("external-secrets.io", "v1", "ExternalSecret"),
        kind("openstack.k-orc.cloud", "v1alpha1", "ApplicationCredential"),
        kind("openstack.k-orc.cloud", "v1alpha1", "Domain"),
        kind("openstack.k-orc.cloud", "v1alpha1", "Project"),
        kind("openstack.k-orc.cloud", "v1alpha1", "User"),
        kind("k8s.mariadb.com", "v1alpha1", "User"),
        kind("rabbitmq.com", "v1beta1", "User"),
    ]
}

/// The password with which the operator asks Keystone; one for all users of a plane.
pub fn password(namespace: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "login", "namespace": namespace},
        "stringData": {"password": format!("{CANARY}-password")},
    })
}

/// What any rotation needs beside it: its way through the store, and a consumer with one pod.
pub fn around(namespace: &str, name: &str, sources: &str, consumer: &str) -> Vec<Value> {
    let labels = json!({"app": name});
    let container = json!([{"name": "main", "image": "example.org/main:1"}]);
    let mut workload = json!({
        "apiVersion": "apps/v1", "kind": consumer,
        "metadata": {"name": name, "namespace": namespace},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": container}},
        },
    });
    if consumer == "StatefulSet" {
        workload["spec"]["serviceName"] = json!(name);
    }
    let push = |suffix: &str| {
        json!({
            "apiVersion": "external-secrets.io/v1alpha1", "kind": "PushSecret",
            "metadata": {"name": format!("{name}-{suffix}"), "namespace": namespace},
        })
    };
    let pull = json!({
        "apiVersion": "external-secrets.io/v1", "kind": "ExternalSecret",
        "metadata": {"name": format!("{name}-pull"), "namespace": namespace},
        "spec": {"sources": sources, "target": format!("{name}-delivered")},
    });
    let mut mounting = container.clone();
    mounting[0]["volumeMounts"] = json!([{"name": "keys", "mountPath": "/keys"}]);
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": format!("{name}-0"), "namespace": namespace, "labels": labels},
        "spec": {"containers": mounting, "volumes": [
            {"name": "keys", "secret": {"secretName": format!("{name}-keys")}},
        ]},
    });
    vec![push("push"), push("first-push"), pull, workload, pod]
}

pub fn rotation(namespace: &str, name: &str, kind: &str, consumer: &str, more: Value) -> Value {
    let mut rotation = json!({
        "apiVersion": "c5c3.io/v1alpha1", "kind": "CredentialRotation",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {
            "rotationType": kind,
            "schedule": {"intervalDays": 90, "preRotationDays": 7},
            "gracePeriodDays": 0,
            "delivery": {
                "pushSecretName": format!("{name}-push"),
                "externalSecretName": format!("{name}-pull"),
                "secretName": format!("{name}-delivered"),
                "cacheSeconds": 0,
            },
            "consumers": [{"kind": consumer, "name": name}],
        },
    });
    for (key, value) in more.as_object().into_iter().flatten() {
        rotation["spec"][key] = value.clone();
    }
    rotation
}

/// An application credential and all around it.
pub fn credential(namespace: &str, name: &str, keystone: &str) -> Vec<Value> {
    let source = json!({"applicationCredential": {
        "userRef": name,
        "cloudCredentialsRef": {"secretName": "clouds", "cloudName": "openstack"},
        "keystone": {
            "authUrl": keystone, "username": format!("{namespace}.{name}"),
            "projectName": "service", "passwordSecretRef": {"name": "login", "key": "password"},
        },
        "tokenExpirationSeconds": 0,
    }});
    let mut objects = around(namespace, name, &format!("{name}-current"), "Deployment");
    objects.push(rotation(namespace, name, "applicationCredential", "Deployment", source));
    objects
}
