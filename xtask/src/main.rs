//! `cargo xtask`: the developer's commands, the same on a laptop and in CI.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "talking to the terminal is its job")]

mod failure;
mod progress;
mod tools;

use std::process::ExitCode;

use failure::Failure;

/// What a command is called, what it does, and the function that does it with its arguments.
struct Task {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<(), Failure>,
}

static TASKS: &[Task] = &[Task {
    name: "tools",
    about: "install the pinned real tools and CRDs into the cache",
    run: install_tools,
}];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let task = arguments.first().and_then(|name| TASKS.iter().find(|task| task.name == *name));
    let Some(task) = task else {
        eprintln!("{}", guide());
        return ExitCode::from(2);
    };
    match (task.run)(&arguments[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn guide() -> String {
    let rows: Vec<String> =
        TASKS.iter().map(|task| format!("  {:<10} {}", task.name, task.about)).collect();
    format!("usage: cargo xtask COMMAND\n\n{}", rows.join("\n"))
}

fn install_tools(_: &[String]) -> Result<(), Failure> {
    let all: Vec<&tools::Part> = tools::TABLE.iter().collect();
    let installed = tools::install(&all)?;
    println!("tools: {}\nCRDs:  {}", installed.programs.display(), installed.manifests.display());
    Ok(())
}
