//! The page of the distribution cobaltcore has a spec to start from: it renders, and says no more than it must.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod drive;

use drive::{Answer, render};
use strata::finding::Code;

const PAGE: &str = include_str!("../docs/cobaltcore.md");

fn page() -> Answer {
    let block = PAGE.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next());
    render(&[("page.yaml", block.unwrap())])
}

#[test]
fn the_spec_of_the_page_renders_what_the_distribution_has() {
    let page = page();
    assert_eq!(page.outcome.clouds, ["openstack/cobalt"], "{}", page.report());
    for kind in ["Keystone", "Glance", "Placement", "Horizon"] {
        assert!(page.outcome.objects.iter().any(|object| object.kind == kind), "no {kind}");
    }
}

/// One cause is one finding, however many operators it is true of.
#[test]
fn the_spec_of_the_page_gives_the_one_warning_that_it_speaks_of() {
    let page = page();
    let codes: Vec<Code> = page.outcome.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::FloatingTag], "{}", page.report());
    let finding = page.outcome.findings.iter().next().unwrap();
    for operator in ["keystone", "glance", "placement", "horizon"] {
        let operator = format!("{operator}-operator");
        assert!(finding.because.contains(&operator), "{}", finding.because);
    }
}
