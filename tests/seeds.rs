//! `docs/seeds.md` says of every field of the seeds where it is in the output. Each line is held against what its
//! fixture renders to, so that the page cannot grow old; and each field of the fixtures that are the seeds' own
//! has a line, so that none is forgotten.

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
    section: String,
    /// The path of the field, and its value if one is given.
    seed: String,
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
            section: String::new(),
            seed: String::new(),
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
    assert!(refused("`Nova/nova: spec.api.replicas`"), "no value");
    assert!(!refused("`Neutron/neutron: spec.ml2.typeDrivers = [geneve, vlan, flat]`"));
    assert!(refused("`Neutron/neutron: spec.ml2.typeDrivers = [geneve, vlan]`"), "another list");
    assert!(!refused("`Neutron/neutron: spec.ml2.typeDrivers has vlan`"));
    assert!(refused("`Neutron/neutron: spec.ml2.typeDrivers has vxlan`"), "no such item");
    let text = "RabbitmqCluster/openstack-rabbitmq: spec.rabbitmq.additionalConfig";
    assert!(refused(&format!("`{text} has pause_majority`")), "no such line");
}

/// The fixtures that are the seeds' own, and the section that is about each.
const SEEDS: &[(&str, &str, &str)] = &[
    ("seed-001", "controlplane.yaml", "ControlPlane"),
    ("seed-004", "controlplane.yaml", "ControlPlane with pools"),
    ("claim", "claims.yaml", "OpenStackCluster, the claim"),
];

#[test]
fn every_field_of_a_seed_has_a_line_that_is_true() {
    let rows = rows();
    let mut wrong = Vec::new();
    for (fixture, file, section) in SEEDS {
        let path = Fixture::named(fixture).folder.join(file);
        let mut fields = Vec::new();
        for document in read_bytes(&fs::read(path).unwrap()).documents {
            leaves(&document.root, "", &mut fields);
        }
        let own: Vec<&Row> = rows.iter().filter(|row| row.section == *section).collect();
        let path_of = |row: &Row| row.seed.split(": ").next().unwrap().to_owned();
        for (field, _) in &fields {
            let speaks = |row: &&&Row| {
                let path = path_of(row);
                field == &path || field.starts_with(&format!("{path}."))
            };
            if !own.iter().any(|row| speaks(&row)) {
                wrong.push(format!("{fixture}: {field} has no line under `{section}`"));
            }
        }
        for row in own {
            let path = path_of(row);
            let there = fields
                .iter()
                .filter(|(field, _)| field == &path || field.starts_with(&format!("{path}.")));
            let there: Vec<&str> = there.map(|(_, value)| value.as_str()).collect();
            let said = row.seed.split_once(": ").map(|(_, value)| value.trim_matches('"'));
            if there.is_empty() || said.is_some_and(|said| !there.contains(&said)) {
                wrong.push(format!("docs/seeds.md:{}: the seed says {there:?}", row.line));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every field that holds a value or a list, but for what makes an object one of its kind.
fn leaves(node: &Node, path: &str, found: &mut Vec<(String, String)>) {
    let Data::Map(entries) = &node.data else {
        found.push((path.to_owned(), shown(node)));
        return;
    };
    for (key, value) in entries {
        if !(path.is_empty() && ["apiVersion", "kind"].contains(&key.name.as_str())) {
            let below =
                if path.is_empty() { key.name.clone() } else { format!("{path}.{}", key.name) };
            leaves(value, &below, found);
        }
    }
}

fn rows() -> Vec<Row> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/seeds.md");
    let text = fs::read_to_string(page).unwrap();
    let (mut section, mut fixture) = (String::new(), String::new());
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if let Some(title) = line.strip_prefix("## ") {
            title.clone_into(&mut section);
        }
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
            section: section.clone(),
            seed: seed.trim_matches('`').to_owned(),
            fixture: fixture.clone(),
            emitted: emitted.clone(),
            why: why.clone(),
        });
    }
    rows
}

/// `` `Kind/name: path = value` ``, `` `Kind/name: path has part` ``, `` `ControlPlane: path` `` or `nothing`.
fn check(row: &Row, answer: &Answer) -> Result<(), String> {
    if row.emitted == "nothing" {
        return Ok(());
    }
    let emitted = row.emitted.trim_matches('`');
    let (object, field) = emitted.split_once(": ").ok_or(format!("`{emitted}` names no object"))?;
    if object == "ControlPlane" {
        let schema = Catalogue::built_in().control_plane_schema();
        return setting(&schema, field);
    }
    let (path, said) = match (field.split_once(" has "), field.split_once(" = ")) {
        (Some((path, part)), _) => (path, Said::Has(part)),
        (None, Some((path, value))) => (path, Said::Is(value)),
        (None, None) => return Err(format!("`{emitted}` does not say what is there")),
    };
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
    match said {
        Said::Is(value) if shown(found) != value => {
            Err(format!("{object}: {path} is `{}` and not `{value}`", shown(found)))
        }
        Said::Has(part) if !has(found, part) => {
            Err(format!("{object}: {path} is `{}` and has no `{part}`", shown(found)))
        }
        _ => Ok(()),
    }
}

enum Said<'a> {
    Is(&'a str),
    Has(&'a str),
}

/// A key of a map, an item of a list, or a part of a text.
fn has(node: &Node, part: &str) -> bool {
    match &node.data {
        Data::Map(_) => node.get(part).is_some(),
        Data::List(items) => items.iter().any(|item| shown(item) == part),
        _ => shown(node).contains(part),
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
        Data::Float(number) => number.to_string(),
        Data::List(items) => {
            format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", "))
        }
        Data::Map(_) | Data::Null => String::new(),
    }
}
