//! `SecretAggregate`: several objects in one Secret.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::chance;
use crate::cloud::{CLOUD, secret};
use crate::plane::Plane;
use crate::real::report;
use crate::real::{Object, Verdict};

const JOINED: &str = "joined";
static PLANE: LazyLock<Plane> = LazyLock::new(|| Plane::start(JOINED));

fn aggregate(name: &str, sources: Value, target: Value) -> Value {
    json!({
        "apiVersion": "c5c3.io/v1alpha1", "kind": "SecretAggregate",
        "metadata": {"name": name, "namespace": JOINED},
        "spec": {"sources": sources, "target": target},
    })
}

fn read(name: &str) -> Option<std::collections::BTreeMap<String, String>> {
    CLOUD.server.secret(JOINED, name)
}

/// Waits until its condition `Ready` has this reason; what it says then.
fn wait_until(object: &Value, reason: &str) -> Value {
    let ready = || {
        let state = CLOUD.state(object);
        state["status"]["conditions"][0].clone()
    };
    CLOUD.wait(&format!("{} of {}", reason, object["metadata"]["name"]), || match ready() {
        found if found["reason"] == reason => Vec::new(),
        found => vec![found.to_string()],
    });
    ready()
}

fn wait_until_it_holds(name: &str, key: &str, value: &str) {
    CLOUD.wait(&format!("{key} of {name}"), || {
        let found = read(name).unwrap_or_default();
        match found.get(key).is_some_and(|found| found == value) {
            true => Vec::new(),
            false => vec![format!("{:?}", found.keys())],
        }
    });
}

#[test]
fn secrets_and_a_status_become_one_secret_by_a_template() {
    LazyLock::force(&PLANE);
    // The status of an object that nobody serves here.
    let project = json!({
        "apiVersion": "openstack.k-orc.cloud/v1alpha1", "kind": "Project",
        "metadata": {"name": "web", "namespace": JOINED},
        "spec": {
            "cloudCredentialsRef": {"cloudName": "openstack", "secretName": "none"},
            "managementPolicy": "managed", "resource": {"name": "web"},
        },
    });
    let sources = json!([
        {"secretRef": {"name": "login"}, "keys": ["username", "password"]},
        {"statusRef": {
            "apiVersion": "openstack.k-orc.cloud/v1alpha1", "kind": "Project", "name": "web",
            "field": "id", "key": "project_id",
        }},
        {"secretRef": {"name": "authority"}},
    ]);
    let target = json!({"name": "clouds", "template": {
        "clouds.yaml": "user: {{ username }}\npassword: '{{ password }}'\nproject: {{ project_id | upper }}\n",
        "cacert": "{{ values['ca.crt'] }}",
    }});
    let object = aggregate("clouds", sources, target);
    CLOUD.apply(std::slice::from_ref(&object));
    let said = wait_until(&object, "SourceMissing");
    assert!(said["message"].as_str().unwrap().contains("login"), "{said}");
    assert!(read("clouds").is_none(), "written without its sources");
    let login = json!({"username": "nova", "password": "{{ username }}", "other": "left out"});
    CLOUD.apply(&[
        secret(JOINED, "login", &login),
        secret(JOINED, "authority", &json!({"ca.crt": "PEM"})),
    ]);
    CLOUD.apply(std::slice::from_ref(&project));
    let path = "/apis/openstack.k-orc.cloud/v1alpha1/namespaces/joined/projects/web/status";
    let id = r#"{"status":{"id":"7f"}}"#;
    let answer = CLOUD.server.request("PATCH", path, "application/merge-patch+json", id);
    assert_eq!(answer.status, 200, "{}", answer.message());
    // The status of others is not watched, and looked at again after half a minute.
    CLOUD.apply(&[secret(JOINED, "authority", &json!({"ca.crt": "PEM", "look": "again"}))]);
    wait_until(&object, "Joined");
    let found = read("clouds").unwrap();
    assert_eq!(found["clouds.yaml"], "user: nova\npassword: '{{ username }}'\nproject: 7F\n");
    assert_eq!(found["cacert"], "PEM");
    assert_eq!(found.len(), 2);
    let owner = &owner("clouds");
    assert_eq!(
        owner["uid"],
        CLOUD.state(&object)["metadata"]["uid"],
        "it would not go with the aggregate"
    );
    assert_eq!(owner["controller"], true);
    report("rotation: a SecretAggregate joined two Secrets and a status by a template");
}

fn owner(name: &str) -> Value {
    let path = format!("/api/v1/namespaces/{JOINED}/secrets/{name}");
    CLOUD.server.get(&path).json()["metadata"]["ownerReferences"][0].clone()
}

#[test]
fn what_was_changed_or_deleted_by_hand_is_repaired() {
    LazyLock::force(&PLANE);
    CLOUD.apply(&[secret(JOINED, "source", &json!({"key": "first"}))]);
    let object = aggregate(
        "repaired",
        json!([{"secretRef": {"name": "source"}}]),
        json!({"name": "repaired"}),
    );
    CLOUD.apply(std::slice::from_ref(&object));
    wait_until_it_holds("repaired", "key", "first");
    CLOUD.apply(&[secret(JOINED, "source", &json!({"key": "second"}))]);
    wait_until_it_holds("repaired", "key", "second");
    CLOUD.apply(&[secret(JOINED, "repaired", &json!({"key": "by hand", "more": "by hand"}))]);
    wait_until_it_holds("repaired", "key", "second");
    assert_eq!(read("repaired").unwrap().len(), 1);
    CLOUD.server.delete_all(&Object::read_all(&secret(JOINED, "repaired", &json!({})).to_string()));
    wait_until_it_holds("repaired", "key", "second");
    // What is there stays, though a source has gone: nothing half is written, and nothing is taken away.
    CLOUD.server.delete_all(&Object::read_all(&secret(JOINED, "source", &json!({})).to_string()));
    wait_until(&object, "SourceMissing");
    assert_eq!(read("repaired").unwrap()["key"], "second");
}

#[test]
fn the_secret_of_somebody_else_is_left_alone() {
    LazyLock::force(&PLANE);
    let theirs = secret(JOINED, "theirs", &json!({"key": "theirs"}));
    CLOUD.apply(&[theirs.clone(), secret(JOINED, "ours", &json!({"key": "ours"}))]);
    let object =
        aggregate("greedy", json!([{"secretRef": {"name": "ours"}}]), json!({"name": "theirs"}));
    CLOUD.apply(std::slice::from_ref(&object));
    wait_until(&object, "NotOurs");
    assert_eq!(read("theirs").unwrap()["key"], "theirs");
    CLOUD.server.delete_all(&Object::read_all(&theirs.to_string()));
    wait_until(&object, "Joined");
    assert_eq!(read("theirs").unwrap()["key"], "ours");
}

#[test]
fn what_cannot_be_joined_is_said_without_a_value() {
    LazyLock::force(&PLANE);
    CLOUD.apply(&[
        secret(JOINED, "left", &json!({"key": "canary"})),
        secret(JOINED, "right", &json!({"key": "canary"})),
    ]);
    let (left, right) =
        (json!({"secretRef": {"name": "left"}}), json!({"secretRef": {"name": "right"}}));
    let bad = |text: &str| json!({"name": "never", "template": {"text": text}});
    let plain = json!({"name": "never"});
    for (name, sources, target, reason) in [
        ("twice", json!([left, right]), plain.clone(), "KeyTwice"),
        ("unknown", json!([left]), bad("{{ other }}"), "BadTemplate"),
        ("wrong", json!([left]), bad("{{ key | int }}"), "BadTemplate"),
        (
            "key",
            json!([{"secretRef": {"name": "left"}, "keys": ["other"]}]),
            plain,
            "SourceMissing",
        ),
    ] {
        let object = aggregate(name, sources, target);
        CLOUD.apply(std::slice::from_ref(&object));
        let said = wait_until(&object, reason).to_string();
        assert!(!said.contains("canary"), "{said}");
        assert!(read("never").is_none());
    }
}

#[test]
fn the_server_refuses_what_makes_no_sense() {
    LazyLock::force(&PLANE);
    let left = json!({"secretRef": {"name": "left"}});
    let of = |version: &str, kind: &str| json!({"apiVersion": version, "kind": kind, "name": "x", "field": "id", "key": "id"});
    let status = of("openstack.k-orc.cloud/v1alpha1", "User");
    for (sources, target) in [
        // The operator has no right to read them.
        (json!([{"statusRef": of("v1", "Service")}]), "other"),
        (json!([{"statusRef": of("openstack.k-orc.cloud/v1alpha1", "Flavor")}]), "other"),
        (json!([left]), "left"),
        (json!([{"secretRef": {"name": "left"}, "statusRef": status}]), "other"),
        (json!([{"keys": ["a"], "statusRef": status}]), "other"),
        (json!([{}]), "other"),
        (json!([]), "other"),
    ] {
        let object = aggregate("refused", sources, json!({"name": target})).to_string();
        let verdict = CLOUD.server.would_apply(&Object::read_all(&object)[0]);
        assert!(matches!(verdict, Verdict::Refused(_)), "{object}: {verdict:?}");
    }
}

/// Two Secrets change one after the other, all the time: the target never has a newer half of the second
/// than of the first, because at no moment the sources stood so.
#[test]
fn a_join_is_never_torn() {
    LazyLock::force(&PLANE);
    let write = |name: &str, number: u64| {
        CLOUD.apply(&[secret(JOINED, name, &json!({name: number.to_string()}))])
    };
    write("half-a", 0);
    write("half-b", 0);
    let sources = json!([{"secretRef": {"name": "half-a"}}, {"secretRef": {"name": "half-b"}}]);
    CLOUD.apply(&[aggregate("whole", sources, json!({"name": "whole"}))]);
    wait_until_it_holds("whole", "half-a", "0");
    let over = AtomicBool::new(false);
    let (mut looks, mut versions) = (0, std::collections::BTreeSet::new());
    thread::scope(|scope| {
        scope.spawn(|| {
            for number in 1..=60 {
                write("half-a", number);
                thread::sleep(chance::milliseconds(0, 120));
                write("half-b", number);
                thread::sleep(chance::milliseconds(0, 400));
            }
            over.store(true, Ordering::Relaxed);
        });
        while !over.load(Ordering::Relaxed) {
            let found = read("whole").unwrap();
            let half = |name: &str| found[name].parse::<u64>().unwrap();
            let (a, b) = (half("half-a"), half("half-b"));
            assert!(a == b || a == b + 1, "{a} beside {b}: so the sources never stood");
            (looks, _) = (looks + 1, versions.insert((a, b)));
            thread::sleep(Duration::from_millis(20));
        }
    });
    wait_until_it_holds("whole", "half-b", "60");
    assert!(versions.len() > 3, "{versions:?}");
    report(&format!(
        "rotation: a SecretAggregate of two changing Secrets, {} versions in {looks} looks, none torn",
        versions.len()
    ));
}
