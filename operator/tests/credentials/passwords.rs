//! Passwords of databases and brokers: two users take turns. Their operators are played: a server learns a
//! password some time after its Secret changed, and its users' objects are always `Ready`, as the real ones
//! leave them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::chance;
use crate::cloud::CLOUD;
use crate::plane::Plane;
use crate::pods::{Data, Deployment, EVERY};
use crate::real::report;
use crate::rotation::{Rotation, while_the_operator_dies};
use crate::service::{rotation, through_store};
use crate::stage::times;

const POLL: Duration = Duration::from_millis(100);
/// A server knows a password within this time, and the rotation is told two seconds.
const LEARNS_WITHIN: u64 = 1_500;

/// A database or a broker: which password each user has.
#[derive(Debug, Default)]
struct Server {
    passwords: Mutex<BTreeMap<String, String>>,
    over: AtomicBool,
}

impl Server {
    fn accepts(&self, data: &Data) -> Result<(), String> {
        let (user, password) = (&data["username"], &data["password"]);
        match self.passwords.lock().unwrap().get(user) == Some(password) {
            true => Ok(()),
            false => Err(format!("access denied for {user}")),
        }
    }

    /// What the operator of the server does: it looks at Secrets that carry its label.
    fn follow(&self, namespace: &str, secrets: &[String], label: &str) {
        let mut coming: BTreeMap<String, (Data, Instant)> = BTreeMap::new();
        while !self.over.load(Ordering::Relaxed) {
            for name in secrets {
                let path = format!("/api/v1/namespaces/{namespace}/secrets/{name}");
                let object = CLOUD.server.get(&path).json();
                if object["metadata"]["labels"][label].is_null() {
                    continue;
                }
                let Some(data) = CLOUD.server.secret(namespace, name) else { continue };
                let known = coming.get(name).is_some_and(|(known, _)| *known == data);
                if !known {
                    let when = Instant::now() + chance::milliseconds(100, LEARNS_WITHIN);
                    coming.insert(name.clone(), (data, when));
                }
            }
            for (data, when) in coming.values() {
                if *when <= Instant::now() {
                    let mut passwords = self.passwords.lock().unwrap();
                    passwords.insert(data["username"].clone(), data["password"].clone());
                }
            }
            thread::sleep(POLL);
        }
    }
}

fn rotates(
    (namespace, name, kind): (&'static str, &str, &str),
    label: &'static str,
    api_version: &str,
    user: fn(&str) -> Value,
) {
    let plane = &Plane::start(namespace);
    let name = name.to_owned();
    let delivered = format!("{name}-credentials");
    let users = ["one", "two"].map(|which| format!("{name}-{which}"));
    let places = ["a", "b"].map(|place| format!("{name}-{place}"));
    for (user_name, place) in users.iter().zip(&places) {
        let object = json!({
            "apiVersion": api_version, "kind": "User",
            "metadata": {"name": user_name, "namespace": namespace}, "spec": user(place),
        });
        CLOUD.apply(&[object]);
        call_ready(namespace, api_version, user_name);
    }
    let server = Arc::new(Server::default());
    let following = thread::spawn({
        let (server, places) = (Arc::clone(&server), places.clone());
        move || server.follow(namespace, &places, label)
    });
    let asked = Arc::clone(&server);
    let pods = Deployment {
        namespace,
        name: name.clone(),
        replicas: 3,
        secret: delivered.clone(),
        every: EVERY,
        work: Arc::new(move |data| asked.accepts(data)),
    }
    .start();
    let spec = json!({
        "rotationType": kind, "gracePeriodDays": 0,
        "alternatingUsers": {"apiVersion": api_version, "names": users, "settleSeconds": 2},
        "consumers": [{"kind": "Deployment", "name": name}],
    });
    CLOUD.apply(&through_store(namespace, &name, &delivered));
    CLOUD.apply(&[rotation(namespace, &name, &delivered, spec)]);
    let rotation = Rotation { plane, name };
    let mut generation = rotation.complete(0, || {});
    let mut used = Vec::new();
    let rotations = times(10, 3);
    let mut rotate = || {
        let before = CLOUD.server.secret(namespace, &delivered).unwrap();
        rotation.rotate_now();
        generation = rotation.complete(generation, || {
            assert!(server.accepts(&before).is_ok(), "changed while it may be in use");
        });
        let after = CLOUD.server.secret(namespace, &delivered).unwrap();
        assert_ne!(before["username"], after["username"], "the users take no turns");
        used.push(before);
    };
    (1..rotations).for_each(|_| rotate());
    let kills = while_the_operator_dies(plane, rotate);
    thread::sleep(Duration::from_millis(LEARNS_WITHIN + 500));
    assert!(used.iter().all(|data| server.accepts(data).is_err()), "an old password works");
    let tally = pods.stop();
    server.over.store(true, Ordering::Relaxed);
    following.join().unwrap();
    let failures = tally.failures.lock().unwrap().clone();
    assert!(failures.is_empty(), "{} failures, first {}", failures.len(), failures[0]);
    report(&format!(
        "rotation: {kind} rotated {rotations} times, the operator killed {kills} times: {} logins from {} \
         pods without a failure",
        tally.done.load(Ordering::Relaxed),
        tally.started.load(Ordering::Relaxed),
    ));
}

pub fn call_ready(namespace: &str, api_version: &str, name: &str) {
    let now = "2026-01-01T00:00:00Z";
    let ready = json!({
        "type": "Ready", "status": "True", "reason": "Created", "message": "", "lastTransitionTime": now,
    });
    // RabbitMQ's says whom it made.
    let status = json!({"status": {"conditions": [ready], "username": name}}).to_string();
    let path = format!("/apis/{api_version}/namespaces/{namespace}/users/{name}/status");
    let answer = CLOUD.server.request("PATCH", &path, "application/merge-patch+json", &status);
    assert_eq!(answer.status, 200, "{}", answer.message());
}

/// Both at once: most of the time they wait.
#[test]
fn a_consumer_always_has_a_password_that_its_server_accepts() {
    thread::scope(|scope| {
        scope.spawn(|| {
            rotates(
                ("databases", "nova-db", "databasePassword"),
                "k8s.mariadb.com/watch",
                "k8s.mariadb.com/v1alpha1",
                |place| {
                    json!({
                        "mariaDbRef": {"name": "openstack-db"}, "maxUserConnections": 1000,
                        "passwordSecretKeyRef": {"name": place, "key": "password"},
                    })
                },
            );
        });
        scope.spawn(|| {
            rotates(
                ("brokers", "nova-mq", "messagingPassword"),
                "rabbitmq.com/topology-operator",
                "rabbitmq.com/v1beta1",
                |place| {
                    json!({
                        "importCredentialsSecret": {"name": place},
                        "rabbitmqClusterReference": {"name": "openstack-rabbitmq"},
                    })
                },
            );
        });
    });
}
