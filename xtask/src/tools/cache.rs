//! The cache folder, outside every clone: parts by key, and for each state of the table one set of
//! folders that name its parts plainly.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::seal::{self, hex};
use super::{Part, TABLE};
use crate::failure::{Failure, While};

#[derive(Debug)]
pub struct Cache {
    root: PathBuf,
}

impl Cache {
    pub fn of_user() -> Result<Self, Failure> {
        let absolute =
            |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = absolute("XDG_CACHE_HOME")
            .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
            .ok_or_else(|| {
                Failure::new("no cache folder: neither XDG_CACHE_HOME nor HOME is an absolute path")
            })?;
        Ok(Self { root: base.join("strata") })
    }

    pub fn part(&self, part: &Part) -> PathBuf {
        self.root.join("parts").join(part.key())
    }

    /// Held while a part is made, so that two clones do not make it at once.
    pub fn lock(&self, part: &Part) -> Result<File, Failure> {
        let folder = made(self.root.join("locks"))?;
        let path = folder.join(part.key());
        let file = File::create(&path).while_(format!("creating {}", path.display()))?;
        file.lock().while_(format!("locking {}", path.display()))?;
        Ok(file)
    }

    /// An empty folder to make a part in, beside the parts so that a rename can move it there.
    pub fn room(&self, part: &Part) -> Result<PathBuf, Failure> {
        let room = self.root.join("work").join(part.key());
        remove(&room)?;
        made(room)
    }

    /// Seals what was made and puts it in its place in one step.
    pub fn keep(&self, part: &Part, made_in: &Path) -> Result<(), Failure> {
        seal::close(made_in)?;
        let place = self.part(part);
        made(self.root.join("parts"))?;
        remove(&place)?;
        fs::rename(made_in, &place).while_(format!("moving to {}", place.display()))
    }

    /// The folder with a link to each program of the table as it now stands.
    pub fn programs(&self) -> Result<PathBuf, Failure> {
        made(self.set().join("bin"))
    }

    /// The folder with a link to each project's folder of CRDs.
    pub fn manifests(&self) -> Result<PathBuf, Failure> {
        made(self.set().join("crds"))
    }

    fn set(&self) -> PathBuf {
        let keys: Vec<String> = TABLE.iter().map(Part::key).collect();
        self.root.join("sets").join(&hex(&Sha256::digest(keys.join("\n")))[..12])
    }
}

/// Makes a link, or turns one that points elsewhere, in one step.
pub fn link(link: &Path, target: &Path) -> Result<(), Failure> {
    if fs::read_link(link).is_ok_and(|found| found == target) {
        return Ok(());
    }
    let beside = link.with_extension(std::process::id().to_string());
    symlink(target, &beside)
        .and_then(|()| fs::rename(&beside, link))
        .while_(format!("linking {}", link.display()))
}

fn made(folder: PathBuf) -> Result<PathBuf, Failure> {
    fs::create_dir_all(&folder).while_(format!("creating {}", folder.display()))?;
    Ok(folder)
}

fn remove(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).while_(format!("removing {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Clears away what a part was made in. Nothing depends on it being gone.
pub fn clear(room: &Path) {
    let _ = fs::remove_dir_all(room);
}
