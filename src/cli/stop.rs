//! Why a command ended before its end, and the exit status that says so.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use strata::finding::Findings;
use strata::load::Source;

use crate::cli::terminal::Terminal;

const INVALID: u8 = 1;
pub const USAGE: u8 = 2;
/// EX_SOFTWARE of sysexits.h: an internal fault was detected.
const OUR_FAULT: i32 = 70;

#[derive(Debug)]
pub enum Stop {
    /// All was said already.
    Reported(u8),
    Failed(Failure),
    /// Whoever read our output has enough of it, as `head` does. That is no error.
    PipeClosed,
}

/// Something that went wrong and is no finding about the input.
#[derive(Debug)]
pub struct Failure {
    exit: u8,
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl Failure {
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Failure { exit: INVALID, message: message.into(), help: help.into() }
    }

    /// What was asked for cannot be meant.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Failure { exit: USAGE, ..Failure::new(message, help) }
    }

    /// Something on the disk did not go as it should: `cannot write rendered/x: disk full`.
    pub fn on_disk(doing: &str, path: &Path, error: &io::Error) -> Self {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let help = match (error.kind(), folder) {
            (io::ErrorKind::NotFound, Some(folder)) if !folder.exists() => {
                format!("there is no folder {}: create it, or name another path", folder.display())
            }
            (io::ErrorKind::NotFound, _) => "look how the path is written".to_owned(),
            _ => "look at the permissions and the free space there, and run the same command again"
                .to_owned(),
        };
        Failure::new(format!("cannot {doing} {}: {error}", path.display()), help)
    }
}

impl Stop {
    /// The input was refused, and the findings were reported.
    pub const INVALID: Stop = Stop::Reported(INVALID);

    /// Says what failed together with the findings, since a program reads both as one text.
    pub fn reported_with(
        self,
        findings: &Findings,
        sources: &[Source],
        terminal: &Terminal,
    ) -> Stop {
        match self {
            Stop::Failed(failure) => {
                terminal.report(findings, sources, Some(&failure));
                Stop::Reported(failure.exit)
            }
            other => other,
        }
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Stop::Failed(failure)
    }
}

pub fn exit(end: Result<(), Stop>, terminal: &Terminal) -> ExitCode {
    match end {
        Ok(()) | Err(Stop::PipeClosed) => ExitCode::SUCCESS,
        Err(Stop::Reported(status)) => ExitCode::from(status),
        Err(Stop::Failed(failure)) => {
            terminal.report(&Findings::default(), &[], Some(&failure));
            ExitCode::from(failure.exit)
        }
    }
}

/// A panic is a fault of ours: said as such, with what a report needs, and with a status of its
/// own. The release build aborts on panic, so the hook itself has to leave.
pub fn on_panic() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let text = format!(
            "error: strata {} has a fault, which is not yours: {}\n  at {place}\n  \
             Nothing was printed or half written. Please report this with the command line, the \
             text above and, if you may share it, the input{}.\n",
            env!("CARGO_PKG_VERSION"),
            panic.payload_as_str().unwrap_or("no message"),
            match env!("CARGO_PKG_REPOSITORY") {
                "" => String::new(),
                repository => format!(": {repository}"),
            },
        );
        let _ = io::stderr().write_all(text.as_bytes());
        std::process::exit(OUR_FAULT);
    }));
}
