//! A server process that cannot outlive the test program, and that leaves no files behind.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Waits for the end of its input, which comes when the test program drops the pipe or dies of
/// whatever cause; a destructor alone would miss a kill, an abort and every static.
const GUARDIAN: &str = r#"
folder=$1; shift
"$@" >"$folder/log" 2>&1 &
server=$!
echo "$server" >"$folder/pid"
read -r _
kill -9 "$server"
wait "$server" 2>/dev/null
rm -rf "$folder"
"#;

#[derive(Debug)]
pub struct Guarded {
    guardian: Child,
    folder: PathBuf,
}

impl Guarded {
    /// Starts a program that keeps its files in `folder`, which is removed with it.
    pub fn start(program: &Path, arguments: &[String], folder: PathBuf) -> Self {
        let guardian = Command::new("sh")
            .args(["-c", GUARDIAN, "sh"])
            .arg(&folder)
            .arg(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Its own group: Ctrl-C must reach the test program, not the one that cleans up after it.
            .process_group(0)
            .spawn()
            .unwrap_or_else(|error| panic!("starting {}: {error}", program.display()));
        Self { guardian, folder }
    }

    /// As `start`, with more in its environment.
    pub fn start_with(
        environment: &[(&str, &str)],
        program: &Path,
        arguments: &[String],
        folder: PathBuf,
    ) -> Self {
        let variables = environment.iter().map(|(name, value)| format!("{name}={value}"));
        let program = std::iter::once(program.display().to_string());
        let all: Vec<String> = variables.chain(program).chain(arguments.iter().cloned()).collect();
        Self::start(Path::new("env"), &all, folder)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether it has ended by itself: nothing is left of it, or what its guardian has not yet buried.
    pub fn has_ended(&self) -> bool {
        let pid = fs::read_to_string(self.folder.join("pid")).unwrap_or_default();
        let Ok(pid) = pid.trim().parse::<u32>() else { return false };
        fs::read_to_string(format!("/proc/{pid}/status"))
            .map_or(true, |status| status.contains("State:\tZ"))
    }

    /// The last lines that the server wrote.
    pub fn last_words(&self) -> String {
        let log = fs::read(self.folder.join("log")).unwrap_or_default();
        let text = String::from_utf8_lossy(&log).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        drop(self.guardian.stdin.take());
        let _ = self.guardian.wait();
    }
}

/// A new folder for one server, below the build folder.
pub fn folder(name: &str) -> PathBuf {
    tempfile::Builder::new()
        .prefix(&format!("{name}-"))
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .expect("a temporary folder can be created")
        .keep()
}
