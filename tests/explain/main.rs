//! Every field of every object has an explanation, and the objects that are explained are those
//! that are rendered.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod causes;
#[path = "../drive/mod.rs"]
mod drive;

use std::path::Path as File;

use drive::{Fixture, fixtures};
use strata::catalogue::Catalogue;
use strata::explain::{Explanation, Layer, Source, explain};
use strata::finding::{Findings, Path};
use strata::value::Value;

/// What is explained of a fixture, and the leaves of what it renders to: `Kind ns/name path value`.
fn explained(fixture: &Fixture) -> (Vec<Explanation>, Vec<String>) {
    let mut findings = Findings::default();
    let documents = strata::load::read(&fixture.sources(), &mut findings);
    let (clouds, findings) =
        strata::look(&documents, findings, &strata::Options::default(), |cloud, plan, contents| {
            let mut rendered = Vec::new();
            for made in &contents.objects {
                let object = &made.object;
                let kind = format!("{}.{}", object.kind(), object.group());
                let kind = kind.trim_end_matches('.');
                let id = format!("{kind} {}/{}", object.namespace(), object.name());
                leaves(object.body(), &Path::root(), &mut |path, value| {
                    rendered.push(format!("{} {path} {value:?}", id.replace(" /", " ")));
                });
            }
            (explain(cloud, plan, &|_| true).0, rendered)
        });
    assert!(!findings.has_errors(), "{}", fixture.name);
    let (explanations, rendered): (Vec<_>, Vec<_>) = clouds.into_iter().unzip();
    (explanations.into_iter().flatten().collect(), rendered.into_iter().flatten().collect())
}

fn leaves(value: &Value, path: &Path, visit: &mut dyn FnMut(&Path, &Value)) {
    match value {
        Value::Map(map) if !map.is_empty() => {
            map.iter().for_each(|(key, value)| leaves(value, &path.key(key.as_ref()), visit));
        }
        Value::List(items) if !items.is_empty() => {
            let items = items.iter().enumerate();
            items.for_each(|(index, item)| leaves(item, &path.index(index), visit));
        }
        _ => visit(path, value),
    }
}

fn valid() -> impl Iterator<Item = Fixture> {
    fixtures().into_iter().filter(|fixture| !fixture.is_invalid())
}

#[test]
fn every_field_of_every_fixture_has_an_explanation() {
    let mut unexplained = Vec::new();
    for fixture in valid() {
        for explanation in explained(&fixture).0 {
            for field in &explanation.fields {
                let is_whole = !field.origins.is_empty()
                    && field.origins.iter().all(|origin| !origin.why.is_empty());
                if !is_whole {
                    unexplained
                        .push(format!("{}: {} {}", fixture.name, explanation.object, field.path));
                }
            }
        }
    }
    unexplained.dedup();
    assert!(unexplained.is_empty(), "{unexplained:#?}");
}

/// The explanation makes the objects once more; were they others, it would explain nothing.
#[test]
fn what_is_explained_is_what_is_rendered() {
    for fixture in valid() {
        let (explanations, mut rendered) = explained(&fixture);
        let mut found: Vec<String> = explanations
            .iter()
            .flat_map(|explanation| {
                let object = &explanation.object;
                explanation
                    .fields
                    .iter()
                    .map(move |field| format!("{object} {} {:?}", field.path, field.value))
            })
            .collect();
        found.sort();
        rendered.sort();
        assert_eq!(found.len(), rendered.len(), "{}", fixture.name);
        let different = found.iter().zip(&rendered).find(|(found, rendered)| found != rendered);
        assert_eq!(different, None, "{}", fixture.name);
    }
}

/// A built-in record is named by its file, which people then open.
#[test]
fn the_files_of_built_in_records_are_there() {
    for record in Catalogue::built_in().records() {
        let file = format!("generators/{}/{}.yaml", record.phase.name(), record.component);
        assert!(File::new(env!("CARGO_MANIFEST_DIR")).join(&file).is_file(), "{file}");
    }
}

/// The layers of one field of `fixture`, with where they are written and what they come from.
fn check(fixture: &str, object: &str, field: &str, expect: &[(Layer, &str, &str)]) {
    let (explanations, _) = explained(&Fixture::named(fixture));
    let explanation = explanations.iter().find(|it| it.object == object).unwrap();
    let field = explanation.fields.iter().find(|it| it.path.to_string() == field).unwrap();
    let found: Vec<(Layer, String, String)> = field
        .origins
        .iter()
        .map(|origin| {
            let written = origin.written.as_ref().map(|place| place.path.to_string());
            let source = match &origin.source {
                Some(Source::Record { path, .. }) => path.to_string(),
                Some(Source::Builder { name, .. }) => format!("builder {name}"),
                None => String::new(),
            };
            (origin.layer, written.unwrap_or_default(), source)
        })
        .collect();
    let found: Vec<(Layer, &str, &str)> =
        found.iter().map(|(layer, at, from)| (*layer, at.as_str(), from.as_str())).collect();
    assert_eq!(found, expect, "{object} {}", field.path);
}

#[test]
fn each_layer_is_told() {
    let mariadb = "MariaDB.k8s.mariadb.com openstack/openstack-db";
    let keystone = "Keystone.keystone.openstack.c5c3.io openstack/keystone";
    let spec = "spec.infrastructure.mariadb";
    check(
        "production",
        mariadb,
        "spec.storage.size",
        &[(Layer::Spec, &format!("{spec}.storageSize"), "")],
    );
    check("production", mariadb, "spec.replicas", &[(Layer::Size, "spec.size", "replicas.large")]);
    check(
        "production",
        mariadb,
        "spec.galera.sst",
        &[(Layer::BuiltIn, "", "objects[0].object.spec.galera.sst")],
    );
    check("minimal", mariadb, "spec.replicas", &[(Layer::Size, "", "replicas.medium")]);
    check(
        "minimal",
        mariadb,
        "spec.storage.size",
        &[(Layer::Size, "", "options.storageSize.default")],
    );
    check(
        "production",
        keystone,
        "spec.image.tag",
        &[(Layer::Release, "spec.release", "releases[\"2025.2\"]")],
    );
    check(
        "production",
        keystone,
        "spec.federation.enabled",
        &[(Layer::BuiltIn, "", "options.federation.properties.enabled.default")],
    );
    check(
        "production",
        "User.k8s.mariadb.com openstack/keystone",
        "spec.host",
        &[(Layer::Builder, "", "builder database")],
    );
    check(
        "patched",
        mariadb,
        "spec.galera.replicaThreads",
        &[(Layer::Patch, &format!("{spec}.extraConfig.galera.replicaThreads"), "")],
    );
    check(
        "patched",
        mariadb,
        "spec.tolerations[1].effect",
        &[(Layer::Patch, &format!("{spec}.patches[0].json[3]"), "")],
    );
    check(
        "patched",
        mariadb,
        "spec.nodeSelector[\"node-role.example.com/database\"]",
        &[(Layer::Spec, &format!("{spec}.nodeSelector[\"node-role.example.com/database\"]"), "")],
    );
    check(
        "patched",
        "MaxScale.k8s.mariadb.com openstack/openstack-db-mxs",
        "spec.monitor.interval",
        &[(
            Layer::Patch,
            &format!("{spec}.overrides.MaxScale/openstack-db-mxs.spec.monitor.interval"),
            "",
        )],
    );
    check(
        "patched",
        mariadb,
        "metadata.labels.team",
        &[(Layer::Spec, &format!("{spec}.labels.team"), "")],
    );
    check(
        "patched",
        mariadb,
        "metadata.labels[\"strata.c5c3.io/component\"]",
        &[(Layer::Builder, "", "builder marks")],
    );
}

/// What another component provides is followed into its record.
#[test]
fn what_is_provided_is_followed() {
    check(
        "production",
        "Keystone.keystone.openstack.c5c3.io openstack/keystone",
        "spec.database.port",
        &[
            (Layer::BuiltIn, "", "provides.port"),
            (Layer::BuiltIn, "", "options.external"),
            (Layer::BuiltIn, "", "options.external.properties.port.default"),
            (Layer::BuiltIn, "", "port"),
        ],
    );
}

/// Of two layers that say the same thing, the nearer one is told, in its own words.
#[test]
fn the_layer_of_defaults_is_told() {
    check(
        "defaults",
        "Keystone.keystone.openstack.c5c3.io production/keystone",
        "spec.replicas",
        &[(Layer::Defaults, "spec.openstack.keystone.replicas", "")],
    );
    check(
        "defaults",
        "Horizon.horizon.openstack.c5c3.io openstack-customer-c/horizon",
        "spec.replicas",
        &[(Layer::Defaults, "spec.services.horizon.replicas", "")],
    );
}
