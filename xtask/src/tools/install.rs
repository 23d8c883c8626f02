//! Brings the parts that a command needs onto the machine, in the order of the table.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::cache::{self, Cache};
use super::{Part, seal};
use crate::failure::{Failure, While};
use crate::progress::Line;

/// Where the installed parts are, for the tests' environment.
#[derive(Debug)]
pub struct Installed {
    pub programs: PathBuf,
    pub manifests: PathBuf,
}

pub fn install(parts: &[&Part]) -> Result<Installed, Failure> {
    let cache = Cache::of_user()?;
    for (index, part) in parts.iter().enumerate() {
        let label = format!("[{}/{}] {} {}", index + 1, parts.len(), part.name, part.version);
        let mut line = Line::new(label);
        bring(part, &cache, &mut line).map_err(|cause| {
            line.done("failed");
            Failure::new(format!("{} {} cannot be had: {cause}", part.name, part.version))
        })?;
    }
    Ok(Installed { programs: cache.programs()?, manifests: cache.manifests()? })
}

fn bring(part: &Part, cache: &Cache, line: &mut Line) -> Result<(), Failure> {
    if let Some(program) = part.or_from_path.and_then(|arguments| on_path(part.name, arguments)) {
        line.done(&format!("found at {}", program.display()));
        return cache::link(&cache.programs()?.join(part.name), &program);
    }
    let place = cache.part(part);
    if seal::holds(&place)? {
        line.done("cached");
    } else {
        let _lock = cache.lock(part)?;
        // Another process may have made it while we waited for the lock.
        if seal::holds(&place)? {
            line.done("cached");
        } else {
            make(part, cache, line)?;
        }
    }
    match part.is_program() {
        true => cache::link(&cache.programs()?.join(part.name), &place.join(part.name)),
        false => cache::link(&cache.manifests()?.join(part.name), &place),
    }
}

fn make(part: &Part, cache: &Cache, line: &mut Line) -> Result<(), Failure> {
    let room = cache.room(part)?;
    let product = room.join("product");
    std::fs::create_dir(&product).while_("creating the build folder")?;
    part.make(&product, &room, line)?;
    cache.keep(part, &product)?;
    cache::clear(&room);
    line.done_in_seconds(if part.is_program() { "built" } else { "downloaded" });
    Ok(())
}

/// The program on the PATH, if it is there and runs.
fn on_path(name: &str, arguments: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let program =
        std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())?;
    let answer =
        Command::new(&program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    answer.is_ok_and(|status| status.success()).then_some(program)
}
