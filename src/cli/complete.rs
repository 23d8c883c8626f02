//! `strata __complete`: the words that could come next, as Cobra's programs ask for them. kubectl asks the
//! program `kubectl_complete-strata` so, flux its plugins; both then print for the shell at hand.

use clap::{Arg, ArgAction, Args, Command, CommandFactory as _};

use crate::cli::Cli;
use crate::cli::stop::Stop;
use crate::cli::terminal::Terminal;

/// What the shell may do with our words (Cobra's ShellCompDirective): nothing beyond them, or offer
/// files.
const ONLY_THESE: u8 = 4;
const FILES_TOO: u8 = 0;

#[derive(Debug, Args)]
pub struct Complete {
    /// What is written so far; the last word is the one to complete
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

impl Complete {
    pub fn run(&self, terminal: &Terminal) -> Result<(), Stop> {
        let mut cli = Cli::command();
        cli.build();
        terminal.print(answer(&cli, &self.words))
    }
}

fn answer(cli: &Command, words: &[String]) -> String {
    let (last, before) =
        words.split_last().map_or(("", &[][..]), |(last, before)| (last.as_str(), before));
    let mut command = cli;
    for word in before {
        command = command.find_subcommand(word).unwrap_or(command);
    }
    let value_of =
        before.last().and_then(|word| flag(command, word)).filter(|arg| takes_value(arg));
    let (mut found, directive) = match value_of {
        Some(arg) => values(arg),
        None if last.starts_with('-') => (flags(command), ONLY_THESE),
        None if command.has_subcommands() => (subcommands(command), ONLY_THESE),
        None => positional(command),
    };
    found.retain(|(word, _)| word.starts_with(last));
    let lines: String = found.iter().map(|(word, help)| format!("{word}\t{help}\n")).collect();
    format!("{lines}:{directive}\n")
}

type Words = Vec<(String, String)>;

fn subcommands(command: &Command) -> Words {
    let shown = command.get_subcommands().filter(|inner| !inner.is_hide_set());
    shown.map(|inner| (inner.get_name().to_owned(), first_line(inner.get_about()))).collect()
}

fn flags(command: &Command) -> Words {
    let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
    shown
        .filter_map(|arg| Some((format!("--{}", arg.get_long()?), first_line(arg.get_help()))))
        .collect()
}

fn positional(command: &Command) -> (Words, u8) {
    command.get_positionals().next().map_or((Vec::new(), FILES_TOO), values)
}

/// The values that an argument takes; files, where it has no list of them.
fn values(arg: &Arg) -> (Words, u8) {
    let values: Words = arg
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| (value.get_name().to_owned(), first_line(value.get_help())))
        .collect();
    let directive = if values.is_empty() { FILES_TOO } else { ONLY_THESE };
    (values, directive)
}

fn flag<'a>(command: &'a Command, word: &str) -> Option<&'a Arg> {
    let long = word.strip_prefix("--");
    let short = word.strip_prefix('-').and_then(|rest| rest.chars().next());
    command.get_arguments().find(|arg| match long {
        Some(long) => arg.get_long() == Some(long),
        None => short.is_some() && arg.get_short() == short,
    })
}

fn takes_value(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set | ArgAction::Append)
}

fn first_line(help: Option<&clap::builder::StyledStr>) -> String {
    let help = help.map(ToString::to_string).unwrap_or_default();
    help.lines().next().unwrap_or_default().to_owned()
}
