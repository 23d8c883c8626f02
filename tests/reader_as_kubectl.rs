//! A scalar means to us what it means to kubectl: the table says it, and kubectl is asked.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod tools;

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value as Json, json};
use strata::yaml::read::read;
use strata::yaml::tree::{Data, Node};

/// Each as it stands in YAML without quotes, and as JSON.
fn scalars() -> Vec<(&'static str, Json)> {
    let mut table: Vec<(&str, Json)> = Vec::new();
    for word in ["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"] {
        table.push((word, json!(true)));
    }
    for word in ["n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"] {
        table.push((word, json!(false)));
    }
    for word in ["", "~", "null", "Null", "NULL"] {
        table.push((word, Json::Null));
    }
    for (text, number) in [
        ("0", 0),
        ("-0", 0),
        ("+0", 0),
        ("1", 1),
        ("+1", 1),
        ("-1", -1),
        ("012", 10),
        ("-012", -10),
        ("0o12", 10),
        ("0O12", 10),
        ("0x1F", 31),
        ("0X1f", 31),
        ("-0x1F", -31),
        ("+0x1F", 31),
        ("0b11", 3),
        ("0B11", 3),
        ("-0b11", -3),
        ("0b-1", -1),
        ("0b+1", 1),
        ("1_000", 1000),
        ("1__0", 10),
        ("0x_1F", 31),
        ("0_12", 10),
        ("1_", 1),
        ("-_1", -1),
        ("9223372036854775807", i64::MAX),
        ("-9223372036854775808", i64::MIN),
    ] {
        table.push((text, json!(number)));
    }
    for (text, number) in [
        ("1.5", 1.5),
        ("-1.5", -1.5),
        ("+1.5", 1.5),
        (".5", 0.5),
        ("+.5", 0.5),
        ("-.5", -0.5),
        ("1.", 1.0),
        ("0.0", 0.0),
        ("-0.0", 0.0),
        ("08", 8.0),
        ("09.5", 9.5),
        ("1e3", 1000.0),
        ("1E3", 1000.0),
        ("1e+3", 1000.0),
        ("1e-3", 0.001),
        ("1.5e3", 1500.0),
        (".5e1", 5.0),
        ("1_0.5", 10.5),
        (".5_0", 0.5),
        (".5e1_0", 0.5e10),
        ("2025.2", 2025.2),
        ("1e30", 1e30),
    ] {
        table.push((text, json!(number)));
    }
    for text in [
        "1:30",
        "12:30:45",
        "190:20:30.15",
        "1e400",
        "-1e400",
        "_1",
        "._5",
        ".5_",
        ".5e_1",
        ".5__0",
        "0x",
        "0xG",
        "0b",
        "0b2",
        "0o8",
        "1e",
        "1e+",
        "1.2.3",
        "1.5.",
        ".",
        "..",
        "+",
        "-x",
        "--1",
        "+-1",
        "0x1.8p1",
        "1f",
        "Infinity",
        "inf",
        "nan",
        "NaN",
        "yEs",
        "tRUE",
        "nULL",
        "oN",
        "~x",
        "nullx",
        "2024-01-01",
        "2024-01-01T00:00:00Z",
        "2024-1-1 1:2:3",
        "12h",
        "100m",
        "1Gi",
        "0xFFFFFFFFFFFFFFFFFF",
        "-0x8000000000000001",
        "-0b-1",
        "1,000",
        "v1.2",
        "=",
        "a b",
        "1 2",
        "٣",
        "é",
        "0o",
        "0b_",
        "1e1_0x",
    ] {
        table.push((text, json!(text)));
    }
    table
}

/// Keys without quotes, and the names they get.
const KEYS: [(&str, &str); 16] = [
    ("on", "true"),
    ("No", "false"),
    ("12", "12"),
    ("013", "11"),
    ("0x1F", "31"),
    ("1_000", "1000"),
    ("1.50", "1.5"),
    ("-2.0", "-2"),
    ("1e4", "10000"),
    ("1e21", "1e+21"),
    ("123456789.5", "1.2345679e+08"),
    ("1234567.0", "1.234567e+06"),
    ("0.00001", "1e-05"),
    ("0.0001", "0.0001"),
    ("2024-01-01", "2024-01-01"),
    ("1:30", "1:30"),
];

#[test]
fn the_table_holds_for_us() {
    for (text, expected) in scalars() {
        let reading = read(&format!("v: {text}\n"));
        assert!(reading.faults.is_empty(), "{text}: {:?}", reading.faults);
        let value = reading.documents[0].root.get("v").unwrap();
        assert!(same(value, &expected), "`{text}` became {:?}, not {expected}", value.data);
    }
    for (text, expected) in KEYS {
        let reading = read(&format!("{text}: v\n"));
        let Data::Map(entries) = &reading.documents[0].root.data else { panic!("no map") };
        assert_eq!(entries[0].0.name, expected);
    }
}

#[test]
fn the_table_holds_for_kubectl() {
    let scalars = scalars();
    assert!(scalars.len() >= 80);
    let mut text = String::from("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\nvalues:\n");
    for (scalar, _) in &scalars {
        writeln!(text, "- {scalar}").unwrap();
    }
    text.push_str("keys:\n");
    for (key, _) in KEYS {
        writeln!(text, "- {key}: v").unwrap();
    }
    let read = through_kubectl(&text);
    for ((scalar, expected), found) in scalars.iter().zip(read["values"].as_array().unwrap()) {
        let equal = found == expected || (found.is_number() && found.as_f64() == expected.as_f64());
        assert!(equal, "`{scalar}` is {found} to kubectl, not {expected}");
    }
    for ((key, name), found) in KEYS.iter().zip(read["keys"].as_array().unwrap()) {
        assert!(found.get(name).is_some(), "`{key}:` is {found} to kubectl, not {name}");
    }
}

/// What kubectl makes of an object, without a cluster.
fn through_kubectl(text: &str) -> Json {
    let mut child = Command::new(tools::tool("kubectl"))
        .args(["label", "--local", "--filename=-", "--output=json", "read=yes"])
        .env("KUBECONFIG", "/dev/null")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

fn same(node: &Node, json: &Json) -> bool {
    match &node.data {
        Data::Null => json.is_null(),
        Data::Bool(flag) => json == &json!(flag),
        Data::Int(number) => json == &json!(number),
        Data::Float(number) => json.as_f64() == Some(*number),
        Data::Str(text) => json == &json!(text),
        Data::List(_) | Data::Map(_) => false,
    }
}
