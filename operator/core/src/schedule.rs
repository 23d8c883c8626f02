//! When it is time.

use super::cron::Cron;
use super::seen::Time;

pub const DAY: i64 = 86_400;

/// How far the clocks of two operators, or of one before and after a step, may lie apart. Waits that
/// protect somebody are longer by this; short waits are measured by a clock that does not step.
pub const SKEW: i64 = 3_600;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Schedule {
    /// Seconds between one rotation and the next.
    Every(i64),
    Cron(Cron),
}

impl Schedule {
    /// The first time after this one; never, if a cron line names a day that no year has.
    pub fn after(&self, last: Time) -> Option<Time> {
        match self {
            Self::Every(seconds) => Some(last.plus(*seconds)),
            Self::Cron(cron) => cron.after(last),
        }
    }

    pub fn is_due(&self, last: Time, now: Time) -> bool {
        self.after(last).is_some_and(|due| due <= now)
    }
}
