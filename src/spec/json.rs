//! Trees as JSON, the way into serde's types.

use serde_json::{Map, Number, Value};

use crate::yaml::tree::{Data, Node};

/// Anything that serde made, as a tree we can write.
pub fn from_json(value: &Value) -> crate::value::Value {
    use crate::value::{Map, Value as Tree};
    match value {
        Value::Null => Tree::Null,
        Value::Bool(flag) => Tree::Bool(*flag),
        // A schema's bounds are floats in JSON and whole in meaning.
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Tree::Int(whole),
            (None, float) => Tree::Float(float.unwrap_or_default()),
        },
        Value::String(text) => Tree::from(text.clone()),
        Value::Array(items) => Tree::List(items.iter().map(from_json).collect()),
        Value::Object(fields) => Tree::Map(Map::from_pairs(
            fields.iter().map(|(key, value)| (key.clone().into(), from_json(value))).collect(),
        )),
    }
}

/// The way back.
pub fn plain_json(value: &crate::value::Value) -> Value {
    use crate::value::Value as Tree;
    match value {
        Tree::Null => Value::Null,
        Tree::Bool(flag) => Value::Bool(*flag),
        Tree::Int(number) => Value::from(*number),
        Tree::Float(number) => Value::from(*number),
        Tree::Str(text) => Value::String(text.to_string()),
        Tree::List(items) => Value::Array(items.iter().map(plain_json).collect()),
        Tree::Map(map) => {
            map.iter().map(|(key, value)| (key.to_string(), plain_json(value))).collect()
        }
    }
}

/// Fields with nothing behind them are left out: they mean "not written".
pub fn to_json(node: &Node) -> Value {
    match &node.data {
        Data::Null => Value::Null,
        Data::Bool(flag) => Value::Bool(*flag),
        Data::Int(number) => Value::from(*number),
        Data::Float(number) => Number::from_f64(*number).map_or(Value::Null, Value::Number),
        Data::Str(text) => Value::String(text.clone()),
        Data::List(items) => Value::Array(items.iter().map(to_json).collect()),
        Data::Map(entries) => Value::Object(
            entries
                .iter()
                .filter(|(_, value)| value.data != Data::Null)
                .map(|(key, value)| (key.name.clone(), to_json(value)))
                .collect::<Map<_, _>>(),
        ),
    }
}
