//! Findings as a ResourceList carries them. kpt prints them; kustomize never looks.

use crate::deliver::{LEGACY_PATH, PATH};
use crate::finding::{Finding, Findings};
use crate::map;
use crate::report::plain;
use crate::resource_list::Objects;
use crate::resource_list::item::{annotation, text};
use crate::value::{Map, Value};
use crate::yaml::tree::Node;

const INDEX: [&str; 2] = ["internal.config.kubernetes.io/index", "config.kubernetes.io/index"];

pub fn results<'f>(
    findings: &'f Findings,
    objects: &'f Objects,
) -> impl Iterator<Item = Value> + 'f {
    findings.iter().map(|finding| result(finding, objects).into())
}

fn result(finding: &Finding, objects: &Objects) -> Map {
    let Finding { code, place, because, remedy, .. } = finding;
    let message = format!("{} {}: {because}; {remedy}", code.id(), code.title());
    let mut result = map! {
        "message" => message,
        "severity" => plain::severity(code.severity()),
        "tags" => map! { "code" => code.id() },
    };
    let Some(object) = place.source.and_then(|source| objects.object(source)) else {
        return result;
    };
    result.insert("resourceRef", reference(object));
    let path = place.path.to_string();
    // The format allows a field only beside the object that has it.
    if !path.is_empty() {
        result.insert("field", map! { "path" => path });
    }
    if let Some(file) = file(object) {
        result.insert("file", file);
    }
    result
}

fn reference(object: &Node) -> Map {
    let mut reference = Map::new();
    for (key, path) in [
        ("apiVersion", &["apiVersion"][..]),
        ("kind", &["kind"]),
        ("name", &["metadata", "name"]),
        ("namespace", &["metadata", "namespace"]),
    ] {
        let text = text(object, path);
        if !text.is_empty() {
            reference.insert(key, text.to_owned());
        }
    }
    reference
}

fn file(object: &Node) -> Option<Map> {
    let text = |key| annotation(object, key).and_then(Node::as_str);
    let mut file = map! { "path" => text(PATH).or_else(|| text(LEGACY_PATH))?.to_owned() };
    let index = INDEX.into_iter().find_map(text).and_then(|index| index.parse::<i64>().ok());
    if let Some(index) = index {
        file.insert("index", index);
    }
    Some(file)
}
