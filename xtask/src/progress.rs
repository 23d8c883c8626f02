//! One line of progress per piece of work: rewritten in place on a terminal, plain lines elsewhere.

use std::fs::File;
use std::io::{IsTerminal, Write, stderr};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::failure::{Failure, While};

/// A reader of a plain log learns at least this often that the work goes on.
const PLAIN_TICK: Duration = Duration::from_secs(10);
const TERMINAL_TICK: Duration = Duration::from_secs(1);
const POLL: Duration = Duration::from_millis(100);
/// Enough of a compiler's output to see the cause, little enough to read.
const LAST_LINES: usize = 15;

#[derive(Debug)]
pub struct Line {
    label: String,
    terminal: bool,
    started: Instant,
    ticked: Instant,
}

impl Line {
    pub fn new(label: String) -> Self {
        let terminal = stderr().is_terminal() && std::env::var_os("CI").is_none();
        Self { label, terminal, started: Instant::now(), ticked: Instant::now() }
    }

    /// Ends the line with what became of the work.
    pub fn done(&self, what: &str) {
        let start = if self.terminal { "\r\x1b[K" } else { "" };
        eprintln!("{start}{} … {what}", self.label);
    }

    pub fn done_in_seconds(&self, what: &str) {
        self.done(&format!("{what} in {} s", self.started.elapsed().as_secs()));
    }

    fn tick(&mut self) {
        let every = if self.terminal { TERMINAL_TICK } else { PLAIN_TICK };
        if self.ticked.elapsed() < every {
            return;
        }
        self.ticked = Instant::now();
        let seconds = self.started.elapsed().as_secs();
        if self.terminal {
            eprint!("\r\x1b[K{} … {seconds} s", self.label);
            // A terminal that went away is no reason to stop the build.
            let _ = stderr().flush();
        } else {
            eprintln!("{} … still at it after {seconds} s", self.label);
        }
    }

    /// Runs a command to its end, ticking, and returns its standard output. All it says is kept in
    /// `room`; when it fails, its last lines become the failure.
    pub fn watch(&mut self, command: &mut Command, room: &Path) -> Result<String, Failure> {
        let (out, err) = (room.join("stdout.log"), room.join("stderr.log"));
        let create =
            |path: &Path| File::create(path).while_(format!("creating {}", path.display()));
        let shown = format!("{command:?}");
        let mut child = command
            .stdin(Stdio::null())
            .stdout(create(&out)?)
            .stderr(create(&err)?)
            .spawn()
            .while_(format!("starting {}", command.get_program().display()))?;
        let status = loop {
            match child.try_wait().while_("waiting")? {
                Some(status) => break status,
                None => std::thread::sleep(POLL),
            }
            self.tick();
        };
        let said = std::fs::read_to_string(&out).unwrap_or_default();
        if status.success() {
            return Ok(said);
        }
        let complaint = std::fs::read_to_string(&err).unwrap_or_default();
        Err(Failure::new(format!("{shown} ended with {status}\n{}", last_lines(&said, &complaint))))
    }
}

fn last_lines(out: &str, err: &str) -> String {
    let lines: Vec<&str> = out.lines().chain(err.lines()).collect();
    let from = lines.len().saturating_sub(LAST_LINES);
    lines[from..].iter().map(|line| format!("    | {line}")).collect::<Vec<_>>().join("\n")
}
