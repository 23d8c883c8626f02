//! Turns the generator records into static data, so that the program parses no YAML at start but
//! the user's. The modules that read and check records are the program's own, compiled into this
//! script as well: what is refused at run time is refused here.

// Cargo listens to a build script on standard output.
#![allow(clippy::print_stdout)]

#[allow(dead_code, unused_imports)]
#[path = "../src/finding/mod.rs"]
mod finding;
#[allow(dead_code, unused_imports)]
#[path = "../src/record/mod.rs"]
mod record;
#[allow(dead_code, unused_imports)]
#[path = "../src/schema/mod.rs"]
mod schema;
mod statics;
#[allow(dead_code, unused_imports)]
#[path = "../src/value.rs"]
mod value;
#[allow(dead_code, unused_imports)]
#[path = "../src/yaml/mod.rs"]
mod yaml;

use std::path::{Path, PathBuf};
use std::{env, fs, process};

use finding::{Findings, Severity};
use record::Record;
use schema::Schema;
use statics::Static;
use yaml::tree::Node;

const RECORDS: &str = "generators";
const RECORD_SCHEMA: &str = "src/record/schema.yaml";
const CONTROL_PLANE_CRD: &str = "crds/c5c3.io_controlplanes.yaml";
const HYPERVISORS_CRD: &str = "crds/crossplane.c5c3.io_hypervisorclusters.yaml";
const STORAGE_CRD: &str = "crds/crossplane.c5c3.io_storageclusters.yaml";
/// Where a CRD has its schema.
const IN_CRD: &[&str] = &["spec", "versions", "0", "schema", "openAPIV3Schema"];

fn main() {
    for input in ["build", RECORDS, RECORD_SCHEMA, CONTROL_PLANE_CRD, HYPERVISORS_CRD, STORAGE_CRD]
    {
        println!("cargo::rerun-if-changed={input}");
    }
    settle_addresses();
    if let Err(messages) = build() {
        for message in messages {
            println!("cargo::error={message}");
        }
        process::exit(1);
    }
}

/// The records are a megabyte of data that points to itself. In a program that may be loaded anywhere, each start writes
/// all of those addresses, and so copies each of their 266 pages: a tenth of the time that a cloud takes.
fn settle_addresses() {
    let is = |variable: &str, value: &str| env::var(variable).is_ok_and(|is| is == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

fn build() -> Result<(), Vec<String>> {
    let record_schema = own_schema(RECORD_SCHEMA, &[])?;
    let records = records(&record_schema)?;
    // The types behind the CRD and the records behind its `services` change apart from each other:
    // grafting here keeps the schema current before the committed CRD is refreshed.
    let mut control_plane = own_schema(CONTROL_PLANE_CRD, IN_CRD)?;
    record::graft(&mut control_plane, records.iter());
    let mut hypervisors = own_schema(HYPERVISORS_CRD, IN_CRD)?;
    let mut storage = own_schema(STORAGE_CRD, IN_CRD)?;
    record::complete_object(&mut hypervisors);
    record::complete_object(&mut storage);

    let mut out = String::new();
    statics::item(&mut out, "RECORDS", "&[Record]", &|out| {
        out.push('&');
        records.as_slice().write(out);
    });
    statics::item(&mut out, "RECORD_SCHEMA", "Schema", &|out| record_schema.write(out));
    statics::item(&mut out, "CONTROL_PLANE_SCHEMA", "Schema", &|out| control_plane.write(out));
    statics::item(&mut out, "HYPERVISOR_CLUSTER_SCHEMA", "Schema", &|out| hypervisors.write(out));
    statics::item(&mut out, "STORAGE_CLUSTER_SCHEMA", "Schema", &|out| storage.write(out));
    let target = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("catalogue.rs");
    fs::write(&target, out).map_err(|error| vec![format!("{}: {error}", target.display())])
}

fn records(record_schema: &Schema) -> Result<Vec<Record>, Vec<String>> {
    let mut files = Vec::new();
    collect(Path::new(RECORDS), &mut files);
    files.sort();
    let mut findings = Findings::default();
    let mut records = Vec::new();
    for (source, file) in files.iter().enumerate() {
        let node = read(file)?;
        records.extend(record::decode(&node, record_schema, Some(source), &mut findings));
    }
    record::check(records.iter(), &mut findings);
    let errors: Vec<String> = findings
        .iter()
        .filter(|finding| finding.code.severity() == Severity::Error)
        .map(|finding| {
            let file = finding
                .place
                .source
                .and_then(|source| files.get(source))
                .cloned()
                .unwrap_or_default();
            let text = fs::read_to_string(&file).unwrap_or_default();
            let offset = finding.place.span.map_or(0, |span| span.start);
            let (line, column) = yaml::place::line_column(&text, offset);
            let file = file.display();
            format!("{file}:{line}:{column}: {}; {}", finding.because, finding.remedy)
        })
        .collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    for record in &mut records {
        record.source = None;
    }
    Ok(records)
}

/// A schema that the repository itself holds, at a path inside a file.
fn own_schema(file: &str, path: &[&str]) -> Result<Schema, Vec<String>> {
    let root = read(Path::new(file))?;
    let mut node = &root;
    for step in path {
        let next = match (&node.data, step.parse::<usize>()) {
            (yaml::tree::Data::List(items), Ok(index)) => items.get(index),
            _ => node.get(step),
        };
        node = next.ok_or_else(|| vec![format!("{file}: there is no `{step}`")])?;
    }
    let mut faults = Vec::new();
    let schema = schema::decode(node, &mut faults);
    if faults.is_empty() {
        return Ok(schema);
    }
    Err(faults.iter().map(|fault| format!("{file}: {}; {}", fault.because, fault.remedy)).collect())
}

fn read(file: &Path) -> Result<Node, Vec<String>> {
    let shown = file.display();
    let text = fs::read_to_string(file).map_err(|error| vec![format!("{shown}: {error}")])?;
    let reading = yaml::read::read(&text);
    if let Some(fault) = reading.faults.first() {
        let (line, column) = yaml::place::line_column(&text, fault.at.start);
        return Err(vec![format!("{shown}:{line}:{column}: {}", fault.message)]);
    }
    let mut documents = reading.documents.into_iter();
    match (documents.next(), documents.next()) {
        (Some(document), None) => Ok(document.root),
        _ => Err(vec![format!("{shown}: expected one document")]),
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
}
