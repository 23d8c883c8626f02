//! `strata explain`: the long text of a finding's code, or where an object comes from.

use std::path::PathBuf;

use clap::Args;
use strata::finding::Code;
use strata::report::plain::severity;
use strata::schema::nearest;

use crate::cli::explain_object;
use crate::cli::render::Specs;
use crate::cli::stop::{Failure, Stop};
use crate::cli::terminal::Terminal;

/// Say what the code of a finding means, or where the fields of an object come from
///
/// Without a code, lists all of them. With `--object`, tells for each field of a rendered object
/// which layer decided it (built-in, size, release, defaults, spec, patch or code), where that
/// is written, and in which record the field stands. `code` is Strata's own: it makes databases,
/// credentials, certificates and the like of what records declare, the same for every component.
/// What it makes of settings is found out by changing each of them and rendering once more.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  strata explain S0301
  strata explain                                                   list all codes
  strata explain --object MariaDB/openstack-db my-cloud            every field of an object
  strata explain --object Nova/nova --field spec.api my-cloud      some fields, with all reasons
  strata explain --object User.rabbitmq.com/nova . --format json   for programs")]
pub struct Explain {
    /// The code, as findings show it; with --object, files and folders to read
    #[arg(value_name = "CODE or PATH")]
    words: Vec<PathBuf>,
    /// Explain this object in place of a code
    ///
    /// Where operators call their kinds the same, with the API group: `User.k8s.mariadb.com/nova`.
    /// A namespace may stand before the name, as in the heading of an explanation.
    #[arg(long, value_name = "KIND/NAME")]
    object: Option<String>,
    /// Only this field of the object, and what lies below it
    #[arg(long, value_name = "FIELD", requires = "object")]
    field: Option<String>,
    /// Add or replace generator records by those in this folder; may be repeated
    #[arg(long, value_name = "DIR", requires = "object")]
    generators: Vec<PathBuf>,
}

impl Explain {
    pub fn run(&self, terminal: &Terminal) -> Result<(), Stop> {
        if let Some(object) = &self.object {
            let specs = Specs {
                paths: self.words.clone(),
                generators: self.generators.clone(),
                as_of: None,
            };
            return explain_object::run(&specs, object, self.field.as_deref(), terminal);
        }
        let Some(asked) = self.words.first() else { return terminal.print(list()) };
        let asked = asked.to_string_lossy();
        match Code::with_id(&asked) {
            Some(code) if self.words.len() == 1 => terminal.print(article(code)),
            Some(_) => Err(Failure::usage(
                "one code is explained at a time",
                format!("try `strata explain {asked}`"),
            )
            .into()),
            None => Err(unknown(&asked).into()),
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
    let known = || Code::ALL.iter().map(|code| code.id());
    let whole =
        known().find(|id| upper.bytes().all(|b| b.is_ascii_digit()) && id.ends_with(&upper));
    let help = match whole.or_else(|| nearest(&upper, known())) {
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
