//! Runs `cargo test` with its output shown, and counts what the test programs say.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::failure::{Failure, While};
use crate::tally::Tally;

/// `whose` stands before each line where several speak at once.
pub fn run(command: &mut Command, whose: &str) -> Result<Tally, Failure> {
    let mut child = command.stdout(Stdio::piped()).spawn().while_("starting cargo test")?;
    let mut tally = Tally::default();
    if let Some(stdout) = child.stdout.take() {
        let mut lines = BufReader::new(stdout);
        let mut line = Vec::new();
        // Bytes, not text: a test may print anything.
        while lines.read_until(b'\n', &mut line).while_("reading what the tests say")? > 0 {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            println!("{whose}{text}");
            count(&text, &mut tally);
            line.clear();
        }
    }
    let status = child.wait().while_("waiting for cargo test")?;
    if !status.success() && tally.failed == 0 {
        // It did not compile, or a test program died.
        tally.fail(format!("cargo test ended with {status}"));
    }
    Ok(tally)
}

fn count(line: &str, tally: &mut Tally) {
    if let Some(result) = line.strip_prefix("test result: ") {
        let before = |word: &str| {
            let words: Vec<&str> = result.split([' ', ';']).collect();
            let at = words.iter().position(|found| *found == word);
            at.and_then(|at| words.get(at.checked_sub(1)?)?.parse::<usize>().ok()).unwrap_or(0)
        };
        tally.passed += before("passed");
        tally.failed += before("failed");
    } else if let Some(name) =
        line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED"))
    {
        tally.failures.push(name.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_several_test_programs_are_added_up() {
        let mut tally = Tally::default();
        for line in [
            "running 3 tests",
            "test one ... ok",
            "test two::three ... FAILED",
            "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: ok. 40 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
        ] {
            count(line, &mut tally);
        }
        assert_eq!(tally, Tally { passed: 42, failed: 1, failures: vec!["two::three".to_owned()] });
    }
}
