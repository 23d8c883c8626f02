//! `strata init`: the first files of a deployment repository.

use std::path::{Path, PathBuf};

use clap::Args;
use strata::schema::Format;

use crate::cli::files;
use crate::cli::stop::{Failure, Stop};
use crate::cli::terminal::Terminal;
use crate::cli::words::first_few;

/// The files, with `{{name}}` for the name of the control plane.
const SCAFFOLD: &[(&str, &str)] = &[
    ("controlplane.yaml", include_str!("scaffold/controlplane.yaml")),
    ("kustomization.yaml", include_str!("scaffold/kustomization.yaml")),
    ("README.md", include_str!("scaffold/README.md")),
    (".gitignore", include_str!("scaffold/gitignore")),
];

/// Start a deployment repository
///
/// Writes a small ControlPlane to begin with, and a kustomization that fails, instead of giving
/// nothing, where kustomize would skip Strata. No file that exists is ever overwritten.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  strata init my-cloud
  strata init . --name production")]
pub struct Init {
    /// The folder, which need not exist
    dir: PathBuf,
    /// The name of the control plane
    #[arg(long, default_value = "production", value_parser = name)]
    name: String,
}

impl Init {
    pub fn run(&self, terminal: &Terminal) -> Result<(), Stop> {
        let path = |file: &str| self.dir.join(file);
        let standing: Vec<String> = SCAFFOLD
            .iter()
            .filter(|(file, _)| path(file).symlink_metadata().is_ok())
            .map(|(file, _)| path(file).display().to_string())
            .collect();
        if !standing.is_empty() {
            return Err(Failure::new(
                format!("nothing was written, because there is already: {}", first_few(&standing)),
                "name another folder, or move these files away",
            )
            .into());
        }
        files::create_folder(&self.dir)?;
        for (file, text) in SCAFFOLD {
            files::create(&path(file), &text.replace("{{name}}", &self.name))?;
        }
        let written = SCAFFOLD.iter().map(|(file, _)| format!("  {}\n", path(file).display()));
        terminal.tell(&format!("wrote\n{}{}", written.collect::<String>(), next(&self.dir)));
        Ok(())
    }
}

fn next(dir: &Path) -> String {
    let dir = dir.display();
    format!(
        "next\n  edit {dir}/controlplane.yaml\n  strata validate {dir}\n  strata render {dir} --out \
         rendered"
    )
}

fn name(text: &str) -> Result<String, String> {
    if Format::DnsLabel.accepts(text) {
        Ok(text.to_owned())
    } else {
        Err(format!("write {}", Format::DnsLabel.wanted()))
    }
}
