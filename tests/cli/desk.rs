//! A folder to work in, and the program run there. The only place that knows how to run it.

use std::fmt;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

pub const SPEC: &str = "\
apiVersion: c5c3.io/v1alpha1
kind: ControlPlane
metadata: {name: test, namespace: openstack}
spec: {}
";

/// A component that no catalogue has, so that tests do not depend on what is in it.
pub const RECORD: &str = "\
apiVersion: strata.c5c3.io/v1alpha1
kind: Component
component: motto
phase: extras
summary: A line on the wall
needs: [namespace]
options:
  text: {type: string, default: Hello, description: What it says.}
objects:
- object:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: '{{ name }}'}
    data: {text: '{{ options.text }}'}
";

pub struct Desk(TempDir);

impl Desk {
    pub fn new() -> Self {
        Desk(tempfile::tempdir().unwrap())
    }

    /// A desk with a spec on it: `cloud.yaml`.
    pub fn with_spec() -> Self {
        Desk::new().file("cloud.yaml", SPEC)
    }

    pub fn file(self, path: &str, text: &str) -> Self {
        self.write(path, text);
        self
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Every file below a folder and every empty folder, sorted.
    pub fn list(&self, folder: &str) -> Vec<String> {
        let root = self.path(folder);
        let mut paths: Vec<String> = walkdir::WalkDir::new(&root)
            .min_depth(1)
            .into_iter()
            .map(Result::unwrap)
            .filter(|entry| {
                !entry.file_type().is_dir() || fs::read_dir(entry.path()).unwrap().next().is_none()
            })
            .map(|entry| entry.path().strip_prefix(&root).unwrap().display().to_string())
            .collect();
        paths.sort();
        paths
    }

    /// The program with these words, in this folder and in an environment that says nothing.
    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_strata"));
        command
            .args(words.split_whitespace())
            .current_dir(self.0.path())
            .env_clear()
            .env("HOME", self.path("home"))
            // A day in November 2026: what is maintained today will not be for ever.
            .env("SOURCE_DATE_EPOCH", "1795000000")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub fn run(&self, words: &str) -> Ran {
        Ran::from(self.command(words).output().unwrap())
    }

    /// With arguments that have spaces in them.
    pub fn run_words(&self, words: &[&str]) -> Ran {
        Ran::from(self.command("").args(words).output().unwrap())
    }

    pub fn run_with_input(&self, words: &str, input: &str) -> Ran {
        let mut child = self.command(words).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        Ran::from(child.wait_with_output().unwrap())
    }
}

/// What the program said. Shown as a whole, so that a snapshot holds all of it.
#[derive(Debug, PartialEq)]
pub struct Ran {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// The output of a run that must have succeeded.
    pub fn output(self) -> String {
        assert_eq!(self.status, 0, "{self}");
        self.stdout
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Ran {
            status: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}exit {}", self.stdout, self.stderr, self.status)
    }
}
