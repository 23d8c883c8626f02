//! What the server does not take: rotations that would revoke without evidence, and Secrets that are none.

use std::time::Duration;

use serde_json::{Value, json};

use crate::leaders::{Operator, STAGE, prepare};
use crate::play::keystone::CANARY;
use crate::play::objects;
use crate::stage;
use crate::stage::real::{Object, Verdict, wait_for};

const PLANE: &str = "refused";
const WITHIN: Duration = Duration::from_secs(60);

/// Why the server refuses the rotation, if it does.
fn refusal(more: Value) -> Option<String> {
    let mut object = objects::credential(PLANE, "nova", "http://keystone").pop().unwrap();
    for (key, value) in more.as_object().unwrap() {
        object["spec"][key] = value.clone();
    }
    let object = Object::read_all(&object.to_string()).pop().unwrap();
    match STAGE.0.apply(&object) {
        Verdict::Accepted(_) => None,
        other => Some(format!("{other:?}")),
    }
}

#[test]
fn who_has_a_credential_is_said_or_that_nobody_has_it() {
    prepare(PLANE);
    let nobody = refusal(json!({"consumers": []})).unwrap_or_default();
    assert!(nobody.contains("say noConsumers: true"), "{nobody}");
    let both = refusal(json!({"noConsumers": true})).unwrap_or_default();
    assert!(both.contains("there are consumers"), "{both}");
    let mut source = objects::credential(PLANE, "nova", "http://keystone").pop().unwrap();
    let mut source = source["spec"]["applicationCredential"].take();
    source["tokenExpirationSeconds"] = json!(i64::MAX);
    let ever = refusal(json!({"applicationCredential": source})).unwrap_or_default();
    assert!(ever.contains("tokenExpirationSeconds"), "{ever}");
    assert_eq!(refusal(json!({"consumers": [], "noConsumers": true})), None);
    assert_eq!(refusal(json!({})), None);
}

#[test]
fn a_secret_that_the_server_does_not_take_is_told_without_what_is_in_it() {
    const PLANE: &str = "unfit";
    prepare(PLANE);
    stage::apply(&STAGE.0, &objects::password(PLANE));
    let aggregate = json!({
        "apiVersion": "c5c3.io/v1alpha1", "kind": "SecretAggregate",
        "metadata": {"name": "login", "namespace": PLANE},
        "spec": {
            "sources": [{"secretRef": {"name": "login"}}],
            "target": {"name": "joined", "template": {"no key": "{{ password }}"}},
        },
    });
    stage::apply(&STAGE.0, &aggregate);
    let operator = Operator::start(PLANE, "first");
    let path = format!("/apis/c5c3.io/v1alpha1/namespaces/{PLANE}/secretaggregates/login");
    let status = || STAGE.0.get(&path).json()["status"].clone();
    let told = || match &status()["conditions"][0]["reason"] {
        reason if reason == "Refused" => Vec::new(),
        reason => vec![reason.to_string()],
    };
    wait_for("a refusal", WITHIN, || operator.process.last_words(), told);
    let status = status().to_string();
    assert!(status.contains("422") && status.contains("data[no key]"), "{status}");
    let log = operator.process.last_words();
    assert!(!status.contains(CANARY) && !log.contains(CANARY), "{status}\n{log}");
}
