//! The KRM function: what comes back for what was handed over. `processes` and
//! `pipeline` run the program, all else drives the pure function.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod inputs;
mod own;
mod passing;
mod pipeline;
mod processes;
mod refused;
mod results;

use strata::finding::Code;
use strata::resource_list::{Answer, function};
use strata::value::Value;
use strata::yaml::read::read;

const CONTROL_PLANE: &str = "\
apiVersion: c5c3.io/v1alpha1
kind: ControlPlane
metadata:
  name: cp
  namespace: openstack
spec: {}
";

/// A list as Go's YAML writes it: items at the left, each text behind a dash.
fn list(config: &str, items: &[&str]) -> String {
    let mut text = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n".to_owned();
    text.push_str("items:");
    text.push_str(if items.is_empty() { " []\n" } else { "\n" });
    for item in items {
        text.push_str(&format!("- {}\n", item.trim_end().replace('\n', "\n  ")));
    }
    if !config.is_empty() {
        text.push_str(&format!("functionConfig:\n  {}\n", config.trim_end().replace('\n', "\n  ")));
    }
    text
}

/// Adds annotations to an object that has `metadata:` in a line of its own.
fn annotated(object: &str, annotations: &[(&str, &str)]) -> String {
    let mut lines = "metadata:\n  annotations:\n".to_owned();
    for (key, value) in annotations {
        lines.push_str(&format!("    {key}: '{value}'\n"));
    }
    object.replacen("metadata:\n", &lines, 1)
}

fn in_file(object: &str, path: &str) -> String {
    annotated(
        object,
        &[
            ("config.kubernetes.io/path", path),
            ("internal.config.kubernetes.io/path", path),
            ("internal.config.kubernetes.io/index", "0"),
        ],
    )
}

fn config_map(name: &str) -> String {
    format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\ndata: {{a: b}}\n")
}

/// What comes back; errors fail the test.
#[track_caller]
fn answer(input: &str) -> String {
    let Answer { text, findings } = function(input.as_bytes());
    assert!(!findings.has_errors(), "{}", strata::report::plain::plain(&findings));
    text
}

#[track_caller]
fn check_refused(input: &str, code: Code, because: &str) {
    let Answer { text, findings } = function(input.as_bytes());
    let said = strata::report::plain::plain(&findings);
    assert_eq!(text, "", "an output beside an error");
    let found = findings.iter().find(|finding| finding.code == code);
    let found = found.unwrap_or_else(|| panic!("no {} in:\n{said}", code.id()));
    assert!(found.because.contains(because), "{said}");
    assert!(!found.remedy.is_empty(), "{said}");
}

fn parse(text: &str) -> Value {
    let mut reading = read(text);
    assert_eq!(reading.faults, [], "{text}");
    assert_eq!(reading.documents.len(), 1);
    reading.documents.remove(0).root.into()
}

fn items(text: &str) -> Vec<Value> {
    parse(text).at(&["items"]).unwrap().as_list().unwrap().to_vec()
}

fn field<'v>(object: &'v Value, path: &[&str]) -> &'v str {
    object.at(path).and_then(Value::as_str).unwrap_or_default()
}

/// `Kind name` of each item, in order.
fn names(text: &str) -> Vec<String> {
    let name =
        |item: &Value| format!("{} {}", field(item, &["kind"]), field(item, &["metadata", "name"]));
    items(text).iter().map(name).collect()
}

/// The items as documents, the way `render` prints them.
fn stream(text: &str) -> String {
    let document = |item: &Value| {
        let mut out = String::new();
        strata::yaml::write::write(item, &mut out);
        out
    };
    items(text).iter().map(document).collect::<Vec<_>>().join("---\n")
}

fn rendered(control_plane: &str) -> String {
    let source = strata::load::Source { name: "cp".into(), bytes: control_plane.into() };
    let mut findings = strata::finding::Findings::default();
    let documents = strata::load::read(&[source], &mut findings);
    let outcome = strata::render(&documents, findings, &strata::Options::default());
    assert!(!outcome.objects.is_empty());
    strata::deliver::stream(&outcome.objects)
}
