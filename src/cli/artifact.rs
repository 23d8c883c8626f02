//! `strata artifact`: a tree as one archive that Flux fetches.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use strata::deliver::artifact::{Entry, archive};
use strata::deliver::tree::{Owned, hash, parse_manifest};
use walkdir::WalkDir;

use crate::cli::files;
use crate::cli::stop::{Failure, Stop};
use crate::cli::terminal::Terminal;
use crate::cli::tree::MANIFEST;
use crate::cli::words::{first_few, many};

/// Pack a rendered tree into one archive for Flux
///
/// The same tree gives the same bytes on every machine. Its digest is printed. Hidden files are left
/// out; a tree with files that somebody changed by hand is refused.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  strata artifact rendered -o strata.tar.gz
  flux push artifact oci://registry.example.com/clouds:v1 --path rendered --source … --revision …

`flux push artifact` packs the folder itself; the archive is for sources that serve one, such as a
bucket or an ExternalArtifact.")]
pub struct Artifact {
    /// The tree
    dir: PathBuf,
    /// The archive to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Artifact {
    pub fn run(&self, terminal: &Terminal) -> Result<(), Stop> {
        let manifest = manifest(&self.dir)?;
        let found = read(&self.dir)?;
        if !found.iter().any(|(path, _)| path.ends_with(".yaml")) {
            return Err(Failure::new(
                format!("{} holds no manifests", self.dir.display()),
                "name a tree that `strata render --out` wrote; Flux deletes all that an empty archive lacks",
            )
            .into());
        }
        as_rendered(&self.dir, manifest, &found)?;
        let entries: Vec<Entry> =
            found.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
        let bytes = archive(&entries)
            .map_err(|error| Failure::new(format!("cannot pack: {error}"), "report this"))?;
        files::replace(&self.output, |file| file.write_all(&bytes))?;
        terminal.print(format!("sha256:{}\n", hash(&bytes)))?;
        let (count, output) = (many(entries.len(), "file"), self.output.display());
        terminal.tell(&format!("{count} packed into {output}, {} bytes", bytes.len()));
        Ok(())
    }
}

/// Every file that is not hidden, by its path below the folder.
fn read(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let is_hidden =
        |entry: &walkdir::DirEntry| entry.file_name().to_string_lossy().starts_with('.');
    let entries = WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry));
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).to_owned();
            let error = error.into_io_error().unwrap_or_else(|| std::io::ErrorKind::Other.into());
            Failure::on_disk("read", &path, &error)
        })?;
        if entry.file_type().is_file() {
            let bytes = fs::read(entry.path())
                .map_err(|error| Failure::on_disk("read", entry.path(), &error))?;
            let relative = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
            found.push((parts.join("/"), bytes));
        }
    }
    Ok(found)
}

/// What Strata wrote into the folder. Any other folder could hold anything: files that nobody checked,
/// and secrets.
fn manifest(folder: &Path) -> Result<Vec<Owned>, Failure> {
    let path = folder.join(MANIFEST);
    let help = "name a tree that `strata render --out` or `strata stage --out` wrote";
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound && folder.is_dir() => {
            let message =
                format!("{} is no tree of strata's: it has no {MANIFEST}", folder.display());
            return Err(Failure::new(message, help));
        }
        Err(error) => return Err(Failure::on_disk("read", &path, &error)),
    };
    parse_manifest(&text)
        .ok_or_else(|| Failure::new(format!("{} is not as strata writes it", path.display()), help))
}

/// What was reviewed is what is packed.
fn as_rendered(
    folder: &Path,
    owned: Vec<Owned>,
    found: &[(String, Vec<u8>)],
) -> Result<(), Failure> {
    let differs = |path: &str, expected: &str| {
        let file = found.binary_search_by(|(other, _)| other.as_str().cmp(path)).ok();
        let file = file.or_else(|| found.iter().position(|(other, _)| other == path));
        file.is_none_or(|index| hash(&found[index].1) != expected)
    };
    let changed: Vec<String> = owned
        .into_iter()
        .filter(|owned| differs(&owned.path, &owned.hash))
        .map(|owned| owned.path)
        .collect();
    if changed.is_empty() {
        return Ok(());
    }
    Err(Failure::new(
        format!("somebody has changed in {}: {}", folder.display(), first_few(&changed)),
        "render the tree again, or put the change into the spec",
    ))
}
