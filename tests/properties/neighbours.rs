//! Random clouds beside each other in one cluster.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use strata::finding::Code;
use strata::map;

use crate::inputs::{self, spec_of};
use crate::spec::{self, Document};
use crate::{drive, render};

/// So many pairs whose clouds are sound by themselves.
const PAIRS: usize = 40;

#[test]
fn a_service_of_two_distributions_is_refused_in_one_cluster_and_not_in_two() {
    let clouds = [spec::control_plane("first"), spec::control_plane("second")];
    let mut runner = TestRunner::deterministic();
    let mut pairs = 0;
    while pairs < PAIRS {
        let [first, second] = [&clouds[0], &clouds[1]].map(|cloud| {
            let mut cloud = cloud.new_tree(&mut runner).unwrap().current();
            // Which may lead elsewhere.
            spec_of(&mut cloud).remove("delivery");
            cloud
        });
        let other = inputs::cobaltcore(second.clone());
        let is_sound =
            |cloud: &Document| !render(std::slice::from_ref(cloud)).outcome.findings.has_errors();
        if ![&first, &second, &other].into_iter().all(is_sound) {
            continue;
        }
        pairs += 1;
        let clashes = |neighbour: &Document| clashes(&render(&[first.clone(), neighbour.clone()]));
        assert!(!clashes(&second), "{first:?}{second:?}");
        assert!(clashes(&other), "{first:?}{other:?}");
        assert!(!clashes(&elsewhere(other.clone())), "{first:?}{other:?}");
    }
}

fn clashes(answer: &drive::Answer) -> bool {
    answer.outcome.findings.iter().any(|finding| finding.code == Code::TwoDistributions)
}

/// The same cloud for a cluster of its own.
fn elsewhere(mut cloud: Document) -> Document {
    let way = map! { "secretRef" => map! { "name" => "a-cluster-of-its-own" } };
    inputs::below(spec_of(&mut cloud), "delivery").insert("kubeConfig", way);
    cloud
}
