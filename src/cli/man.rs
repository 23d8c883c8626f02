//! `strata man`: the manual pages, from the same table as the parser and the help.

use std::path::PathBuf;

use clap::{Args, Command, CommandFactory as _};
use clap_mangen::Man as Page;

use crate::cli::stop::{Failure, Stop};
use crate::cli::terminal::Terminal;
use crate::cli::words::many;
use crate::cli::{Cli, files};

/// Print the manual page
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  strata man | man -l -
  strata man --out ~/.local/share/man/man1     a page for every command")]
pub struct Man {
    /// Write a page for every command into this folder, in place of printing
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Man {
    pub fn run(&self, terminal: &Terminal) -> Result<(), Stop> {
        let mut command = Cli::command();
        command.build();
        let Some(folder) = &self.out else {
            return terminal.print(page(&command, "strata")?);
        };
        let mut pages = Vec::new();
        collect(&command, "strata", &mut pages)?;
        files::replace_all(folder, &pages)?;
        terminal.tell(&format!("{} written to {}", many(pages.len(), "page"), folder.display()));
        Ok(())
    }
}

fn collect(
    command: &Command,
    name: &str,
    pages: &mut Vec<(String, Vec<u8>)>,
) -> Result<(), Failure> {
    pages.push((format!("{name}.1"), page(command, name)?));
    command
        .get_subcommands()
        .filter(|inner| !inner.is_hide_set() && inner.get_name() != "help")
        .try_for_each(|inner| collect(inner, &format!("{name}-{}", inner.get_name()), pages))
}

fn page(command: &Command, name: &str) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let version = format!("strata {}", env!("CARGO_PKG_VERSION"));
    Page::new(command.clone().display_name(name.to_owned()))
        .title(name.to_uppercase())
        .source(version)
        .render(&mut text)
        .map_err(|error| Failure::new(format!("cannot make the page: {error}"), "report this"))?;
    Ok(text)
}
