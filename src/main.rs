//! Decides the entry: KRM function, legacy kustomize plugin, or a command. Nothing else.

use std::io::IsTerminal as _;
use std::process::ExitCode;

mod cli;
mod krm;

fn main() -> ExitCode {
    cli::on_panic();
    let mut arguments = std::env::args_os().skip(1);
    match (arguments.next(), arguments.next()) {
        // kustomize and kpt call a function without arguments and speak through standard input.
        (None, _) if !std::io::stdin().is_terminal() => krm::function(),
        // A legacy plugin gets the configuration as a file and is told so by the environment.
        (Some(file), _) if std::env::var_os("KUSTOMIZE_PLUGIN_CONFIG_ROOT").is_some() => {
            krm::legacy_plugin(&file)
        }
        _ => cli::run(),
    }
}
