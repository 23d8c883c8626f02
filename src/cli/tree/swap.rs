//! Writes the new tree beside the old one and exchanges them.

use std::fs;
use std::io;
use std::path::Path;

use strata::deliver::tree::File;

use crate::cli::stop::Failure;
use crate::cli::tree::MANIFEST;
use crate::cli::tree::standing::Standing;
use crate::cli::tree::target::Target;

/// Mends what a crash left behind. Where a system cannot exchange folders at once, the old tree is
/// gone from its place between two renamings, and then it waits under its other name.
pub fn recover(target: &Target) -> Result<(), Failure> {
    let (old, new) = (target.aside(), target.beside());
    if old.exists() && !target.folder.exists() {
        rename(&old, &target.folder)?;
    }
    remove(&old)?;
    remove(&new)
}

pub fn exchange(
    target: &Target,
    files: &[File],
    manifest: &str,
    standing: &Standing,
) -> Result<(), Failure> {
    let (new, old) = (target.beside(), target.aside());
    if let Err(failure) = stage(target, files, manifest, standing) {
        // The reason why it failed says more than a failure to clean up would.
        let _ = fs::remove_dir_all(&new);
        return Err(failure);
    }
    if !target.folder.exists() {
        return rename(&new, &target.folder);
    }
    if at_once(&new, &target.folder) {
        // What was the old tree is under the new one's name now.
        let _ = fs::remove_dir_all(&new);
        return Ok(());
    }
    rename(&target.folder, &old)?;
    if let Err(failure) = rename(&new, &target.folder) {
        rename(&old, &target.folder)?;
        let _ = fs::remove_dir_all(&new);
        return Err(failure);
    }
    // The new tree stands. Should this fail, the next run cleans up.
    let _ = fs::remove_dir_all(&old);
    Ok(())
}

/// Exchanges two folders in one step, so that at no moment there is none: a folder that is missing
/// when Flux looks is one that Flux prunes by. Not every system can; the caller then takes two steps.
fn at_once(one: &Path, other: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok()
}

fn stage(
    target: &Target,
    files: &[File],
    manifest: &str,
    standing: &Standing,
) -> Result<(), Failure> {
    let new = target.beside();
    create(&new)?;
    for relative in &standing.foreign {
        carry(&target.folder.join(relative), &new.join(relative))?;
    }
    for file in files {
        let to = new.join(&file.path);
        if standing.same.contains(&file.path) {
            carry(&target.folder.join(&file.path), &to)?;
        } else {
            to.parent().map_or(Ok(()), create)?;
            write(&to, &file.text)?;
        }
    }
    write(&new.join(MANIFEST), manifest)?;
    match fs::metadata(&target.folder) {
        Ok(old) => fs::set_permissions(&new, old.permissions())
            .map_err(|error| Failure::on_disk("set the permissions of", &new, &error)),
        Err(_) => Ok(()),
    }
}

/// Takes something over as it is. A second name for the same file keeps its time, its owner and
/// what is being written to it; where a file system has no second names, a copy has to do.
fn carry(from: &Path, to: &Path) -> Result<(), Failure> {
    if from.is_dir() && !from.is_symlink() {
        return create(to);
    }
    to.parent().map_or(Ok(()), create)?;
    fs::hard_link(from, to)
        .or_else(|_| fs::copy(from, to).map(|_| ()))
        .map_err(|error| Failure::on_disk("take over", from, &error))
}

fn create(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::on_disk("create the folder", folder, &error))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure::on_disk("write", path, &error))
}

fn rename(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::rename(from, to).map_err(|error| Failure::on_disk("put in place", to, &error))
}

fn remove(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Failure::on_disk("remove", folder, &error))
        }
        _ => Ok(()),
    }
}
