//! The folder to write to, known to be one that may be exchanged as a whole.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::cli::stop::Failure;
use crate::cli::tree::MANIFEST;

#[derive(Debug)]
pub struct Target {
    /// As the person called it.
    pub given: PathBuf,
    /// Absolute, links resolved: a link to the folder stays one.
    pub folder: PathBuf,
    parent: PathBuf,
    name: String,
}

impl Target {
    pub fn of(given: &Path) -> Result<Self, Failure> {
        let refused =
            |why: &str, help: &str| Err(Failure::usage(format!("{} {why}", given.display()), help));
        let elsewhere = "name a folder of its own, such as rendered/";
        if !given.exists() {
            return if given.is_symlink() {
                refused("is a link that leads nowhere", elsewhere)
            } else {
                Target::absent(given)
            };
        }
        let folder = resolve(given)?;
        if !folder.is_dir() {
            return refused("is no folder", elsewhere);
        }
        let is = |other: Option<PathBuf>| other.is_some_and(|other| other == folder);
        let Some((parent, name)) = folder.parent().zip(folder.file_name()) else {
            return refused("is the root of the file system", elsewhere);
        };
        if is(env::home_dir().and_then(|home| home.canonicalize().ok())) {
            return refused("is your home folder", elsewhere);
        }
        if folder.join(".git").exists() {
            return refused("is the root of a repository", elsewhere);
        }
        // Renaming it would leave the shell in a folder that is gone.
        if env::current_dir()
            .and_then(|here| here.canonicalize())
            .is_ok_and(|h| h.starts_with(&folder))
        {
            return refused("holds the folder you are in", elsewhere);
        }
        let (parent, name) = (parent.to_owned(), name.to_string_lossy().into_owned());
        let target = Target { given: given.to_owned(), folder, parent, name };
        if !target.folder.join(MANIFEST).is_file() && !target.is_empty()? {
            return refused(
                "is not empty, and strata has not written it",
                "name a new or empty folder; a tree of strata's own is known by its file .strata",
            );
        }
        Ok(target)
    }

    fn absent(given: &Path) -> Result<Self, Failure> {
        let parent = match given.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(parent)
            .map_err(|error| Failure::on_disk("create the folder", parent, &error))?;
        let parent = resolve(parent)?;
        let name = given.file_name().unwrap_or_default();
        let name_text = name.to_string_lossy().into_owned();
        Ok(Target { given: given.to_owned(), folder: parent.join(name), parent, name: name_text })
    }

    fn is_empty(&self) -> Result<bool, Failure> {
        let mut entries = fs::read_dir(&self.folder)
            .map_err(|error| Failure::on_disk("read", &self.folder, &error))?;
        Ok(entries.next().is_none())
    }

    /// Held while the tree is exchanged. Two runs into one place wait for each other, and what
    /// an ended run left behind can be told from what a running one is writing. Some file systems
    /// have no locks; there the names alone have to do.
    pub fn lock(&self) -> Option<File> {
        let parent = File::open(&self.parent).ok()?;
        parent.lock().ok()?;
        Some(parent)
    }

    /// Where the new tree is written. Beside the place, because renaming works only within one
    /// file system; hidden, so that nothing takes it for input.
    pub fn beside(&self) -> PathBuf {
        self.parent.join(format!(".{}.strata-new", self.name))
    }

    /// Where the old tree waits until the new one stands.
    pub fn aside(&self) -> PathBuf {
        self.parent.join(format!(".{}.strata-old", self.name))
    }
}

fn resolve(path: &Path) -> Result<PathBuf, Failure> {
    path.canonicalize().map_err(|error| Failure::on_disk("find", path, &error))
}
