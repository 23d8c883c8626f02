//! The hostile corpus: what no input may do to us.
//!
//! `tests/corpus/expected.txt` says what reading each file gives; `UPDATE=1` writes it anew.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs::{self, File};
use std::io::{Seek, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use strata::yaml::place::line_column;
use strata::yaml::read::read_bytes;

#[test]
fn every_file_gives_what_the_index_says() {
    let files = files();
    assert!(files.len() >= 100, "only {} files", files.len());
    let found: String = files.iter().map(|path| outcome(path) + "\n").collect();
    let index = corpus().join("expected.txt");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&index, &found).unwrap();
    }
    let expected = fs::read_to_string(&index).unwrap();
    let changed: Vec<_> = found.lines().filter(|line| !expected.contains(line)).collect();
    assert!(changed.is_empty(), "not in the index:\n{}", changed.join("\n"));
    assert_eq!(found, expected);
}

#[test]
fn render_survives_every_file() {
    for path in files() {
        check_survives(&path, |strata| strata.arg("render").arg(&path));
    }
}

#[test]
fn the_function_survives_every_file_on_its_input() {
    for path in files() {
        check_survives(&path, |strata| strata.stdin(File::open(&path).unwrap()));
    }
}

#[test]
fn the_legacy_plugin_survives_every_file() {
    for path in files() {
        check_survives(&path, |strata| as_plugin(strata, &path));
    }
}

/// Too large to keep, and easily made.
#[test]
fn every_entry_survives_large_files() {
    let large = [
        ("documents", "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n".repeat(10_000)),
        ("key", format!("? {}\n: 1\n", "k".repeat(1 << 20))),
        ("number", "9".repeat(1 << 20)),
        ("depth", "[".repeat(1 << 20)),
        ("keys", (0..100_000).map(|n| format!("k{n}: {n}\n")).collect()),
        ("line", format!("a: [{}]\n", "x, ".repeat(200_000))),
        ("aliases", format!("a: &a x\nb: [{}]\n", "*a, ".repeat(200_000))),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in large {
        let path = folder.path().join(format!("{name}.yaml"));
        fs::write(&path, text).unwrap();
        check_survives(&path, |strata| strata.arg("render").arg(&path));
        check_survives(&path, |strata| strata.stdin(File::open(&path).unwrap()));
        check_survives(&path, |strata| as_plugin(strata, &path));
    }
}

/// kustomize hands a plugin its configuration as a file, and tells it so by the environment.
fn as_plugin<'c>(strata: &'c mut Command, config: &Path) -> &'c mut Command {
    strata.arg(config).env("KUSTOMIZE_PLUGIN_CONFIG_ROOT", "/")
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

fn files() -> Vec<PathBuf> {
    let entries = fs::read_dir(corpus()).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().unwrap() == "yaml").collect();
    files.sort();
    files
}

/// `name: number of documents; kind line:column, …`
fn outcome(path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    let reading = read_bytes(&bytes);
    let text = String::from_utf8_lossy(&bytes);
    let fault = |fault: &strata::yaml::tree::Fault| {
        let (line, column) = line_column(&text, fault.at.start);
        format!("{:?} {line}:{column}", fault.kind)
    };
    let faults: Vec<_> = reading.faults.iter().map(fault).collect();
    let name = path.file_name().unwrap().to_string_lossy();
    format!("{name}: {}; {}", reading.documents.len(), faults.join(", ")).trim_end().to_owned()
}

/// A refusal is fine, and says why; a crash, a hang or half an output is not.
fn check_survives(path: &Path, entry: impl FnOnce(&mut Command) -> &mut Command) {
    let (mut stdout, mut stderr) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_strata"));
    command.stdin(Stdio::null()).stdout(stdout.try_clone().unwrap());
    command.stderr(stderr.try_clone().unwrap());
    let status = run(entry(&mut command), path);
    let name = path.display();
    let said = content(&mut stderr);
    match status.code() {
        Some(0) => {}
        Some(1 | 2) => {
            assert_eq!(content(&mut stdout), "", "{name} was refused and yet gave an output");
            assert_ne!(said.trim(), "", "{name} was refused without a word");
        }
        _ => panic!("{name} ended with {status}: {said}"),
    }
}

fn run(command: &mut Command, path: &Path) -> ExitStatus {
    let mut child = command.spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if Instant::now() > deadline {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{} took more than 20 s", path.display());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn content(file: &mut File) -> String {
    file.flush().unwrap();
    file.rewind().unwrap();
    std::io::read_to_string(file).unwrap_or_else(|error| format!("unreadable: {error}"))
}
