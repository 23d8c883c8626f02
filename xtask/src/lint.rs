//! Format, clippy, licences.

use crate::failure::Failure;
use crate::tally::Tally;
use crate::{licences, workspace};

pub fn run(_: &[String]) -> Result<(), Failure> {
    let tally = checks();
    println!("{} passed, {} failed", tally.passed, tally.failed);
    if tally.failed == 0 { Ok(()) } else { Err(Failure::told()) }
}

pub fn checks() -> Tally {
    let mut tally = Tally::default();
    tally.check("cargo fmt", workspace::show(workspace::cargo().args(["fmt", "--all", "--check"])));
    tally.check(
        "cargo clippy",
        workspace::show(workspace::cargo().args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "--deny",
            "warnings",
        ])),
    );
    tally.check("licences and sources", licences::check());
    tally
}
