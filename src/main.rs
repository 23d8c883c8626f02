//! Decides the entry: KRM function, legacy kustomize plugin, or a command. Nothing else.

use std::ffi::OsStr;
use std::io::IsTerminal as _;
use std::process::ExitCode;

mod cli;
mod krm;

fn main() -> ExitCode {
    cli::on_panic();
    let mut arguments = std::env::args_os().skip(1);
    match (arguments.next(), arguments.next()) {
        // Under another's name it is a command, whatever the rest says.
        _ if cli::Called::now() != cli::Called::Itself => cli::run(),
        // kustomize and kpt call a function without arguments and speak through standard input.
        (None, _) if !std::io::stdin().is_terminal() => krm::function(),
        (Some(file), _) if is_plugin_call(&file) => krm::legacy_plugin(&file),
        _ => cli::run(),
    }
}

/// A legacy plugin gets the configuration as a file and is told so by the environment; a script that
/// is such a plugin may call a command of ours.
fn is_plugin_call(first: &OsStr) -> bool {
    std::env::var_os("KUSTOMIZE_PLUGIN_CONFIG_ROOT").is_some() && !cli::is_command(first)
}
