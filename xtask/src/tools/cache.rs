//! The cache folder, outside every clone: parts by key, and for each state of the table one set of
//! folders that name its parts plainly.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use walkdir::WalkDir;

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

    /// The folder with one folder of CRDs per project of the table.
    pub fn manifests(&self) -> Result<PathBuf, Failure> {
        made(self.set().join("crds"))
    }

    fn set(&self) -> PathBuf {
        let keys: Vec<String> = TABLE.iter().map(Part::key).collect();
        self.root.join("sets").join(&hex(&Sha256::digest(keys.join("\n")))[..12])
    }

    pub fn link_program(&self, name: &str, program: &Path) -> Result<(), Failure> {
        let link = self.programs()?.join(name);
        if fs::read_link(&link).is_ok_and(|target| target == program) {
            return Ok(());
        }
        let beside = link.with_extension(std::process::id().to_string());
        symlink(program, &beside)
            .and_then(|()| fs::rename(&beside, &link))
            .while_(format!("linking {}", link.display()))
    }

    /// Hard links, not a link to the folder: most ways of walking a tree do not follow those.
    pub fn link_manifests(&self, part: &Part) -> Result<(), Failure> {
        let place = self.manifests()?.join(part.name);
        if place.exists() {
            return Ok(());
        }
        let beside = self.set().join(format!("{}.{}", part.name, std::process::id()));
        remove(&beside)?;
        made(beside.clone())?;
        for entry in WalkDir::new(self.part(part)) {
            let entry = entry.while_("listing CRDs")?;
            if entry.path().extension().is_some_and(|extension| extension == "yaml") {
                fs::hard_link(entry.path(), beside.join(entry.file_name()))
                    .while_("linking CRDs")?;
            }
        }
        match fs::rename(&beside, &place) {
            // Another process was faster, with the same files.
            Err(_) if place.exists() => remove(&beside),
            result => result.while_(format!("moving to {}", place.display())),
        }
    }
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
