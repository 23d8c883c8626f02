//! Where the installed programs are.

use std::path::PathBuf;

/// The path of an installed program.
pub fn tool(name: &str) -> PathBuf {
    let folder = from_environment("STRATA_TOOLS");
    let program = folder.join(name);
    assert!(program.exists(), "{} is missing: run `cargo xtask tools`", program.display());
    program
}

/// A folder that `cargo xtask test` names to the tests.
pub fn from_environment(name: &str) -> PathBuf {
    match std::env::var_os(name) {
        Some(folder) => PathBuf::from(folder),
        None => panic!(
            "{name} is not set: run this test with `cargo xtask test`, or run `cargo xtask tools` and set it \
             to the folder that is printed"
        ),
    }
}
