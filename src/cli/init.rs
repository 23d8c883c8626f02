//! `strata init`: the first files of a deployment repository.

use std::path::{Path, PathBuf};

use clap::Args;
use strata::schema::Format;

use crate::cli::files;
use crate::cli::stop::{Failure, Stop};
use crate::cli::terminal::Terminal;
use crate::cli::words::first_few;

/// The files, with `{{name}}` for the name of the control plane; and whether one that is there
/// already serves as well, as every new repository has some of these.
const SCAFFOLD: &[(&str, &str, bool)] = &[
    ("controlplane.yaml", include_str!("scaffold/controlplane.yaml"), false),
    ("kustomization.yaml", include_str!("scaffold/kustomization.yaml"), false),
    ("README.md", include_str!("scaffold/README.md"), true),
    (".gitignore", include_str!("scaffold/gitignore"), true),
];

/// Start a deployment repository
///
/// Writes a small ControlPlane to begin with, and a kustomization that fails, instead of giving
/// nothing, where kustomize would skip Strata. No file that exists is ever overwritten: a README.md
/// or .gitignore of your own is kept, and nothing is written beside another spec.
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
        let stands = |file: &str| path(file).symlink_metadata().is_ok();
        let standing: Vec<String> = SCAFFOLD
            .iter()
            .filter(|(file, _, serves)| !serves && stands(file))
            .map(|(file, ..)| path(file).display().to_string())
            .collect();
        if !standing.is_empty() {
            return Err(Failure::new(
                format!("nothing was written, because there is already: {}", first_few(&standing)),
                "name another folder, or move these files away",
            )
            .into());
        }
        files::create_folder(&self.dir)?;
        let (mut written, mut kept) = (String::new(), String::new());
        for (file, text, _) in SCAFFOLD {
            let shown = format!("  {}\n", path(file).display());
            if stands(file) {
                kept.push_str(&shown);
                continue;
            }
            files::create(&path(file), &text.replace("{{name}}", &self.name))?;
            written.push_str(&shown);
        }
        if !kept.is_empty() {
            kept.insert_str(0, "kept\n");
        }
        terminal.tell(&format!("wrote\n{written}{kept}{}", next(&self.dir)));
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
