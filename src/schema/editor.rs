//! A schema as editors take it: JSON Schema, draft 7, which the YAML language servers read. It
//! accepts what the walk accepts, so that an editor says early what a run would say late.

use crate::map;
use crate::schema::encode::bounds_and_default;
use crate::schema::{Kind, Schema};
use crate::value::{Map, Text, Value};

/// The schema of a whole object of one kind.
pub fn editor(schema: &Schema, api_version: &'static str, kind: &'static str) -> Value {
    let Value::Map(mut root) = fields(schema, false) else { return Value::Null };
    let one = |word: &'static str| map! { "type" => "string", "enum" => vec![word] };
    if let Some(properties) = root.get_mut("properties").and_then(Value::as_map_mut) {
        properties.insert("apiVersion", one(api_version));
        properties.insert("kind", one(kind));
    }
    let mut required: Vec<Text> = vec!["apiVersion".into(), "kind".into()];
    required.extend(schema.required.iter().filter(|name| !is_head(name)).cloned());
    root.insert("required", required);
    let mut out = map! {
        "$schema" => "http://json-schema.org/draft-07/schema#",
        "title" => format!("{kind} ({api_version})"),
    };
    root.into_iter().for_each(|(key, value)| out.insert(key, value));
    Value::Map(out)
}

fn is_head(name: &Text) -> bool {
    matches!(name.as_ref(), "apiVersion" | "kind")
}

/// `nullable`, because a key with nothing behind it is how people write "all defaults"; a field
/// that is required has to hold something.
fn fields(schema: &Schema, nullable: bool) -> Value {
    let mut out = Map::new();
    if !schema.description.is_empty() {
        out.insert("description", schema.description.clone());
    }
    let mut allowed = types(schema.kind).to_vec();
    allowed.extend(schema.short.into_iter().flat_map(|short| types(short).to_vec()));
    if nullable && !allowed.is_empty() {
        allowed.push("null");
    }
    match allowed.as_slice() {
        [] => {}
        [one] => out.insert("type", *one),
        several => out.insert("type", several.to_vec()),
    }
    if schema.kind == Kind::Object {
        object(schema, &mut out);
    } else if let Some(items) = schema.values.first() {
        out.insert("items", fields(items, true));
    }
    if !schema.allowed.is_empty() {
        let mut allowed: Vec<Value> = schema.allowed.iter().cloned().map(Value::from).collect();
        allowed.extend(nullable.then_some(Value::Null));
        out.insert("enum", allowed);
    }
    // Holds for texts alone, here as in the walk.
    if let Some(format) = schema.format {
        out.insert("pattern", format.pattern());
    }
    bounds_and_default(schema, &mut out);
    Value::Map(out)
}

fn types(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Any => &[],
        Kind::IntOrString => &["integer", "string"],
        Kind::Object => &["object"],
        Kind::Array => &["array"],
        Kind::String => &["string"],
        Kind::Integer => &["integer"],
        Kind::Number => &["number"],
        Kind::Boolean => &["boolean"],
    }
}

fn object(schema: &Schema, out: &mut Map) {
    if !schema.properties.is_empty() {
        let properties = schema.properties.iter().map(|(name, property)| {
            (name.clone(), fields(property, !schema.required.contains(name)))
        });
        out.insert("properties", Map::from_pairs(properties.collect()));
    }
    if !schema.required.is_empty() {
        out.insert("required", schema.required.to_vec());
    }
    match schema.values.first() {
        Some(values) => out.insert("additionalProperties", fields(values, true)),
        None if !schema.open => out.insert("additionalProperties", false),
        None => {}
    }
}
