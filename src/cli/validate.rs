//! `strata validate`: everything that rendering would say, and nothing rendered.

use clap::Args;
use strata::Options;
use strata::report::human;

use crate::cli::day::today;
use crate::cli::input::Input;
use crate::cli::render::Specs;
use crate::cli::stop::Stop;
use crate::cli::terminal::Terminal;
use crate::cli::words::many;

/// Say everything that is wrong with a spec
///
/// Goes the whole way that `render` goes and keeps the manifests to itself. All that a step finds is
/// said at once; the next step looks at a cloud once the one before has no errors, and the last line
/// says where further checks follow. With `--format json`
/// the findings are the output. Releases that are out of maintenance today are warned of, which `render` does for
/// the day of `--as-of` alone: what it writes depends on no clock.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  strata validate controlplane.yaml
  strata validate . --format json           for programs: an array on standard output
  strata validate . --as-of 2027-11-16      warn of releases out of maintenance on that day")]
pub struct Validate {
    #[command(flatten)]
    specs: Specs,
}

impl Validate {
    pub fn run(&self, terminal: &Terminal) -> Result<(), Stop> {
        let options = Options { as_of: Some(today()), ..Options::default() };
        let (Input { sources, .. }, outcome) = self.specs.render(options);
        let findings = &outcome.findings;
        terminal.print_findings(findings, &sources)?;
        if findings.has_errors() {
            terminal.close_refused(findings, "");
            return Err(Stop::INVALID);
        }
        let planes = many(outcome.clouds.len(), "control plane");
        let line = match human::count(findings) {
            none if none.is_empty() => format!("{planes}: nothing to object to"),
            warnings => format!("{planes}: valid, {warnings}"),
        };
        terminal.close(&line, findings);
        Ok(())
    }
}
