//! Refreshes the committed files that tests compare with what the code makes, and shows the change.

use std::process::Command;

use crate::failure::Failure;
use crate::workspace;

pub fn crds(_: &[String]) -> Result<(), Failure> {
    // The schema of a ControlPlane is built in from its CRD, and the page of settings follows from that.
    update("generated", "the_crds_are_current")?;
    refresh("generated")
}

pub fn snapshots(_: &[String]) -> Result<(), Failure> {
    // What installs the operator is rendered, too.
    update("install", "the_manifests_are_what_strata_renders")?;
    refresh("golden")
}

/// The test that finds a difference is the one that mends it when `UPDATE` is set.
fn update(test: &str, only: &str) -> Result<(), Failure> {
    let mut cargo = workspace::cargo();
    cargo.args(["test", "--workspace", "--test", test, only]).env("UPDATE", "1");
    workspace::show(&mut cargo)
}

fn refresh(test: &str) -> Result<(), Failure> {
    update(test, "")?;
    let folders = ["--", "crds", "docs", "flux", "snapshots"];
    println!("\nchanged files, to review before they are committed:");
    workspace::show(git().args(["status", "--short"]).args(folders))?;
    workspace::show(git().args(["--no-pager", "diff", "--stat"]).args(folders))
}

fn git() -> Command {
    let mut git = Command::new("git");
    git.current_dir(workspace::root());
    git
}
