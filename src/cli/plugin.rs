//! `strata plugin`: this program at home in others. kubectl and flux run what is called after them;
//! kubectl's and older kustomize's own builds run a legacy exec plugin, since neither can run a KRM
//! function from the disk.

use std::env;
use std::fs::File;
use std::io;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::cli::files;
use crate::cli::stop::{Failure, Stop};
use crate::cli::terminal::Terminal;

/// Manage how kubectl, flux and kustomize find this program
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

/// Install this program as a plugin of kustomize, kubectl or flux
///
/// For kustomize, and what is built into kubectl, the plugin home is $KUSTOMIZE_PLUGIN_HOME, else
/// $XDG_CONFIG_HOME/kustomize/plugin, else ~/.config/kustomize/plugin. `kubectl strata` is a program on
/// the PATH, put into ~/.local/bin; `flux strata` one in ~/.fluxcd/plugins.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  strata plugin install
  kubectl kustomize --enable-alpha-plugins my-cloud
  strata plugin install kubectl flux
  kubectl strata validate my-cloud

The ControlPlane or OpenStackCluster must not carry the annotation config.kubernetes.io/function
then: kubectl's own kustomize would skip it without a word.")]
struct Install {
    /// Into which program
    #[arg(default_value = "kustomize", value_name = "PROGRAM")]
    hosts: Vec<Host>,
    /// Another folder than the usual one
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Host {
    /// The plugin that `kubectl kustomize` and older kustomize run
    Kustomize,
    /// `kubectl strata`
    Kubectl,
    /// `flux strata`
    Flux,
}

impl Host {
    /// What is put below its folder: copies of this program.
    fn places(self) -> &'static [&'static str] {
        match self {
            // Group, version, kind in small letters, kind. Of our kinds, these two are clouds by
            // themselves.
            Host::Kustomize => &[
                "c5c3.io/v1alpha1/controlplane/ControlPlane",
                "c5c3.io/v1alpha1/openstackcluster/OpenStackCluster",
            ],
            // The second completes the words behind `kubectl strata`.
            Host::Kubectl => &["kubectl-strata", "kubectl_complete-strata"],
            Host::Flux => &["flux-strata"],
        }
    }

    fn folder(self) -> Option<PathBuf> {
        let folder =
            |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        match self {
            Host::Kustomize => folder("KUSTOMIZE_PLUGIN_HOME").or_else(|| {
                let config =
                    folder("XDG_CONFIG_HOME").or_else(|| Some(env::home_dir()?.join(".config")));
                Some(config?.join("kustomize/plugin"))
            }),
            Host::Kubectl => Some(env::home_dir()?.join(".local/bin")),
            Host::Flux => Some(env::home_dir()?.join(".fluxcd/plugins")),
        }
    }

    fn then(self) -> &'static str {
        match self {
            Host::Kustomize => "now `kubectl kustomize --enable-alpha-plugins DIR` can render",
            Host::Kubectl => "with this folder on the PATH, `kubectl strata` runs",
            Host::Flux => "now `flux strata` runs",
        }
    }
}

impl Plugin {
    pub fn run(self, terminal: &Terminal) -> Result<(), Stop> {
        let Action::Install(install) = self.action;
        install.hosts.iter().try_for_each(|host| install.install(*host, terminal))
    }
}

impl Install {
    fn install(&self, host: Host, terminal: &Terminal) -> Result<(), Stop> {
        let home = self.dir.clone().or_else(|| host.folder()).ok_or_else(|| {
            Failure::new("there is no plugin home: HOME is not set", "name the folder with --dir")
        })?;
        let mut told = String::new();
        for place in host.places() {
            let place = home.join(place);
            let own = env::current_exe().and_then(File::open);
            let mut own = own.map_err(|error| {
                let message = format!("cannot read this program itself: {error}");
                Failure::new(message, "run it by its path")
            })?;
            place.parent().map_or(Ok(()), files::create_folder)?;
            // Replaced by renaming: whoever runs the old one right now goes on doing so.
            files::replace(&place, |file| io::copy(&mut own, file).map(|_| ()))?;
            files::make_executable(&place)?;
            told.push_str(&format!("installed as {}\n", place.display()));
        }
        terminal.tell(&format!("{told}{}", host.then()));
        Ok(())
    }
}
