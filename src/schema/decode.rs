//! Reads a schema that a record or a CRD writes down. A keyword that a Kubernetes server refuses
//! in a CRD is refused here, where the person who wrote it still sees it.

use std::borrow::Cow;

use crate::schema::{Format, Kind, Literal, Schema, nearest};
use crate::value::Text;
use crate::yaml::tree::{Data, Node, Span};

/// What is wrong in a schema, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaFault {
    pub at: Span,
    pub because: String,
    pub remedy: String,
}

const KEYWORDS: &[&str] = &[
    "type",
    "description",
    "properties",
    "required",
    "items",
    "additionalProperties",
    "enum",
    "format",
    "pattern",
    "minimum",
    "maximum",
    "minItems",
    "default",
    "nullable",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-int-or-string",
    "x-kubernetes-validations",
    "x-kubernetes-list-type",
    "x-kubernetes-list-map-keys",
];

pub fn decode(node: &Node, faults: &mut Vec<SchemaFault>) -> Schema {
    let mut schema = Schema::default();
    let Data::Map(entries) = &node.data else {
        faults.push(fault(node.at, "a schema is a map", "write {type: string}, for example"));
        return schema;
    };
    for (key, value) in entries {
        match (key.name.as_str(), &value.data) {
            ("type", Data::Str(text)) => match kind(text) {
                Some(kind) => schema.kind = kind,
                None => faults.push(fault(
                    value.at,
                    format!("`{text}` is no type"),
                    "write object, array, string, integer, number or boolean",
                )),
            },
            ("description", Data::Str(text)) => schema.description = Cow::Owned(text.clone()),
            ("properties", Data::Map(properties)) => {
                schema.properties = properties
                    .iter()
                    .map(|(key, node)| (Text::Owned(key.name.clone()), decode(node, faults)))
                    .collect();
            }
            ("required", Data::List(items)) => schema.required = texts(items),
            ("items" | "additionalProperties", Data::Map(_)) => {
                schema.values = Cow::Owned(vec![decode(value, faults)]);
            }
            ("enum", Data::List(items)) => schema.allowed = texts(items),
            // Integer widths come with CRDs; the walk knows only whole numbers.
            ("format", Data::Str(text))
                if matches!(text.as_str(), "int32" | "int64" | "double") => {}
            ("format", Data::Str(text)) => match Format::named(text) {
                Some(format) => schema.format = Some(format),
                None => faults.push(fault(
                    value.at,
                    format!("`{text}` is no format that is checked"),
                    format!("write one of: {}", Format::names().join(", ")),
                )),
            },
            ("pattern", Data::Str(text)) => match Format::with_pattern(text) {
                Some(format) => schema.format = Some(format),
                None => faults.push(fault(
                    value.at,
                    "a pattern of one's own is not checked when a spec is read",
                    format!("use `format` with one of: {}", Format::names().join(", ")),
                )),
            },
            ("minimum", Data::Int(number)) => schema.minimum = Some(*number),
            ("maximum", Data::Int(number)) => schema.maximum = Some(*number),
            ("minimum" | "maximum", Data::Float(number)) => {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "bounds are small whole numbers"
                )]
                let bound = Some(*number as i64);
                if key.name == "minimum" { schema.minimum = bound } else { schema.maximum = bound }
            }
            ("minItems", Data::Int(number)) => schema.min_items = Some(*number),
            ("default", _) => schema.default = Some(Literal::from_node(value)),
            ("x-kubernetes-preserve-unknown-fields", Data::Bool(flag)) => schema.open = *flag,
            ("x-kubernetes-int-or-string", Data::Bool(true)) => schema.kind = Kind::IntOrString,
            (
                "nullable"
                | "x-kubernetes-validations"
                | "x-kubernetes-list-type"
                | "x-kubernetes-list-map-keys",
                _,
            ) => {}
            (known, _) if KEYWORDS.contains(&known) => {
                faults.push(fault(
                    value.at,
                    format!("`{known}` does not take this kind of value"),
                    "see JSON Schema",
                ));
            }
            (unknown, _) => {
                let remedy = match nearest(unknown, KEYWORDS.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("use only: {}", KEYWORDS.join(", ")),
                };
                faults.push(fault(
                    key.at,
                    format!("a Kubernetes server refuses `{unknown}` in a CRD"),
                    remedy,
                ));
            }
        }
    }
    structural(node, &schema, faults);
    schema
}

/// What the server demands of every level of a structural schema.
fn structural(node: &Node, schema: &Schema, faults: &mut Vec<SchemaFault>) {
    if schema.kind == Kind::Any && !schema.open {
        faults.push(fault(
            node.at,
            "a schema needs a type",
            "add `type:`, or `x-kubernetes-preserve-unknown-fields: true` for anything at all",
        ));
    }
    if schema.kind == Kind::Array && schema.values.is_empty() {
        faults.push(fault(node.at, "a list needs the schema of its items", "add `items:`"));
    }
    if !schema.properties.is_empty() && !schema.values.is_empty() {
        faults.push(fault(
            node.at,
            "a Kubernetes server refuses `additionalProperties` beside `properties`",
            "keep one of the two",
        ));
    }
}

fn kind(text: &str) -> Option<Kind> {
    Some(match text {
        "object" => Kind::Object,
        "array" => Kind::Array,
        "string" => Kind::String,
        "integer" => Kind::Integer,
        "number" => Kind::Number,
        "boolean" => Kind::Boolean,
        _ => return None,
    })
}

fn texts(items: &[Node]) -> Cow<'static, [Text]> {
    items.iter().filter_map(Node::as_str).map(|text| Text::Owned(text.to_owned())).collect()
}

fn fault(at: Span, because: impl Into<String>, remedy: impl Into<String>) -> SchemaFault {
    SchemaFault { at, because: because.into(), remedy: remedy.into() }
}

impl Literal {
    pub fn from_node(node: &Node) -> Self {
        match &node.data {
            Data::Null => Literal::Null,
            Data::Bool(flag) => Literal::Bool(*flag),
            Data::Int(number) => Literal::Int(*number),
            Data::Float(number) => Literal::Float(*number),
            Data::Str(text) => Literal::Str(Cow::Owned(text.clone())),
            Data::List(items) => Literal::List(items.iter().map(Literal::from_node).collect()),
            Data::Map(entries) => Literal::Map(
                entries
                    .iter()
                    .map(|(key, value)| (Cow::Owned(key.name.clone()), Literal::from_node(value)))
                    .collect(),
            ),
        }
    }
}
