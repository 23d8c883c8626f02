//! Where the clone is, and the cargo that started us.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::failure::{Failure, While};

pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Cargo, run in the clone.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs a command with its output shown; any end but success is a failure.
pub fn show(command: &mut Command) -> Result<(), Failure> {
    let status =
        command.status().while_(format!("starting {}", command.get_program().display()))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::new(format!("{command:?} ended with {status}")))
    }
}

pub fn metadata(more: &[&str]) -> Result<Value, Failure> {
    let output = cargo()
        .args(["metadata", "--format-version", "1"])
        .args(more)
        .output()
        .while_("running cargo metadata")?;
    if !output.status.success() {
        return Err(Failure::new(format!(
            "cargo metadata: {}",
            String::from_utf8_lossy(&output.stderr)
        )));
    }
    serde_json::from_slice(&output.stdout).while_("reading cargo metadata")
}

/// The build folder, wherever the user keeps it.
pub fn target_folder() -> Result<PathBuf, Failure> {
    let metadata = metadata(&["--no-deps"])?;
    let path = metadata["target_directory"].as_str();
    path.map(PathBuf::from).ok_or_else(|| Failure::new("cargo metadata names no target_directory"))
}
