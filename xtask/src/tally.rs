//! Counts of checks and tests, and the names of those that failed.

use crate::failure::Failure;

#[derive(Debug, Default, PartialEq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
    pub failures: Vec<String>,
}

impl Tally {
    pub fn fail(&mut self, what: impl Into<String>) {
        self.failed += 1;
        self.failures.push(what.into());
    }

    /// Counts something that is one check by itself.
    pub fn check(&mut self, name: &str, result: Result<(), Failure>) {
        match result {
            Ok(()) => self.passed += 1,
            Err(failure) => {
                eprintln!("error: {name}: {failure}");
                self.fail(name);
            }
        }
    }

    pub fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.failures.extend(other.failures);
    }
}
