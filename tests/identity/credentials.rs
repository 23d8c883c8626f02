//! Password → PushSecret → store → ExternalSecret → Secret, for every credential of the cloud.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::cloud::{entries, keys, text};
use crate::real::{Object, Write, progress, report, wait_for};
use crate::stage::{NAMESPACE, PREFIX, SETTLED_WITHIN, STAGE, Stage, apply};

/// External Secrets pushes again when any annotation changes; this is the one that people use.
const FORCE: &str = "force-sync";

fn walked() -> &'static Stage {
    let stage = &*STAGE;
    stage.wait_until_ready("PushSecrets", &stage.cloud.pushed);
    stage.wait_until_ready("ExternalSecrets", &stage.cloud.delivered);
    stage
}

fn stored(stage: &Stage, path: &str, property: &str) -> Option<String> {
    stage.store.kv(|kv| kv.newest(path)?.get(property)?.as_str().map(str::to_owned))
}

#[test]
fn every_credential_is_delivered_as_it_is_stored() {
    let stage = walked();
    let mut values = 0;
    for object in &stage.cloud.delivered {
        let rendered = object.value();
        let target = text(&rendered["spec"]["target"]["name"]);
        let secret = stage.server.secret(NAMESPACE, &target);
        let secret = secret.unwrap_or_else(|| panic!("no Secret {target}"));
        assert_eq!(secret.keys().cloned().collect::<BTreeSet<_>>(), keys(&rendered), "{target}");
        let templated = !rendered["spec"]["target"]["template"].is_null();
        for entry in entries(&rendered["spec"]) {
            let (path, property) =
                (text(&entry["remoteRef"]["key"]), text(&entry["remoteRef"]["property"]));
            let stored = stored(stage, &path, &property);
            let stored = stored.unwrap_or_else(|| panic!("the store has no {property} at {path}"));
            let found = match templated {
                true => secret.values().any(|value| value.contains(stored.trim_end())),
                false => secret[&text(&entry["secretKey"])] == stored,
            };
            assert!(found, "{target} does not have {property} of {path}");
            values += 1;
        }
    }
    report(&format!(
        "identity: {} credentials walked from Password to Secret ({values} values, {} Secrets)",
        generated(stage).len(),
        stage.cloud.delivered.len(),
    ));
}

/// The PushSecrets whose value is made, not copied.
fn generated(stage: &Stage) -> Vec<Value> {
    let values = stage.cloud.pushed.iter().map(Object::value);
    values.filter(|value| !value["spec"]["selector"]["generatorRef"].is_null()).collect()
}

#[test]
fn every_password_is_strong_and_its_own() {
    let stage = walked();
    let mut passwords = BTreeMap::new();
    for pushed in generated(stage) {
        let matched = entries(&pushed["spec"]).into_iter().map(|entry| entry["match"].clone());
        let password = matched.into_iter().find(|entry| entry["secretKey"] == "password");
        let path = text(&password.expect("a password is pushed")["remoteRef"]["remoteKey"]);
        assert!(path.starts_with(&format!("{PREFIX}/")), "{path} is another cloud's");
        let password = stored(stage, &path, "password").expect("the password is stored");
        // Letters and digits alone: these stand in URLs without being quoted.
        assert!(password.len() == 32 && password.bytes().all(|b| b.is_ascii_alphanumeric()));
        if let Some(other) = passwords.insert(password, path.clone()) {
            panic!("{path} and {other} have the same password");
        }
    }
    assert!(!passwords.is_empty());
}

#[test]
fn the_store_knows_that_external_secrets_manages_every_path() {
    let stage = walked();
    let paths: BTreeSet<String> =
        stage.store.kv(|kv| kv.writes().iter().map(|write| write.path.clone()).collect());
    for path in &paths {
        let (_, about) = stage.store.kv(|kv| kv.read_metadata(path));
        let manager = &about["data"]["custom_metadata"]["managed-by"];
        assert_eq!(*manager, "external-secrets", "{path}");
    }
    // A path that nobody reads would be a secret without a purpose.
    let read: BTreeSet<String> = stage
        .cloud
        .delivered
        .iter()
        .flat_map(|object| entries(&object.value()["spec"]))
        .map(|entry| text(&entry["remoteRef"]["key"]))
        .collect();
    assert_eq!(paths, read);
}

/// What was pushed, as External Secrets notes it: it changes with every push that anything caused.
fn notes(stage: &Stage) -> BTreeMap<String, String> {
    let note = |object: &Object| {
        let state = stage.server.state(object);
        state["status"]["syncedResourceVersion"].as_str().unwrap_or_default().to_owned()
    };
    stage.cloud.pushed.iter().map(|object| (object.label(), note(object))).collect()
}

fn push_again(stage: &Stage, mark: &str) {
    let before = notes(stage);
    for object in &stage.cloud.pushed {
        stage.server.annotate(object, FORCE, mark);
    }
    wait_for(
        "second pushes",
        SETTLED_WITHIN,
        || stage.last_words(),
        || {
            let now = notes(stage);
            let same = now.iter().filter(|(label, note)| before.get(*label) == Some(*note));
            same.map(|(label, _)| label.clone()).collect()
        },
    );
    stage.wait_until_ready("PushSecrets", &stage.cloud.pushed);
}

#[test]
fn a_password_is_made_once() {
    let stage = walked();
    let first = stage.store.kv(|kv| kv.writes().len());
    assert!(first > 0, "nothing was pushed");
    let nothing_written_by = |what: &str| {
        let more: Vec<Write> = stage.store.kv(|kv| kv.writes()[first..].to_vec());
        assert!(more.is_empty(), "{what} wrote to the store:\n{more:#?}");
    };
    push_again(stage, "one");
    nothing_written_by("a forced push");
    progress("restarting External Secrets");
    stage.restart_external_secrets();
    push_again(stage, "two");
    nothing_written_by("a restarted External Secrets");
    // As after a disaster, when the tree is applied to a new cluster beside the old store.
    stage.server.delete_all(&stage.cloud.pushed);
    let gone = |object: &Object| stage.server.state(object).is_null();
    assert!(stage.cloud.pushed.iter().all(gone), "PushSecrets outlive their deletion");
    stage.cloud.pushed.iter().for_each(|object| apply(&stage.server, object));
    stage.wait_until_ready("PushSecrets made anew", &stage.cloud.pushed);
    nothing_written_by("PushSecrets made anew");
    report(&format!(
        "identity: {} writes to the store at first, none by a forced push, a restart or objects made anew",
        first
    ));
}

#[test]
fn a_service_account_logs_in_to_the_store() {
    let stage = &*STAGE;
    let store = crate::stage::service_account_store(&stage.store).to_string();
    stage.wait_until_ready("the store by service account", &Object::read_all(&store));
    assert!(stage.store.logins() > 0);
}
