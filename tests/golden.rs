//! Every valid fixture against `snapshots/`: one applicable file per object, an index, and what
//! Strata had to say. `UPDATE=1 cargo test --test golden` writes them anew for review.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use drive::{Answer, Fixture, Golden, fixtures};
use sha2::{Digest as _, Sha256};
use strata::catalogue::{Catalogue, HYPERVISOR_CLUSTER_SCHEMA, STORAGE_CLUSTER_SCHEMA};
use strata::deliver::{Entry, Rendered, paths};
use strata::schema::Schema;
use strata::yaml::read::read_bytes;
use strata::yaml::tree::{Data, Node};

#[test]
fn every_valid_fixture_renders_to_its_snapshot() {
    let differences: Vec<String> = valid().flat_map(|fixture| compare(&fixture)).collect();
    assert!(
        differences.is_empty(),
        "{}\n`UPDATE=1 cargo test --test golden` writes the snapshots anew",
        differences.join("\n")
    );
}

#[test]
fn every_snapshot_has_its_fixture() {
    let names: BTreeSet<String> = valid().map(|fixture| fixture.name).collect();
    for entry in fs::read_dir(snapshots()).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(names.contains(&name), "snapshots/{name} has no valid fixture");
    }
}

#[test]
fn every_fixture_says_in_one_line_what_is_special() {
    for fixture in fixtures() {
        let readme = fs::read_to_string(fixture.folder.join("README.md"));
        let readme = readme.unwrap_or_else(|_| panic!("{} has no README.md", fixture.name));
        assert_eq!(readme.trim_end().lines().count(), 1, "{}/README.md", fixture.name);
    }
}

/// What every component takes is tried on two of them; `openstack` is another name for `services`
/// and has a fixture of its own.
#[test]
fn everything_that_can_be_written_is_written_in_a_fixture() {
    let schema = Catalogue::built_in().control_plane_schema();
    let mut missing = BTreeSet::new();
    unwritten(&schema, &of_kind("ControlPlane"), "", &mut missing);
    missing.retain(|path| !path.starts_with(".spec.openstack.") && !is_common(path));
    assert!(missing.is_empty(), "write these in the fixture of their component: {missing:#?}");
}

/// Most fields of a claim are a ControlPlane's; those are tried there.
#[test]
fn everything_that_claims_and_pools_say_is_written_in_a_fixture() {
    let claim = Catalogue::built_in().claim_schema();
    let claims = of_kind("OpenStackCluster");
    let moved =
        ["region", "size", "hypervisorClusters", "storageClusters", "services", "cortex", "tls"];
    for field in moved {
        assert!(claim.at(&["spec", field]).is_some(), "a claim has no {field}");
        assert!(
            claims.iter().any(|it| it.get("spec").is_some_and(|spec| spec.get(field).is_some()))
        );
    }
    let mut missing = BTreeSet::new();
    unwritten(&HYPERVISOR_CLUSTER_SCHEMA, &of_kind("HypervisorCluster"), "", &mut missing);
    unwritten(&STORAGE_CLUSTER_SCHEMA, &of_kind("StorageCluster"), "", &mut missing);
    assert!(missing.is_empty(), "write these in the fixture `pools`: {missing:#?}");
}

/// All objects of a kind in the valid fixtures.
fn of_kind(kind: &str) -> Vec<Node> {
    let documents = valid().flat_map(|fixture| documents(&fixture.name));
    documents.filter(|node| node.get("kind").and_then(Node::as_str) == Some(kind)).collect()
}

fn is_common(path: &str) -> bool {
    let tried = [".keystone.", ".mariadb."].iter().any(|component| path.contains(component));
    let common = [
        ".enabled",
        ".distribution",
        ".image",
        ".resources",
        ".replicas",
        ".extraConfig",
        ".patches",
        ".overrides",
        ".labels",
        ".annotations",
        ".affinity",
        ".nodeSelector",
        ".tolerations",
        ".topologySpreadConstraints",
        ".priorityClassName",
        ".imagePullSecrets",
    ];
    !tried && common.iter().any(|setting| path.contains(setting))
}

fn valid() -> impl Iterator<Item = Fixture> {
    fixtures().into_iter().filter(|fixture| !fixture.is_invalid())
}

fn snapshots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots")
}

fn compare(fixture: &Fixture) -> Vec<String> {
    let answer = fixture.render();
    let several = answer.outcome.clouds.len() > 1;
    let mut golden = Golden::new(snapshots().join(&fixture.name));
    for (object, path) in answer.objects().iter().zip(paths(answer.objects())) {
        let folder = if several { format!("{}/", cloud_of(object)) } else { String::new() };
        golden.add(format!("{folder}{path}"), object.yaml.to_string());
    }
    golden.add("index.txt", index(&answer));
    golden.add("findings.txt", answer.report());
    golden.differences()
}

/// The namespace of the cloud an object belongs to; a Namespace is in none itself.
fn cloud_of(object: &Rendered) -> &str {
    if object.namespace.is_empty() { &object.name } else { &object.namespace }
}

/// What there is, in the order it is written, and a hash by which a change shows.
fn index(answer: &Answer) -> String {
    let objects = answer.objects();
    let mut out = String::new();
    for object in objects {
        let id = [&*object.namespace, &*object.name].join("/");
        let id = id.trim_start_matches('/');
        let hash = Sha256::digest(object.yaml.as_bytes());
        let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        let Entry { component, api_version, kind, .. } = &**object;
        writeln!(out, "{component} {api_version} {kind} {id} {hash}").unwrap();
    }
    let count = |of: &dyn Fn(&Rendered) -> String| {
        objects.iter().map(of).collect::<BTreeSet<String>>().len()
    };
    writeln!(
        out,
        "{} objects of {} kinds in {} components of {} clouds",
        objects.len(),
        count(&|object| format!("{} {}", object.api_version, object.kind)),
        count(&|object| format!("{} {}", object.cloud, object.component)),
        answer.outcome.clouds.len()
    )
    .unwrap();
    out
}

fn documents(fixture: &str) -> Vec<Node> {
    let read = |source: strata::load::Source| read_bytes(&source.bytes).documents;
    let documents = Fixture::named(fixture).sources().into_iter().flat_map(read);
    documents.map(|document| document.root).collect()
}

/// Adds the path of every property of the schema that none of the nodes has.
fn unwritten(schema: &Schema, nodes: &[Node], path: &str, missing: &mut BTreeSet<String>) {
    for (name, property) in schema.properties.iter() {
        let path = format!("{path}.{name}");
        let below: Vec<Node> = nodes.iter().filter_map(|node| node.get(name).cloned()).collect();
        if below.is_empty() {
            missing.insert(path.clone());
        }
        unwritten(property, &below, &path, missing);
    }
    if let Some(values) = schema.values.first() {
        let below: Vec<Node> = nodes.iter().flat_map(inner).collect();
        unwritten(values, &below, &format!("{path}[]"), missing);
    }
}

fn inner(node: &Node) -> Vec<Node> {
    match &node.data {
        Data::List(items) => items.clone(),
        Data::Map(entries) => entries.iter().map(|(_, value)| value.clone()).collect(),
        _ => Vec::new(),
    }
}
