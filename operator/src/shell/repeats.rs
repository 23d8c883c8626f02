//! Stamps that somebody takes back: made again at once and for ever, each of them rolls a workload.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::core::{Action, Digest, Move, Object};

/// As often as a person may undo something by hand, and as faults may.
const FREE: u32 = 5;
/// What is done again after longer than this, beyond the wait, is done for another reason.
const FORGET: Duration = Duration::from_secs(600);
const LONGEST: Duration = Duration::from_secs(3_600);

/// The consumer, by its place in the spec, and what its pods shall carry.
pub type Stamped = (usize, Digest);

pub const fn stamped(action: &Action) -> Option<Stamped> {
    match (action.object, &action.make) {
        (Object::Consumer(place), Move::Stamp(digest)) => Some((place, *digest)),
        _ => None,
    }
}

#[derive(Debug, Clone, Copy)]
struct Made {
    what: Digest,
    times: u32,
    last: Instant,
    /// Until it may be made once more.
    wait: Duration,
}

/// By rotation and consumer. Only writes that were made are counted: one that failed is tried again as soon as it
/// can be.
#[derive(Debug, Default)]
pub struct Repeats {
    made: Mutex<HashMap<(String, usize), Made>>,
}

impl Repeats {
    pub fn made(&self, rotation: &str, stamp: Stamped, unit: Duration) {
        self.made_at(rotation, stamp, unit, Instant::now());
    }

    fn made_at(&self, rotation: &str, (place, what): Stamped, unit: Duration, now: Instant) {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.retain(|_, made| now.saturating_duration_since(made.last) <= made.wait + FORGET);
        let key = (rotation.to_owned(), place);
        let before = made.get(&key).filter(|made| made.what == what);
        let times = before.map_or(0, |made| made.times).saturating_add(1);
        let wait = match times.checked_sub(FREE) {
            None => Duration::ZERO,
            Some(over) => unit.saturating_mul(2_u32.saturating_pow(over)).min(LONGEST),
        };
        made.insert(key, Made { what, times, last: now, wait });
    }

    /// How long not to make it, because it has been taken back again and again.
    pub fn wait(&self, rotation: &str, stamp: Stamped) -> Option<Duration> {
        self.wait_at(rotation, stamp, Instant::now())
    }

    fn wait_at(&self, rotation: &str, (place, what): Stamped, now: Instant) -> Option<Duration> {
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let before = made.get(&(rotation.to_owned(), place)).filter(|made| made.what == what)?;
        let left = before.wait.checked_sub(now.saturating_duration_since(before.last))?;
        (!left.is_zero()).then_some(left)
    }

    /// Nothing is remembered of what is no longer there.
    pub fn forget(&self, rotation: &str) {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.retain(|(of, _), _| of != rotation);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const UNIT: Duration = Duration::from_secs(10);
    const ROTATION: &str = "openstack/nova/";

    const fn stamp(place: usize, digest: u128) -> Stamped {
        (place, Digest(digest))
    }

    #[test]
    fn what_is_taken_back_again_and_again_is_made_less_and_less_often() {
        let (repeats, begun) = (Repeats::default(), Instant::now());
        for _ in 0..FREE {
            assert_eq!(repeats.wait_at(ROTATION, stamp(0, 1), begun), None);
            repeats.made_at(ROTATION, stamp(0, 1), UNIT, begun);
        }
        assert_eq!(repeats.wait_at(ROTATION, stamp(0, 1), begun), Some(UNIT));
        assert_eq!(repeats.wait_at(ROTATION, stamp(0, 2), begun), None, "another credential");
        assert_eq!(repeats.wait_at(ROTATION, stamp(1, 1), begun), None, "another consumer");
        let later = begun + UNIT;
        assert_eq!(repeats.wait_at(ROTATION, stamp(0, 1), later), None);
        repeats.made_at(ROTATION, stamp(0, 1), UNIT, later);
        assert_eq!(repeats.wait_at(ROTATION, stamp(0, 1), later), Some(2 * UNIT));
    }

    #[test]
    fn one_of_long_ago_does_not_count() {
        let (repeats, begun) = (Repeats::default(), Instant::now());
        for number in 0..2 * FREE {
            let now = begun + number * (FORGET + UNIT);
            repeats.made_at(ROTATION, stamp(0, 1), UNIT, now);
            assert_eq!(repeats.wait_at(ROTATION, stamp(0, 1), now), None);
        }
        assert_eq!(repeats.made.lock().unwrap().len(), 1);
        repeats.forget(ROTATION);
        assert!(repeats.made.lock().unwrap().is_empty());
    }

    #[test]
    fn no_wait_is_longer_than_an_hour() {
        let (repeats, begun) = (Repeats::default(), Instant::now());
        (0..90).for_each(|_| repeats.made_at(ROTATION, stamp(0, 1), UNIT, begun));
        assert_eq!(repeats.wait_at(ROTATION, stamp(0, 1), begun), Some(LONGEST));
    }
}
