//! What stands in the folder now, told by whose it is.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use strata::check::previous::{self, Step};
use strata::deliver::tree::{File, hash, parse_manifest};
use walkdir::WalkDir;

use crate::cli::stop::Failure;
use crate::cli::tree::MANIFEST;
use crate::cli::tree::target::Target;

#[derive(Debug, Default)]
pub struct Standing {
    /// The manifest as it stands, if there is one.
    pub manifest: Option<String>,
    /// Files to write that hold the right bytes already.
    pub same: HashSet<String>,
    /// Files that would be overwritten or removed, and hold what we never wrote.
    pub changed_by_hand: Vec<String>,
    /// How many files of ours are no longer rendered.
    pub stale: usize,
    /// Files of ours that are no longer rendered, or rendered differently: path and text.
    pub before: Vec<(String, String)>,
    /// What others put there: files, links and empty folders, relative.
    pub foreign: Vec<PathBuf>,
}

impl Standing {
    pub fn of(target: &Target, files: &[File]) -> Result<Self, Failure> {
        let mut standing = Standing::default();
        if !target.folder.is_dir() {
            return Ok(standing);
        }
        let manifest = read_manifest(target)?;
        let owned: HashMap<&str, &str> =
            manifest.owned.iter().map(|(path, hash)| (path.as_str(), hash.as_str())).collect();
        let wanted: HashMap<&str, &File> =
            files.iter().map(|file| (file.path.as_str(), file)).collect();
        let folders: HashSet<&Path> =
            files.iter().flat_map(|file| Path::new(&file.path).ancestors().skip(1)).collect();
        for entry in WalkDir::new(&target.folder).min_depth(1).sort_by_file_name() {
            let entry = entry.map_err(|error| unreadable(&target.folder, error))?;
            let relative = entry.path().strip_prefix(&target.folder).unwrap_or(entry.path());
            if entry.file_type().is_dir() {
                standing.folder(entry.path(), relative, &owned);
                continue;
            }
            let name = relative.to_string_lossy();
            if name == MANIFEST {
                continue;
            }
            let (owned, wanted) = (owned.get(&*name), wanted.get(&*name));
            if folders.contains(relative) {
                standing.changed_by_hand.push(name.into_owned());
                continue;
            }
            if owned.is_none() && wanted.is_none() {
                standing.foreign.push(relative.to_owned());
                continue;
            }
            standing.stale += usize::from(wanted.is_none());
            let content = if entry.file_type().is_file() {
                let read = fs::read(entry.path());
                Some(read.map_err(|error| Failure::on_disk("read", entry.path(), &error))?)
            } else {
                None
            };
            let holds = |text: &str| content.as_deref() == Some(text.as_bytes());
            if wanted.is_some_and(|file| holds(&file.text)) {
                standing.same.insert(name.into_owned());
                continue;
            }
            if owned != content.as_deref().map(hash).as_deref().as_ref() {
                standing.changed_by_hand.push(name.clone().into_owned());
            }
            if owned.is_some()
                && let Some(Ok(text)) = content.map(String::from_utf8)
            {
                standing.before.push((name.into_owned(), text));
            }
        }
        standing.manifest = manifest.text;
        Ok(standing)
    }

    /// Both sides of the step to `files`.
    pub fn step<'a>(&'a self, files: &'a [File], allowed: &'a [String]) -> Step<'a> {
        let before = self.before.iter().map(|(path, text)| previous::File { path, text });
        let differ = files.iter().filter(|file| !self.same.contains(&file.path));
        let after = differ.map(|file| previous::File { path: &file.path, text: &file.text });
        Step { before: before.collect(), after: after.collect(), allowed }
    }

    /// A folder is kept for what is in it; an empty one because somebody made it, unless it
    /// held files of ours before.
    fn folder(&mut self, folder: &Path, relative: &Path, owned: &HashMap<&str, &str>) {
        let is_empty = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
        if is_empty && !owned.keys().any(|path| Path::new(path).starts_with(relative)) {
            self.foreign.push(relative.to_owned());
        }
    }
}

#[derive(Default)]
struct Manifest {
    text: Option<String>,
    /// Path and hash.
    owned: Vec<(String, String)>,
}

fn read_manifest(target: &Target) -> Result<Manifest, Failure> {
    let path = target.given.join(MANIFEST);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Manifest::default()),
        Err(error) => return Err(Failure::on_disk("read", &path, &error)),
    };
    let Some(owned) = parse_manifest(&text) else {
        return Err(Failure::new(
            format!(
                "{} is not as strata writes it, so what is ours cannot be told",
                path.display()
            ),
            "restore the file, or remove the whole folder and render it anew",
        ));
    };
    let owned = owned.into_iter().map(|owned| (owned.path, owned.hash)).collect();
    Ok(Manifest { text: Some(text), owned })
}

fn unreadable(folder: &Path, error: walkdir::Error) -> Failure {
    let path = error.path().unwrap_or(folder).to_owned();
    let error = error.into_io_error().unwrap_or_else(|| ErrorKind::Other.into());
    Failure::on_disk("read", &path, &error)
}
