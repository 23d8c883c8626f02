//! Writes checked records down as Rust: each type knows its own literal.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::finding::Code;
use crate::record::{
    Credential, Door, Expression, Identity, Leaf, Named, ObjectRecord, Operator, OtherSizes,
    Outside, OwnDomain, Part, PerSize, Phase, PodPlace, Process, Record, Rule, Template, Variant,
};
use crate::schema::{Format, Kind, Literal, Schema};
use crate::value::Text;
use crate::yaml::tree::Span;

/// `pub static NAME: TYPE = …;`
pub fn item(out: &mut String, name: &str, kind: &str, value: &dyn Fn(&mut String)) {
    let _ = write!(out, "pub static {name}: {kind} = ");
    value(out);
    out.push_str(";\n");
}

pub trait Static {
    fn write(&self, out: &mut String);
}

impl Static for bool {
    fn write(&self, out: &mut String) {
        let _ = write!(out, "{self}");
    }
}

impl Static for i64 {
    fn write(&self, out: &mut String) {
        let _ = write!(out, "{self}");
    }
}

impl Static for usize {
    fn write(&self, out: &mut String) {
        let _ = write!(out, "{self}");
    }
}

impl Static for f64 {
    fn write(&self, out: &mut String) {
        let _ = write!(out, "{self:?}");
    }
}

impl Static for Text {
    fn write(&self, out: &mut String) {
        let _ = write!(out, "Cow::Borrowed({:?})", self.as_ref());
    }
}

impl<T: Static> Static for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => {
                out.push_str("Some(");
                value.write(out);
                out.push(')');
            }
            None => out.push_str("None"),
        }
    }
}

impl<A: Static, B: Static> Static for (A, B) {
    fn write(&self, out: &mut String) {
        out.push('(');
        self.0.write(out);
        out.push_str(", ");
        self.1.write(out);
        out.push(')');
    }
}

impl<T: Static> Static for [T] {
    fn write(&self, out: &mut String) {
        out.push('[');
        for value in self {
            value.write(out);
            out.push_str(", ");
        }
        out.push(']');
    }
}

impl<T: Static + Clone> Static for Cow<'static, [T]> {
    fn write(&self, out: &mut String) {
        out.push_str("Cow::Borrowed(&");
        self.as_ref().write(out);
        out.push(')');
    }
}

/// Enums whose variants hold nothing print as themselves.
macro_rules! static_names {
    ($($name:ident),*) => {$(
        impl Static for $name {
            fn write(&self, out: &mut String) {
                let _ = write!(out, concat!(stringify!($name), "::{:?}"), self);
            }
        }
    )*};
}

macro_rules! static_structs {
    ($($name:ident { $($field:ident),* })*) => {$(
        impl Static for $name {
            fn write(&self, out: &mut String) {
                out.push_str(concat!(stringify!($name), " { "));
                $(
                    out.push_str(concat!(stringify!($field), ": "));
                    self.$field.write(out);
                    out.push_str(", ");
                )*
                out.push('}');
            }
        }
    )*};
}

static_names!(Code, Format, Kind, Phase);

static_structs! {
    Record {
        component, phase, summary, enabled, where_set, where_needed, where_rotated, rotates, object_name, namespace, settings, announces, needs, alongside, after, talks_to, serves,
        distribution, operator, image, releases, version, distributions, class, scale, processes, identity, doors, databases, queues,
        secrets, certificate, network, options, sizes,
        provides, rules, external, stateful, timeout, health, objects, source, at, mentions
    }
    Variant { distribution, image, releases, version }
    Process { name, replicas, workers, port, class }
    OtherSizes { small, large, xlarge }
    PerSize { small, medium, large, xlarge }
    Operator { name, kinds }
    Identity { service_type, user, roles, path, distribution, own_roles, domain }
    OwnDomain { name, user }
    Door { host, service, port, plain_port, service_type, path, distribution }
    Credential { key, name, username, keys, distribution, when }
    Named { each, name }
    Rule { refuse, at, code, because, remedy }
    Outside { kind, named, why, keys }
    ObjectRecord { distribution, external, when, each, keep, unserved, pods, object, at }
    PodPlace { setting, path }
    Leaf { expression, optional, at }
    Span { start, end }
    Schema {
        kind, short, description, properties, required, values, open, allowed, format, minimum, maximum,
        min_items, default
    }
}

impl Static for Template {
    fn write(&self, out: &mut String) {
        match self {
            Template::Null => out.push_str("Template::Null"),
            Template::Bool(flag) => variant(out, "Template::Bool", flag),
            Template::Int(number) => variant(out, "Template::Int", number),
            Template::Float(number) => variant(out, "Template::Float", number),
            Template::Str(text) => variant(out, "Template::Str", text),
            Template::Leaf(leaf) => variant(out, "Template::Leaf", leaf),
            Template::Mixed(parts) => variant(out, "Template::Mixed", parts),
            Template::List(items) => variant(out, "Template::List", items),
            Template::Map(entries) => variant(out, "Template::Map", entries),
            Template::Guarded(leaf, entries) => marked(out, "Template::Guarded", leaf, entries),
            Template::Repeated(leaf, entries) => marked(out, "Template::Repeated", leaf, entries),
            Template::Json(tree) => variant(out, "Template::Json", tree),
        }
    }
}

impl Static for Part {
    fn write(&self, out: &mut String) {
        match self {
            Part::Text(text) => variant(out, "Part::Text", text),
            Part::Hole(leaf) => variant(out, "Part::Hole", leaf),
        }
    }
}

impl Static for Expression {
    fn write(&self, out: &mut String) {
        match self {
            Expression::Path(steps) => variant(out, "Expression::Path", steps),
            Expression::Computed { text, reads, at } => {
                out.push_str("Expression::Computed { text: ");
                text.write(out);
                out.push_str(", reads: ");
                reads.write(out);
                out.push_str(", at: ");
                at.write(out);
                out.push('}');
            }
        }
    }
}

impl Static for Literal {
    fn write(&self, out: &mut String) {
        match self {
            Literal::Null => out.push_str("Literal::Null"),
            Literal::Bool(flag) => variant(out, "Literal::Bool", flag),
            Literal::Int(number) => variant(out, "Literal::Int", number),
            Literal::Float(number) => variant(out, "Literal::Float", number),
            Literal::Str(text) => variant(out, "Literal::Str", text),
            Literal::List(items) => variant(out, "Literal::List", items),
            Literal::Map(entries) => variant(out, "Literal::Map", entries),
        }
    }
}

fn marked(out: &mut String, name: &str, leaf: &Leaf, entries: &dyn Static) {
    let _ = write!(out, "{name}(");
    leaf.write(out);
    out.push_str(", ");
    entries.write(out);
    out.push(')');
}

fn variant(out: &mut String, name: &str, value: &dyn Static) {
    let _ = write!(out, "{name}(");
    value.write(out);
    out.push(')');
}
