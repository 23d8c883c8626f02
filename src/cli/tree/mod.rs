//! Brings a tree onto the disk, whole or not at all: it is written beside its place and then
//! exchanged by renaming, so that neither an error nor a crash leaves a half of it.

mod standing;
mod swap;
mod target;

use std::fmt;
use std::path::{Path, PathBuf};

use strata::check::previous::Step;
use strata::deliver::tree::{File, manifest, stays_below};

use crate::cli::stop::{Failure, Stop};
use crate::cli::words::{first_few, many};
use standing::Standing;
use target::Target;

/// The file by which a tree of ours is known. It lists what is ours in it.
pub const MANIFEST: &str = ".strata";

/// What became of the folder.
#[derive(Debug)]
pub struct Written {
    folder: PathBuf,
    changed: usize,
    removed: usize,
}

/// How a tree is to be written.
#[derive(Debug)]
pub struct Wish<'a> {
    pub folder: &'a Path,
    /// Overwrite what somebody changed by hand.
    pub force: bool,
    /// Components and control planes that may go.
    pub allowed: &'a [String],
}

/// Makes a folder hold `files`. Files of ours that are no longer rendered go, those of others
/// stay; what somebody changed by hand is only overwritten by force. `judge` sees the step from the
/// tree that stands, and may stop it.
pub fn write(
    wish: &Wish,
    files: &[File],
    judge: impl FnOnce(&Step) -> Result<(), Stop>,
) -> Result<Written, Stop> {
    let Wish { folder, force, allowed } = *wish;
    if let Some(file) = files.iter().find(|file| !stays_below(&file.path)) {
        return Err(Failure::new(
            format!("an object would be written to `{}`, outside the tree", file.path),
            "give the record that makes it a component name without slashes",
        )
        .into());
    }
    let target = Target::of(folder)?;
    let _lock = target.lock();
    swap::recover(&target)?;
    let standing = Standing::of(&target, files)?;
    if !force && !standing.changed_by_hand.is_empty() {
        return Err(Failure::new(
            format!(
                "nothing was written, because somebody has changed in {}: {}",
                folder.display(),
                first_few(&standing.changed_by_hand)
            ),
            "put the change into the spec or a kustomize patch, or discard it with --force",
        )
        .into());
    }
    if standing.manifest.is_some() {
        judge(&standing.step(files, allowed))?;
    }
    let manifest = manifest(files);
    let written = Written {
        folder: folder.to_owned(),
        changed: files.len() - standing.same.len(),
        removed: standing.stale,
    };
    if !written.is_nothing() || standing.manifest.as_ref() != Some(&manifest) {
        swap::exchange(&target, files, &manifest, &standing)?;
    }
    Ok(written)
}

impl Written {
    fn is_nothing(&self) -> bool {
        self.changed == 0 && self.removed == 0
    }
}

impl fmt::Display for Written {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = self.folder.display();
        if self.is_nothing() {
            return write!(out, "{folder} is up to date");
        }
        write!(out, "{} written to {folder}", many(self.changed, "file"))?;
        if self.removed > 0 {
            write!(out, ", {} removed", self.removed)?;
        }
        Ok(())
    }
}
