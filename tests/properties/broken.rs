//! Specs with one mistake, made of valid ones by breaking what the schema says somewhere.

use strata::schema::{Kind, Schema};
use strata::value::{Map, Value};

use crate::shuffle::Random;

/// The ways to break a value, by name; the test counts them.
pub const WAYS: &[&str] =
    &["unknown field", "wrong type", "too small", "too large", "not allowed", "malformed"];

/// Breaks one thing in the document and says in which way and where.
pub fn break_one(document: &mut Value, schema: &Schema, random: &mut Random) -> (usize, String) {
    let mut places = Vec::new();
    // What kind of document it is, is not a matter of its schema.
    for part in ["metadata", "spec"] {
        let (value, schema) = (document.at(&[part]).unwrap(), schema.property(part).unwrap());
        collect(value, schema, &mut vec![Step::Key(part.to_owned())], &mut places);
    }
    let (path, schema, way) = &places[random.below(places.len())];
    let target = path.iter().fold(document, |value, step| match (value, step) {
        (Value::Map(map), Step::Key(key)) => map.get_mut(key).unwrap(),
        (Value::List(items), Step::Item(index)) => &mut items[*index],
        _ => unreachable!("the path was made of this document"),
    });
    match WAYS[*way] {
        "unknown field" => target.as_map_mut().unwrap().insert("noSuchField", 1),
        "wrong type" => {
            *target = match schema.kind {
                Kind::String | Kind::IntOrString => Value::Map(Map::new()),
                _ => Value::from("neither"),
            }
        }
        "too small" => *target = Value::Int(schema.minimum.unwrap() - 1),
        "too large" => *target = Value::Int(schema.maximum.unwrap() + 1),
        "not allowed" => *target = Value::from("none-of-these"),
        _ => *target = Value::from("?! "),
    }
    let shown: Vec<String> = path.iter().map(|step| format!("{step:?}")).collect();
    (*way, shown.join(" "))
}

#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Item(usize),
}

/// Every place in the document that can be broken, and how.
fn collect<'s>(
    value: &Value,
    schema: &'s Schema,
    path: &mut Vec<Step>,
    places: &mut Vec<(Vec<Step>, &'s Schema, usize)>,
) {
    let mut add = |way: &str| {
        let way = WAYS.iter().position(|other| *other == way).unwrap();
        places.push((path.clone(), schema, way));
    };
    if schema.kind != Kind::Any && *value != Value::Null {
        add("wrong type");
    }
    if schema.minimum.is_some() && matches!(value, Value::Int(_)) {
        add("too small");
    }
    if schema.maximum.is_some() && matches!(value, Value::Int(_)) {
        add("too large");
    }
    if !schema.allowed.is_empty() {
        add("not allowed");
    } else if schema.format.is_some() {
        add("malformed");
    }
    match value {
        Value::Map(map) if schema.kind == Kind::Object => {
            if !schema.open && schema.values.is_empty() && !schema.properties.is_empty() {
                add("unknown field");
            }
            for (key, value) in map.iter() {
                if let Some(schema) = schema.property(key).or(schema.values.first()) {
                    path.push(Step::Key(key.to_string()));
                    collect(value, schema, path, places);
                    path.pop();
                }
            }
        }
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                if let Some(schema) = schema.values.first() {
                    path.push(Step::Item(index));
                    collect(item, schema, path, places);
                    path.pop();
                }
            }
        }
        _ => {}
    }
}
