//! Random values, with a liking for texts that YAML tools misread.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use strata::value::{Map, Value};

const TWO_63: f64 = 9_223_372_036_854_775_808.0;
const TWO_64: f64 = 18_446_744_073_709_551_616.0;

/// A tree of anything a document can hold.
pub fn any() -> impl Strategy<Value = Value> + Clone {
    let leaf = prop_oneof![
        Just(Value::Null),
        proptest::bool::ANY.prop_map(Value::Bool),
        proptest::num::i64::ANY.prop_map(Value::Int),
        (-1000i64..1000).prop_map(Value::Int),
        // Up to the digits that every tool keeps.
        (-999_999_999_999i64..999_999_999_999, -300i32..290)
            .prop_map(|(digits, power)| format!("{digits}e{power}").parse().unwrap())
            // Written as whole numbers that fit 64 bits without a sign only, which we do not read.
            .prop_filter("beyond 63 bits", |number: &f64| !(TWO_63..TWO_64).contains(&number.abs()))
            .prop_map(Value::Float),
        (-100_000i32..100_000).prop_map(|number| Value::Float(f64::from(number) / 64.0)),
        text().prop_map(|text| Value::Str(text.into())),
        text().prop_map(|text| Value::Str(text.into())),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![vec(inner.clone(), 0..5).prop_map(Value::List), map(inner)]
    })
    .boxed()
}

pub fn map(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    btree_map(text(), value, 0..6).prop_map(|pairs| {
        let pairs = pairs.into_iter().map(|(key, value)| (key.into(), value));
        Value::Map(Map::from_pairs(pairs.collect()))
    })
}

/// Words that some reader takes for something else, pieces of YAML, lines, and any characters.
pub fn text() -> impl Strategy<Value = String> + Clone {
    const TREACHEROUS: &[&str] = &[
        "",
        "~",
        "null",
        "true",
        "No",
        "on",
        "y",
        "1e3",
        "012",
        "0x1f",
        "0o7",
        "1_000",
        "12:30:45",
        "2024-01-01",
        ".inf",
        "-",
        "- a",
        "a: b",
        "a #b",
        "#a",
        "'",
        "\"",
        "{a}",
        "[a]",
        "&a",
        "*a",
        "!a",
        "%a",
        "@a",
        "`a",
        "|",
        ">",
        "?",
        "<<",
        "=",
        "a\nb",
        "a\n",
        "\na",
        " a",
        "a ",
        "a\tb",
        "---",
        "...",
        "\u{e9}",
        "\u{1f600}",
        "{{ x }}",
    ];
    prop_oneof![
        proptest::sample::select(TREACHEROUS).prop_map(str::to_owned),
        "[a-zA-Z0-9./_-]{1,20}",
        "[ -~]{0,40}",
        "([a-z ]{0,50}\n){0,4}[a-z ]{0,50}",
        "\\PC{0,12}",
    ]
    .boxed()
}

/// The same with the keys of every map in one order, and a whole float as the number it is: no
/// reader tells `1` from `1.0`.
pub fn sorted(value: &Value) -> Value {
    match value {
        Value::List(items) => Value::List(items.iter().map(sorted).collect()),
        Value::Map(map) => {
            let mut pairs: Vec<_> =
                map.iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            pairs.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Map(Map::from_pairs(pairs))
        }
        // A whole float is written by its shortest digits and without a point, so it is read back as
        // the whole number that these look like.
        Value::Float(number) if number.fract() == 0.0 && number.abs() < TWO_63 => {
            Value::Int(number.to_string().parse().unwrap())
        }
        other => other.clone(),
    }
}
