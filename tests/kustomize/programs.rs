//! Running the programs, and ours below them.

use super::tools::tool;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const STRATA: &str = env!("CARGO_BIN_EXE_strata");

/// What a program printed.
#[derive(Debug)]
pub struct Printed {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
}

impl Printed {
    #[track_caller]
    pub fn text(self) -> String {
        assert!(self.success, "{}", self.stderr);
        self.stdout
    }
}

pub fn render(paths: &[PathBuf]) -> Printed {
    run(Command::new(STRATA).arg("render").args(paths))
}

/// kustomize, allowed to run functions. Ours is found on the PATH.
pub fn kustomize(folder: &Path) -> Printed {
    run(kustomize_build(folder).arg("--enable-exec"))
}

/// kustomize without that permission.
pub fn kustomize_without_exec(folder: &Path) -> Printed {
    run(&mut kustomize_build(folder))
}

/// kustomize, calling us as a legacy plugin.
pub fn kustomize_with_plugin(folder: &Path) -> Printed {
    let home = plugin_home();
    run(kustomize_build(folder).env("KUSTOMIZE_PLUGIN_HOME", home.path()))
}

/// kubectl, which can call legacy plugins only.
pub fn kubectl(folder: &Path) -> Printed {
    let home = plugin_home();
    let mut command = Command::new(tool("kubectl"));
    command.args(["kustomize", "--enable-alpha-plugins"]).arg(folder);
    run(command.env("KUSTOMIZE_PLUGIN_HOME", home.path()).env("PATH", path_with_strata()))
}

fn kustomize_build(folder: &Path) -> Command {
    let mut command = Command::new(tool("kustomize"));
    command.args(["build", "--enable-alpha-plugins"]).arg(folder).env("PATH", path_with_strata());
    command
}

fn path_with_strata() -> std::ffi::OsString {
    let ours = Path::new(STRATA).parent().unwrap().to_owned();
    let others = env::var_os("PATH").unwrap_or_default();
    env::join_paths(std::iter::once(ours).chain(env::split_paths(&others))).unwrap()
}

fn plugin_home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    for (version, kind) in [
        ("c5c3.io/v1alpha1", "ControlPlane"),
        ("c5c3.io/v1alpha1", "OpenStackCluster"),
        ("strata.c5c3.io/v1alpha1", "Component"),
    ] {
        let folder = home.path().join(version).join(kind.to_lowercase());
        fs::create_dir_all(&folder).unwrap();
        std::os::unix::fs::symlink(STRATA, folder.join(kind)).unwrap();
    }
    home
}

fn run(command: &mut Command) -> Printed {
    let Output { status, stdout, stderr } = command.output().unwrap();
    Printed {
        success: status.success(),
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8(stderr).unwrap(),
    }
}
