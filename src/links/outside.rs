//! What the cloud's objects name and nobody in it makes.

use std::borrow::Cow;

use crate::links::Reference;
use crate::resolve::Component;
use crate::value::{Map, Text, Value};

/// Something that must be there before the cloud is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct External<'a> {
    /// The component that asks for it.
    pub component: &'a str,
    pub kind: String,
    pub name: String,
    pub why: Cow<'a, str>,
    /// What a Secret must hold, as far as somebody said.
    pub keys: &'a [Text],
    /// A Secret of the cloud that it must be told of, and where.
    pub reads: Option<(&'static str, &'static str)>,
    /// Who names it in an object that is none of a component's: Flux, for all of them.
    pub reader: Option<Flux>,
}

/// An object of Flux's own, and the field by which it names something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flux {
    pub kind: String,
    pub name: String,
    pub field: &'static str,
}

const BY_HAND: &str = "named by hand in the settings of the component";

/// Why a reference that nothing in the cloud answers is right all the same: somebody declared it,
/// or wrote it by hand. The namespace is for the reference to say.
pub fn excuse<'a>(
    reference: &Reference,
    external: &'a [External],
    component: Option<&Component>,
) -> Option<&'a str> {
    let declared = external
        .iter()
        .find(|external| external.kind == reference.kind && external.name == reference.name);
    let by_hand = || {
        let component = component?;
        component
            .hatches
            .written()
            .any(|value| value_holds(value, reference.name))
            .then_some(BY_HAND)
    };
    declared.map(|external| external.why.as_ref()).or_else(by_hand)
}

/// What somebody who names or declares it says of it: a component's own words before those of others, and all of
/// them, since one class may give volumes and keep backups.
pub fn reasons<'a>(
    (kind, name): (&str, &str),
    component: &str,
    external: &'a [External],
) -> Vec<&'a str> {
    let declared =
        external.iter().filter(|external| external.kind == kind && external.name == name);
    let (own, others): (Vec<_>, Vec<_>) =
        declared.partition(|external| external.component == component);
    let all = if own.is_empty() { others.into_iter().take(1).collect() } else { own };
    all.into_iter().map(|external| external.why.as_ref()).collect()
}

fn holds(map: &Map, text: &str) -> bool {
    map.iter().any(|(_, value)| value_holds(value, text))
}

fn value_holds(value: &Value, text: &str) -> bool {
    match value {
        Value::Str(own) => own == text,
        Value::List(items) => items.iter().any(|item| value_holds(item, text)),
        Value::Map(map) => holds(map, text),
        _ => false,
    }
}
