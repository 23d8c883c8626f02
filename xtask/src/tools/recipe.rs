//! The ways a part can be made.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::{Part, go, python, seal::hex};
use crate::failure::Failure;
use crate::progress::Line;

/// Counted up when the code that follows the recipes changes what they make.
const EDITION: u32 = 1;

#[derive(Debug)]
pub enum Recipe {
    /// A Go program, built from a small module of our own that requires its module:
    /// `go install` refuses modules that carry `replace` lines.
    GoProgram(GoProgram),
    /// A Go program that must be built inside its own folder, because it embeds files
    /// which its published module lacks.
    GoFolder { module: &'static str, package: &'static str, missing_file: &'static str },
    /// A Python interpreter with a package, and others beside it, at the versions that are listed.
    PythonPackage {
        package: &'static str,
        beside: &'static [&'static str],
        constraints: &'static str,
    },
    /// YAML files taken from a published Go module, as they are.
    Manifests { module: &'static str, path: &'static str },
}

#[derive(Debug)]
pub struct GoProgram {
    pub module: &'static str,
    /// What to build, below the module's path.
    pub package: &'static str,
    /// The version of the modules that the module itself requires at v0.0.0: its repository holds them
    /// beside it, and publishes them under this one.
    pub staging: Option<&'static str>,
    /// Variables set at link time: where the release build stamps its version.
    pub stamps: &'static [(&'static str, &'static str)],
}

impl GoProgram {
    pub const fn new(module: &'static str, package: &'static str) -> Self {
        Self { module, package, staging: None, stamps: &[] }
    }
}

impl Part {
    /// Names the part in the cache; any change to its row, or to how rows are followed, changes it.
    pub fn key(&self) -> String {
        let row = Sha256::digest(format!("{EDITION} {self:?}"));
        format!("{}-{}-{}", self.name, self.version, &hex(&row)[..12])
    }

    /// Makes the part's files in the empty folder `into`, with `room` to work in.
    pub fn make(&self, into: &Path, room: &Path, line: &mut Line) -> Result<(), Failure> {
        match &self.recipe {
            Recipe::GoProgram(program) => {
                go::build_program(program, self.version, &into.join(self.name), room, line)
            }
            Recipe::GoFolder { module, package, missing_file } => {
                let source = go::Source { module, version: self.version };
                go::build_folder(&source, package, missing_file, &into.join(self.name), room, line)
            }
            Recipe::PythonPackage { package, beside, constraints } => {
                let mut wanted = vec![format!("{package}=={}", self.version)];
                wanted.extend(beside.iter().map(|package| (*package).to_owned()));
                let packages = python::Packages { wanted, constraints };
                python::build_environment(&packages, &into.join(self.name), room, line)
            }
            Recipe::Manifests { module, path } => {
                let source = go::Source { module, version: self.version };
                go::copy_manifests(&source, path, into, room, line)
            }
        }
    }

    pub fn is_program(&self) -> bool {
        !matches!(self.recipe, Recipe::Manifests { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_change_to_a_row_changes_the_key() {
        let part = |version, module, package| Part {
            name: "tool",
            version,
            recipe: Recipe::GoProgram(GoProgram::new(module, package)),
            or_from_path: None,
        };
        let key = part("v1", "example.com/tool", "/cmd").key();
        assert!(key.starts_with("tool-v1-"), "{key}");
        assert_eq!(key, part("v1", "example.com/tool", "/cmd").key());
        assert_ne!(key, part("v2", "example.com/tool", "/cmd").key());
        assert_ne!(key, part("v1", "example.com/fork", "/cmd").key());
        assert_ne!(key, part("v1", "example.com/tool", "").key());
    }
}
