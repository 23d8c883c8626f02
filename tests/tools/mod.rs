//! Where tests find the real tools.

use std::env;
use std::path::PathBuf;

/// The program in the folder that `STRATA_TOOLS` names, else on the PATH.
pub fn tool(name: &str) -> PathBuf {
    let folders = match env::var_os("STRATA_TOOLS") {
        Some(folder) => vec![PathBuf::from(folder)],
        None => env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect(),
    };
    let found = folders.into_iter().map(|folder| folder.join(name)).find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("no {name} here: run `cargo xtask tools`"))
}
