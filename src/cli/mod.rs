//! The commands people run, one file each.

use std::io::Write as _;
use std::process::ExitCode;

pub fn run() -> ExitCode {
    let file = std::env::args().nth(2).unwrap_or_default();
    let Ok(bytes) = std::fs::read(&file) else { return ExitCode::from(2) };
    let sources = vec![strata::load::Source { name: file, bytes }];
    let mut findings = strata::finding::Findings::default();
    let documents = strata::load::read(&sources, &mut findings);
    let outcome = strata::render(&documents, findings, &strata::Options::default());
    let _ = std::io::stderr().write_all(strata::report::plain::plain(&outcome.findings).as_bytes());
    let _ = std::io::stdout().write_all(strata::deliver::stream(&outcome.objects).as_bytes());
    ExitCode::from(u8::from(outcome.findings.has_errors()))
}
