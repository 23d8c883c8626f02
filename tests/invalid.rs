//! Every `invalid-*` fixture against its `expected.txt`. `UPDATE=1 cargo test --test invalid` writes
//! them anew: read each before it is committed, it is what a person will see.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;

use std::fs;

use drive::{Fixture, difference, fixtures};
use strata::finding::{Code, Severity};

/// Codes that only an entry can give, and the folder of the tests that show them.
const ELSEWHERE: &[(Code, &str)] = &[
    (Code::Unreadable, "tests/krm"),
    (Code::NeedsOtherDocuments, "tests/krm"),
    (Code::NotAResourceList, "tests/krm"),
    (Code::LeftBehind, "tests/krm"),
    (Code::NoSentinel, "tests/cli"),
    (Code::PlainSecret, "tests/cli"),
    (Code::NotStaged, "tests/cli"),
];

#[test]
fn every_invalid_fixture_gives_the_report_it_expects() {
    let mut differences = Vec::new();
    for fixture in invalid() {
        let expected = fixture.folder.join("expected.txt");
        let report = fixture.render().report();
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&expected, &report).unwrap();
        }
        differences.extend(difference(&expected, &report));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn an_error_leaves_no_object() {
    for fixture in invalid() {
        let outcome = fixture.render().outcome;
        assert_eq!(outcome.findings.has_errors(), outcome.objects.is_empty(), "{}", fixture.name);
    }
}

#[test]
fn every_code_has_a_fixture() {
    let reports: String = invalid()
        .map(|fixture| fs::read_to_string(fixture.folder.join("expected.txt")).unwrap())
        .collect();
    for code in Code::ALL {
        let shown = reports.lines().any(|line| line.starts_with(code.id()));
        let elsewhere = ELSEWHERE.iter().any(|(other, _)| other == code);
        assert_ne!(
            shown,
            elsewhere,
            "{} {code:?}: one fixture, or one line in ELSEWHERE",
            code.id()
        );
    }
}

#[test]
fn codes_without_a_fixture_are_tested_where_it_is_said() {
    for (code, folder) in ELSEWHERE {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let texts: String = fs::read_dir(path)
            .unwrap()
            .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
            .collect();
        let named = texts.contains(code.id()) || texts.contains(&format!("Code::{code:?}"));
        assert!(named, "{folder} does not speak of {} {code:?}", code.id());
    }
}

/// What it means or why, and what to do: that takes more than one sentence, and more words than a title.
#[test]
fn every_text_says_more_than_its_title() {
    for code in Code::ALL {
        let text = code.text();
        let sentences = text.split(['.', ':', ';']).filter(|part| part.len() > 20).count();
        assert!(sentences > 1 && text.len() > 120, "{}: {text}", code.id());
        assert!(text.len() > 2 * code.title().len(), "{}: {text}", code.id());
    }
}

/// A finding without a reason or a remedy leaves a person alone with it.
#[test]
fn every_finding_says_why_and_what_to_do() {
    for fixture in fixtures() {
        for finding in fixture.render().outcome.findings.iter() {
            assert!(!finding.because.is_empty(), "{}: {finding:?}", fixture.name);
            assert!(!finding.remedy.is_empty(), "{}: {finding:?}", fixture.name);
        }
    }
}

#[test]
fn every_invalid_fixture_shows_an_error_or_a_warning_of_its_own() {
    for fixture in invalid() {
        let findings = fixture.render().outcome.findings;
        let usual = |code: Code| matches!(code, Code::NoController);
        let own = findings
            .iter()
            .any(|finding| finding.code.severity() == Severity::Error || !usual(finding.code));
        assert!(
            own || fixture.name == "invalid-unserved",
            "{} shows nothing of its own",
            fixture.name
        );
    }
}

fn invalid() -> impl Iterator<Item = Fixture> {
    fixtures().into_iter().filter(Fixture::is_invalid)
}
