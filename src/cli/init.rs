//! `strata init`: a deployment repository that works.

use std::path::{Path, PathBuf};

use clap::Args;
use strata::schema::Format;

use crate::cli::files;
use crate::cli::input::specs;
use crate::cli::schema::control_plane_schema;
use crate::cli::stop::{Failure, Stop};
use crate::cli::terminal::Terminal;
use crate::cli::words::first_few;

/// What a file of the scaffold is beside its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Plain,
    /// It is run.
    Script,
    /// One that is there already serves as well, as every new repository has some of these.
    Common,
}

/// The files, with `{{name}}` for the name of the control plane.
const SCAFFOLD: &[(&str, &str, Sort)] = &[
    ("base/controlplane.yaml", include_str!("scaffold/controlplane.yaml"), Sort::Plain),
    ("base/kustomization.yaml", include_str!("scaffold/kustomization.yaml"), Sort::Plain),
    ("overlays/{{name}}/kustomization.yaml", include_str!("scaffold/overlay.yaml"), Sort::Plain),
    ("render.sh", include_str!("scaffold/render.sh"), Sort::Script),
    ("README.md", include_str!("scaffold/README.md"), Sort::Common),
    (".gitignore", include_str!("scaffold/gitignore"), Sort::Common),
    (".gitattributes", include_str!("scaffold/gitattributes"), Sort::Common),
    (".githooks/pre-commit", include_str!("scaffold/pre-commit"), Sort::Script),
    (".github/workflows/strata.yaml", include_str!("scaffold/github.yaml"), Sort::Plain),
    (".gitlab-ci.yml", include_str!("scaffold/gitlab.yaml"), Sort::Plain),
    (".vscode/settings.json", include_str!("scaffold/vscode.json"), Sort::Common),
];
const SCHEMA: &str = ".vscode/controlplane.schema.json";

/// Start a deployment repository
///
/// Writes a small ControlPlane to begin with, a kustomization that fails, instead of giving nothing,
/// where kustomize would skip Strata, and what keeps the rendered tree in step: a script, a hook for
/// git, pipelines for GitHub and GitLab. No file that exists is ever overwritten: a README.md or
/// .gitignore of your own is kept, and nothing is written beside another spec.
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
        let filled = |text: &str| text.replace("{{name}}", &self.name);
        let files = SCAFFOLD.iter().map(|(path, text, sort)| (filled(path), filled(text), *sort));
        let mut files: Vec<(String, String, Sort)> = files.collect();
        files.push((SCHEMA.to_owned(), control_plane_schema(), Sort::Common));
        let path = |file: &str| self.dir.join(file);
        let stands = |file: &str| path(file).symlink_metadata().is_ok();
        let standing: Vec<String> = files
            .iter()
            .filter(|(file, _, sort)| *sort != Sort::Common && stands(file))
            .map(|(file, ..)| path(file).display().to_string())
            .collect();
        if !standing.is_empty() {
            return Err(Failure::new(
                format!("nothing was written, because there is already: {}", first_few(&standing)),
                "name another folder, or move these files away",
            )
            .into());
        }
        self.no_other_spec()?;
        let (mut written, mut kept) = (String::new(), String::new());
        for (file, text, sort) in &files {
            let (path, shown) = (path(file), format!("  {}\n", path(file).display()));
            if stands(file) {
                kept.push_str(&shown);
                continue;
            }
            path.parent().map_or(Ok(()), files::create_folder)?;
            files::create(&path, text)?;
            if *sort == Sort::Script {
                files::make_executable(&path)?;
            }
            written.push_str(&shown);
        }
        if !kept.is_empty() {
            kept.insert_str(0, "kept\n");
        }
        terminal.tell(&format!("wrote\n{written}{kept}{}", next(&self.dir)));
        Ok(())
    }

    /// The scripts and pipelines take a folder for one cloud: a second spec in it, or a second
    /// repository in `base`, would be rendered together with the first.
    fn no_other_spec(&self) -> Result<(), Failure> {
        let below = if self.dir.is_dir() { specs(&self.dir) } else { Vec::new() };
        if !below.is_empty() {
            return Err(Failure::new(
                format!(
                    "nothing was written, because there is already a spec: {}",
                    first_few(&below)
                ),
                "name another folder, or move these files away; `strata validate` takes them where they are",
            ));
        }
        match repository_around(&self.dir) {
            None => Ok(()),
            Some(spec) => Err(Failure::new(
                format!(
                    "nothing was written, because the folder is in the repository of a spec: {spec}"
                ),
                "name a folder beside that repository, or change the spec that is there",
            )),
        }
    }
}

/// The spec of a begun repository that the folder would lie in.
fn repository_around(dir: &Path) -> Option<String> {
    let dir = std::path::absolute(dir).ok()?;
    // What does not exist yet has no real path; where it will lie has one.
    let real = dir.ancestors().find_map(|folder| folder.canonicalize().ok())?;
    let base = real
        .ancestors()
        .map(|folder| folder.join("base"))
        .find(|base| base.join("controlplane.yaml").is_file() && !specs(base).is_empty())?;
    let spec = base.join("controlplane.yaml");
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    Some(spec.strip_prefix(here).unwrap_or(&spec).display().to_string())
}

fn next(dir: &Path) -> String {
    let dir = dir.display();
    format!(
        "next\n  edit {dir}/base/controlplane.yaml\n  strata validate {dir}\n  {dir}/render.sh, which needs kustomize"
    )
}

fn name(text: &str) -> Result<String, String> {
    if Format::DnsLabel.accepts(text) {
        Ok(text.to_owned())
    } else {
        Err(format!("write {}", Format::DnsLabel.wanted()))
    }
}
