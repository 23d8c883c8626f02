//! `strata explain`: the long text of a finding's code.

use clap::Args;
use strata::finding::Code;
use strata::report::plain::severity;
use strata::schema::nearest;

use crate::cli::stop::{Failure, Stop};
use crate::cli::terminal::Terminal;

/// Say what the code of a finding means
///
/// Without a code, lists all of them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  strata explain S0301
  strata explain            list all codes")]
pub struct Explain {
    /// The code, as findings show it
    code: Option<String>,
}

impl Explain {
    pub fn run(&self, terminal: &Terminal) -> Result<(), Stop> {
        let Some(asked) = &self.code else { return terminal.print(list()) };
        match Code::with_id(asked) {
            Some(code) => terminal.print(article(code)),
            None => Err(unknown(asked).into()),
        }
    }
}

fn article(code: Code) -> String {
    let head = format!("{}[{}]: {}", severity(code.severity()), code.id(), code.title());
    format!("{head}\n\n{}\n", wrapped(code.text()))
}

fn list() -> String {
    Code::ALL
        .iter()
        .map(|code| format!("{}  {:7}  {}\n", code.id(), severity(code.severity()), code.title()))
        .collect()
}

fn unknown(asked: &str) -> Failure {
    let upper = asked.to_uppercase();
    let help = match nearest(&upper, Code::ALL.iter().map(|code| code.id())) {
        Some(near) => format!("did you mean {near}? `strata explain` lists all codes"),
        None => "`strata explain` lists all codes".to_owned(),
    };
    Failure::usage(format!("there is no code `{asked}`"), help)
}

/// Lines of at most 80 characters: the texts are one paragraph each.
fn wrapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut width = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 80 {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += length;
    }
    out
}
