//! Objects nobody thought of.

use crate::objects::custom;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::BTreeMap;
use strata::value::{Map, Value};
use strata::yaml::unfit::unfit;

/// Maps of keys that are close to each other, for the order of keys.
pub fn keys(count: usize) -> Vec<Value> {
    let key = prop_oneof![
        "[ab0129_.-]{0,5}",
        "[a-c]?[0-9]{1,3}[-_.]?[0-9]{0,3}",
        "a?[01]{1,4}-?",
        "[a-cA-C0é→_]{1,4}"
    ];
    draw(count, btree_map(key, any::<bool>().prop_map(Value::Bool), 2..12).prop_map(map))
}

/// The same each time; without those that kustomize is known not to keep.
pub fn objects(count: usize) -> Vec<Value> {
    draw(count, value())
}

fn draw(count: usize, value: impl Strategy<Value = Value>) -> Vec<Value> {
    let mut runner = TestRunner::deterministic();
    std::iter::repeat_with(|| value.new_tree(&mut runner).unwrap().current())
        .filter(|value| unfit(value).is_empty())
        .take(count)
        .enumerate()
        .map(|(index, value)| custom(&format!("random-{index:03}"), "spec", value))
        .collect()
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => any::<i64>().prop_map(Value::Int),
        2 => (-999_999_999_999_999i64..=999_999_999_999_999, -12i32..12)
            .prop_map(|(digits, exponent)| Value::Float(digits as f64 * 10f64.powi(exponent))),
        1 => any::<i32>().prop_map(|number| Value::Float(f64::from(number) / 64.0)),
        10 => text().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::List),
            btree_map(text(), inner, 0..6).prop_map(map),
        ]
    })
}

/// Backwards, so that the writer has to sort.
fn map(pairs: BTreeMap<String, Value>) -> Value {
    let pairs = pairs.into_iter().rev().map(|(key, value)| (key.into(), value));
    Value::Map(Map::from_pairs(pairs.collect()))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z][a-zA-Z0-9._/-]{0,20}",
        "[-+.0-9_eExob:TZ ]{0,12}",
        "[ -~]{0,30}",
        "[ -~\n]{0,40}",
        "[a-z' :#\"é→]{0,8}( {1,3}[a-z':#é→😀]{0,12}){0,20}",
        "([a-z'# ]{0,8}[ \t]){0,20}",
        any::<String>(),
    ]
}
