//! The real kustomize, with the function, and the real kubectl, with the legacy plugin: both print
//! the bytes that `strata render` prints.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod begun;
mod fixtures;
mod guard;
mod overlays;
mod programs;
mod refused;
#[path = "../tools/mod.rs"]
mod tools;
mod transformer;

use std::fs;
use std::path::{Path, PathBuf};

/// By which kustomize knows that an object is a function's configuration.
const ANNOTATIONS: &str =
    "  annotations:\n    config.kubernetes.io/function: \"exec: {path: strata}\"\n";

const CONTROL_PLANE: &str = "\
apiVersion: c5c3.io/v1alpha1
kind: ControlPlane
metadata:
  name: cp
  namespace: openstack
spec: {}
";

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A folder of files that is gone with the test.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// The same files with a change to each.
fn copy(from: &Path, change: impl Fn(String) -> String) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let to = folder.path().join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(to).unwrap();
        } else {
            fs::write(to, change(fs::read_to_string(entry.path()).unwrap())).unwrap();
        }
    }
    folder
}

/// Makes an object the configuration of a function. Without, it is that of a legacy plugin.
fn as_function(object: &str) -> String {
    object.replacen("metadata:\n", &format!("metadata:\n{ANNOTATIONS}"), 1)
}

#[track_caller]
fn check_same(what: &str, expected: &str, found: &str) {
    assert!(!expected.is_empty(), "{what}: nothing to compare with");
    let diff = similar::TextDiff::from_lines(expected, found);
    let diff = diff.unified_diff().context_radius(2).to_string();
    let excerpt: Vec<_> = diff.lines().take(40).collect();
    assert!(expected == found, "{what}:\n{}", excerpt.join("\n"));
}
