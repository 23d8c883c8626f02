//! Texts in objects that become files and settings of programs: configurations, and templates of Secrets.

use crate::object::Object;
use crate::value::{Map, Value};

/// Where the texts stand, and each with its key.
pub(super) fn texts(object: &Object) -> Option<(&'static [&'static str], &Map)> {
    let path: &[&str] = match object.kind() {
        "ConfigMap" => &["data"],
        "ExternalSecret" => &["spec", "target", "template", "data"],
        "PushSecret" => &["spec", "template", "data"],
        _ => return None,
    };
    let texts = object.body().at(path).and_then(Value::as_map)?;
    Some((path, texts))
}
