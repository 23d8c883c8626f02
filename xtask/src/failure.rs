//! The one error type: words for the person at the terminal.

use std::fmt;

/// What was tried, why it failed and, where something helps, what to do.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    pub fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }

    /// For what the output has told already.
    pub fn told() -> Self {
        Self(String::new())
    }

    pub fn is_told(&self) -> bool {
        self.0.is_empty()
    }

    pub fn remedy(self, what: impl fmt::Display) -> Self {
        Self(format!("{}\n  remedy: {what}", self.0))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Says of any failed result what it was part of.
pub trait While<T> {
    fn while_(self, doing: impl fmt::Display) -> Result<T, Failure>;
}

impl<T, E: fmt::Display> While<T> for Result<T, E> {
    fn while_(self, doing: impl fmt::Display) -> Result<T, Failure> {
        self.map_err(|cause| Failure(format!("{doing}: {cause}")))
    }
}
