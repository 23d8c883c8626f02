//! What a process remembers: since when it has seen things as they are, by a clock that does not step.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

#[derive(Debug, Default)]
pub struct Memory {
    /// What a thing looked like is kept as a hash: to see that it changed takes no more, and there are many.
    seen: Mutex<HashMap<String, (u64, Instant)>>,
    hashes: RandomState,
}

impl Memory {
    /// For how many seconds the thing has looked like this.
    pub fn watch(&self, thing: &str, state: &str) -> i64 {
        i64::try_from(self.since(thing, state).elapsed().as_secs()).unwrap_or(i64::MAX)
    }

    /// Since when the thing has looked like this.
    pub fn since(&self, thing: &str, state: &str) -> Instant {
        let state = self.hashes.hash_one(state);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = seen.get_mut(thing);
        let since = kept.filter(|(known, _)| *known == state).map(|(_, since)| *since);
        since.unwrap_or_else(|| {
            let now = Instant::now();
            seen.insert(thing.to_owned(), (state, now));
            now
        })
    }

    /// Its time begins anew.
    pub fn restart(&self, thing: &str) {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).remove(thing);
    }

    /// Of things whose names begin like this, no others are remembered.
    pub fn keep(&self, prefix: &str, there: &[String]) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|thing, _| !thing.starts_with(prefix) || there.contains(thing));
    }

    /// Nothing is remembered of what is no longer there.
    pub fn forget(&self, prefix: &str) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|thing, _| !thing.starts_with(prefix));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pods_that_are_gone_are_forgotten() {
        let memory = Memory::default();
        for thing in
            ["plane/keys/pod/a", "plane/keys/pod/b", "plane/keys/live", "plane/other/pod/c"]
        {
            memory.watch(thing, "ready");
        }
        memory.keep("plane/keys/pod/", &["plane/keys/pod/b".to_owned()]);
        let seen = memory.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let mut left: Vec<&str> = seen.keys().map(String::as_str).collect();
        left.sort_unstable();
        assert_eq!(left, ["plane/keys/live", "plane/keys/pod/b", "plane/other/pod/c"]);
    }
}
