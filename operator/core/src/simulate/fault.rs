//! What goes wrong in a schedule, and how often.

use super::random::Random;

/// What happens to an operator at one of its writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crash {
    Before,
    After,
    /// The write has happened, nobody hears of it, and the same arrives once more.
    LostReply,
}

impl Crash {
    pub const ALL: [Self; 3] = [Self::Before, Self::After, Self::LostReply];
}

/// How far things are when a schedule begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    Drawn,
    Bare,
    Settled,
    /// A rotation is nearly over.
    Midway,
}

#[derive(Debug, Clone)]
pub struct Faults {
    /// One in so many writes crashes.
    pub crashes: u32,
    /// One in so many writes is on its way for up to a minute.
    pub late: u32,
    /// One in so many reads is behind.
    pub stale: u32,
    /// One in so many reads fails.
    pub unreadable: u32,
    /// People ask for rotations; without, it rotates only when it is time.
    pub requests: bool,
    pub second_leader: bool,
    pub clock_steps: bool,
    pub outages: bool,
    pub lies: bool,
    /// People pause and resume it.
    pub pauses: bool,
    /// How many objects people delete.
    pub deletions: u32,
    pub damage: bool,
    /// Crashes at exactly these writes.
    pub planned: Vec<(u32, Crash)>,
}

impl Faults {
    pub fn none() -> Self {
        Self {
            crashes: u32::MAX,
            late: u32::MAX,
            stale: u32::MAX,
            unreadable: u32::MAX,
            requests: true,
            second_leader: false,
            clock_steps: false,
            outages: false,
            lies: false,
            pauses: false,
            deletions: 0,
            damage: false,
            planned: Vec::new(),
        }
    }

    /// Each kind of fault is absent in some schedules, so that none hides another.
    pub fn drawn(random: &mut Random) -> Self {
        let mut rate = |usual: u32| if random.one_in(3) { u32::MAX } else { usual };
        let (crashes, late, stale, unreadable) = (rate(6), rate(4), rate(4), rate(12));
        Self {
            crashes,
            late,
            stale,
            unreadable,
            requests: !random.one_in(3),
            second_leader: random.one_in(2),
            clock_steps: random.one_in(3),
            outages: random.one_in(3),
            lies: random.one_in(3),
            pauses: random.one_in(4),
            deletions: if random.one_in(2) { 0 } else { random.below(3) as u32 },
            damage: random.one_in(8),
            planned: Vec::new(),
        }
    }

    /// No more of them, but what is planned for later comes then.
    pub fn end(&mut self) {
        *self = Self { planned: std::mem::take(&mut self.planned), ..Self::none() };
    }

    /// What happens at the write of this number.
    pub fn crash(&self, write: u32, random: &mut Random) -> Option<Crash> {
        // Drawn in any case: else a plan would change what else happens.
        let drawn = random.one_in(self.crashes).then(|| Crash::ALL[random.below(3)]);
        let planned = self.planned.iter().find(|(planned, _)| *planned == write);
        planned.map(|(_, crash)| *crash).or(drawn)
    }
}
