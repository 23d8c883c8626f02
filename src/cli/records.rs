//! The generators a command works with: the built-in ones and those in the folders given.

use std::path::PathBuf;

use strata::Options;
use strata::catalogue::{self, Catalogue};
use strata::load;

use crate::cli::input::{self, Input};
use crate::cli::stop::Stop;
use crate::cli::terminal::Terminal;

pub fn catalogue(generators: &[PathBuf], terminal: &Terminal) -> Result<Catalogue, Stop> {
    let Input { sources, mut findings, documents } = input::gather(&[], generators);
    let spec = load::load(&documents, &Options::default(), &mut findings);
    let catalogue = catalogue::assemble(&spec, &mut findings);
    findings.sort();
    if !findings.is_empty() {
        terminal.report(&findings, &sources, None);
    }
    match catalogue {
        Some(catalogue) if !findings.has_errors() => Ok(catalogue),
        _ => {
            terminal.close_refused(&findings, "; nothing was written");
            Err(Stop::INVALID)
        }
    }
}
