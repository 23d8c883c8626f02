//! What our writer writes is what kustomize and kubectl would have written, and they read it as it
//! was meant. Runs the real programs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod kinds;
mod objects;
mod programs;
mod random;
mod strings;
#[path = "../tools/mod.rs"]
mod tools;

use objects::{annotated, config_map, custom, list, map, positions};
use programs::{Order, build_both, difference, read_back, to_json};
use strata::order::SortKey;
use strata::value::{Map, Value};
use strata::yaml::write::write;
use strings::strings;

/// Both programs must give back our bytes: in the order given with `fifo`, in ours without.
fn check_unchanged(mut objects: Vec<Value>) {
    let given = stream(&objects);
    for (program, theirs) in build_both(&given, Order::Fifo) {
        assert_eq!(difference(&given, &theirs), None, "{program}, fifo");
    }
    objects.sort_by(|a, b| SortKey::of(a).cmp(&SortKey::of(b)));
    let sorted = stream(&objects);
    for (program, theirs) in build_both(&given, Order::Legacy) {
        assert_eq!(difference(&sorted, &theirs), None, "{program}, legacy");
    }
}

/// kubectl must read what was written as it was.
fn check_read(objects: Vec<Value>) {
    let read = read_back(&stream(&objects)).unwrap();
    assert_eq!(read.len(), objects.len());
    for (object, read) in objects.iter().zip(read) {
        assert_eq!(to_json(object), read);
    }
}

fn stream(objects: &[Value]) -> String {
    let mut out = String::new();
    for (index, object) in objects.iter().enumerate() {
        if index > 0 {
            out.push_str("---\n");
        }
        write(object, &mut out);
    }
    out
}

/// Some strings to an object, as kustomize takes time for each object and not for its size.
fn every_string_in_every_position() -> Vec<Value> {
    let strings = strings();
    assert!(strings.len() >= 250, "{} strings", strings.len());
    let chunks = strings.chunks(10).enumerate().map(|(index, chunk)| {
        let pairs =
            chunk.iter().enumerate().map(|(nth, text)| (format!("s{nth}").into(), positions(text)));
        custom(&format!("s-{index:03}"), "spec", Map::from_pairs(pairs.collect()).into())
    });
    chunks.chain([config_map("values", &strings), annotated("annotations", &strings)]).collect()
}

#[test]
fn no_string_is_changed_in_any_position() {
    check_unchanged(every_string_in_every_position());
}

#[test]
fn every_string_is_read_as_it_was_in_any_position() {
    check_read(every_string_in_every_position());
}

#[test]
fn no_number_or_constant_is_changed() {
    let floats = [
        0.0,
        -0.0,
        0.5,
        1.0,
        1.5,
        100.0,
        0.1,
        1e5,
        999999.0,
        999999.5,
        1e6,
        1000000.5,
        1234567.5,
        1e15,
        1e18,
        1e19,
        1.8e19,
        1.9e19,
        1e20,
        1e21,
        1e22,
        -1e18,
        -1e19,
        1e-3,
        1e-4,
        1.5e-4,
        1e-5,
        1.5e-6,
        1e-7,
        1e100,
        1.5e300,
        -2.5e-300,
        123456789.123456,
        0.000123456789012345,
        3.25,
    ];
    let integers = [0, 1, -1, 1_000_000, i64::MAX, i64::MIN, 1 << 53, (1 << 53) + 1];
    let constants = [Value::Null, Value::Bool(true), Value::Bool(false), list([]), map([])];
    let items =
        floats.map(Value::Float).into_iter().chain(integers.map(Value::Int)).chain(constants);
    check_unchanged(vec![custom("numbers", "spec", list(items))]);
}

#[test]
fn no_random_object_is_changed() {
    check_unchanged(random::objects(400));
}

#[test]
fn no_keys_are_ordered_otherwise() {
    check_unchanged(random::keys(300));
}

#[test]
fn objects_of_all_kinds_are_ordered_as_kustomize_orders_them() {
    check_unchanged(kinds::mixed());
}

/// Why the obvious crate is not used: besides being archived, it writes for YAML 1.2, and
/// Kubernetes reads 1.1.
#[test]
fn serde_yaml_writes_strings_that_kubectl_reads_differently() {
    let strings = strings();
    let misread = misread(&strings.iter().map(String::as_str).collect::<Vec<_>>());
    println!("{} of {} strings: {misread:?}", misread.len(), strings.len());
    for text in ["on", "y", "No", "1_000", "0b-1"] {
        assert!(misread.contains(&text), "{text}");
    }
}

fn misread<'t>(texts: &[&'t str]) -> Vec<&'t str> {
    let written = serde_yaml::to_string(&serde_json::json!({
        "apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": texts,
    }));
    match read_back(&written.unwrap()) {
        Ok(read) => {
            let pairs = texts.iter().enumerate();
            pairs
                .filter(|(index, text)| read[0]["spec"][*index] != **text)
                .map(|(_, text)| *text)
                .collect()
        }
        // One that kubectl refuses hides the others.
        Err(_) if texts.len() > 1 => {
            let (left, right) = texts.split_at(texts.len() / 2);
            [misread(left), misread(right)].concat()
        }
        Err(_) => texts.to_vec(),
    }
}
