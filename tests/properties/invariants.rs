//! What holds of every cloud that is rendered.

use std::collections::HashSet;

use strata::catalogue::Catalogue;
use strata::deliver::Rendered;
use strata::record::Record;
use strata::schema::Format;
use strata::value::Value;
use strata::yaml::read::read_bytes;
use strata::yaml::unfit::unfit;

use crate::drive::Answer;
use crate::written;

pub fn check(answer: &Answer) {
    let objects: Vec<(&Rendered, Value)> =
        answer.objects().iter().map(|object| (object, parsed(object))).collect();
    for (object, body) in &objects {
        stands_as_written(object, body);
        is_named(object);
        is_marked(object, body);
        holds_no_secret(object, body);
    }
    ids_differ(answer.objects());
    secrets_are_delivered(&objects);
    needs_come_first(&objects);
}

fn parsed(object: &Rendered) -> Value {
    let reading = read_bytes(object.yaml.as_bytes());
    assert!(reading.faults.is_empty(), "{:?}\n{}", reading.faults, object.yaml);
    assert_eq!(reading.documents.len(), 1, "{}", object.yaml);
    reading.documents[0].root.to_value()
}

fn stands_as_written(object: &Rendered, body: &Value) {
    assert_eq!(written(body), object.yaml, "reading and writing changes it");
    assert_eq!(unfit(body), [], "{}", object.yaml);
}

fn is_named(object: &Rendered) {
    let parts = object.name.split(['.', '-']);
    let letters = |part: &str| part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    assert!(object.name.len() <= 253 && parts.into_iter().all(letters), "{}", object.yaml);
    if ["Namespace", "ClusterSecretStore"].contains(&object.kind.as_str()) {
        assert_eq!(object.namespace, "");
    } else {
        assert!(Format::DnsLabel.accepts(&object.namespace), "{}", object.yaml);
    }
}

fn is_marked(object: &Rendered, body: &Value) {
    let mark = |group: &str, key: &str| {
        let mark = body.at(&["metadata", group, key]).and_then(Value::as_str);
        mark.unwrap_or_else(|| panic!("no {group} {key} in\n{}", object.yaml))
    };
    assert_eq!(mark("labels", "app.kubernetes.io/managed-by"), "strata");
    assert_eq!(mark("labels", "strata.c5c3.io/component"), object.component);
    let owner = mark("annotations", "strata.c5c3.io/owner");
    let cloud = mark("labels", "app.kubernetes.io/part-of");
    let catalogue = Catalogue::built_in();
    if catalogue.record(&object.component).is_some_and(Record::is_platform) {
        // It has a namespace of its own.
        assert!(owner.ends_with(&format!("/{cloud}")), "{owner}");
        return;
    }
    let namespace = if object.kind == "Namespace" { &object.name } else { &object.namespace };
    assert_eq!(owner, format!("{namespace}/{cloud}"));
}

fn holds_no_secret(object: &Rendered, body: &Value) {
    let empty = ["data", "stringData"].iter().all(|field| body.at(&[field]).is_none());
    assert!(object.kind != "Secret" || empty, "{}", object.yaml);
}

fn ids_differ(objects: &[Rendered]) {
    let mut seen = HashSet::new();
    for object in objects {
        let id = (&object.api_version, &object.kind, &object.namespace, &object.name);
        assert!(seen.insert(id), "twice: {id:?}");
    }
}

/// Every Secret that an object refers to is one that an ExternalSecret or a Certificate of the same
/// cloud makes. Only what lies outside of the cloud, Ceph and Cortex's PostgreSQL, is not ours.
fn secrets_are_delivered(objects: &[(&Rendered, Value)]) {
    let delivered: HashSet<&str> = objects
        .iter()
        .filter_map(|(object, body)| match object.kind.as_str() {
            "ExternalSecret" => body.at(&["spec", "target", "name"])?.as_str(),
            "Certificate" => body.at(&["spec", "secretName"])?.as_str(),
            _ => None,
        })
        .collect();
    let mut count = 0;
    for (object, body) in objects {
        let mut referred = Vec::new();
        references(body, &mut referred);
        if object.kind == "Cortex" {
            let outside = body.at(&["spec", "database", "secretRef", "name"]).unwrap().as_str();
            referred.retain(|name| Some(*name) != outside);
        }
        for name in referred {
            assert!(delivered.contains(name), "nobody delivers {name}, which\n{}", object.yaml);
            count += 1;
        }
    }
    assert!(count > 3, "only {count} references to Secrets were found");
}

fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::List(items) => items.iter().for_each(|item| references(item, found)),
        Value::Map(map) => {
            for (key, value) in map.iter() {
                let key = key.to_lowercase();
                if key == "cephsecretref" {
                    continue;
                }
                if key.ends_with("secretref") || key.ends_with("secretkeyref") {
                    found.extend(value.at(&["name"]).and_then(Value::as_str));
                } else if key == "secretname" || key == "passwordref" {
                    found.extend(value.as_str());
                }
                references(value, found);
            }
        }
        _ => {}
    }
}

/// The sentinel carries the plan: `component: need need`, each line after those it names.
fn needs_come_first(objects: &[(&Rendered, Value)]) {
    let plan = objects
        .iter()
        .filter(|(object, _)| object.kind == "ConfigMap" && object.name.starts_with("strata-"))
        .find_map(|(_, body)| body.at(&["data", "plan"])?.as_str())
        .expect("the sentinel carries the plan");
    let mut started = HashSet::new();
    for line in plan.lines() {
        let (component, needs) = line.split_once(':').unwrap();
        for need in needs.split_whitespace() {
            assert!(started.contains(need), "{component} starts before {need}:\n{plan}");
        }
        assert!(started.insert(component), "{component} starts twice:\n{plan}");
    }
    for (object, _) in objects {
        assert!(started.contains(object.component.as_str()), "{} is not planned", object.component);
    }
}
