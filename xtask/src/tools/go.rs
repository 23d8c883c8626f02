//! Parts that come from published Go modules. The machine's own Go settings (proxy, checksums,
//! toolchain) are used as they are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use walkdir::WalkDir;

use super::recipe::GoProgram;
use crate::failure::{Failure, While};
use crate::progress::Line;

const REMEDY: &str = "Go 1.26 or newer must be installed and reach its module proxy (see `go env GOPROXY`); \
                      this is needed once, then the result is cached";

#[derive(Debug)]
pub struct Source<'a> {
    pub module: &'a str,
    pub version: &'a str,
}

#[derive(Debug)]
struct Downloaded {
    folder: PathBuf,
    go_mod: PathBuf,
}

/// Builds a program in a small module that requires the program's own.
pub fn build_program(
    program: &GoProgram,
    version: &str,
    output: &Path,
    room: &Path,
    line: &mut Line,
) -> Result<(), Failure> {
    let source = Source { module: program.module, version };
    let downloaded = download(&source, room, line)?;
    let described = go(&["mod", "edit", "-json"], room, line, |go| go.arg(&downloaded.go_mod))?;
    let described: Value =
        serde_json::from_str(&described).while_("reading the module's go.mod")?;
    fs::write(room.join("go.mod"), small_module(&source, program.staging, &described))
        .while_("writing go.mod")?;
    // The module's own sums: the better pin, and a few old modules are unknown to the checksum database.
    let sums = downloaded.folder.join("go.sum");
    if sums.exists() {
        let text = fs::read(&sums).while_("reading the module's go.sum")?;
        fs::write(room.join("go.sum"), text).while_("writing go.sum")?;
    }
    let package = format!("{}{}", program.module, program.package);
    let mut flags = String::from("-s -w");
    for (variable, value) in program.stamps {
        flags.push_str(&format!(" -X {variable}={value}"));
    }
    go(&["build", "-mod=mod", "-trimpath", "-ldflags", &flags], room, line, |go| {
        go.arg("-o").arg(output).arg(package)
    })
    .map(drop)
}

/// Builds a program in a writable copy of its module's folder.
pub fn build_folder(
    source: &Source,
    package: &str,
    missing_file: &str,
    output: &Path,
    room: &Path,
    line: &mut Line,
) -> Result<(), Failure> {
    let folder = room.join("source");
    copy_tree(&download(source, room, line)?.folder, &folder).while_("copying the module")?;
    let file = folder.join(missing_file);
    file.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(&file, "{}\n"))
        .while_(format!("writing {missing_file}"))?;
    let stamp = format!("-s -w -X main.VERSION={}", source.version.trim_start_matches('v'));
    go(&["build", "-trimpath", "-ldflags", &stamp], room, line, |go| {
        go.current_dir(&folder).arg("-o").arg(output).arg(package)
    })
    .map(drop)
}

/// Copies the YAML files at a path (a file or a folder) of a module.
pub fn copy_manifests(
    source: &Source,
    path: &str,
    into: &Path,
    room: &Path,
    line: &mut Line,
) -> Result<(), Failure> {
    let from = download(source, room, line)?.folder.join(path);
    let mut found = false;
    for entry in WalkDir::new(&from).max_depth(1) {
        let entry = entry.while_(format!("listing {path} of {}", source.module))?;
        let yaml = entry.path().extension().is_some_and(|extension| extension == "yaml");
        if yaml && entry.file_type().is_file() {
            // Read and write, not copy: the module cache is read-only, and a copy would be too.
            let text = fs::read(entry.path()).while_("reading a CRD")?;
            fs::write(into.join(entry.file_name()), text).while_("writing a CRD")?;
            found = true;
        }
    }
    if found {
        Ok(())
    } else {
        Err(Failure::new(format!("{} has no YAML at {path}", source.module)))
    }
}

fn download(source: &Source, room: &Path, line: &mut Line) -> Result<Downloaded, Failure> {
    let wanted = format!("{}@{}", source.module, source.version);
    let said = go(&["mod", "download", "-json"], room, line, |go| go.arg(&wanted))?;
    let said: Value = serde_json::from_str(&said).while_("reading what go mod download said")?;
    let path = |key: &str| {
        let path = said[key].as_str().map(PathBuf::from);
        path.ok_or_else(|| Failure::new(format!("go mod download {wanted} names no {key}")))
    };
    Ok(Downloaded { folder: path("Dir")?, go_mod: path("GoMod")? })
}

fn go(
    arguments: &[&str],
    room: &Path,
    line: &mut Line,
    more: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<String, Failure> {
    let mut command = Command::new("go");
    // A go.work of the user's, somewhere above the cache, would change what is built.
    command.current_dir(room).env("GOWORK", "off").env("CGO_ENABLED", "0").args(arguments);
    line.watch(more(&mut command), room).map_err(|failure| failure.remedy(REMEDY))
}

/// The go.mod of a module that only requires another: with the `go` line and the `replace` lines of
/// that one, which Go reads from the main module alone.
fn small_module(source: &Source, staging: Option<&str>, described: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = |key: &str| described[key].as_array().cloned().unwrap_or_default();
    let mut lines = vec![
        "module strata/tools".to_owned(),
        format!("go {}", text(&described["Go"])),
        format!("require {} {}", source.module, source.version),
    ];
    for replace in all("Replace") {
        let (old, new) = (&replace["Old"], &replace["New"]);
        // Without a version it points to a folder that is not there outside of its repository.
        if new["Version"].is_string() {
            let old = format!("{} {}", text(&old["Path"]), text(&old["Version"]));
            lines.push(format!(
                "replace {} => {} {}",
                old.trim_end(),
                text(&new["Path"]),
                text(&new["Version"])
            ));
        }
    }
    for require in all("Require") {
        if let (Some(version), Some("v0.0.0")) = (staging, require["Version"].as_str()) {
            let path = text(&require["Path"]);
            lines.push(format!("replace {path} => {path} {version}"));
        }
    }
    lines.join("\n") + "\n"
}

/// Copies contents only: the module cache is read-only, and the copy must be writable.
fn copy_tree(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in WalkDir::new(from) {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from).unwrap_or(entry.path()));
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target)?;
        } else {
            fs::write(&target, fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_module_keeps_versioned_replaces_and_pins_staging() {
        let described = serde_json::json!({
            "Go": "1.26.0",
            "Require": [
                {"Path": "k8s.io/api", "Version": "v0.0.0"},
                {"Path": "example.com/other", "Version": "v1.2.3"},
            ],
            "Replace": [
                {"Old": {"Path": "a.example/x"}, "New": {"Path": "b.example/x", "Version": "v2.0.0"}},
                {"Old": {"Path": "a.example/y", "Version": "v1.0.0"}, "New": {"Path": "a.example/y", "Version": "v1.0.1"}},
                {"Old": {"Path": "a.example/z"}, "New": {"Path": "./z"}},
            ],
        });
        let source = Source { module: "example.com/tool", version: "v1.36.1" };
        assert_eq!(
            small_module(&source, Some("v0.36.1"), &described),
            "module strata/tools\n\
             go 1.26.0\n\
             require example.com/tool v1.36.1\n\
             replace a.example/x => b.example/x v2.0.0\n\
             replace a.example/y v1.0.0 => a.example/y v1.0.1\n\
             replace k8s.io/api => k8s.io/api v0.36.1\n"
        );
    }
}
