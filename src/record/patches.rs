//! How a person writes changes to objects: `patches`, a list, and `overrides`, a map.

use std::borrow::Cow;

use crate::record::schema::property;
use crate::schema::{Kind, Schema};

pub fn patches() -> Schema {
    let patch = Schema {
        properties: Cow::Owned(vec![
            property("json", operations()),
            property(
                "kind",
                text("Only objects of this kind; Kind.group where two have the same."),
            ),
            property("merge", merge().described("Merged into the object; null removes a field.")),
            property("name", text("Only the object of this name.")),
        ]),
        ..Schema::of(Kind::Object)
    };
    Schema { values: Cow::Owned(vec![patch]), ..Schema::of(Kind::Array) }
        .described("Changes to the objects it emits, applied in order, after all others.")
}

/// A map, so that a kustomize overlay can add one key and leave the others.
pub fn overrides() -> Schema {
    Schema { values: Cow::Owned(vec![merge()]), ..Schema::of(Kind::Object) }.described(
        "Fields merged into objects it emits, by Kind or Kind/name, Kind.group where two kinds have the same name; the name wins over the kind, and null removes a field.",
    )
}

fn merge() -> Schema {
    Schema { open: true, ..Schema::of(Kind::Object) }
}

fn operations() -> Schema {
    let operation = Schema {
        properties: Cow::Owned(vec![
            property("from", text("What move and copy take: a JSON pointer.")),
            property(
                "op",
                Schema {
                    allowed: Cow::Borrowed(&[
                        Cow::Borrowed("add"),
                        Cow::Borrowed("remove"),
                        Cow::Borrowed("replace"),
                        Cow::Borrowed("move"),
                        Cow::Borrowed("copy"),
                        Cow::Borrowed("test"),
                    ]),
                    ..text("What is done.")
                },
            ),
            property("path", text("Where: a JSON pointer such as /spec/replicas.")),
            property(
                "value",
                Schema { open: true, ..Schema::default() }
                    .described("What add and replace put there, and test expects."),
            ),
        ]),
        required: Cow::Borrowed(&[Cow::Borrowed("op"), Cow::Borrowed("path")]),
        ..Schema::of(Kind::Object)
    };
    Schema { values: Cow::Owned(vec![operation]), ..Schema::of(Kind::Array) }
        .described("Operations on the object (RFC 6902), applied in order, after `merge`.")
}

fn text(description: &'static str) -> Schema {
    Schema::of(Kind::String).described(description)
}
