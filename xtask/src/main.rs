//! `cargo xtask`: the developer's commands, the same on a laptop and in CI.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "talking to the terminal is its job")]

mod bench;
mod failure;
mod fuzz;
mod generated;
mod licences;
mod lint;
mod progress;
mod tally;
mod test;
mod tools;
mod workspace;

use std::process::ExitCode;

use failure::Failure;

/// What a command is called, what it does, and the function that does it with its arguments.
struct Task {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result<(), Failure>,
}

static TASKS: &[Task] = &[
    Task { name: "test", about: "run all layers of tests, or --only LAYER", run: test::run },
    Task { name: "lint", about: "check format, clippy, licences", run: lint::run },
    Task {
        name: "tools",
        about: "install the pinned real tools and CRDs, or those named",
        run: install_tools,
    },
    Task { name: "crds", about: "refresh the generated CRDs", run: generated::crds },
    Task { name: "snapshots", about: "refresh the snapshots", run: generated::snapshots },
    Task { name: "bench", about: "measure rendering against its bounds", run: bench::run },
    Task { name: "fuzz", about: "run the fuzz tests for longer, --seconds N", run: fuzz::run },
];

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
            if !failure.is_told() {
                eprintln!("error: {failure}");
            }
            ExitCode::FAILURE
        }
    }
}

fn guide() -> String {
    let rows: Vec<String> =
        TASKS.iter().map(|task| format!("  {:<10} {}", task.name, task.about)).collect();
    format!("usage: cargo xtask COMMAND\n\n{}", rows.join("\n"))
}

fn install_tools(names: &[String]) -> Result<(), Failure> {
    if let Some(unknown) =
        names.iter().find(|name| !tools::TABLE.iter().any(|part| part.name == **name))
    {
        let known: Vec<&str> = tools::TABLE.iter().map(|part| part.name).collect();
        return Err(Failure::new(format!("there is no tool {unknown}"))
            .remedy(format!("take of {}", known.join(", "))));
    }
    let wanted =
        |part: &&tools::Part| names.is_empty() || names.iter().any(|name| name == part.name);
    let parts: Vec<&tools::Part> = tools::TABLE.iter().filter(wanted).collect();
    let installed = tools::install(&parts)?;
    println!(
        "STRATA_TOOLS={}\nSTRATA_CRD_CACHE={}",
        installed.programs.display(),
        installed.manifests.display()
    );
    Ok(())
}
