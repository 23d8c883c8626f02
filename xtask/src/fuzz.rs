//! Runs the property-driven fuzz tests for longer than `cargo xtask test` does.
//!
//! proptest and not cargo-fuzz, which needs a nightly compiler.

use std::time::{Duration, Instant};

use crate::failure::{Failure, While};
use crate::{test, workspace};

const SECONDS: u64 = 60;
/// The first round; each later one has twice as many, so that starting the program costs little.
const FIRST_CASES: u64 = 256;
const MOST_CASES: u64 = 65_536;
/// The layer whose tests draw their inputs.
const LAYER: &str = "fuzz-corpus";

pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let budget = Duration::from_secs(seconds(arguments)?);
    let files = files()?;
    let started = Instant::now();
    let (mut cases, mut round) = (FIRST_CASES, 0);
    while started.elapsed() < budget {
        round += 1;
        println!(
            "round {round}: {cases} cases per property, {} s of {} s",
            started.elapsed().as_secs(),
            budget.as_secs()
        );
        let mut command = workspace::cargo();
        command.args(["test", "--workspace"]).env("PROPTEST_CASES", cases.to_string());
        for file in &files {
            command.args(["--test", file]);
        }
        workspace::show(&mut command)?;
        cases = MOST_CASES.min(cases * 2);
    }
    println!("{round} rounds in {} s, nothing found", started.elapsed().as_secs());
    Ok(())
}

fn files() -> Result<Vec<String>, Failure> {
    let all = test::files()?;
    let layers = test::chosen(&[LAYER.to_owned()], &all)?;
    let files: Vec<String> = layers.iter().flat_map(|layer| layer.existing(&all)).collect();
    if files.is_empty() {
        Err(Failure::new(format!("there are no tests in the layer {LAYER}")))
    } else {
        Ok(files)
    }
}

fn seconds(arguments: &[String]) -> Result<u64, Failure> {
    match arguments {
        [] => Ok(SECONDS),
        [flag, value] if flag == "--seconds" => value.parse().while_(format!("--seconds {value}")),
        _ => Err(Failure::new("usage: cargo xtask fuzz [--seconds N]")),
    }
}
