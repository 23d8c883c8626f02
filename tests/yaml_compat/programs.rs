//! Running kustomize and kubectl.

use crate::tools::tool;
use serde_json::{Value as Json, json};
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use strata::value::Value;

#[derive(Clone, Copy, PartialEq)]
pub enum Order {
    Fifo,
    Legacy,
}

/// What both programs make of a file of documents.
pub fn build_both(documents: &str, order: Order) -> [(&'static str, String); 2] {
    let folder = tempfile::tempdir().unwrap();
    let options = if order == Order::Fifo { "sortOptions: {order: fifo}\n" } else { "" };
    let kustomization = format!("resources: [all.yaml]\n{options}");
    fs::write(folder.path().join("kustomization.yaml"), kustomization).unwrap();
    fs::write(folder.path().join("all.yaml"), documents).unwrap();
    [("kustomize", "build"), ("kubectl", "kustomize")].map(|(program, verb)| {
        let output = Command::new(tool(program)).arg(verb).arg(folder.path()).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        // It prints the whole object in front of what is wrong with it.
        let cause = errors.rsplit("}: ").next().unwrap_or_default();
        assert!(output.status.success(), "{program} failed: {cause}");
        (program, String::from_utf8(output.stdout).unwrap())
    })
}

/// The first lines in which two texts differ: whole streams are too long to look at.
pub fn difference(ours: &str, theirs: &str) -> Option<String> {
    if ours == theirs {
        return None;
    }
    let same = ours.lines().zip(theirs.lines()).take_while(|(a, b)| a == b).count();
    let excerpt = |text: &str| -> Vec<String> {
        text.lines().skip(same.saturating_sub(2)).take(6).map(str::to_owned).collect()
    };
    Some(format!("line {}:\nours   {:#?}\ntheirs {:#?}", same + 1, excerpt(ours), excerpt(theirs)))
}

/// The objects as kubectl reads them. A local patch is the one command that parses and prints
/// without asking a server.
pub fn read_back(documents: &str) -> Result<Vec<Json>, String> {
    let mut child = Command::new(tool("kubectl"))
        .args(["patch", "--local", "--type=merge", "--patch={}", "--output=json", "--filename=-"])
        .env("KUBECONFIG", "/dev/null")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = documents.to_owned();
    let feeder = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    // A program that refuses the beginning may leave the rest unread.
    let _ = feeder.join().unwrap();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let objects = serde_json::Deserializer::from_slice(&output.stdout).into_iter();
    objects.collect::<Result<_, _>>().map_err(|error| error.to_string())
}

pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(flag) => json!(flag),
        Value::Int(number) => json!(number),
        Value::Float(number) => json!(number),
        Value::Str(text) => json!(text),
        Value::List(items) => items.iter().map(to_json).collect(),
        Value::Map(map) => {
            map.iter().map(|(key, value)| (key.to_string(), to_json(value))).collect()
        }
    }
}
