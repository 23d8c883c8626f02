//! The commands people run, one file each. Beside `main` and `krm`, only what is in this folder
//! touches files, environment and terminal.

mod artifact;
mod called;
mod complete;
mod completions;
mod crds;
mod day;
mod explain;
mod explain_object;
mod files;
mod graph;
mod init;
mod input;
mod man;
mod plugin;
mod records;
mod render;
mod requirements;
mod schema;
mod stage;
mod stop;
mod terminal;
mod tree;
mod validate;
mod words;

use std::ffi::OsStr;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

pub use called::Called;
pub use stop::on_panic;

use stop::Stop;
use terminal::{Color, Look, Terminal};

/// What a newcomer sees: what this is, and the three commands to begin with.
const GUIDE: &str = "\
Strata turns a short spec into a whole OpenStack control plane on Kubernetes:
plain manifests, the same bytes every time, to be reviewed before they are applied.

  strata init my-cloud                       start a deployment repository
  strata validate my-cloud                   say everything that is wrong with it
  strata render my-cloud --out rendered      write the manifests, one file per object

`strata help` lists all commands, `strata help render` explains one of them.
";

#[derive(Debug, Parser)]
#[command(
    name = "strata",
    version,
    about = "Turns a short spec into a whole OpenStack control plane on Kubernetes",
    after_help = "\
Examples:
  strata init my-cloud                   start a deployment repository
  strata render my-cloud                 print its manifests
  strata render my-cloud --out rendered  write them, one file per object
  strata explain S0301                   what a finding means

Without arguments, and with something on standard input, strata is a KRM function for kustomize
and kpt.

Exit status: 0 success, 1 invalid input, 2 wrong usage, 70 a fault of strata itself."
)]
struct Cli {
    #[command(flatten)]
    look: Look,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Render(render::Render),
    Validate(validate::Validate),
    Stage(stage::Stage),
    Artifact(artifact::Artifact),
    Graph(graph::Graph),
    Requirements(requirements::List),
    Explain(explain::Explain),
    Init(init::Init),
    Schema(schema::Schema),
    Crds(crds::Crds),
    Plugin(plugin::Plugin),
    Completions(completions::Completions),
    Man(man::Man),
    #[command(name = "__complete", hide = true)]
    Complete(complete::Complete),
    /// Fails as a fault of ours would, so that a test can see how that is told.
    #[cfg(debug_assertions)]
    #[command(hide = true)]
    Panic,
}

/// Whether a first argument names a command or is a flag.
pub fn is_command(first: &OsStr) -> bool {
    let first = first.to_string_lossy();
    first.starts_with('-')
        || Cli::command().get_subcommands().any(|command| command.get_name() == first)
}

pub fn run() -> ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    let called = Called::now();
    if called == Called::KubectlComplete {
        arguments.insert(1, "__complete".into());
    }
    let command =
        Cli::command().bin_name(called.name()).color(Color::asked_for(&arguments).for_help());
    let cli =
        command.try_get_matches_from(arguments).and_then(|matches| Cli::from_arg_matches(&matches));
    match cli {
        Ok(cli) => {
            let terminal = Terminal::new(&cli.look);
            stop::exit(perform(cli.command, &terminal), &terminal)
        }
        Err(error) => {
            // Help into a closed pipe is no error.
            let _ = error.print();
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(stop::USAGE))
        }
    }
}

fn perform(command: Option<Command>, terminal: &Terminal) -> Result<(), Stop> {
    match command {
        None => terminal.print(GUIDE),
        Some(Command::Render(render)) => render.run(terminal),
        Some(Command::Validate(validate)) => validate.run(terminal),
        Some(Command::Stage(stage)) => stage.run(terminal),
        Some(Command::Artifact(artifact)) => artifact.run(terminal),
        Some(Command::Graph(graph)) => graph.run(terminal),
        Some(Command::Requirements(list)) => list.run(terminal),
        Some(Command::Explain(explain)) => explain.run(terminal),
        Some(Command::Init(init)) => init.run(terminal),
        Some(Command::Schema(schema)) => schema.run(terminal),
        Some(Command::Crds(crds)) => crds.run(terminal),
        Some(Command::Plugin(plugin)) => plugin.run(terminal),
        Some(Command::Completions(completions)) => completions.run(terminal),
        Some(Command::Man(man)) => man.run(terminal),
        Some(Command::Complete(complete)) => complete.run(terminal),
        #[cfg(debug_assertions)]
        #[expect(clippy::panic, reason = "it is what this is for")]
        Some(Command::Panic) => panic!("as asked"),
    }
}
