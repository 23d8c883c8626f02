//! The entries that kustomize, kubectl and kpt call. They read and write; what to say is decided
//! in the library.

use std::ffi::OsStr;
use std::io::{self, ErrorKind, IsTerminal as _, Read as _, Write as _};
use std::process::ExitCode;

use strata::finding::{Code, Findings, Place};
use strata::report::plain::plain;
use strata::resource_list::{self, Answer};

/// A ResourceList on standard input, one on standard output.
pub fn function() -> ExitCode {
    match standard_input() {
        Ok(input) => deliver(&resource_list::function(&input)),
        Err(error) => unreadable("standard input", &error),
    }
}

/// The configuration is a file. A generator gets nothing beside it, a transformer all resources.
pub fn legacy_plugin(config: &OsStr) -> ExitCode {
    let bytes = match std::fs::read(config) {
        Ok(bytes) => bytes,
        Err(error) => return unreadable(&config.to_string_lossy(), &error),
    };
    // Someone who tries the plugin by hand has no resources to give, and would wait for us while
    // we wait for them.
    let resources = if io::stdin().is_terminal() { Ok(Vec::new()) } else { standard_input() };
    match resources {
        Ok(resources) => deliver(&resource_list::plugin(&bytes, &resources)),
        Err(error) => unreadable("standard input", &error),
    }
}

fn standard_input() -> io::Result<Vec<u8>> {
    let mut input = Vec::new();
    io::stdin().lock().read_to_end(&mut input)?;
    Ok(input)
}

fn unreadable(what: &str, error: &io::Error) -> ExitCode {
    let mut findings = Findings::default();
    findings.push(
        Code::Unreadable
            .at(Place::nowhere())
            .because(format!("{what}: {error}"))
            .remedy("let kustomize or kpt call it; by hand, use `strata render PATH`"),
    );
    deliver(&Answer { text: String::new(), findings })
}

fn deliver(answer: &Answer) -> ExitCode {
    // If nobody listens to what we have to say, the exit code still tells.
    let _ = io::stderr().write_all(plain(&answer.findings).as_bytes());
    let mut stdout = io::stdout().lock();
    match stdout.write_all(answer.text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "error: standard output cannot be written: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::from(u8::from(answer.findings.has_errors())),
    }
}
