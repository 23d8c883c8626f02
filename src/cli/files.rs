//! Files that a command writes one by one, each whole.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use crate::cli::stop::Failure;

pub fn create_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::on_disk("create the folder", folder, &error))
}

/// Writes a file that must not be there yet.
pub fn create(path: &Path, text: &str) -> Result<(), Failure> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| Failure::on_disk("write", path, &error))
}

/// Writes or replaces a file. Whoever opens it sees the old bytes or the new ones, never a part:
/// it is written beside its place and renamed.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut File) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".new-{}", std::process::id()));
    let beside = Path::new(&beside);
    let written = File::create(beside)
        .and_then(|mut file| write(&mut file))
        .and_then(|()| fs::rename(beside, path));
    written.map_err(|error| {
        let _ = fs::remove_file(beside);
        Failure::on_disk("write", path, &error)
    })
}

/// Replaces a set of files in a folder, and says which.
pub fn replace_all(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Failure> {
    create_folder(folder)?;
    files
        .iter()
        .try_for_each(|(name, bytes)| replace(&folder.join(name), |file| file.write_all(bytes)))
}

/// Lets a file be run by whoever may read it.
#[cfg(unix)]
pub fn make_executable(path: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .map_err(|error| Failure::on_disk("make executable", path, &error))
}

#[cfg(not(unix))]
pub fn make_executable(_path: &Path) -> Result<(), Failure> {
    Ok(())
}
