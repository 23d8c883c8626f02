//! One rotation of each type and an aggregate of all that one may read, with everything around them.

use serde_json::json;

use crate::play::objects;
use crate::stage;
use crate::stage::real::ApiServer;

pub const PLANE: &str = "openstack";
pub const ROTATIONS: [&str; 5] = ["fernet", "rows", "nova", "database", "queue"];
pub const AGGREGATE: &str = "/apis/c5c3.io/v1alpha1/namespaces/openstack/secretaggregates/joined";
const KORC: &str = "openstack.k-orc.cloud/v1alpha1";

pub fn prepare(server: &ApiServer, keystone: &str) {
    let keys = |secret: &str| json!({"secretName": secret, "propagationSeconds": 1});
    let delivery = |name: &str| {
        json!({
            "pushSecretName": format!("{name}-push"),
            "firstPushSecretName": format!("{name}-first-push"),
            "externalSecretName": format!("{name}-pull"),
            "secretName": format!("{name}-delivered"),
        })
    };
    let users = |group: &str, name: &str| {
        json!({"alternatingUsers": {
            "apiVersion": group, "names": [format!("{name}-a"), format!("{name}-b")],
            "settleSeconds": 1,
        }})
    };
    let fernet = json!({"keys": keys("fernet-keys"), "delivery": delivery("fernet")});
    let mut rows = json!({"keys": keys("rows-keys"), "delivery": delivery("rows")});
    rows["keys"]["migration"] =
        json!({"image": "example.org/keystone:1", "configSecretName": "keystone"});
    let mut all = vec![objects::password(PLANE)];
    all.extend(objects::credential(PLANE, "nova", keystone));
    for (name, kind, consumer, sources, more) in [
        ("fernet", "fernetKeys", "Deployment", "fernet-keys-next,fernet-keys-first", fernet),
        ("rows", "credentialKeys", "Deployment", "rows-keys-next,rows-keys-first", rows),
        (
            "database",
            "databasePassword",
            "StatefulSet",
            "database-current",
            users("k8s.mariadb.com/v1alpha1", "database"),
        ),
        (
            "queue",
            "messagingPassword",
            "DaemonSet",
            "queue-current",
            users("rabbitmq.com/v1beta1", "queue"),
        ),
    ] {
        all.extend(objects::around(PLANE, name, sources, consumer));
        all.push(objects::rotation(PLANE, name, kind, consumer, more));
    }
    for (group, name) in
        [("k8s.mariadb.com/v1alpha1", "database"), ("rabbitmq.com/v1beta1", "queue")]
    {
        for letter in ["a", "b"] {
            all.push(json!({
                "apiVersion": group, "kind": "User",
                "metadata": {"name": format!("{name}-{letter}"), "namespace": PLANE},
            }));
        }
    }
    let mut sources = vec![json!({"secretRef": {"name": "login"}})];
    for kind in ["Domain", "Project", "User"] {
        let key = kind.to_lowercase();
        all.push(json!({
            "apiVersion": KORC, "kind": kind, "metadata": {"name": key, "namespace": PLANE},
        }));
        sources.push(json!({"statusRef": {
            "apiVersion": KORC, "kind": kind, "name": key, "field": "id", "key": key,
        }}));
    }
    all.push(json!({
        "apiVersion": "c5c3.io/v1alpha1", "kind": "SecretAggregate",
        "metadata": {"name": "joined", "namespace": PLANE},
        "spec": {"sources": sources, "target": {"name": "joined"}},
    }));
    all.iter().for_each(|object| stage::apply(server, object));
    let ready = json!({"status": {"id": "7f", "conditions": [
        {"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"},
    ]}});
    let mut paths: Vec<String> =
        ROTATIONS.map(|name| format!("/api/v1/namespaces/{PLANE}/pods/{name}-0/status")).into();
    for (group, name) in
        [("k8s.mariadb.com/v1alpha1", "database"), ("rabbitmq.com/v1beta1", "queue")]
    {
        let of =
            |letter: &str| format!("/apis/{group}/namespaces/{PLANE}/users/{name}-{letter}/status");
        paths.extend(["a", "b"].map(of));
    }
    paths.extend(
        ["domain", "project", "user"]
            .map(|name| format!("/apis/{KORC}/namespaces/{PLANE}/{name}s/{name}/status")),
    );
    for path in paths {
        let answer =
            server.request("PATCH", &path, "application/merge-patch+json", &ready.to_string());
        assert_eq!(answer.status, 200, "{path}: {}", answer.message());
    }
}
