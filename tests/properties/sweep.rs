//! A thousand clouds, the same on every run: sound if their spec is, refused with a place if it is
//! not. What the specs cover of components and settings is counted, so that a sweep over little
//! cannot pass for one over much.

use std::collections::BTreeSet;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use strata::catalogue::Catalogue;
use strata::finding::{Findings, Severity};
use strata::load::Source;
use strata::schema::{Kind, Schema};
use strata::value::Value;
use strata::{Options, links};

use crate::drive::{self, Answer};
use crate::inputs::{Input, Tally};
use crate::references::Outside;
use crate::shuffle::Random;
use crate::spec::Document;
use crate::{broken, inputs, invariants, own_crds, shuffle, spec, written};

const SPECS: usize = 1000;
/// The least share of components and of settings that the specs must have used.
const LEAST: usize = 90;

#[test]
fn a_thousand_specs_give_sound_clouds() {
    let mut seen = Seen::default();
    // Rules of components refuse some of what the schema allows.
    let mut refused = 0;
    for (number, input) in inputs::inputs().enumerate() {
        if seen.specs == SPECS {
            break;
        }
        let text = input.text();
        let answer = drive::render(&[("controlplane.yaml", &text)]);
        if answer.outcome.findings.has_errors() {
            refused += 1;
            assert!(refused <= SPECS / 2, "too many are refused:\n{}", answer.report());
            continue;
        }
        invariants::check(&answer, &external(&[("controlplane.yaml", &text)]));
        // Every tenth: the order of two clouds and a record is tried by a test of its own.
        if number % 10 == 0 {
            let files = shuffle::files(&input.documents, number as u64);
            let files: Vec<(&str, &str)> =
                files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            assert!(drive::render(&files).stream() == answer.stream(), "the order shows:\n{text}");
        }
        seen.add(&input, &answer);
    }
    eprintln!("{refused} more specs were refused by rules of components");
    seen.report();
}

#[test]
fn a_thousand_broken_specs_are_refused_where_they_are_broken() {
    let catalogue = Catalogue::built_in();
    let schema = catalogue.control_plane_schema();
    let mut random = Random::new(1);
    let mut ways = vec![0; broken::WAYS.len()];
    for Document(mut body) in specs().take(SPECS) {
        let (way, place) = broken::break_one(&mut body, &schema, &mut random);
        ways[way] += 1;
        let text = written(&body);
        let answer = drive::render(&[("controlplane.yaml", &text)]);
        let what = broken::WAYS[way];
        assert!(answer.outcome.objects.is_empty(), "{what} at {place} renders:\n{text}");
        let errors: Vec<_> = answer
            .outcome
            .findings
            .iter()
            .filter(|finding| finding.code.severity() == Severity::Error)
            .collect();
        assert!(!errors.is_empty(), "{what} at {place} is no finding:\n{text}");
        for error in errors {
            let placed = error.place.source.is_some() && error.place.span.is_some();
            assert!(placed, "{what} at {place}: {error:?}");
            assert!(!error.because.is_empty() && !error.remedy.is_empty(), "{error:?}");
        }
    }
    for (way, count) in broken::WAYS.iter().zip(ways) {
        eprintln!("{count} specs with: {way}");
        assert!(count >= SPECS / 100, "only {count} specs have: {way}");
    }
}

#[test]
fn every_fixture_gives_a_sound_cloud() {
    let mut count = 0;
    for fixture in drive::fixtures().into_iter().filter(|fixture| !fixture.is_invalid()) {
        let sources = fixture.sources();
        invariants::check(&fixture.render(), &external_of(&sources));
        count += 1;
    }
    assert!(count >= 8, "only {count} fixtures");
}

fn specs() -> impl Iterator<Item = Document> {
    let strategy = spec::control_plane("production");
    // Seeded by itself, so that a failure here is the same everywhere.
    let mut runner = TestRunner::deterministic();
    std::iter::from_fn(move || Some(strategy.new_tree(&mut runner).unwrap().current()))
}

/// Kind and name of all that the clouds declare to lie outside. On the way, their objects are held against
/// our CRDs.
fn external(files: &[(&str, &str)]) -> Vec<Outside> {
    let source = |(name, text): &(&str, &str)| Source {
        name: (*name).to_owned(),
        bytes: text.as_bytes().to_vec(),
    };
    external_of(&files.iter().map(source).collect::<Vec<_>>())
}

fn external_of(sources: &[Source]) -> Vec<Outside> {
    let mut findings = Findings::default();
    let documents = strata::load::read(sources, &mut findings);
    let declared = |external: &links::External| (external.kind.clone(), external.name.clone());
    let (clouds, _) =
        strata::look(&documents, findings, &Options::default(), |cloud, _, contents| {
            assert_eq!(own_crds::faults(cloud, contents), Vec::<String>::new());
            contents.external.iter().map(declared).collect::<Vec<_>>()
        });
    clouds.concat()
}

/// What the valid specs had in them.
#[derive(Default)]
struct Seen {
    specs: usize,
    objects: usize,
    components: BTreeSet<String>,
    settings: BTreeSet<String>,
    tally: Tally,
}

impl Seen {
    fn add(&mut self, input: &Input, answer: &Answer) {
        self.tally.add(input);
        self.specs += 1;
        self.objects += answer.objects().len();
        self.components.extend(answer.objects().iter().map(|object| object.component.to_string()));
        written_settings(&input.cloud().0, "", &mut self.settings);
    }

    fn report(&self) {
        let catalogue = Catalogue::built_in();
        let all: BTreeSet<String> =
            catalogue.records().map(|record| record.component.to_string()).collect();
        let mut settings = BTreeSet::new();
        known_settings(&catalogue.control_plane_schema(), "", &mut settings);
        let share = |what: &str, seen: &BTreeSet<String>, all: &BTreeSet<String>| {
            let missing: Vec<&String> = all.difference(seen).collect();
            let share = 100 * (all.len() - missing.len()) / all.len();
            eprintln!("{share} % of {} {what}; never: {missing:?}", all.len());
            assert!(share >= LEAST, "only {share} % of the {what}");
        };
        eprintln!("{} valid specs, {} objects", self.specs, self.objects);
        assert_eq!(self.specs, SPECS);
        self.tally.report();
        share("components", &self.components, &all);
        share("settings", &self.settings, &settings);
    }
}

fn written_settings(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Map(map) => {
            for (key, value) in map.iter() {
                let path = format!("{path}.{key}");
                written_settings(value, &path, found);
                found.insert(path);
            }
        }
        Value::List(items) => items.iter().for_each(|item| written_settings(item, path, found)),
        _ => {}
    }
}

/// Every field that the schema names, below lists too.
fn known_settings(schema: &Schema, path: &str, found: &mut BTreeSet<String>) {
    for (name, property) in schema.properties.iter() {
        let path = format!("{path}.{name}");
        // What can be said in a patch is tried by the tests of patches.
        if name != "patches" {
            known_settings(property, &path, found);
        }
        found.insert(path);
    }
    if schema.kind == Kind::Array {
        schema.values.iter().for_each(|items| known_settings(items, path, found));
    }
}
