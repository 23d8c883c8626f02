//! The status that operators give to their objects, played.

use serde_json::{Value, json};

use crate::real::{ApiServer, Object};

/// Nobody here reads times.
const TIME: &str = "2026-01-01T00:00:00Z";

/// Gives an object the status that its operator gives to one that is ready. Objects of kinds without a
/// status are left alone.
pub fn make_ready(server: &ApiServer, object: &Object, state: &Value) {
    let Some(path) = server.path(object) else { return };
    if object.qualified_kind() == "ConfigMap" {
        return;
    }
    if let Some(password) = state["spec"]["resource"]["passwordRef"].as_str() {
        let namespace = object.namespace.as_deref().unwrap_or_default();
        let path = format!("/apis/external-secrets.io/v1/namespaces/{namespace}/externalsecrets");
        let delivered = server.get(&format!("{path}/{password}")).status;
        assert_eq!(delivered, 200, "K-ORC would wait for {password} of {}", object.label());
    }
    let patch = json!({"status": status(object, state)}).to_string();
    let path = format!("{path}/status");
    let answer = server.request("PATCH", &path, "application/merge-patch+json", &patch);
    assert!(
        matches!(answer.status, 200 | 404),
        "the status of {}: {}",
        object.label(),
        answer.message()
    );
}

fn status(object: &Object, state: &Value) -> Value {
    let generation = &state["metadata"]["generation"];
    let condition = |kind: &str, status: &str| {
        json!({"type": kind, "status": status, "reason": "Played", "message": "played by the test",
            "lastTransitionTime": TIME, "observedGeneration": generation})
    };
    let ready = [condition("Ready", "True")];
    match object.qualified_kind().as_str() {
        "Deployment.apps" => {
            let replicas = &state["spec"]["replicas"];
            json!({"observedGeneration": generation, "replicas": replicas, "readyReplicas": replicas,
                "updatedReplicas": replicas, "availableReplicas": replicas,
                "conditions": [{"type": "Available", "status": "True", "reason": "Played"}]})
        }
        "RabbitmqCluster.rabbitmq.com" => {
            let kinds = ["AllReplicasReady", "ClusterAvailable", "NoWarnings", "ReconcileSuccess"];
            json!({"conditions": kinds.map(|kind| condition(kind, "True"))})
        }
        "Backup.k8s.mariadb.com" | "PhysicalBackup.k8s.mariadb.com" | "SqlJob.k8s.mariadb.com" => {
            json!({"conditions": [condition("Complete", "True")]})
        }
        "User.rabbitmq.com" => json!({"username": object.name, "conditions": ready}),
        "Valkey.cache.cs.sap.com" => json!({"observedGeneration": generation, "state": "Ready",
            "conditions": ready}),
        "HTTPRoute.gateway.networking.k8s.io" => json!({"parents": [{
            "parentRef": state["spec"]["parentRefs"][0], "controllerName": "example.com/played",
            "conditions": [condition("Accepted", "True")]}]}),
        "BackendTLSPolicy.gateway.networking.k8s.io" => json!({"ancestors": [{
            "ancestorRef": {"name": "public"}, "controllerName": "example.com/played",
            "conditions": [condition("Accepted", "True")]}]}),
        kind if kind.ends_with(".openstack.k-orc.cloud") => json!({"conditions":
            [condition("Available", "True"), condition("Progressing", "False")]}),
        kind if kind.ends_with(".toolkit.fluxcd.io") => {
            json!({"observedGeneration": generation, "conditions": ready})
        }
        _ => json!({"conditions": ready}),
    }
}
