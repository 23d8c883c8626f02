//! The entry: which command is meant. Nothing else prints.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is the entry")]

use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::{Parser, Subcommand};
use kube::Client;
use serde_json::{Value, json};
use strata_operator::core::Faultless;
use strata_operator::core::simulate::{Report, replay, schedules};
use strata_operator::shell::{controller, outcome::Trouble, panics, people, time};
use strata_operator::{api, rbac};
use tracing::warn;

const EXAMPLES: &str = "\
Examples:
  strata-operator crds | kubectl apply --server-side -f -
  strata-operator run --watch openstack
  strata-operator status -n openstack
  strata-operator rotate-now -n openstack nova-app-credential
  strata-operator simulate --seed 0 --schedules 1000000";

#[derive(Debug, Parser)]
#[command(
    version,
    about = "Rotates the keys and credentials of OpenStack control planes",
    after_help = EXAMPLES
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Looks after the rotations of the namespaces named.
    Run {
        /// Namespaces with control planes, with commas between them; may be given several times.
        #[arg(long = "watch", env = "WATCH_NAMESPACES", value_delimiter = ',', required = true, value_parser = namespace)]
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
        #[arg(long, default_value = "10", value_parser = seconds)]
        look_again: Duration,
        /// Seconds by which the clock is ahead, in a file that tests write.
        #[arg(long, hide = true)]
        clock_ahead: Option<PathBuf>,
    },
    /// Prints the CustomResourceDefinitions, for `kubectl apply --server-side -f -`.
    Crds,
    /// Prints the Roles that the operator needs in these namespaces.
    Rbac {
        /// Namespaces with control planes, with commas between them; may be given several times.
        #[arg(long = "watch", value_delimiter = ',', required = true, value_parser = namespace)]
        namespaces: Vec<String>,
        /// The namespace of the operator itself.
        #[arg(long, default_value = "strata-system")]
        own_namespace: String,
    },
    /// Runs the core under seeded faults.
    Simulate {
        /// The first seed.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// How many, each with the seed after the one before.
        #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
        schedules: u64,
        /// Tells the story of each schedule.
        #[arg(long)]
        story: bool,
    },
    /// Prints the rotations of a namespace: phase, generation, when, and why it stands there.
    Status {
        /// The namespace of the control plane.
        #[arg(long, short)]
        namespace: String,
    },
    /// Asks that what is in use be replaced now, whenever that would be due. What is under way comes to its end first.
    RotateNow {
        /// The namespace of the control plane.
        #[arg(long, short)]
        namespace: String,
        /// The CredentialRotation.
        name: String,
    },
    /// Begins no rotation until it is resumed, and what has begun stands still. Lost keys are still restored.
    Pause {
        /// The namespace of the control plane.
        #[arg(long, short)]
        namespace: String,
        /// The CredentialRotation.
        name: String,
    },
    /// Goes on after a pause.
    Resume {
        /// The namespace of the control plane.
        #[arg(long, short)]
        namespace: String,
        /// The CredentialRotation.
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

/// Not so few that nothing else is done, nor so many that a person takes it for hanging.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.05..=300.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "write a number from 0.05 to 300".to_owned())
}

/// A name as namespaces have them (RFC 1123, a label).
fn namespace(text: &str) -> Result<String, String> {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let fits = text.bytes().all(|byte| is_letter(byte) || byte == b'-')
        && text.bytes().next().is_some_and(is_letter)
        && text.bytes().last().is_some_and(is_letter)
        && text.len() <= 63;
    match fits {
        true => Ok(text.to_owned()),
        false => {
            Err("a namespace has small letters, digits and `-`, at most 63 of them".to_owned())
        }
    }
}

fn print_list(items: Vec<Value>) -> ExitCode {
    show(&format!("{:#}\n", json!({"apiVersion": "v1", "kind": "List", "items": items})))
}

/// Whoever has read enough closes the pipe, which is no fault.
fn show(text: &str) -> ExitCode {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("error: standard output: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// On all cores; the same schedules whatever their number.
fn simulate(seed: u64, count: u64, story: bool) -> ExitCode {
    if seed.checked_add(count).is_none() {
        eprintln!("error: --seed and --schedules are together at most {}", u64::MAX);
        return ExitCode::FAILURE;
    }
    if story {
        for seed in seed..seed + count {
            let outcome = replay(seed, &Faultless);
            let lines = outcome.story.iter().flatten().map(|line| format!("{line}\n"));
            show(&lines.collect::<String>());
        }
    }
    let report = on_all_cores(seed, count);
    let mut text = String::new();
    for (seed, violation) in report.violations.iter().take(10) {
        text += &format!(
            "{}: {}\nreplay: strata-operator simulate --seed {seed} --schedules 1 --story\n",
            violation.invariant, violation.text
        );
    }
    let (schedules, rotations) = (report.schedules, report.rotations);
    let violations = report.violations.len();
    text += &format!("schedules: {schedules}, rotations: {rotations}, violations: {violations}\n");
    match show(&text) {
        ExitCode::SUCCESS if violations > 0 => ExitCode::FAILURE,
        shown => shown,
    }
}

/// Whoever is free takes the next block; how far it is, is told on standard error.
fn on_all_cores(seed: u64, count: u64) -> Report {
    const BLOCK: u64 = 1_000;
    const TOLD_EVERY: Duration = Duration::from_secs(2);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let (next, report) = (AtomicU64::new(0), Mutex::new((Report::default(), Instant::now())));
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let first = next.fetch_add(BLOCK, Ordering::Relaxed);
                    if first >= count {
                        break;
                    }
                    let end = (first + BLOCK).min(count);
                    let part = schedules(seed + first..seed + end, &Faultless);
                    let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
                    report.0.merge(part);
                    if report.1.elapsed() > TOLD_EVERY {
                        report.1 = Instant::now();
                        eprintln!("{} of {count} schedules", report.0.schedules);
                    }
                }
            });
        }
    });
    let (mut report, _) = report.into_inner().unwrap_or_else(PoisonError::into_inner);
    report.violations.sort_by_key(|(seed, _)| *seed);
    report
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
        let mut config = kube::Config::infer().await.map_err(|error| {
            unreachable(format!(
                "there is no cluster to talk to: name a kubeconfig in KUBECONFIG, or run it in a Pod ({error})"
            ))
        })?;
        // Retries of writes would outlast the lease, and a rotation is looked at again anyway.
        config.default_retry = false;
        let client = Client::try_from(config).map_err(|error| unreachable(error.to_string()))?;
        match command {
            Command::Run {
                namespaces,
                own_namespace,
                identity,
                address,
                look_again,
                clock_ahead,
            } => {
                panics::begin_log();
                if let Some(file) = clock_ahead {
                    warn!(?file, "the clock is put forward by a file, as only tests do");
                    time::put_forward_by(file);
                }
                let settings = controller::Settings {
                    namespaces,
                    own_namespace,
                    identity,
                    address,
                    look_again,
                };
                controller::run(client, settings).await.map(|()| String::new())
            }
            Command::Status { namespace } => people::status(client, &namespace).await,
            Command::RotateNow { namespace, name } => {
                people::rotate_now(client, &namespace, &name).await
            }
            Command::Pause { namespace, name } => people::pause(client, &namespace, &name).await,
            Command::Resume { namespace, name } => people::resume(client, &namespace, &name).await,
            Command::Crds | Command::Rbac { .. } | Command::Simulate { .. } => Ok(String::new()),
        }
    });
    match result {
        Ok(said) => show(&said),
        Err(trouble) => {
            eprintln!("error: {trouble}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_a_number_within_bounds() {
        assert_eq!(seconds("0.3"), Ok(Duration::from_millis(300)));
        for text in ["", "NaN", "inf", "0", "301", "ten"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_namespace_is_refused_that_no_server_would_have() {
        assert_eq!(namespace("openstack-2").as_deref(), Ok("openstack-2"));
        for text in ["", "Bad_Name", "-a", "a-", "a.b", &"a".repeat(64)] {
            assert!(namespace(text).is_err(), "{text}");
        }
    }
}
