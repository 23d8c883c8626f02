//! What a process remembers: since when it has seen things as they are, by a clock that does not step.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

#[derive(Debug, Default)]
pub struct Memory {
    seen: Mutex<HashMap<String, (String, Instant)>>,
}

impl Memory {
    /// For how many seconds the thing has looked like this.
    pub fn watch(&self, thing: &str, state: &str) -> i64 {
        i64::try_from(self.since(thing, state).elapsed().as_secs()).unwrap_or(i64::MAX)
    }

    /// Since when the thing has looked like this.
    pub fn since(&self, thing: &str, state: &str) -> Instant {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = seen.entry(thing.to_owned());
        let (known, since) = entry.or_insert_with(|| (state.to_owned(), Instant::now()));
        if known != state {
            (*known, *since) = (state.to_owned(), Instant::now());
        }
        *since
    }

    /// Nothing is remembered of what is no longer there.
    pub fn forget(&self, prefix: &str) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|thing, _| !thing.starts_with(prefix));
    }
}
