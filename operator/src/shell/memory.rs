//! What a process remembers: since when it has seen things as they are, by a clock that does not step.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Something about a rotation that is as it is for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Thing {
    /// Where it stands, and why.
    Phase,
    /// What External Secrets was told to push.
    Pushed,
    Published,
    Delivered,
    /// One of two alternating users.
    Place(u32),
    /// The last time that Keystone was asked.
    Asked,
    /// A write that came too late.
    Outdated,
    /// The Secret that replicas mount.
    Live,
    /// The ring that comes after it.
    Next,
    /// The migration of credentials.
    Job,
    /// A replica, by its UID.
    Pod(Box<str>),
}

#[derive(Debug)]
struct Seen {
    thing: Thing,
    /// A hash: to see that it changed takes no more, and there are many.
    state: u64,
    since: Instant,
}

/// By rotation: what is known of one is a handful of things.
#[derive(Debug, Default)]
pub struct Memory {
    seen: Mutex<HashMap<String, Vec<Seen>>>,
    hashes: RandomState,
}

impl Memory {
    /// For how many seconds the thing has looked like this.
    pub fn watch(&self, rotation: &str, thing: Thing, state: &str) -> i64 {
        i64::try_from(self.since(rotation, thing, state).elapsed().as_secs()).unwrap_or(i64::MAX)
    }

    /// Since when the thing has looked like this.
    pub fn since(&self, rotation: &str, thing: Thing, state: &str) -> Instant {
        let (state, now) = (self.hashes.hash_one(state), Instant::now());
        let mut known = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = known.entry(rotation.to_owned()).or_default();
        match seen.iter_mut().find(|seen| seen.thing == thing) {
            Some(seen) if seen.state == state => return seen.since,
            Some(seen) => (seen.state, seen.since) = (state, now),
            None => seen.push(Seen { thing, state, since: now }),
        }
        now
    }

    /// Its time begins anew.
    pub fn restart(&self, rotation: &str, thing: &Thing) {
        self.retain(rotation, |seen| seen != thing);
    }

    /// Of replicas, no others are remembered.
    pub fn keep_pods(&self, rotation: &str, there: &[Thing]) {
        self.retain(rotation, |seen| !matches!(seen, Thing::Pod(_)) || there.contains(seen));
    }

    fn retain(&self, rotation: &str, kept: impl Fn(&Thing) -> bool) {
        let mut known = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(seen) = known.get_mut(rotation) {
            seen.retain(|seen| kept(&seen.thing));
        }
    }

    /// Nothing is remembered of what is no longer there.
    pub fn forget(&self, rotation: &str) {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).remove(rotation);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn pod(uid: &str) -> Thing {
        Thing::Pod(uid.into())
    }

    fn known(memory: &Memory, rotation: &str) -> Vec<Thing> {
        let seen = memory.seen.lock().unwrap();
        seen.get(rotation).into_iter().flatten().map(|seen| seen.thing.clone()).collect()
    }

    #[test]
    fn pods_that_are_gone_are_forgotten() {
        let memory = Memory::default();
        for (rotation, thing) in
            [("keys", pod("a")), ("keys", pod("b")), ("keys", Thing::Live), ("other", pod("c"))]
        {
            memory.watch(rotation, thing, "ready");
        }
        memory.keep_pods("keys", &[pod("b")]);
        assert_eq!(known(&memory, "keys"), [pod("b"), Thing::Live]);
        assert_eq!(known(&memory, "other"), [pod("c")]);
        memory.forget("keys");
        assert_eq!(known(&memory, "keys"), []);
    }

    #[test]
    fn time_goes_on_while_a_thing_looks_the_same() {
        let memory = Memory::default();
        let since = |state| memory.since("keys", Thing::Live, state);
        let begun = since("1");
        assert_eq!(since("1"), begun);
        let changed = since("2");
        assert!(changed > begun);
        assert_eq!(since("2"), changed);
        memory.restart("keys", &Thing::Live);
        assert!(since("2") > changed);
    }
}
