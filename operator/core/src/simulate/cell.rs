//! One object of the modelled API server, with all its versions: a reader may be behind.

use crate::{Precondition, Seen, Stamp};

#[derive(Debug, Clone)]
pub struct Cell<T> {
    /// With the time at which each was written.
    versions: Vec<(Stamp, Option<T>, i64)>,
}

/// Versions are given once, to all objects together.
#[derive(Debug, Clone, Default)]
pub struct Clockwork {
    pub version: u64,
    pub time: i64,
}

/// Nobody is further behind than this.
pub const BEHIND: i64 = 60;

impl Clockwork {
    pub fn tick(&mut self) -> u64 {
        self.version += 1;
        self.version
    }
}

/// Whether the server lets a write happen, by the version of what is there.
pub fn allows(precondition: Precondition, there: Option<Stamp>) -> bool {
    match precondition {
        Precondition::Absent => there.is_none(),
        Precondition::At(stamp) => there == Some(stamp),
        Precondition::SameId => true,
    }
}

/// Whether there is still what somebody saw, whatever was asked of the server. Who could not look has seen
/// nothing, not even that nothing is there.
pub fn is_as_seen(saw: Seen<()>, there: Option<Stamp>) -> bool {
    saw != Seen::Unknown && saw.stamp() == there
}

/// That it was seen, and in which version.
pub fn sight<T>(seen: Seen<T>) -> Seen<()> {
    map(seen, |_| ())
}

pub fn map<T, U>(seen: Seen<T>, with: impl FnOnce(T) -> U) -> Seen<U> {
    match seen {
        Seen::Unknown => Seen::Unknown,
        Seen::Absent => Seen::Absent,
        Seen::Damaged(stamp) => Seen::Damaged(stamp),
        Seen::Present(stamp, value) => Seen::Present(stamp, with(value)),
    }
}

impl<T> Default for Cell<T> {
    fn default() -> Self {
        Self { versions: Vec::with_capacity(8) }
    }
}

impl<T: Clone> Cell<T> {
    pub fn get(&self) -> Option<&T> {
        self.versions.last().and_then(|(_, value, _)| value.as_ref())
    }

    pub fn stamp(&self) -> Option<Stamp> {
        self.versions.last().filter(|(_, value, _)| value.is_some()).map(|(stamp, ..)| *stamp)
    }

    /// When it was last written; never is at the end of time.
    pub fn since(&self) -> i64 {
        self.versions.last().map_or(i64::MAX / 2, |(.., time)| *time)
    }

    pub fn ever_existed(&self) -> bool {
        !self.versions.is_empty()
    }

    /// As somebody sees it who is that many versions behind, and not longer than a minute.
    pub fn seen(&self, behind: usize, clockwork: &Clockwork) -> Seen<&T> {
        let mut place = self.versions.len();
        for _ in 0..behind {
            let current_since = place.checked_sub(1).map(|last| self.versions[last].2);
            match current_since {
                Some(since) if since + BEHIND > clockwork.time => place -= 1,
                _ => break,
            }
        }
        match place.checked_sub(1).map(|last| &self.versions[last]) {
            Some((stamp, Some(value), _)) => Seen::Present(*stamp, value),
            _ => Seen::Absent,
        }
    }

    /// As the owner of the object writes it, without a precondition of its own.
    pub fn set(&mut self, clockwork: &mut Clockwork, value: T) {
        let version = clockwork.tick();
        let uid = self.stamp().map_or(u128::from(version), |stamp| stamp.uid);
        self.versions.push((Stamp { uid, version }, Some(value), clockwork.time));
    }

    pub fn delete(&mut self, clockwork: &mut Clockwork) {
        if self.get().is_some() {
            let version = clockwork.tick();
            self.versions.push((Stamp { uid: 0, version }, None, clockwork.time));
        }
    }
}
