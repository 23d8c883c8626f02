//! What is written in a spec is told of every field that follows from it, whoever made the object: a record or
//! code.

use std::fmt::Write as _;

use strata::explain::{Explanation, File, Origin, Source, explain, trace};
use strata::finding::{Findings, Path, Place};
use strata::load::{self, Document};
use strata::object::Object;
use strata::value::Value;
use strata::yaml::tree::{Data, Node};

use crate::drive::Fixture;

/// Some objects of an input, with all that is known of them.
fn traced(
    documents: &[Document],
    is_wanted: &(dyn Fn(&Object) -> bool + Sync),
) -> Vec<Explanation> {
    let options = strata::Options::default();
    let view = |cloud: &strata::resolve::Cloud, plan: &strata::plan::Plan| {
        let mut found = explain(cloud, plan, is_wanted).0;
        trace(&mut found, cloud, documents, is_wanted);
        found
    };
    let (clouds, findings) =
        strata::look(documents, Findings::default(), &options, |cloud, plan, _| view(cloud, plan));
    assert!(!findings.has_errors(), "{findings:#?}");
    clouds.into_iter().flatten().collect()
}

fn read(texts: &[&str]) -> Vec<Document> {
    let source = |(number, text): (usize, &&str)| load::Source {
        name: number.to_string(),
        bytes: text.as_bytes().to_vec(),
    };
    let sources: Vec<load::Source> = texts.iter().enumerate().map(source).collect();
    load::read(&sources, &mut Findings::default())
}

/// Each origin as `layer place source`, as far as it has them, or its reason.
fn told(origins: &[Origin]) -> Vec<String> {
    let source = |source: &Source| match source {
        Source::Record { path, .. } => format!(" {path}"),
        Source::Builder { name, .. } => format!(" {name}"),
    };
    let one = |origin: &Origin| {
        let mut text = origin.layer.name().to_owned();
        if let Some(place) = &origin.written {
            let _ = write!(text, " {}", place.path);
        }
        text += &origin.source.as_ref().map(source).unwrap_or_default();
        if origin.written.is_none() && origin.source.is_none() {
            let _ = write!(text, " {}", origin.why);
        }
        text
    };
    origins.iter().map(one).collect()
}

/// Objects by kind, with the group behind a dot where that is needed, and name.
fn check(texts: &[&str], object: &str, field: &str, expect: &[&str]) {
    let explanation = the(texts, object);
    let field = explanation.fields.iter().find(|it| it.path.to_string() == field).unwrap();
    assert_eq!(told(&field.origins), expect, "{object} {}", field.path);
}

fn the(texts: &[&str], object: &str) -> Explanation {
    let (kind, name) = object.split_once('/').unwrap();
    let is_wanted = |object: &Object| {
        (kind == object.kind() || kind == format!("{}.{}", object.kind(), object.group()))
            && name == object.name()
    };
    let mut found = traced(&read(texts), &is_wanted);
    assert_eq!(found.len(), 1, "{object}");
    found.remove(0)
}

const SPEC: &str = "\
apiVersion: c5c3.io/v1alpha1
kind: ControlPlane
metadata: {name: one, namespace: openstack}
spec:
  secrets: {store: {name: my-store, prefix: clouds}}
  endpoints: {domain: cloud.example.com, gateway: {name: gw, namespace: gws}}
  global: {tls: {issuerRef: {name: le-prod}}}
  services: {nova: {api: {replicas: 9}}}
  identity: {projects: {web: {description: hello}}}
";

#[test]
fn what_builders_make_of_a_setting_is_told() {
    let check = |object, field, expect: &[&str]| check(&[SPEC], object, field, expect);
    check(
        "Certificate/openstack-public-tls",
        "spec.issuerRef.name",
        &["spec spec.global.tls.issuerRef.name", "code route"],
    );
    check(
        "HTTPRoute/nova",
        "spec.parentRefs[0].name",
        &["spec spec.endpoints.gateway.name", "code route"],
    );
    check(
        "Endpoint/nova-public",
        "spec.resource.url",
        &["spec spec.endpoints.domain", "built-in identity.path", "code catalog"],
    );
    check(
        "Project/web",
        "spec.resource.description",
        &["spec spec.identity.projects.web.description", "code accounts"],
    );
    check("Project/web", "metadata.name", &["spec spec.identity.projects.web", "code accounts"]);
    check(
        "PushSecret/nova-db-credentials",
        "spec.secretStoreRefs[0].name",
        &["spec spec.secrets.store.name", "code credential"],
    );
}

/// What it is made of, and what it is there for.
#[test]
fn the_fact_behind_an_object_is_its_own() {
    let facts = |object: &str| match the(&[SPEC], object).maker {
        Source::Builder { fact: Some(fact), .. } => match *fact {
            Source::Record { path, .. } => path.to_string(),
            Source::Builder { .. } => String::new(),
        },
        _ => String::new(),
    };
    assert_eq!(facts("PushSecret/nova-db-credentials"), "databases");
    assert_eq!(facts("PushSecret/nova-metadata-secret"), "secrets.metadata");
    assert_eq!(facts("PushSecret/nova-rabbitmq-credentials"), "queue[0]");
    assert_eq!(facts("Database/nova-api"), "databases[1]");
    assert_eq!(facts("Endpoint/nova-public"), "identity");
    let because = told(&the(&[SPEC], "HTTPRoute/nova").because);
    assert_eq!(because, ["spec spec.endpoints.gateway"]);
}

/// Numbers that builders work out of several settings, and settings that nobody wrote.
#[test]
fn what_follows_from_several_settings_is_told_of_each() {
    let user = the(&[SPEC], "User.k8s.mariadb.com/nova");
    let field = |path: &str| user.fields.iter().find(|it| it.path.to_string() == path).unwrap();
    let connections = told(&field("spec.maxUserConnections").origins);
    for expected in [
        "spec spec.services.nova.api.replicas",
        "built-in what Strata gives where spec.size is not written",
        "built-in what Strata gives where spec.services.nova.api.workers is not written",
        "built-in processes.api.workers",
        "code database",
    ] {
        assert!(connections.iter().any(|told| told == expected), "{expected}: {connections:#?}");
    }
    assert_eq!(told(&field("spec.host").origins), ["code database"]);
}

/// The name of a server is in the record of the server, whoever has a database there.
#[test]
fn what_another_component_provides_is_told_to_be_its_own() {
    for object in ["Database/nova-api", "User.k8s.mariadb.com/nova", "Grant/nova-nova-api"] {
        let explanation = the(&[SPEC], object);
        let name =
            explanation.fields.iter().find(|it| it.path.to_string() == "spec.mariaDbRef.name");
        let sources: Vec<String> = name.unwrap().origins.iter().map(record_of).collect();
        let server = "generators/infrastructure/mariadb.yaml";
        let expected = [format!("{server} provides.ref.name"), format!("{server} name")];
        assert_eq!(sources[..2], expected, "{object}");
        let fact = format!("{:?}", explanation.maker);
        assert!(fact.contains("generators/compute/nova.yaml"), "{object}: {fact}");
    }
}

fn record_of(origin: &Origin) -> String {
    match &origin.source {
        Some(Source::Record { file: File::BuiltIn(file), path, .. }) => format!("{file} {path}"),
        _ => String::new(),
    }
}

const DEFAULTS: &str = "\
apiVersion: strata.c5c3.io/v1alpha1
kind: Defaults
metadata: {name: all, namespace: strata-system}
spec:
  infrastructure: {mariadb: {external: {host: db.example.com, secretName: db-admin}}}
  services:
    keystone:
      labels: {team: infra}
      nodeSelector: {pool: cp}
      extraConfig: {workers: 7}
      overrides: {Keystone: {spec: {podLabels: {tier: gold}}}}
      patches: [{json: [{op: add, path: /spec/podAnnotations, value: {note: some}}]}]
";

const OVER_DEFAULTS: &str = "\
apiVersion: c5c3.io/v1alpha1
kind: ControlPlane
metadata: {name: one, namespace: openstack}
spec: {infrastructure: {mariadb: {external: null}}}
";

#[test]
fn what_defaults_say_is_told_to_be_theirs() {
    for (field, layer, setting) in [
        ("metadata.labels.team", "defaults", "labels.team"),
        ("spec.nodeSelector.pool", "defaults", "nodeSelector.pool"),
        ("spec.workers", "defaults patch", "extraConfig.workers"),
        ("spec.podLabels.tier", "defaults patch", "overrides.Keystone.spec.podLabels.tier"),
        ("spec.podAnnotations.note", "defaults patch", "patches[0].json[0]"),
    ] {
        let expect = format!("{layer} spec.services.keystone.{setting}");
        check(&[DEFAULTS, OVER_DEFAULTS], "Keystone/keystone", field, &[&expect]);
    }
}

/// The name of a cloud stands in no layer but its own.
#[test]
fn names_are_told_where_they_are_written() {
    let keystone = the(&[DEFAULTS, OVER_DEFAULTS], "Keystone/keystone");
    for field in &keystone.fields {
        for origin in told(&field.origins) {
            assert!(!origin.contains("where metadata."), "{}: {origin}", field.path);
        }
    }
}

/// A key with nothing behind it decides as much as any other.
#[test]
fn what_takes_defaults_away_is_told() {
    let keystone = the(&[DEFAULTS, OVER_DEFAULTS], "Keystone/keystone");
    let host = keystone.fields.iter().find(|it| it.path.to_string() == "spec.database.host");
    let told = told(&host.unwrap().origins);
    let expected = "spec spec.infrastructure.mariadb.external";
    assert!(told.iter().any(|told| told == expected), "{told:#?}");
}

/// A text that no record and no other cloud has can only come from where it is written. What is also a name of
/// something, or part of one, is left out: it may show for another reason, and what others refer to cannot be
/// called otherwise by itself.
#[test]
fn a_text_of_a_spec_is_told_wherever_it_shows() {
    let usual = Fixture::named("minimal").render().stream() + &records();
    let usual = usual.replace('_', "-");
    let mut untold = Vec::new();
    let mut count = 0;
    // Every field of a spec is rendered several times over, so that all fixtures would take minutes.
    for fixture in ["production", "external", "bucket", "defaults"].map(Fixture::named) {
        let documents = load::read(&fixture.sources(), &mut Findings::default());
        let (mut texts, mut names) = (Vec::new(), Vec::new());
        for document in documents.iter().filter(|document| !document.title().contains("Component"))
        {
            for part in ["metadata", "spec"] {
                let node = document.root.get(part);
                node.into_iter()
                    .for_each(|node| texts_below(node, &Path::from(part), &mut texts, &mut names));
            }
        }
        texts.retain(|(_, text)| {
            let is_name = names
                .iter()
                .any(|name| name.contains(text.as_str()) || text.starts_with(name.as_str()));
            text.len() > 3 && !is_name && !usual.contains(text.as_str())
        });
        let shows = |value: &str| texts.iter().any(|(_, text)| value.contains(text.as_str()));
        for explanation in traced(&documents, &|object: &Object| holds(object.body(), &shows)) {
            for field in &explanation.fields {
                let Value::Str(value) = &field.value else { continue };
                for (_, text) in texts.iter().filter(|(_, text)| value.contains(text.as_str())) {
                    count += 1;
                    let places = texts.iter().filter(|(_, other)| other.contains(text.as_str()));
                    let places: Vec<&Path> = places.map(|(at, _)| at).collect();
                    if !has_place(&field.origins, &places)
                        && !has_place(&explanation.because, &places)
                    {
                        let (object, told) = (&explanation.object, told(&field.origins));
                        untold.push(format!(
                            "{}: {object} {} has {text}, told: {told:?}",
                            fixture.name, field.path
                        ));
                    }
                }
            }
        }
    }
    assert!(untold.is_empty(), "{untold:#?}");
    assert!(count > 30, "only {count} fields have a text of their spec");
}

fn has_place(origins: &[Origin], places: &[&Path]) -> bool {
    let is_in = |at: &Path, place: &Place| at.steps().starts_with(place.path.steps());
    let written = origins.iter().filter_map(|origin| origin.written.as_ref());
    written.into_iter().any(|place| places.iter().any(|at| is_in(at, place)))
}

fn records() -> String {
    let mut all = String::new();
    for phase in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/generators")).unwrap() {
        for file in std::fs::read_dir(phase.unwrap().path()).unwrap() {
            all += &std::fs::read_to_string(file.unwrap().path()).unwrap();
        }
    }
    all
}

fn texts_below(node: &Node, path: &Path, found: &mut Vec<(Path, String)>, names: &mut Vec<String>) {
    match &node.data {
        Data::Str(text) if path.to_string().starts_with("metadata") => names.push(text.clone()),
        Data::Str(text) => found.push((path.clone(), text.clone())),
        Data::Map(entries) => {
            for (key, node) in entries {
                names.push(key.name.clone());
                texts_below(node, &path.key(&*key.name), found, names);
            }
        }
        Data::List(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, node)| texts_below(node, &path.index(index), found, names));
        }
        _ => {}
    }
}

fn holds(value: &Value, is_it: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::Str(text) => is_it(text),
        Value::Map(map) => map.iter().any(|(_, value)| holds(value, is_it)),
        Value::List(items) => items.iter().any(|value| holds(value, is_it)),
        _ => false,
    }
}
