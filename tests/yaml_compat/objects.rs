//! Objects to put strings into.

use strata::value::{Map, Value};
use strata::yaml::unfit::unfit;

pub fn text(text: impl Into<String>) -> Value {
    Value::from(text.into())
}

pub fn list(items: impl IntoIterator<Item = Value>) -> Value {
    Value::List(items.into_iter().collect())
}

pub fn map<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    let pairs = pairs.into_iter().map(|(key, value)| (key.to_owned().into(), value));
    Value::Map(Map::from_pairs(pairs.collect()))
}

pub fn object(api_version: &str, kind: &str, namespace: &str, name: &str) -> Map {
    let mut metadata = strata::map! { "name" => name.to_owned() };
    if !namespace.is_empty() {
        metadata.insert("namespace", namespace.to_owned());
    }
    strata::map! {
        "metadata" => metadata, "kind" => kind.to_owned(), "apiVersion" => api_version.to_owned(),
    }
}

pub fn custom(name: &str, field: &'static str, value: Value) -> Value {
    let mut object = object("example.com/v1", "Thing", "", name);
    object.insert(field, value);
    object.into()
}

/// A ConfigMap with each text under a key of its own, in the order of the keys.
pub fn config_map(name: &str, texts: &[String]) -> Value {
    let mut object = object("v1", "ConfigMap", "", name);
    object.insert("data", Value::Map(numbered(texts)));
    object.into()
}

/// The same as annotations, without those of which kustomize makes an error.
pub fn annotated(name: &str, texts: &[String]) -> Value {
    let annotations = |texts: &[String]| -> Value {
        let mut object = object("v1", "ServiceAccount", "", name);
        let metadata = object.get_mut("metadata").and_then(Value::as_map_mut);
        metadata.unwrap().insert("annotations", Value::Map(numbered(texts)));
        object.into()
    };
    let is_fit = |text: &String| unfit(&annotations(std::slice::from_ref(text))).is_empty();
    annotations(&texts.iter().filter(|text| is_fit(text)).cloned().collect::<Vec<_>>())
}

fn numbered(texts: &[String]) -> Map {
    let pairs = texts
        .iter()
        .enumerate()
        .map(|(index, value)| (format!("example.com_{index:04}").into(), text(value.clone())));
    Map::from_pairs(pairs.collect())
}

/// The text in every place a text can have in an object, as value and as key.
pub fn positions(value: &str) -> Value {
    let it = || text(value);
    let one = || Value::Int(1);
    let key_80 = "k".repeat(80);
    // Beyond 40 levels the indent alone is wider than a line.
    let deep =
        (0..42).fold(map([("z", it()), ("l", list([it()]))]), |value, _| map([("d", value)]));
    let values = [
        ("value", it()),
        ("a-key-that-is-as-long-as-some-are", it()),
        (&key_80, it()),
        ("é→", it()),
        ("nested", map([("b", map([("value", it()), ("a", it())]))])),
        ("list", list([it(), one(), it()])),
        ("lists", list([list([it(), list([it(), it()])]), list([it()])])),
        ("maps", list([map([("b", it()), ("a", list([it()]))])])),
        ("deep", deep),
    ];
    let mut all = Map::from_pairs(
        values.into_iter().map(|(key, value)| (key.to_owned().into(), value)).collect(),
    );
    // Some cannot be a key at all: `<<`, and what is longer than a reader looks ahead.
    if unfit(&map([(value, one())])).is_empty() {
        for (key, inner) in [
            ("key", it()),
            ("key-of-empty", list([])),
            ("key-of-map", map([("b", it()), ("a", one())])),
            ("key-of-list", list([it(), map([("b", it()), ("a", one())]), list([it()])])),
        ] {
            all.insert(key, map([(value, inner.clone())]));
            all.insert(format!("{key}-in-list"), list([map([(value, inner.clone())])]));
            all.insert(format!("{key}-beside"), map([("other", one()), (value, inner)]));
        }
        all.insert("keys", map([(value, map([(value, map([(value, it())]))]))]));
    }
    all.into()
}
