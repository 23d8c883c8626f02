//! Texts in objects that become files and settings of programs: configurations, and templates of Secrets.

use crate::object::Object;
use crate::value::{Map, Value};

/// Whose kinds take options of their own files.
const SERVICES: &str = ".openstack.c5c3.io";

/// Texts with their keys, and where they stand.
pub(super) type Texts<'a> = (Vec<&'a str>, &'a Map);

pub(super) fn texts(object: &Object) -> Vec<Texts<'_>> {
    let path: &[&str] = match object.kind() {
        "ConfigMap" => &["data"],
        "ExternalSecret" => &["spec", "target", "template", "data"],
        "PushSecret" => &["spec", "template", "data"],
        _ if is_service(object) => return options(object),
        _ => return Vec::new(),
    };
    let texts = object.body().at(path).and_then(Value::as_map);
    texts.map(|texts| (path.to_vec(), texts)).into_iter().collect()
}

pub(super) fn is_service(object: &Object) -> bool {
    object.api_version().split_once('/').is_some_and(|(group, _)| group.ends_with(SERVICES))
}

/// Those of a service's own file, section by section; Horizon's are nested as deep as somebody likes.
fn options(object: &Object) -> Vec<Texts<'_>> {
    const AT: [&str; 2] = ["spec", "extraConfig"];
    let mut found = Vec::new();
    if let Some(config) = object.body().at(&AT).and_then(Value::as_map) {
        sections(AT.to_vec(), config, &mut found);
    }
    found
}

fn sections<'a>(path: Vec<&'a str>, map: &'a Map, found: &mut Vec<Texts<'a>>) {
    found.push((path.clone(), map));
    for (name, value) in map.iter() {
        if let Some(inner) = value.as_map() {
            sections(path.iter().copied().chain([name.as_ref()]).collect(), inner, found);
        }
    }
}
