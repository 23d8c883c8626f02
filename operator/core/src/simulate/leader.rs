//! An operator process: what it remembers, which is little, and what it is about to do.

use crate::{Action, Seen, Stamp, Time};

#[derive(Debug, Clone, Default)]
pub struct Leader {
    /// Its clock is that far off.
    pub offset: i64,
    /// What it is about to do, and what it saw of the object that it does it to.
    pub pending: Option<(Action, Seen<()>)>,
    /// The version of the rotation that it was decided on.
    decided_on: Option<Stamp>,
    /// And when, by its clock.
    pub decided_at: Time,
    /// The write goes out without its precondition.
    pub blind: bool,
    /// Which versions it has seen, and since when by a clock that does not step.
    watched: [Option<(Stamp, i64)>; 4],
    steady: Vec<(u64, i64)>,
}

impl Leader {
    /// A new process remembers nothing.
    pub fn restart(&mut self) {
        *self = Self { offset: self.offset, ..Self::default() };
    }

    pub fn plan(&mut self, action: Option<(Action, Seen<()>)>, decided_on: Stamp, now: Time) {
        (self.pending, self.decided_on, self.decided_at) = (action, Some(decided_on), now);
    }

    /// However late; but some writes land only while the rotation has the version decided on.
    pub fn take_pending(&mut self, rotation: Option<Stamp>) -> Option<(Action, Seen<()>)> {
        let same = rotation == self.decided_on || self.blind;
        self.pending.take().filter(|(action, _)| same || !action.is_fenced())
    }

    /// For how long it has seen this version.
    pub fn watch(&mut self, which: usize, stamp: Option<Stamp>, time: i64) -> i64 {
        let since = match (self.watched[which], stamp) {
            (Some((known, since)), Some(stamp)) if known == stamp => since,
            _ => time,
        };
        self.watched[which] = stamp.map(|stamp| (stamp, since));
        time - since
    }

    /// For how long it has known a pod in this state; each change of state has a number of its own.
    pub fn steady(&mut self, transition: u64, time: i64) -> i64 {
        if let Some((_, since)) = self.steady.iter().find(|(known, _)| *known == transition) {
            return time - since;
        }
        self.steady.push((transition, time));
        0
    }
}
