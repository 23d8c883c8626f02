//! Fills in what an option's schema gives where nothing was written.

use crate::record::Record;
use crate::schema::{Kind, Schema};
use crate::spec::Size;
use crate::value::{Map, Value};

/// What a record gives an option at a size; none where its schema has the only default.
pub fn at_size(record: &Record, option: &str, size: Size) -> Option<Value> {
    let (_, sizes) = record.sizes.iter().find(|(name, _)| name == option)?;
    let value = match size {
        Size::Small => &sizes.small,
        Size::Medium => return None,
        Size::Large => &sizes.large,
        Size::Xlarge => &sizes.xlarge,
    };
    Some(Value::from(value))
}

/// What was written, completed; none where nothing was written and nothing is given.
pub fn complete(written: Option<&Value>, schema: &Schema) -> Option<Value> {
    match written {
        None | Some(Value::Null) => match (&schema.default, schema.kind) {
            (Some(default), Kind::Object) => complete(Some(&Value::from(default)), schema),
            (Some(default), _) => Some(Value::from(default)),
            // What has required fields is there only where it was written.
            (None, Kind::Object) if !schema.properties.is_empty() && schema.required.is_empty() => {
                complete(Some(&Value::Map(Map::new())), schema)
            }
            _ => None,
        },
        Some(Value::Map(map)) if schema.kind == Kind::Object && !schema.properties.is_empty() => {
            let mut completed = map.clone();
            for (name, property) in schema.properties.iter() {
                if let Some(value) = complete(map.get(name), property) {
                    completed.insert(name.clone(), value);
                }
            }
            Some(Value::Map(completed))
        }
        Some(Value::Map(map)) if schema.kind == Kind::Object && !schema.values.is_empty() => {
            let mut completed = Map::with_capacity(map.len());
            for (name, value) in map.iter() {
                if let Some(value) = complete(Some(value), &schema.values[0]) {
                    completed.insert(name.clone(), value);
                }
            }
            Some(Value::Map(completed))
        }
        Some(Value::List(items)) => match schema.values.first() {
            Some(item) => Some(Value::List(
                items.iter().filter_map(|value| complete(Some(value), item)).collect(),
            )),
            None => Some(Value::List(items.clone())),
        },
        Some(value) => Some(value.clone()),
    }
}
