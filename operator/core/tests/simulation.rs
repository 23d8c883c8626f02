//! The core under seeded faults, and with mistakes made on purpose.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::collections::BTreeMap;

use strata_rotation::Faultless;
use strata_rotation::simulate::{Machine, Report, Violation, pairs, schedules};
use strata_rotation::slips::{Mistake, Only};

/// In each of two ranges of seeds: those that the core was written against, and others.
const RANGES: [u64; 2] = [0, 1 << 40];
const PROMISED: u64 = 1_000_000;
const SAMPLE: u64 = 100_000;
/// Some mistakes show only when several things go wrong at once.
const TRIES: u64 = 400_000;

fn on_both_cores(first: u64, seeds: u64) -> Report {
    let half = first + seeds / 2;
    std::thread::scope(|scope| {
        let early = scope.spawn(move || schedules(first..half, &Faultless));
        let mut report = schedules(half..first + seeds, &Faultless);
        report.merge(early.join().unwrap());
        report
    })
}

#[test]
fn no_schedule_breaks_an_invariant() {
    // `cargo xtask test --full` asks for as many as are promised.
    let count = if std::env::var_os("STRATA_FULL").is_some() { PROMISED } else { SAMPLE };
    for first in RANGES {
        let report = on_both_cores(first, count);
        let mut kinds = BTreeMap::new();
        for (seed, violation) in &report.violations {
            let kind = (Machine::of(*seed) as u8, violation.invariant, violation.text.clone());
            kinds.entry(kind).or_insert((0, *seed)).0 += 1;
        }
        assert!(kinds.is_empty(), "(count, seed) of each violation: {kinds:#?}");
        assert!(report.rotations > count, "only {} rotations", report.rotations);
        let Report { schedules, rotations, .. } = report;
        println!("schedules: {schedules} from {first}, rotations: {rotations}, violations: 0");
    }
}

/// Which pairs there are follows from the writes of a run with the first crash alone. Up to its second crash a run is
/// that run, so that both happen in each, without exception.
#[test]
fn no_pair_of_crashes_breaks_an_invariant() {
    for machine in Machine::ALL {
        let report = pairs(machine, &Faultless);
        let Report { schedules, crashes, .. } = report;
        assert!(schedules > 1_000, "{machine:?} has only {schedules} pairs");
        assert_eq!(crashes, 2 * schedules, "{machine:?}: a crash was planned that never came");
        assert_eq!(report.violations, [], "{machine:?}");
        println!("{machine:?}: {schedules} pairs of crashes, and both came in each");
    }
}

/// The first schedule in which a mistake does what matters most of it, or else the first that shows it. An error
/// if it breaks what it should not.
fn caught(mistake: Mistake) -> Result<(u64, Violation), Option<(u64, Violation)>> {
    let mut other = None;
    for first in (0..TRIES).step_by(500) {
        for (seed, violation) in schedules(first..first + 500, &Only(mistake)).violations {
            match mistake.breaks().iter().position(|broken| *broken == violation.invariant) {
                Some(0) => return Ok((seed, violation)),
                Some(_) => _ = other.get_or_insert((seed, violation)),
                None => return Err(Some((seed, violation))),
            }
        }
    }
    other.ok_or(None)
}

/// The table that docs/rotation.md has.
#[test]
fn every_mistake_is_caught() {
    let mut missed = Vec::new();
    let mut rows = String::new();
    for mistake in Mistake::ALL {
        let (name, text) = (mistake.name(), mistake.text());
        match caught(*mistake) {
            Ok((seed, Violation { invariant, .. })) => {
                rows += &format!("| `{name}` | {text} | {invariant} | {seed} |\n");
            }
            Err(otherwise) => missed.push((name, otherwise)),
        }
    }
    println!("{rows}");
    assert!(missed.is_empty(), "not caught, or by what it does not break: {missed:#?}");
    assert!(Mistake::ALL.len() >= 50);
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rotation.md");
    let page = std::fs::read_to_string(page).unwrap_or_default();
    assert!(page.contains(&rows), "docs/rotation.md has another table; it should be:\n{rows}");
}
