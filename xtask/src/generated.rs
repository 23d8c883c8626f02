//! Refreshes the committed files that tests compare with what the code makes, and shows the change.

use std::process::Command;

use crate::failure::Failure;
use crate::workspace;

pub fn crds(_: &[String]) -> Result<(), Failure> {
    refresh("generated")
}

pub fn snapshots(_: &[String]) -> Result<(), Failure> {
    refresh("golden")
}

/// The test that finds a difference is the one that mends it when `UPDATE` is set.
fn refresh(test: &str) -> Result<(), Failure> {
    workspace::show(
        workspace::cargo().args(["test", "--workspace", "--test", test]).env("UPDATE", "1"),
    )?;
    let folders = ["--", "crds", "snapshots"];
    println!("\nchanged files, to review before they are committed:");
    workspace::show(git().args(["status", "--short"]).args(folders))?;
    workspace::show(git().args(["--no-pager", "diff", "--stat"]).args(folders))
}

fn git() -> Command {
    let mut git = Command::new("git");
    git.current_dir(workspace::root());
    git
}
