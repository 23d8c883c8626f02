//! A setting at the most that Strata takes of it is taken by the CRD that it lands in, too. Without a server: what is
//! asked is whether each number lies between the bounds of its field.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use drive::Answer;
use serde_json::Value;
use strata::catalogue::Catalogue;
use strata::deliver::Rendered;
use strata::schema::{Format, Kind, Schema};
use strata::yaml::read::read;
use walkdir::WalkDir;

/// Those of this repository, of a folder that the user names, and of the published modules: `cargo xtask test` says
/// where these are.
fn folders() -> Vec<PathBuf> {
    let published = std::env::var_os("STRATA_CRD_CACHE").map(PathBuf::from);
    let published = published.expect("STRATA_CRD_CACHE: run this test with `cargo xtask test`");
    let ours = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("crds");
    let unpublished = std::env::var_os("STRATA_CRDS").map(PathBuf::from);
    [ours].into_iter().chain(unpublished).chain([published]).collect()
}

/// The schemas of CRDs by apiVersion and kind, of two with the same the first.
static SCHEMAS: LazyLock<BTreeMap<(String, String), Value>> = LazyLock::new(|| {
    let mut schemas = BTreeMap::new();
    let files = folders().into_iter().flat_map(|folder| {
        // The published ones are links into the cache.
        WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter().map(Result::unwrap)
    });
    for file in files.filter(|file| file.path().extension().is_some_and(|end| end == "yaml")) {
        let text = fs::read_to_string(file.path()).unwrap();
        // A number without bounds of its own is never refused, and most files are long.
        if !text.contains("int32") && !text.contains("maximum:") {
            continue;
        }
        for document in read(&text).documents {
            let crd = strata::spec::to_json(&document.root);
            if crd["kind"] == "CustomResourceDefinition" {
                add(&crd["spec"], &mut schemas);
            }
        }
    }
    schemas
});

fn add(spec: &Value, schemas: &mut BTreeMap<(String, String), Value>) {
    let kind = spec["names"]["kind"].as_str().unwrap();
    for version in spec["versions"].as_array().unwrap() {
        let group = spec["group"].as_str().unwrap();
        let api_version = format!("{group}/{}", version["name"].as_str().unwrap());
        let schema = version["schema"]["openAPIV3Schema"].clone();
        schemas.entry((api_version, kind.to_owned())).or_insert(schema);
    }
}

/// A setting that has a largest value, and how much of it may be asked for.
struct Setting {
    /// With the switches that turn on what it belongs to.
    path: Vec<(String, bool)>,
    amounts: Amounts,
}

enum Amounts {
    UpTo(i64),
    /// In powers of two, since a quantity has no largest.
    Quantity,
}

impl Setting {
    fn cloud(&self, amount: &str) -> String {
        let setting = self.path.iter().rev().fold(amount.to_owned(), |inner, (key, switched)| {
            let switch = if *switched { "enabled: true, " } else { "" };
            format!("{{{switch}{key}: {inner}}}")
        });
        let head = "apiVersion: c5c3.io/v1alpha1\nkind: ControlPlane\nmetadata: {name: most}\n";
        format!("{head}spec: {setting}\n")
    }

    fn with(&self, amount: &str) -> Option<Answer> {
        let answer = drive::render(&[("controlplane.yaml", &self.cloud(amount))]);
        (!answer.outcome.findings.has_errors()).then_some(answer)
    }

    /// The cloud that has the most of it; none if it cannot be had by itself.
    fn at_most(&self) -> Option<Answer> {
        match self.amounts {
            Amounts::Quantity => {
                (0..=20).rev().find_map(|power| self.with(&format!("{}Gi", 1_i64 << power)))
            }
            Amounts::UpTo(most) => {
                // Members are odd in number.
                let about = |number: i64| {
                    self.with(&number.to_string()).or_else(|| self.with(&(number - 1).to_string()))
                };
                if let Some(answer) = about(most) {
                    return Some(answer);
                }
                let (mut taken, mut refused) = (about(3).map(|answer| (3, answer))?, most);
                while refused - taken.0 > 1 {
                    let middle = taken.0 + (refused - taken.0) / 2;
                    match about(middle) {
                        Some(answer) => taken = (middle, answer),
                        None => refused = middle,
                    }
                }
                Some(taken.1)
            }
        }
    }

    fn shown(&self) -> String {
        self.path.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>().join(".")
    }
}

fn settings(schema: &Schema, path: &[(String, bool)], found: &mut Vec<Setting>) {
    let has_switch = schema.properties.iter().any(|(name, _)| name == "enabled");
    for (name, property) in schema.properties.iter() {
        let path = [path, &[(name.to_string(), has_switch)]].concat();
        let amounts = match (property.kind, property.maximum, property.format) {
            (Kind::Integer, Some(most), _) => Amounts::UpTo(most),
            (Kind::String, _, Some(Format::Quantity)) => Amounts::Quantity,
            _ => {
                settings(property, &path, found);
                continue;
            }
        };
        found.push(Setting { path, amounts });
    }
}

/// What a server would refuse of an object for its size.
fn beyond(object: &Rendered) -> Vec<String> {
    let body = strata::spec::to_json(&read(&object.yaml).documents[0].root);
    let api_version = body["apiVersion"].as_str().unwrap().to_owned();
    let mut found = Vec::new();
    if let Some(schema) = SCHEMAS.get(&(api_version, object.kind.to_string())) {
        walk(&body, schema, &format!("{} {}", object.kind, object.name), &mut found);
    }
    found
}

fn walk(value: &Value, schema: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                walk(value, &schema["properties"][key], &format!("{path}.{key}"), found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| {
            walk(item, &schema["items"], path, found);
        }),
        Value::Number(number) => {
            let format = if schema["format"] == "int32" { f64::from(i32::MAX) } else { f64::MAX };
            let most = schema["maximum"].as_f64().unwrap_or(format);
            if number.as_f64().unwrap() > most {
                found.push(format!("{path}: {number} is more than {most}"));
            }
        }
        _ => {}
    }
}

#[test]
fn the_most_of_a_setting_is_taken_where_it_lands() {
    let schema = Catalogue::built_in().control_plane_schema();
    let mut all = Vec::new();
    settings(schema.at(&["spec"]).unwrap(), &[], &mut all);
    let (mut tried, mut alone) = (0, BTreeSet::new());
    let mut refused = Vec::new();
    for setting in &all {
        let Some(answer) = setting.at_most() else {
            alone.insert(setting.shown());
            continue;
        };
        tried += 1;
        for fault in answer.objects().iter().flat_map(beyond) {
            refused.push(format!("{}: {fault}", setting.shown()));
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    // Those of servers that run elsewhere say nothing without a host.
    assert!(tried > 50, "only {tried}; not by themselves: {alone:#?}");
}

#[test]
fn a_number_beyond_its_field_is_noticed() {
    let schema = serde_json::json!({"properties": {"spec": {"properties": {
        "replicas": {"type": "integer", "maximum": 64},
        "size": {"type": "integer", "format": "int32"},
    }}}});
    let body = serde_json::json!({"spec": {"replicas": 65, "size": 3_000_000_000_i64}});
    let mut found = Vec::new();
    walk(&body, &schema, "Memcached", &mut found);
    assert_eq!(found.len(), 2, "{found:?}");
}
