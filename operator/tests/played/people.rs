//! What people do by hand: the commands as they type them, and what becomes of it.

use std::process::{Command, Output};
use std::time::Duration;

use serde_json::{Value, json};

use crate::leaders::{Operator, STAGE, prepare};
use crate::play::objects;
use crate::stage;
use crate::stage::real::wait_for;

const PLANE: &str = "paused";
const KEYS: &str = "fernet";
const CREDENTIAL: &str = "nova";
const WITHIN: Duration = Duration::from_secs(120);

fn strata_operator(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_strata-operator"));
    command.env("KUBECONFIG", STAGE.0.kubectl().kubeconfig());
    command.args(&arguments[..1]).args(["-n", PLANE]).args(&arguments[1..]).output().unwrap()
}

/// What it says if it succeeds.
fn said(arguments: &[&str]) -> String {
    let output = strata_operator(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn path(name: &str) -> String {
    format!("/apis/c5c3.io/v1alpha1/namespaces/{PLANE}/credentialrotations/{name}")
}

fn rotation(name: &str) -> Value {
    STAGE.0.get(&path(name)).json()
}

fn keys() -> Value {
    STAGE.0.get(&format!("/api/v1/namespaces/{PLANE}/secrets/fernet-keys")).json()["data"].clone()
}

fn wait_until(what: &str, operator: &Operator, holds: impl Fn(&str, &Value) -> bool) {
    wait_for(
        what,
        WITHIN,
        || operator.process.last_words(),
        || {
            let all = [KEYS, CREDENTIAL].map(|name| (name, rotation(name)));
            let left = all.iter().filter(|(name, object)| !holds(name, object));
            left.map(|(name, object)| format!("{name}: {}", object["status"])).collect()
        },
    );
}

#[test]
fn who_pauses_a_rotation_has_it_stand_still_until_it_is_resumed() {
    prepare(PLANE);
    create();
    let operator = Operator::start(PLANE, "first");
    wait_until("the first of each", &operator, |_, object| {
        object["status"]["reason"] == "UpToDate"
    });
    let before = [KEYS, CREDENTIAL].map(|name| rotation(name)["status"]["generation"].clone());
    for name in [KEYS, CREDENTIAL] {
        assert!(said(&["pause", name]).contains("is paused"));
        assert!(said(&["rotate-now", name]).contains("is asked to rotate"));
    }
    wait_until("a pause", &operator, |_, object| object["status"]["reason"] == "SuspendedBySpec");
    let table = said(&["status"]);
    assert_eq!(table.lines().count(), 3, "{table}");
    for (name, generation) in [KEYS, CREDENTIAL].iter().zip(&before) {
        let line = table.lines().find(|line| line.starts_with(name)).unwrap();
        let cells: Vec<&str> = line.split_whitespace().collect();
        let generation = generation.to_string();
        let kind = if *name == KEYS { "fernetKeys" } else { "applicationCredential" };
        assert_eq!(cells[1..4], [kind, "Suspended", generation.as_str()], "{line}");
        assert!(cells[4].ends_with(['s', 'm']), "no age: {line}");
        assert_eq!(cells.last(), Some(&"SuspendedBySpec"), "{line}");
    }

    // What is lost meanwhile comes back as it was.
    let lost = keys();
    let secret = format!("/api/v1/namespaces/{PLANE}/secrets/fernet-keys");
    assert_eq!(STAGE.0.request("DELETE", &secret, "application/json", "").status, 200);
    wait_until("the lost keys", &operator, |_, _| keys() == lost);
    let now = [KEYS, CREDENTIAL].map(|name| rotation(name)["status"]["generation"].clone());
    assert_eq!(now, before, "it rotates though it is paused");

    for name in [KEYS, CREDENTIAL] {
        assert!(!said(&["resume", name]).is_empty());
        assert_eq!(
            rotation(name)["spec"].get("suspend"),
            None,
            "whoever renders it would take it back"
        );
    }
    wait_until("the rotation that was asked for", &operator, |name, object| {
        let asked = &object["metadata"]["annotations"]["c5c3.io/rotate-now"];
        let status = &object["status"];
        let old = if name == KEYS { &before[0] } else { &before[1] };
        status["reason"] == "UpToDate"
            && status["acknowledged"] == *asked
            && status["generation"] != *old
    });
}

#[test]
fn who_names_what_is_not_there_is_told() {
    prepare(PLANE);
    let output = strata_operator(&["pause", "nobody"]);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    assert!(complaint.contains("there is no CredentialRotation nobody"), "{complaint}");
}

fn create() {
    let (server, play) = &*STAGE;
    let url = play.keystone.url.lock().unwrap().clone();
    let mut all = vec![objects::password(PLANE)];
    all.extend(objects::credential(PLANE, CREDENTIAL, &url));
    all.extend(objects::around(PLANE, KEYS, "fernet-keys-next,fernet-keys-first", "Deployment"));
    let ring = json!({
        "keys": {"secretName": "fernet-keys", "propagationSeconds": 1},
        "delivery": {
            "pushSecretName": "fernet-push", "firstPushSecretName": "fernet-first-push",
            "externalSecretName": "fernet-pull", "secretName": "fernet-delivered",
        },
    });
    all.push(objects::rotation(PLANE, KEYS, "fernetKeys", "Deployment", ring));
    all.iter().for_each(|object| stage::apply(server, object));
    let ready =
        json!({"status": {"conditions": [{"type": "Ready", "status": "True"}]}}).to_string();
    let pod = format!("/api/v1/namespaces/{PLANE}/pods/{KEYS}-0/status");
    let answer = server.request("PATCH", &pod, "application/merge-patch+json", &ready);
    assert_eq!(answer.status, 200, "{}", answer.message());
}
