//! Where the installed programs and CRDs are.

use std::path::PathBuf;

#[path = "../tools/mod.rs"]
mod programs;

pub use programs::tool;

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
