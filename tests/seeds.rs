//! `docs/seeds.md` says of every field of the seeds where it is in the output. Each line is held against what its
//! fixture renders to, so that the page cannot grow old.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use drive::{Answer, Fixture};
use strata::catalogue::Catalogue;
use strata::schema::Schema;
use strata::yaml::read::read_bytes;
use strata::yaml::tree::{Data, Node};

/// One line of the page.
struct Row {
    line: usize,
    fixture: String,
    emitted: String,
    why: String,
}

#[test]
fn what_the_page_says_is_emitted() {
    let rows = rows();
    assert!(rows.len() > 150, "only {} lines were read", rows.len());
    let mut answers: BTreeMap<&str, Answer> = BTreeMap::new();
    let mut wrong = Vec::new();
    for row in &rows {
        let answer =
            answers.entry(&row.fixture).or_insert_with(|| Fixture::named(&row.fixture).render());
        if let Err(because) = check(row, answer) {
            wrong.push(format!("docs/seeds.md:{}: {because}", row.line));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_not_emitted_has_a_reason() {
    for row in rows().iter().filter(|row| row.emitted == "nothing") {
        assert!(!row.why.is_empty(), "docs/seeds.md:{} gives no reason", row.line);
    }
}

#[test]
fn a_line_that_is_not_true_is_found() {
    let answer = Fixture::named("seed-001").render();
    let refused = |emitted: &str| {
        let row = Row {
            line: 1,
            fixture: "seed-001".to_owned(),
            emitted: emitted.to_owned(),
            why: String::new(),
        };
        check(&row, &answer).is_err()
    };
    assert!(!refused("`Nova/nova: spec.api.replicas = 3`"));
    assert!(refused("`Nova/nova: spec.api.replicas = 4`"), "another value");
    assert!(refused("`Nova/nova: spec.api.number`"), "no such field");
    assert!(refused("`Nova/other: spec.api.replicas`"), "no such object");
    assert!(refused("`ControlPlane: spec.services.nova.number`"), "no such setting");
    assert!(refused("what it says"), "no object at all");
}

fn rows() -> Vec<Row> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/seeds.md");
    let text = fs::read_to_string(page).unwrap();
    let mut fixture = String::new();
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if let Some(name) = line.strip_prefix("Rendered from `fixtures/") {
            name.trim_end_matches("`.").clone_into(&mut fixture);
        }
        // A bar inside a cell is written `\|`.
        let cells: Vec<String> = line
            .replace("\\|", "\u{1}")
            .split('|')
            .map(|cell| cell.trim().replace('\u{1}', "|"))
            .collect();
        let [_, seed, emitted, why, _] = cells.as_slice() else { continue };
        if !seed.starts_with('`') {
            continue;
        }
        rows.push(Row {
            line: index + 1,
            fixture: fixture.clone(),
            emitted: emitted.clone(),
            why: why.clone(),
        });
    }
    rows
}

/// `` `Kind/name: path = value` ``, `` `ControlPlane: path` `` or `nothing`.
fn check(row: &Row, answer: &Answer) -> Result<(), String> {
    if row.emitted == "nothing" {
        return Ok(());
    }
    let emitted = row.emitted.trim_matches('`');
    let (object, field) = emitted.split_once(": ").ok_or(format!("`{emitted}` names no object"))?;
    let (path, value) = match field.split_once(" = ") {
        Some((path, value)) => (path, Some(value)),
        None => (field, None),
    };
    if object == "ControlPlane" {
        let schema = Catalogue::built_in().control_plane_schema();
        return setting(&schema, path);
    }
    let (kind, name) = object.split_once('/').ok_or(format!("`{object}` is no Kind/name"))?;
    let rendered = answer
        .objects()
        .iter()
        .find(|rendered| rendered.kind == kind && rendered.name == name)
        .ok_or(format!("{} renders no {object}", row.fixture))?;
    let root = read_bytes(rendered.yaml.as_bytes()).documents.remove(0).root;
    let found = path
        .split('.')
        .try_fold(&root, |node, step| below(node, step))
        .ok_or(format!("{object} has no {path}"))?;
    match (value, shown(found)) {
        (Some(value), found) if found != value => {
            Err(format!("{object}: {path} is `{found}` and not `{value}`"))
        }
        _ => Ok(()),
    }
}

fn setting(schema: &Schema, path: &str) -> Result<(), String> {
    let steps: Vec<&str> = path.split('.').collect();
    schema.at(&steps).map(|_| ()).ok_or(format!("a ControlPlane has no {path}"))
}

/// A key of a map, or the place in a list.
fn below<'a>(node: &'a Node, step: &str) -> Option<&'a Node> {
    match (&node.data, step.parse::<usize>()) {
        (Data::List(items), Ok(index)) => items.get(index),
        _ => node.get(step),
    }
}

fn shown(node: &Node) -> String {
    match &node.data {
        Data::Str(text) => text.to_string(),
        Data::Int(number) => number.to_string(),
        Data::Bool(flag) => flag.to_string(),
        _ => String::new(),
    }
}
