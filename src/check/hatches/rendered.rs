//! What an object was before it was changed by hand, as a schema of what it may become. The CRDs of other
//! people's operators are not at hand; but where the record has a number, its operator takes a number.

use std::borrow::Cow;

use crate::object::Object;
use crate::schema::{Kind, Schema};
use crate::value::{Map, Text, Value};

/// Fields that take a number as well as text: ports by number or by name, counts of pods or a share of
/// them, quantities (`cpu: 1` and `cpu: 500m`), and the expression of an alert, which may be a number.
const EITHER: &[&str] = &[
    "cpu",
    "divisor",
    "ephemeral-storage",
    "expr",
    "maxSurge",
    "maxUnavailable",
    "memory",
    "minAvailable",
    "port",
    "size",
    "sizeLimit",
    "storage",
    "targetPort",
];

/// What stands below these are quantities, by whichever name.
const AMOUNTS: &[&str] = &["limits", "requests"];

/// What a chart takes is for the chart to say, and many take more than one type.
const OPAQUE: &[&str] = &["values"];

/// What Kubernetes' own kinds without a spec hold beside apiVersion, kind and metadata.
const WITHOUT_SPEC: &[(&str, &[&str])] = &[
    ("ConfigMap", &["binaryData", "data", "immutable"]),
    ("Namespace", &["spec"]),
    ("Role", &["rules"]),
    ("RoleBinding", &["roleRef", "subjects"]),
    ("ServiceAccount", &["automountServiceAccountToken", "imagePullSecrets", "secrets"]),
];

pub fn schema(object: &Object) -> Schema {
    let mut schema = of_value("", object.body());
    let own = WITHOUT_SPEC.iter().find(|(kind, _)| *kind == object.kind());
    // Of a custom resource nobody but its operator reads more than the spec; other kinds may be anything.
    schema.open = schema.property("spec").is_none() && own.is_none();
    for field in own.iter().flat_map(|(_, fields)| fields.iter()) {
        if schema.property(field).is_none() {
            schema.properties.to_mut().push((Cow::Borrowed(*field), Schema::of(Kind::Any)));
        }
    }
    schema
}

fn of_value(name: &str, value: &Value) -> Schema {
    match value {
        _ if EITHER.contains(&name) || OPAQUE.contains(&name) => Schema::of(Kind::Any),
        Value::Null => Schema::of(Kind::Any),
        Value::Bool(_) => Schema::of(Kind::Boolean),
        Value::Int(_) => Schema::of(Kind::Integer),
        Value::Float(_) => Schema::of(Kind::Number),
        Value::Str(_) => Schema::of(Kind::String),
        Value::List(items) => {
            let item = items.iter().map(|item| of_value("", item)).reduce(either);
            Schema { values: item.into_iter().collect(), ..Schema::of(Kind::Array) }
        }
        Value::Map(_) if AMOUNTS.contains(&name) => open(Vec::new()),
        Value::Map(map) => open(fields(map)),
    }
}

fn fields(map: &Map) -> Vec<(Text, Schema)> {
    map.iter().map(|(name, value)| (name.clone(), of_value(name, value))).collect()
}

/// A record writes what it needs and no more, so that other fields are nobody's mistake.
fn open(properties: Vec<(Text, Schema)>) -> Schema {
    Schema { properties: Cow::Owned(properties), open: true, ..Schema::of(Kind::Object) }
}

/// What both take: the items of a list have one schema, of which each shows a part.
fn either(mut one: Schema, other: Schema) -> Schema {
    if one.kind != other.kind {
        return Schema::of(Kind::Any);
    }
    for (name, schema) in other.properties.into_owned() {
        match one.property_mut(&name) {
            Some(known) => *known = either(std::mem::take(known), schema),
            None => one.properties.to_mut().push((name, schema)),
        }
    }
    if one.values.is_empty() {
        one.values = other.values;
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map;

    fn kind(value: impl Into<Value>, path: &[&str]) -> Kind {
        of_value("", &value.into()).at(path).map_or(Kind::Any, |schema| schema.kind)
    }

    #[test]
    fn a_field_keeps_the_type_that_its_record_gave_it() {
        assert_eq!(kind(map! { "replicas" => 3i64 }, &["replicas"]), Kind::Integer);
        assert_eq!(kind(map! { "image" => "mariadb" }, &["image"]), Kind::String);
        assert_eq!(
            kind(map! { "tls" => map! { "enabled" => true } }, &["tls", "enabled"]),
            Kind::Boolean
        );
    }

    #[test]
    fn quantities_and_ports_take_numbers_and_text() {
        let limits = map! { "limits" => map! { "cpu" => "1", "example.com/gpu" => 1i64 } };
        assert_eq!(kind(limits, &["limits", "example.com/gpu"]), Kind::Any);
        assert_eq!(kind(map! { "port" => 80i64 }, &["port"]), Kind::Any);
    }

    #[test]
    fn items_of_a_list_have_one_type_or_any() {
        let items = |items: Vec<Value>| of_value("", &Value::List(items)).values[0].kind;
        assert_eq!(items(vec![1i64.into(), 2i64.into()]), Kind::Integer);
        assert_eq!(items(vec![1i64.into(), "two".into()]), Kind::Any);
    }
}
