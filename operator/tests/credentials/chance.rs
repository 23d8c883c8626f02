//! Numbers that differ from run to run.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::time::Duration;

/// Below `end`.
pub fn number(end: u64) -> u64 {
    // Every state has keys of its own.
    RandomState::new().hash_one(()) % end.max(1)
}

pub fn milliseconds(least: u64, most: u64) -> Duration {
    Duration::from_millis(least + number(most - least))
}
