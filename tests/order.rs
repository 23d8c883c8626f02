//! Flux waits for each component before it starts the next. What an object names must be made by then,
//! or both would wait for each other and the cloud would never come up.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;

use std::collections::BTreeSet;

use drive::{Fixture, fixtures};
use strata::Options;
use strata::finding::Findings;
use strata::generate::{AWAITED, Contents, Made};
use strata::links::{Makers, references, shown_path};
use strata::load;
use strata::plan::needs;
use strata::resolve::Cloud;

#[test]
fn nothing_waits_for_what_comes_after_it() {
    let mut seen = 0;
    let mut backwards = BTreeSet::new();
    for fixture in fixtures().iter().filter(|fixture| !fixture.is_invalid()) {
        let mut findings = Findings::default();
        let sources = fixture.sources();
        let documents = load::read(&sources, &mut findings);
        let look = |cloud: &Cloud, _: &_, contents: &Contents| links(fixture, cloud, contents);
        let (clouds, _) = strata::look(&documents, findings, &Options::default(), look);
        for (across, wrong) in clouds {
            seen += across;
            backwards.extend(wrong);
        }
    }
    assert!(backwards.is_empty(), "{backwards:#?}");
    assert!(seen > 1000, "only {seen} names lead from one component to another");
}

/// How many names lead from one component to another, and those that lead to a later one.
fn links(fixture: &Fixture, cloud: &Cloud, contents: &Contents) -> (usize, BTreeSet<String>) {
    let makers = Makers::of(&contents.objects);
    let mut backwards = BTreeSet::new();
    let mut across = 0;
    for made in &contents.objects {
        let awaited = made.object.body().at(&["metadata", "annotations", AWAITED]);
        if awaited.is_some_and(|awaited| awaited.as_str() == Some("false"))
            || is_ready_without(made)
        {
            continue;
        }
        references(&made.object, &mut |reference| {
            let Some(maker) = makers.of_reference(&reference) else { return };
            let maker = &contents.objects[maker];
            if maker.component == made.component {
                return;
            }
            across += 1;
            if before(cloud, maker.component).contains(made.component) {
                backwards.insert(format!(
                    "{}: {} {} of {}, {}: {} of {}",
                    fixture.name,
                    made.object.kind(),
                    made.object.name(),
                    made.component,
                    shown_path(reference.path),
                    reference.name,
                    maker.component
                ));
            }
        });
    }
    (across, backwards)
}

/// Flux takes a rotation for ready as soon as there are keys; what it names is read when it rotates.
fn is_ready_without(made: &Made) -> bool {
    made.object.kind() == "CredentialRotation"
}

/// All that is ready before a component starts.
fn before<'a>(cloud: &'a Cloud, component: &str) -> BTreeSet<&'a str> {
    let mut before = BTreeSet::new();
    let mut left: Vec<&str> = vec![component];
    while let Some(name) = left.pop() {
        let Some(component) = cloud.component(name) else { continue };
        for need in needs(cloud, component) {
            if before.insert(need) {
                left.push(need);
            }
        }
    }
    before
}
