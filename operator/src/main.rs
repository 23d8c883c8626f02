//! The entry: which command is meant. Nothing else prints.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is the entry")]

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use kube::Client;
use serde_json::{Value, json};
use strata_operator::core::Faultless;
use strata_operator::core::simulate::{Report, replay, schedules};
use strata_operator::shell::{controller, outcome::Trouble, people};
use strata_operator::{api, rbac};

#[derive(Debug, Parser)]
#[command(version, about = "Rotates the keys and credentials of OpenStack control planes")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Looks after the rotations of the namespaces named.
    Run {
        /// A namespace with a control plane; may be given several times.
        #[arg(long = "watch", env = "WATCH_NAMESPACES", value_delimiter = ',', required = true)]
        namespaces: Vec<String>,
        /// The namespace of the operator itself, where its Lease is.
        #[arg(long, env = "POD_NAMESPACE", default_value = "strata-system")]
        own_namespace: String,
        /// Who it is among several.
        #[arg(long, env = "POD_NAME", default_value = "strata-operator")]
        identity: String,
        /// Where health and metrics are served.
        #[arg(long, default_value = "0.0.0.0:8080")]
        address: SocketAddr,
        /// Seconds after which to look again while something is under way.
        #[arg(long, default_value_t = 10.0)]
        look_again: f64,
    },
    /// Prints the CustomResourceDefinitions, for `kubectl apply -f -`.
    Crds,
    /// Prints the Roles that the operator needs in these namespaces.
    Rbac {
        #[arg(long = "watch", value_delimiter = ',', required = true)]
        namespaces: Vec<String>,
        #[arg(long, default_value = "strata-system")]
        own_namespace: String,
    },
    /// Runs the core under seeded faults.
    Simulate {
        /// The first seed.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        #[arg(long, default_value_t = 100_000)]
        schedules: u64,
        /// Tells the story of each schedule.
        #[arg(long)]
        story: bool,
    },
    /// Prints the rotations of a namespace.
    Status {
        #[arg(long, short)]
        namespace: String,
    },
    /// Asks for a rotation now.
    RotateNow {
        #[arg(long, short)]
        namespace: String,
        name: String,
    },
    /// Begins no rotation until it is resumed.
    Pause {
        #[arg(long, short)]
        namespace: String,
        name: String,
    },
    Resume {
        #[arg(long, short)]
        namespace: String,
        name: String,
    },
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Crds => print_list(api::crds().iter().map(|crd| json!(crd)).collect()),
        Command::Rbac { namespaces, own_namespace } => {
            let mut roles = rbac::role(&own_namespace, &own_namespace, rbac::OWN).to_vec();
            for namespace in &namespaces {
                roles.extend(rbac::role(namespace, &own_namespace, rbac::PLANE));
            }
            print_list(roles)
        }
        Command::Simulate { seed, schedules, story } => simulate(seed, schedules, story),
        command => with_cluster(command),
    }
}

fn print_list(items: Vec<Value>) -> ExitCode {
    println!("{:#}", json!({"apiVersion": "v1", "kind": "List", "items": items}));
    ExitCode::SUCCESS
}

/// On all cores; the same schedules whatever their number.
fn simulate(seed: u64, count: u64, story: bool) -> ExitCode {
    if story {
        for seed in seed..seed + count {
            let outcome = replay(seed, &Faultless);
            outcome.story.iter().flatten().for_each(|line| println!("{line}"));
        }
    }
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let share = count.div_ceil(cores);
    let mut report = Report::default();
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..cores)
            .map(|core| {
                let first = seed + (core * share).min(count);
                let end = seed + ((core + 1) * share).min(count);
                scope.spawn(move || schedules(first..end, &Faultless))
            })
            .collect();
        for part in parts {
            if let Ok(part) = part.join() {
                report.merge(part);
            }
        }
    });
    for (seed, violation) in report.violations.iter().take(10) {
        println!("{}: {}", violation.invariant, violation.text);
        println!("replay: strata-operator simulate --seed {seed} --schedules 1 --story");
    }
    let (schedules, rotations) = (report.schedules, report.rotations);
    println!(
        "schedules: {schedules}, rotations: {rotations}, violations: {}",
        report.violations.len()
    );
    if report.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn with_cluster(command: Command) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    let result = runtime.block_on(async {
        let unreachable = |why: String| Trouble::Unreachable(why);
        let mut config =
            kube::Config::infer().await.map_err(|error| unreachable(error.to_string()))?;
        // Retries of writes would outlast the lease, and a rotation is looked at again anyway.
        config.default_retry = false;
        let client = Client::try_from(config).map_err(|error| unreachable(error.to_string()))?;
        match command {
            Command::Run { namespaces, own_namespace, identity, address, look_again } => {
                log();
                let look_again = Duration::from_secs_f64(look_again.clamp(0.05, 300.0));
                let settings = controller::Settings {
                    namespaces,
                    own_namespace,
                    identity,
                    address,
                    look_again,
                };
                controller::run(client, settings).await
            }
            Command::Status { namespace } => {
                people::status(client, &namespace).await.map(|table| print!("{table}"))
            }
            Command::RotateNow { namespace, name } => {
                people::rotate_now(client, &namespace, &name).await
            }
            Command::Pause { namespace, name } => {
                people::suspend(client, &namespace, &name, true).await
            }
            Command::Resume { namespace, name } => {
                people::suspend(client, &namespace, &name, false).await
            }
            Command::Crds | Command::Rbac { .. } | Command::Simulate { .. } => Ok(()),
        }
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("error: {trouble}");
            ExitCode::FAILURE
        }
    }
}

/// One JSON object per line, on standard error.
fn log() {
    use tracing_subscriber::EnvFilter;
    let level =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,kube=warn"));
    tracing_subscriber::fmt().json().with_writer(std::io::stderr).with_env_filter(level).init();
}
