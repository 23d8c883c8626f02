//! A folder is sealed with the checksums of its files, so that a damaged or half-written one is
//! never used.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};
use walkdir::WalkDir;

use crate::failure::{Failure, While};

const SEAL: &str = "SHA256SUMS";

/// Writes the checksums of all files below the folder into it, in the form that `sha256sum -c` reads.
pub fn close(folder: &Path) -> Result<(), Failure> {
    fs::write(folder.join(SEAL), sums(folder)?).while_("writing the checksums")
}

/// Whether the folder's files are those that were there when it was sealed.
pub fn holds(folder: &Path) -> Result<bool, Failure> {
    match fs::read_to_string(folder.join(SEAL)) {
        Ok(sealed) => Ok(sealed == sums(folder)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).while_(format!("reading {}", folder.join(SEAL).display())),
    }
}

fn sums(folder: &Path) -> Result<String, Failure> {
    let mut lines = String::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.while_("listing files")?;
        if !entry.file_type().is_file() || entry.file_name() == SEAL {
            continue;
        }
        let sum = sum(entry.path()).while_(format!("reading {}", entry.path().display()))?;
        let name = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        lines.push_str(&format!("{sum}  {}\n", name.display()));
    }
    Ok(lines)
}

fn sum(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut file = File::open(path)?;
    let mut chunk = vec![0; 1 << 20];
    loop {
        match file.read(&mut chunk)? {
            0 => break,
            length => hasher.update(&chunk[..length]),
        }
    }
    Ok(hex(&hasher.finalize()))
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder =
            std::env::temp_dir().join(format!("strata-seal-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("below")).unwrap_or_default();
        fs::write(folder.join("below/file"), "as it was made").unwrap_or_default();
        folder
    }

    #[test]
    fn a_sealed_folder_holds_until_a_file_changes() -> Result<(), Failure> {
        let folder = folder("change");
        assert!(!holds(&folder)?, "never sealed");
        close(&folder)?;
        assert!(holds(&folder)?);
        fs::write(folder.join("below/file"), "as it was mAde").while_("writing")?;
        assert!(!holds(&folder)?);
        fs::remove_dir_all(&folder).while_("cleaning up")
    }

    #[test]
    fn a_sealed_folder_does_not_hold_with_a_file_more_or_less() -> Result<(), Failure> {
        let folder = folder("count");
        close(&folder)?;
        fs::write(folder.join("more"), "").while_("writing")?;
        assert!(!holds(&folder)?);
        fs::remove_file(folder.join("more")).while_("removing")?;
        assert!(holds(&folder)?);
        fs::remove_file(folder.join("below/file")).while_("removing")?;
        assert!(!holds(&folder)?);
        fs::remove_dir_all(&folder).while_("cleaning up")
    }
}
