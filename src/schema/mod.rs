//! What a field may hold. One type serves the kinds people write, the options of records and the
//! records themselves; it is the part of JSON Schema that a Kubernetes server accepts in a CRD.

mod decode;
mod editor;
mod encode;
mod format;
mod image;
mod moment;
mod remedy;
mod schedule;
pub mod secret;
mod suggest;
mod walk;

use std::borrow::Cow;

pub use decode::decode;
pub use editor::editor;
pub use encode::encode;
pub use format::{Format, is_label_word};
pub use schedule::Schedule;
pub use suggest::nearest;
pub use walk::walk;

use crate::value::Text;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    pub kind: Kind,
    /// What may stand for an object in short: a flag for `{enabled: …}`, a text for `{name: …}`.
    pub short: Option<Kind>,
    pub description: Text,
    /// Fields by name. With none, `values` or `open` says what a map may hold.
    pub properties: Cow<'static, [(Text, Schema)]>,
    pub required: Cow<'static, [Text]>,
    /// The schema of a list's items or of a free map's values: none or one.
    pub values: Cow<'static, [Schema]>,
    /// Fields beyond `properties` are kept and not looked at.
    pub open: bool,
    pub allowed: Cow<'static, [Text]>,
    pub format: Option<Format>,
    pub minimum: Option<i64>,
    pub maximum: Option<i64>,
    pub min_items: Option<i64>,
    pub default: Option<Literal>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    Any,
    Object,
    Array,
    String,
    Integer,
    Number,
    Boolean,
    IntOrString,
}

/// A value that can be part of the program.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(Text),
    List(Cow<'static, [Literal]>),
    Map(Cow<'static, [(Text, Literal)]>),
}

impl Schema {
    pub fn property(&self, name: &str) -> Option<&Schema> {
        self.properties.iter().find(|(key, _)| key == name).map(|(_, schema)| schema)
    }

    pub fn property_mut(&mut self, name: &str) -> Option<&mut Schema> {
        let properties = self.properties.to_mut().iter_mut();
        properties.into_iter().find(|(key, _)| key == name).map(|(_, schema)| schema)
    }

    /// The schema at a path of property names.
    pub fn at(&self, path: &[&str]) -> Option<&Schema> {
        path.iter().try_fold(self, |schema, key| schema.property(key))
    }

    /// The same for one of several layers: what it lacks, another may have. A list is always whole.
    #[must_use]
    pub fn of_part(mut self) -> Self {
        self.required.to_mut().clear();
        self.default = None;
        for (_, property) in self.properties.to_mut() {
            *property = std::mem::take(property).of_part();
        }
        self
    }

    pub fn of(kind: Kind) -> Self {
        Schema { kind, ..Schema::default() }
    }

    pub fn described(mut self, description: impl Into<Text>) -> Self {
        self.description = description.into();
        self
    }
}
