//! The way of keys through the store: played, with random lags, or with the real External Secrets.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use strata_operator::core::simulate::random::Random;
use strata_operator::shell::material::Data;
use strata_operator::shell::names;

use crate::plane::{Keys, PULL, PUSH, Plane, SECRET, STORE};
use crate::stage::real::Store;
use crate::stage::real::store::{MOUNT, TOKEN};

/// The store that the objects name.
const NAME: &str = "test-store";

/// What has to be there before the operator: the two PushSecrets and the ExternalSecret of a ring.
pub fn create_objects(plane: Plane, keys: Keys) {
    plane.create(PUSH, &push(plane, keys, "first-push", "first", "IfNotExists"));
    plane.create(PUSH, &push(plane, keys, "push", "next", "Replace"));
    plane.create(
        PULL,
        &json!({
            "apiVersion": "external-secrets.io/v1", "kind": "ExternalSecret",
            "metadata": {"name": keys.named("pull"), "namespace": plane.namespace},
            "spec": {
                "refreshInterval": "1h",
                "secretStoreRef": {"kind": "SecretStore", "name": NAME},
                "target": {"name": keys.named("backup"), "creationPolicy": "Owner",
                    "deletionPolicy": "Retain"},
                "dataFrom": [{"extract": {"key": format!("keys/{}", keys.secret)}}],
            },
        }),
    );
}

fn push(plane: Plane, keys: Keys, name: &str, source: &str, policy: &str) -> Value {
    json!({
        "apiVersion": "external-secrets.io/v1alpha1", "kind": "PushSecret",
        "metadata": {"name": keys.named(name), "namespace": plane.namespace},
        "spec": {
            "refreshInterval": "1h", "updatePolicy": policy, "deletionPolicy": "None",
            "secretStoreRefs": [{"kind": "SecretStore", "name": NAME}],
            "selector": {"secret": {"name": keys.named(source)}},
            "data": [{"match": {"remoteRef": {"remoteKey": format!("keys/{}", keys.secret)}}}],
        },
    })
}

/// For the real External Secrets.
pub fn create_store(plane: Plane, store: &Store) {
    plane.create(
        SECRET,
        &json!({"apiVersion": "v1", "kind": "Secret", "stringData": {"token": TOKEN},
            "metadata": {"name": "store-token", "namespace": plane.namespace}}),
    );
    plane.create(
        STORE,
        &json!({
            "apiVersion": "external-secrets.io/v1", "kind": "SecretStore",
            "metadata": {"name": NAME, "namespace": plane.namespace},
            "spec": {"provider": {"vault": {
                "server": store.url(), "path": MOUNT, "version": "v2",
                "checkAndSet": {"required": true},
                "auth": {"tokenSecretRef": {"name": "store-token", "key": "token"}},
            }}},
        }),
    );
}

/// Pushes and pulls when it is told to, some time later.
pub fn play(
    plane: Plane,
    rings: Vec<Keys>,
    mut random: Random,
    over: Arc<AtomicBool>,
) -> thread::JoinHandle<()> {
    let mut stored: BTreeMap<&str, Data> = BTreeMap::new();
    let mut heard: BTreeMap<String, String> = BTreeMap::new();
    thread::spawn(move || {
        while !over.load(Ordering::Relaxed) {
            for keys in &rings {
                // The pull is looked at first: it is told after the push, and shall not be done before.
                let mut told = |kind, name: &str| {
                    let name = keys.named(name);
                    let told = plane.annotation(kind, &name, names::SYNC)?;
                    (heard.insert(name, told.clone()) != Some(told.clone())).then_some(told)
                };
                let pull = told(PULL, "pull");
                let (first, push) = (told(PUSH, "first-push"), told(PUSH, "push"));
                let lag = random.between(0, 60).unsigned_abs();
                if first.is_some() || push.is_some() || pull.is_some() {
                    thread::sleep(Duration::from_millis(lag));
                }
                if let (Some(told), Some(data)) = (first, plane.secret(&keys.named("first"))) {
                    stored.entry(keys.secret).or_insert(data);
                    say_pushed(plane, &keys.named("first-push"), &told);
                }
                if let (Some(told), Some(data)) = (push, plane.secret(&keys.named("next"))) {
                    stored.insert(keys.secret, data);
                    say_pushed(plane, &keys.named("push"), &told);
                }
                if let (Some(_), Some(data)) = (pull, stored.get(keys.secret)) {
                    plane.put_secret(&keys.named("backup"), data);
                }
            }
            thread::sleep(Duration::from_millis(80));
        }
    })
}

/// The real one has here what the PushSecret was like when it pushed; that it changes is enough.
fn say_pushed(plane: Plane, name: &str, told: &str) {
    let status = json!({"status": {"syncedResourceVersion": told}});
    plane.merge(PUSH, &format!("{name}/status"), &status);
}
