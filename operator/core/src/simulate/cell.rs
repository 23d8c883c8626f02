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

    pub fn allows(&self, precondition: Precondition) -> bool {
        match precondition {
            Precondition::Absent => self.get().is_none(),
            Precondition::At(stamp) => self.stamp() == Some(stamp),
            Precondition::SameId => true,
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
