//! Every map in an object, wherever it stands.

use crate::finding::Path;
use crate::value::Value;

/// `found` is told each of them, those above first, and its place.
pub fn each(value: &Value, path: &Path, found: &mut dyn FnMut(&Value, &Path)) {
    match value {
        Value::Map(map) => {
            found(value, path);
            for (key, value) in map.iter() {
                each(value, &path.key(key.as_ref()), found);
            }
        }
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                each(item, &path.index(index), found);
            }
        }
        _ => {}
    }
}
