//! Nodes that objects select by their labels: where no node has them, what is placed there never starts.

use std::collections::BTreeSet;

use crate::object::Object;
use crate::value::{Map, Value};

/// As every kind of the cloud calls it, wherever it stands.
const SELECTOR: &str = "nodeSelector";
const ROOT: &str = "spec";
/// Which every node of a cluster for Linux has of itself.
const OF_EVERY_NODE: &[&str] = &["kubernetes.io/os", "kubernetes.io/arch"];

/// Calls `found` with the labels of each selector, as `kubectl` takes them, and what they place.
pub fn selected(object: &Object, found: &mut dyn FnMut(String, String)) {
    // Of a definition, what has such a name is the schema of a field.
    let is_definition = object.kind() == "CustomResourceDefinition";
    if let Some(spec) = object.body().at(&[ROOT]).filter(|_| !is_definition) {
        within(spec, ROOT, found);
    }
}

fn within(value: &Value, path: &str, found: &mut dyn FnMut(String, String)) {
    match value {
        Value::Map(map) => {
            for (key, value) in map.iter() {
                match (key.as_ref() as &str, value) {
                    (SELECTOR, Value::Map(labels)) => {
                        let labels = written(labels);
                        if !labels.is_empty() {
                            found(labels, path.to_owned());
                        }
                    }
                    _ => within(value, &format!("{path}.{key}"), found),
                }
            }
        }
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                within(item, &format!("{path}[{index}]"), found);
            }
        }
        _ => {}
    }
}

/// `node-role.kubernetes.io/hypervisor=,rack=a1`.
fn written(labels: &Map) -> String {
    let own = labels.iter().filter(|(key, _)| !OF_EVERY_NODE.contains(&(key.as_ref() as &str)));
    let shown = own.map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()));
    // Two components that write the same labels in another order mean the same nodes.
    let sorted: BTreeSet<String> = shown.collect();
    Vec::from_iter(sorted).join(",")
}
