//! Parts that come from published Python packages. The machine's own pip settings (index,
//! certificates) are used as they are.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::failure::{Failure, While};
use crate::progress::Line;

const REMEDY: &str = "Python 3.11 or newer with the modules venv and pip must be installed and reach its package \
                      index (see `pip config list`); this is needed once, then the result is cached";

/// What is found under the part's name: the environment's interpreter, which a test asks for a module
/// of it by `-m`. The scripts that pip writes are of no use, since they name the folder they were made
/// in; an interpreter finds its packages from where it stands. It may not write its caches: the folder
/// is sealed, and pip has compiled everything in it.
const LAUNCHER: &str = r#"#!/bin/sh
export PYTHONDONTWRITEBYTECODE=1
exec "$(dirname "$(readlink -f "$0")")/venv/bin/python" "$@"
"#;

/// Packages with the versions of everything that they need.
#[derive(Debug)]
pub struct Packages<'a> {
    pub wanted: Vec<String>,
    /// In the form of `pip freeze`.
    pub constraints: &'a str,
}

/// Installs packages into a virtual environment, with a launcher of the given name beside it.
pub fn build_environment(
    packages: &Packages,
    launcher: &Path,
    room: &Path,
    line: &mut Line,
) -> Result<(), Failure> {
    let environment = launcher.with_file_name("venv");
    python(Command::new("python3").args(["-m", "venv"]).arg(&environment), room, line)?;
    let constraints = room.join("constraints.txt");
    fs::write(&constraints, packages.constraints).while_("writing the constraints")?;
    python(
        Command::new(environment.join("bin/python"))
            .args(["-m", "pip", "install", "--disable-pip-version-check", "--no-input"])
            .arg("--constraint")
            .arg(&constraints)
            .args(&packages.wanted),
        room,
        line,
    )?;
    fs::write(launcher, LAUNCHER)
        .and_then(|()| fs::set_permissions(launcher, Permissions::from_mode(0o755)))
        .while_(format!("writing {}", launcher.display()))
}

fn python(command: &mut Command, room: &Path, line: &mut Line) -> Result<(), Failure> {
    line.watch(command.current_dir(room), room).map(drop).map_err(|failure| failure.remedy(REMEDY))
}
