//! Every name of another object leads to one that is rendered, to what an operator makes of one, or to
//! what is declared to lie outside, with its kind. The table here is the test's own: were it the
//! program's, a field that the program overlooks would be overlooked twice.

use std::collections::{BTreeMap, HashSet};

use strata::deliver::Rendered;
use strata::value::{Map, Value};

/// Kind and name of something that the cloud takes as given.
pub type Outside = (String, String);

/// A path in the store, as `strata requirements` calls it.
const STORE_PATH: &str = "StorePath";

/// Every namespace has the first, and the chart of External Secrets makes the second.
const ACCOUNTS: &[(&str, &str)] =
    &[("ServiceAccount", "default"), ("ServiceAccount", "external-secrets")];

pub fn lead_somewhere(objects: &[(&Rendered, Value)], external: &[Outside]) {
    let outside: HashSet<(&str, &str)> =
        external.iter().map(|(kind, name)| (kind.as_str(), name.as_str())).collect();
    let made = made(objects);
    let names: HashSet<&str> = made.iter().map(|(_, name)| name.as_str()).collect();
    let mut count = 0;
    for (object, body) in objects {
        let Some(spec) = body.at(&["spec"]).and_then(Value::as_map) else { continue };
        walk(spec, object, &mut |field, kind, name| {
            count += 1;
            let known = match kind {
                Some(kind) => {
                    made.contains(&(kind.to_owned(), name.to_owned()))
                        || outside.contains(&(kind, name))
                        || ACCOUNTS.contains(&(kind, name))
                }
                // A field that this test does not know must at least name something.
                None => names.contains(name) || external.iter().any(|(_, other)| other == name),
            };
            let kind = kind.unwrap_or("anything");
            assert!(known, "{field}: there is no {kind} {name}, which\n{}", object.yaml);
        });
    }
    assert!(count > 50, "only {count} references were found");
}

/// Kind and name of all that there is; a Secret and a path in the store have one producer each.
fn made(objects: &[(&Rendered, Value)]) -> HashSet<(String, String)> {
    let mut made: HashSet<(String, String)> =
        objects.iter().map(|(object, _)| (object.kind.to_string(), object.name.clone())).collect();
    let mut producers: BTreeMap<(&str, String), Vec<String>> = BTreeMap::new();
    for (object, body) in objects {
        let text = |path: &[&str]| body.at(path).and_then(Value::as_str).map(str::to_owned);
        let product = match object.kind.as_ref() {
            "ExternalSecret" => {
                assert_ne!(text(&["spec", "target", "creationPolicy"]).as_deref(), Some("Merge"));
                text(&["spec", "target", "name"])
            }
            "Certificate" => text(&["spec", "secretName"]),
            "CredentialRotation" => Some(format!("{}-current", object.name)),
            "SecretAggregate" => text(&["spec", "target", "name"]),
            "RabbitmqCluster" => Some(format!("{}-default-user", object.name)),
            "Valkey" => Some(format!("valkey-{}-binding", object.name)),
            _ => None,
        };
        let producer = format!("{} {}", object.kind, object.name);
        if let Some(product) = product {
            producers.entry(("Secret", product)).or_default().push(producer.clone());
        }
        let mut paths: Vec<&str> = body
            .at(&["spec", "data"])
            .and_then(Value::as_list)
            .unwrap_or_default()
            .iter()
            .filter_map(|item| item.at(&["match", "remoteRef", "remoteKey"])?.as_str())
            .collect();
        paths.dedup();
        for path in paths {
            producers.entry((STORE_PATH, path.to_owned())).or_default().push(producer.clone());
        }
    }
    for ((kind, name), producers) in producers {
        assert_eq!(producers.len(), 1, "{kind} {name} is made by {producers:?}");
        made.insert((kind.to_owned(), name));
    }
    made
}

fn walk(map: &Map, object: &Rendered, found: &mut impl FnMut(&str, Option<&str>, &str)) {
    for (field, value) in map.iter() {
        if object.kind == "HelmRelease" && field == "values" {
            continue;
        }
        // What a Certificate names there, it makes.
        if !(object.kind == "Certificate" && field == "secretName") {
            reference(field, value, object, found);
        }
        match value {
            Value::Map(map) => walk(map, object, found),
            Value::List(items) => {
                items.iter().filter_map(Value::as_map).for_each(|map| walk(map, object, found));
            }
            _ => {}
        }
    }
}

fn reference(
    field: &str,
    value: &Value,
    object: &Rendered,
    found: &mut impl FnMut(&str, Option<&str>, &str),
) {
    let is_reference = ["Ref", "Refs", "Reference", "secretName", "serviceAccountName"]
        .iter()
        .any(|end| field.ends_with(end))
        || field == "remoteRef";
    if !is_reference || field == "backendRefs" {
        return;
    }
    let usual = kind_of(field, object);
    match value {
        Value::Str(name) => found(field, usual, name),
        Value::Map(map) => in_map(field, usual, map, found),
        Value::List(items) => {
            items.iter().filter_map(Value::as_map).for_each(|map| in_map(field, usual, map, found));
        }
        _ => {}
    }
}

fn in_map(
    field: &str,
    usual: Option<&str>,
    map: &Map,
    found: &mut impl FnMut(&str, Option<&str>, &str),
) {
    let text = |key: &str| map.get(key).and_then(Value::as_str);
    let is = |key: &str| map.get(key).and_then(Value::as_bool) == Some(true);
    if is("optional") || is("generate") {
        return;
    }
    if usual == Some(STORE_PATH) {
        text("key").into_iter().for_each(|path| found(field, usual, path));
    } else if let Some(name) = text("name") {
        found(field, text("kind").or(usual), name);
    }
}

/// What a field names, if it does not say so itself.
fn kind_of(field: &str, object: &Rendered) -> Option<&'static str> {
    let lower = field.to_lowercase();
    let korc = object.api_version.starts_with("openstack.k-orc.cloud/");
    Some(match field {
        "serviceAccountName" | "serviceAccountRef" => "ServiceAccount",
        "remoteRef" => STORE_PATH,
        "issuerRef" | "serverCertIssuerRef" | "clientCertIssuerRef" => "Issuer",
        "mariaDbRef" => "MariaDB",
        "maxScaleRef" => "MaxScale",
        "rabbitmqClusterReference" => "RabbitmqCluster",
        "userReference" => "User",
        "parentRefs" => "Gateway",
        "domainRef" if korc => "Domain",
        "projectRef" | "defaultProjectRef" if korc => "Project",
        "roleRef" if korc => "Role",
        "userRef" if korc => "User",
        "serviceRef" if korc => "Service",
        "passwordRef" if korc => "Secret",
        "secretStoreRef" | "secretStoreRefs" => "SecretStore",
        _ if field.starts_with("configMap") => "ConfigMap",
        _ if lower.contains("secret") => "Secret",
        _ => return None,
    })
}
