//! `strata completions`: what a shell needs to complete our commands.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::cli::stop::Stop;
use crate::cli::terminal::Terminal;

/// Print the completions for a shell
///
/// `kubectl strata` and `flux strata` need none of their own: both ask this program.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  strata completions bash > ~/.local/share/bash-completion/completions/strata
  strata completions zsh > ~/.zfunc/_strata
  strata completions fish > ~/.config/fish/completions/strata.fish")]
pub struct Completions {
    shell: Shell,
}

impl Completions {
    pub fn run(&self, terminal: &Terminal) -> Result<(), Stop> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "strata", &mut text);
        terminal.print(text)
    }
}
