//! A schema as a CRD holds it.

use crate::schema::{Kind, Literal, Schema};
use crate::value::{Map, Value};

pub fn encode(schema: &Schema) -> Value {
    let mut out = Map::new();
    if !schema.description.is_empty() {
        out.insert("description", schema.description.clone());
    }
    if schema.short.is_some() {
        // A structural schema has one type or none; what may stand here, our own walk knows.
        out.insert("x-kubernetes-preserve-unknown-fields", true);
        return Value::Map(out);
    }
    match schema.kind {
        Kind::Any => {}
        Kind::IntOrString => out.insert("x-kubernetes-int-or-string", true),
        Kind::Object => out.insert("type", "object"),
        Kind::Array => out.insert("type", "array"),
        Kind::String => out.insert("type", "string"),
        Kind::Integer => out.insert("type", "integer"),
        Kind::Number => out.insert("type", "number"),
        Kind::Boolean => out.insert("type", "boolean"),
    }
    if !schema.properties.is_empty() {
        let properties =
            schema.properties.iter().map(|(name, schema)| (name.clone(), encode(schema)));
        out.insert("properties", Map::from_pairs(properties.collect()));
    }
    if !schema.required.is_empty() {
        out.insert("required", schema.required.to_vec());
    }
    if let Some(values) = schema.values.first() {
        out.insert(
            if schema.kind == Kind::Array { "items" } else { "additionalProperties" },
            encode(values),
        );
    }
    if schema.open {
        out.insert("x-kubernetes-preserve-unknown-fields", true);
    }
    if !schema.allowed.is_empty() {
        out.insert("enum", schema.allowed.to_vec());
    }
    // A pattern on something that may be a number would be refused for the number.
    if let Some(format) = schema.format.filter(|_| schema.kind == Kind::String) {
        out.insert("pattern", format.pattern());
    }
    bounds_and_default(schema, &mut out);
    Value::Map(out)
}

/// What editors and servers write alike.
pub(super) fn bounds_and_default(schema: &Schema, out: &mut Map) {
    for (name, bound) in
        [("minimum", schema.minimum), ("maximum", schema.maximum), ("minItems", schema.min_items)]
    {
        if let Some(bound) = bound {
            out.insert(name, bound);
        }
    }
    if let Some(default) = &schema.default {
        out.insert("default", Value::from(default));
    }
}

impl From<&Literal> for Value {
    fn from(literal: &Literal) -> Self {
        match literal {
            Literal::Null => Value::Null,
            Literal::Bool(flag) => Value::Bool(*flag),
            Literal::Int(number) => Value::Int(*number),
            Literal::Float(number) => Value::Float(*number),
            Literal::Str(text) => Value::Str(text.clone()),
            Literal::List(items) => Value::List(items.iter().map(Value::from).collect()),
            Literal::Map(entries) => Value::Map(Map::from_pairs(
                entries.iter().map(|(key, value)| (key.clone(), value.into())).collect(),
            )),
        }
    }
}
