//! What is said where: output on standard output, everything else on standard error.

use std::env;
use std::ffi::OsString;
use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Write as _};

use annotate_snippets::Level;
use clap::{Args, ValueEnum};
use strata::finding::{Code, Findings, Severity};
use strata::load::Source;
use strata::report::{human, json};

use crate::cli::stop::{Failure, Stop};

#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct Look {
    /// When to colour messages
    ///
    /// By default on a terminal, unless NO_COLOR is set or CLICOLOR is 0.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// How to write findings
    ///
    /// `json` writes them as one array with one finding on each line.
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    format: Format,
    /// Show errors only: no warnings, no closing line
    #[arg(short, long, global = true)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
}

impl Color {
    /// What the arguments say, before they are parsed: a mistake in them is reported in colour too.
    pub fn asked_for(arguments: &[OsString]) -> Self {
        let mut asked = Color::Auto;
        for (position, argument) in arguments.iter().enumerate() {
            let value = match argument.to_str() {
                Some("--color") => arguments.get(position + 1).and_then(|value| value.to_str()),
                Some(text) => text.strip_prefix("--color="),
                None => None,
            };
            asked = match value {
                Some("always") => Color::Always,
                Some("never") => Color::Never,
                Some("auto") => Color::Auto,
                _ => asked,
            };
        }
        asked
    }

    pub fn for_help(self) -> clap::ColorChoice {
        match self {
            Color::Auto => clap::ColorChoice::Auto,
            Color::Always => clap::ColorChoice::Always,
            Color::Never => clap::ColorChoice::Never,
        }
    }

    /// As <https://no-color.org> and <https://bixense.com/clicolors> have it.
    fn wanted_on(self, is_terminal: bool) -> bool {
        let is = |name: &str, value: &str| env::var_os(name).is_some_and(|it| it == value);
        let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto if set("NO_COLOR") => false,
            Color::Auto if set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") => true,
            Color::Auto => is_terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb"),
        }
    }
}

#[derive(Debug)]
pub struct Terminal {
    look: human::Look,
    format: Format,
    /// Whether somebody is watching.
    watched: bool,
}

impl Terminal {
    pub fn new(look: &Look) -> Self {
        let watched = io::stderr().is_terminal();
        Terminal {
            look: human::Look { color: look.color.wanted_on(watched), quiet: look.quiet },
            format: look.format,
            watched,
        }
    }

    /// Writes the output, whole: nothing is printed before everything succeeded.
    pub fn print(&self, text: impl AsRef<[u8]>) -> Result<(), Stop> {
        self.print_all([text])
    }

    /// The same of an output in many pieces.
    pub fn print_all<T: AsRef<[u8]>>(
        &self,
        pieces: impl IntoIterator<Item = T>,
    ) -> Result<(), Stop> {
        // Standard output itself would be written to with every line or piece.
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        let mut pieces = pieces.into_iter();
        match pieces.try_for_each(|piece| out.write_all(piece.as_ref())).and_then(|()| out.flush())
        {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Stop::PipeClosed),
            Err(error) => Err(Failure::new(
                format!("cannot write to standard output: {error}"),
                "look at where the output goes, and run the same command again",
            )
            .into()),
        }
    }

    /// All findings, and what failed beside them, on standard error.
    pub fn report(&self, findings: &Findings, sources: &[Source], failure: Option<&Failure>) {
        let failure = failure.map(|failure| (failure.message.as_str(), failure.help.as_str()));
        match self.format {
            Format::Human => {
                say(&human::human(findings, sources, self.look));
                if let Some((message, help)) = failure {
                    say(&human::message(Level::ERROR, message, help, self.look));
                }
            }
            Format::Json => say(&json::json(&self.shown(findings), sources, failure)),
        }
    }

    /// Findings as the output itself, for a command that has no other.
    pub fn print_findings(&self, findings: &Findings, sources: &[Source]) -> Result<(), Stop> {
        match self.format {
            Format::Human => {
                self.report(findings, sources, None);
                Ok(())
            }
            Format::Json => self.print(json::json(&self.shown(findings), sources, None)),
        }
    }

    /// The last line after a refusal, and where to read more.
    pub fn close_refused(&self, findings: &Findings, consequence: &str) {
        if self.is_terse() {
            return;
        }
        let text = format!("{}{consequence}", human::count(findings));
        say(&human::message(Level::ERROR, &text, "", self.look));
        if findings.is_partial() {
            say("further checks follow once these errors are mended\n");
        }
        self.hint(findings);
    }

    /// The last line after a success that somebody watches: pipelines stay silent.
    pub fn close_watched(&self, text: &str, findings: &Findings) {
        if self.watched {
            self.close(text, findings);
        }
    }

    pub fn close(&self, text: &str, findings: &Findings) {
        self.tell(text);
        if !self.is_terse() {
            self.hint(findings);
        }
    }

    /// What a command did that has no findings to report.
    pub fn tell(&self, text: &str) {
        if !self.is_terse() {
            say(&format!("{text}\n"));
        }
    }

    /// How wide standard output is, if that is a terminal.
    pub fn columns(&self) -> Option<usize> {
        let out = io::stdout();
        let size = rustix::termios::tcgetwinsize(&out).ok().filter(|_| out.is_terminal())?;
        // Some terminals do not know.
        Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
    }

    /// Whether programs read the output.
    pub fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    fn is_terse(&self) -> bool {
        self.look.quiet || self.format == Format::Json
    }

    fn hint(&self, findings: &Findings) {
        if let Some(code) = most_telling(findings) {
            say(&format!("`strata explain {}` says more\n", code.id()));
        }
    }

    fn shown(&self, findings: &Findings) -> Findings {
        let mut shown = Findings::default();
        findings
            .iter()
            .filter(|finding| !self.look.quiet || finding.code.severity() == Severity::Error)
            .for_each(|finding| shown.push(finding.clone()));
        shown
    }
}

/// The code of the first error, or of the first warning.
fn most_telling(findings: &Findings) -> Option<Code> {
    let mut codes = findings.iter().map(|finding| finding.code);
    codes.clone().find(|code| code.severity() == Severity::Error).or_else(|| codes.next())
}

/// On standard error. If that is closed there is nobody to tell.
fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
