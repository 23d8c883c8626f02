//! Each rule of our kinds refuses what it is there for, by a message that says what to do.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use strata_operator::api;

use crate::leaders::{STAGE, prepare};
use crate::play::objects;
use crate::stage;
use crate::stage::real::{Object, Verdict};

const PLANE: &str = "rules";

/// What the rule says, the object that it refuses, and what was there before where it is about a change.
type Case = (&'static str, Value, Option<Value>);

/// The object with this put over its spec; null takes away.
fn with(mut object: Value, over: Value) -> Value {
    merge(&mut object["spec"], over);
    object
}

fn merge(into: &mut Value, over: Value) {
    match over {
        Value::Object(fields) => {
            for (name, value) in fields {
                if value.is_null() {
                    into.as_object_mut().unwrap().remove(&name);
                } else {
                    merge(&mut into[name], value);
                }
            }
        }
        value => *into = value,
    }
}

fn keys() -> Value {
    let more = json!({"keys": {"secretName": "keys"}});
    let rotation = objects::rotation(PLANE, "keys", "fernetKeys", "Deployment", more);
    with(rotation, json!({"delivery": {"firstPushSecretName": "first"}}))
}

fn credential() -> Value {
    objects::credential(PLANE, "nova", "http://keystone").pop().unwrap()
}

fn users() -> Value {
    let users = json!({"apiVersion": "k8s.mariadb.com/v1alpha1", "names": ["nova-a", "nova-b"]});
    let more = json!({"alternatingUsers": users});
    objects::rotation(PLANE, "database", "databasePassword", "Deployment", more)
}

fn aggregate(sources: Value) -> Value {
    json!({
        "apiVersion": "c5c3.io/v1alpha1", "kind": "SecretAggregate",
        "metadata": {"name": "joined", "namespace": PLANE},
        "spec": {"sources": sources, "target": {"name": "joined"}},
    })
}

fn status(kind: &str) -> Value {
    json!({"apiVersion": "openstack.k-orc.cloud/v1alpha1", "kind": kind, "name": "nova", "field": "id", "key": "id"})
}

fn named(mut object: Value, name: &str) -> Value {
    object["metadata"]["name"] = json!(name);
    object
}

#[rustfmt::skip]
fn cases() -> Vec<Case> {
    let secret = json!({"secretRef": {"name": "login"}});
    let other = with(aggregate(json!([secret])), json!({"target": {"name": "other"}}));
    vec![
        ("keys is for the rotation types", with(keys(), json!({"keys": null})), None),
        ("applicationCredential is for the rotation type", with(credential(), json!({"applicationCredential": null})), None),
        ("alternatingUsers is for", with(users(), json!({"alternatingUsers": null})), None),
        ("only with keys.migration", with(keys(), json!({"rotationType": "credentialKeys"})), None),
        ("keys need delivery.firstPushSecretName", with(keys(), json!({"delivery": {"firstPushSecretName": null}})), None),
        ("the type of a rotation does not change", with(users(), json!({"rotationType": "messagingPassword"})), Some(users())),
        ("at most 40 characters", named(users(), &"n".repeat(41)), None),
        ("name the consumers", with(users(), json!({"consumers": []})), None),
        ("there are consumers", with(users(), json!({"noConsumers": true})), None),
        ("preRotationDays and gracePeriodDays together", with(users(), json!({"gracePeriodDays": 83})), None),
        ("two users take turns", with(users(), json!({"alternatingUsers": {"names": ["nova-a"]}})), None),
        ("the target is not among the sources", aggregate(json!([{"secretRef": {"name": "joined"}}])), None),
        ("the name of the target does not change", other, Some(aggregate(json!([secret])))),
        ("a source is a Secret or the status", aggregate(json!([{"secretRef": {"name": "login"}, "statusRef": status("User")}])), None),
        ("keys are those of a Secret", aggregate(json!([{"statusRef": status("User"), "keys": ["id"]}])), None),
        ("the operator reads the status of", aggregate(json!([{"statusRef": status("Network")}])), None),
    ]
}

/// The messages of all rules below.
fn messages(schema: &Value, found: &mut Vec<String>) {
    for rule in schema["x-kubernetes-validations"].as_array().into_iter().flatten() {
        found.push(rule["message"].as_str().unwrap_or("a rule without a message").to_owned());
    }
    match schema {
        Value::Object(fields) => fields.values().for_each(|inner| messages(inner, found)),
        Value::Array(items) => items.iter().for_each(|inner| messages(inner, found)),
        _ => {}
    }
}

fn verdict(object: &Value) -> Verdict {
    STAGE.0.apply(&Object::read_all(&object.to_string()).pop().unwrap())
}

#[test]
fn every_rule_refuses_what_it_is_there_for() {
    prepare(PLANE);
    let mut rules = Vec::new();
    api::crds().iter().for_each(|crd| messages(&json!(crd), &mut rules));
    let said = |text: &str| -> Vec<&String> {
        rules.iter().filter(|message| text.contains(message.as_str())).collect()
    };
    let mut met = BTreeSet::new();
    for (words, object, before) in cases() {
        before.iter().for_each(|before| stage::apply(&STAGE.0, before));
        let Verdict::Accepted(_) = verdict(&object) else {
            let text = format!("{:?}", verdict(&object));
            let said = said(&text);
            // By this one and no other, else that one would hide that this one does nothing.
            assert!(said.len() == 1 && said[0].contains(words), "{words}: {said:?} {text}");
            met.insert(said[0].clone());
            continue;
        };
        panic!("{words}: {object} is accepted");
    }
    assert_eq!(met, rules.iter().cloned().collect(), "met, and there are");
    assert_eq!(met.len(), rules.len(), "two rules say the same");
}
