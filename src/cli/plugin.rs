//! `strata plugin`: the legacy exec plugin, by which `kubectl kustomize` and older kustomize run
//! us: neither can run a KRM function from the disk.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use crate::cli::files;
use crate::cli::stop::{Failure, Stop};
use crate::cli::terminal::Terminal;

/// Where kustomize looks below its plugin home: group, version, kind in small letters, kind. Of our
/// kinds, these two are clouds by themselves.
const PLACES: [&str; 2] = [
    "c5c3.io/v1alpha1/controlplane/ControlPlane",
    "c5c3.io/v1alpha1/openstackcluster/OpenStackCluster",
];

/// Manage the plugin for kubectl and older kustomize
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  strata plugin install")]
pub struct Plugin {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Install(Install),
}

/// Install this program as a plugin of kubectl and kustomize
///
/// The plugin home is $KUSTOMIZE_PLUGIN_HOME, else $XDG_CONFIG_HOME/kustomize/plugin, else
/// ~/.config/kustomize/plugin.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  strata plugin install
  kubectl kustomize --enable-alpha-plugins my-cloud

The ControlPlane or OpenStackCluster must not carry the annotation config.kubernetes.io/function then: kubectl would
skip it without a word.")]
struct Install {
    /// Another plugin home
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Plugin {
    pub fn run(self, terminal: &Terminal) -> Result<(), Stop> {
        let Action::Install(install) = self.action;
        install.run(terminal)
    }
}

impl Install {
    fn run(self, terminal: &Terminal) -> Result<(), Stop> {
        let home = self.dir.or_else(plugin_home).ok_or_else(|| {
            Failure::new(
                "there is no plugin home: neither KUSTOMIZE_PLUGIN_HOME nor HOME is set",
                "name the folder with --dir",
            )
        })?;
        let places = PLACES.map(|place| home.join(place));
        for place in &places {
            install(place)?;
        }
        let shown = places.each_ref().map(|place| place.display().to_string());
        terminal.tell(&format!(
            "installed as {}\nnow `kubectl kustomize --enable-alpha-plugins DIR` can render",
            shown.join("\n         and ")
        ));
        Ok(())
    }
}

fn install(place: &Path) -> Result<(), Stop> {
    let own = env::current_exe().and_then(File::open);
    let mut own = own.map_err(|error| {
        Failure::new(format!("cannot read this program itself: {error}"), "run it by its path")
    })?;
    place.parent().map_or(Ok(()), files::create_folder)?;
    // Replaced by renaming: a kustomize that runs the old one right now goes on doing so.
    files::replace(place, |file| {
        io::copy(&mut own, file)?;
        make_executable(file)
    })?;
    Ok(())
}

fn plugin_home() -> Option<PathBuf> {
    let folder =
        |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    folder("KUSTOMIZE_PLUGIN_HOME").or_else(|| {
        let config = folder("XDG_CONFIG_HOME").or_else(|| Some(env::home_dir()?.join(".config")));
        Some(config?.join("kustomize/plugin"))
    })
}

#[cfg(unix)]
fn make_executable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_file: &File) -> io::Result<()> {
    Ok(())
}
