//! The world of a credential: K-ORC and Keystone, or a server with two users; the store; consumers.

use super::Violation;
use super::cell::{BEHIND, Cell, Clockwork};
use super::fault::{Faults, Start};
use super::flight::Flights;
use super::leader::Leader;
use super::random::Random;
use crate::generations::{Marks, Means, Policy};
use crate::schedule::{DAY, Schedule};
use crate::{Digest, Phase, Slips, Step, Sync, Time};

const TOKEN_LIFE: i64 = 3_600;
/// After so long a server is taken to know a new password.
pub(super) const SETTLE: i64 = 120;
/// More are never reached in one schedule.
pub(super) const MOST: usize = 24;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kept {
    /// None in the place of an alternating user whose password nobody knows.
    pub(super) generation: Option<u32>,
    pub(super) value: u64,
    pub(super) made: Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Resource {
    pub(super) id: Option<u64>,
    pub(super) expires: Time,
    pub(super) deleting: bool,
}

/// What a consumer is given. The id of a user of a database is its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Given {
    pub(super) generation: u32,
    pub(super) id: u64,
    pub(super) value: u64,
}

impl Given {
    pub(super) fn digest(self) -> Digest {
        Digest(
            u128::from(self.generation) << 64 | u128::from(self.id) << 32 | u128::from(self.value),
        )
    }
}

/// What a write takes along.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body {
    pub(super) value: u64,
    pub(super) given: Option<Given>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Pod {
    pub(super) consumer: usize,
    pub(super) carries: Option<Digest>,
    pub(super) has: Given,
    /// It has logged in.
    pub(super) started: bool,
}

#[derive(Debug)]
pub struct GenerationWorld<'a, S> {
    pub(super) slips: &'a S,
    pub(super) policy: Policy,
    pub(super) random: Random,
    pub(super) faults: Faults,
    pub(super) time: i64,
    pub(super) clockwork: Clockwork,
    /// The marks, and the last request that was fulfilled.
    pub(super) rotation: Cell<(Marks, u32)>,
    /// By generation; of alternating users, by user.
    pub(super) secrets: Vec<Cell<Kept>>,
    pub(super) resources: Vec<Cell<Resource>>,
    /// Keystone's: what lives of each generation, and when it ends by itself.
    pub(super) keystone: Vec<Cell<Given>>,
    pub(super) ends: Vec<i64>,
    /// When each ends that is made as it should be.
    pub(super) promised: Vec<i64>,
    pub(super) keystone_down: bool,
    /// The operator of the server may be away for longer than anybody waits for it.
    pub(super) slow_server: bool,
    /// The passwords that the server knows.
    pub(super) users: [u64; 2],
    pub(super) published: Cell<Given>,
    pub(super) store: Option<Given>,
    pub(super) store_down: bool,
    pub(super) delivered: Cell<Given>,
    pub(super) push: Cell<Option<Sync>>,
    pub(super) pull: Cell<Option<Sync>>,
    /// Workloads, each with what its pod template carries.
    pub(super) templates: Vec<Cell<Option<Digest>>>,
    pub(super) pods: Vec<Pod>,
    pub(super) old_pods: Vec<Pod>,
    pub(super) last_used: Vec<i64>,
    pub(super) mints: Vec<u32>,
    /// Generations that people took away in Keystone, or had K-ORC take away.
    pub(super) taken: Vec<bool>,
    pub(super) made: u64,
    pub(super) leaders: [Leader; 2],
    pub(super) flights: Flights<Body>,
    /// A write has changed what its writer had not seen.
    pub(super) overwritten: bool,
    pub writes: u32,
    /// How often an operator crashed at one, or did not hear of it.
    pub crashes: u32,
    pub rotations: u32,
    pub(super) requested: u32,
    pub(super) paused: bool,
    /// Rotations that were requested.
    pub(super) fulfilled: u32,
    /// Generations that were given up though they may have been published: the next is tried.
    pub(super) taken_back: u32,
    /// How often it became due by time.
    pub(super) due: u32,
    pub(super) deleted: u32,
    /// Generations whose secret people deleted.
    pub(super) bereft: Vec<bool>,
    /// A third was asked for while nothing was published.
    pub(super) roomy: bool,
    /// The newest that was ever published.
    pub(super) newest: u32,
    pub violation: Option<Violation>,
    pub(super) last: Option<Step>,
    /// What happened, for whoever replays one schedule.
    pub story: Option<Vec<String>>,
}

impl<'a, S: Slips> GenerationWorld<'a, S> {
    pub fn new(means: Means, seed: u64, faults: Faults, slips: &'a S) -> Self {
        let mut random = Random::new(seed);
        let grace = if random.one_in(2) { 0 } else { DAY };
        let mut world = Self {
            slips,
            policy: Policy {
                means,
                schedule: Schedule::Every(90 * DAY),
                overtime: DAY + grace,
                token_life: TOKEN_LIFE,
                grace,
                cache: BEHIND,
            },
            random,
            slow_server: faults.lies,
            faults,
            time: 1_000_000,
            clockwork: Clockwork { time: 1_000_000, ..Clockwork::default() },
            rotation: Cell::default(),
            secrets: (0..MOST).map(|_| Cell::default()).collect(),
            resources: (0..MOST).map(|_| Cell::default()).collect(),
            keystone: (0..MOST).map(|_| Cell::default()).collect(),
            ends: vec![i64::MAX; MOST],
            promised: vec![i64::MAX; MOST],
            keystone_down: false,
            users: [u64::MAX; 2],
            published: Cell::default(),
            store: None,
            store_down: false,
            delivered: Cell::default(),
            push: Cell::default(),
            pull: Cell::default(),
            templates: (0..2).map(|_| Cell::default()).collect(),
            pods: Vec::new(),
            old_pods: Vec::new(),
            last_used: vec![i64::MIN / 2; MOST],
            mints: vec![0; MOST],
            taken: vec![false; MOST],
            made: 0,
            leaders: Default::default(),
            flights: Flights::default(),
            overwritten: false,
            writes: 0,
            crashes: 0,
            rotations: 0,
            requested: 0,
            paused: false,
            fulfilled: 0,
            taken_back: 0,
            due: 0,
            deleted: 0,
            bereft: vec![false; MOST],
            roomy: false,
            newest: 0,
            violation: None,
            last: None,
            story: None,
        };
        world.rotation.set(&mut world.clockwork, (Marks::default(), 0));
        world.push.set(&mut world.clockwork, None);
        world.pull.set(&mut world.clockwork, None);
        for template in &mut world.templates {
            template.set(&mut world.clockwork, None);
        }
        world
    }

    /// Some have nothing yet, some a first generation in use, and some an older one that is about to go.
    pub fn settle(&mut self, start: Start) {
        let start = match start {
            Start::Drawn => [Start::Bare, Start::Midway, Start::Settled][self.random.below(3)],
            given => given,
        };
        if start == Start::Bare {
            return;
        }
        let faults = std::mem::replace(&mut self.faults, Faults::none());
        self.work_until(Phase::Idle);
        if start == Start::Midway {
            self.requested += 1;
            self.work_until(Phase::Drained);
            let drained = self.rotation.get().map_or(0, |(marks, _)| marks.drained.0);
            let target = drained + self.random.between(-4_000 - self.policy.grace, 4_000);
            self.wait_until(target.max(self.time));
        }
        (self.faults, self.writes) = (faults, 0);
        self.requested += u32::from(self.faults.requests);
    }

    fn work_until(&mut self, phase: Phase) {
        for _ in 0..60 {
            let step = self.decide(0);
            if step.phase == phase && step.action.is_none() {
                break;
            }
            self.land(0);
            self.everybody_works();
        }
    }

    pub(super) fn fail(&mut self, invariant: &'static str, text: String) {
        self.tell(|| format!("{invariant}: {text}"));
        if self.violation.is_none() {
            self.violation = Some(Violation::new(invariant, text));
        }
    }

    pub(super) fn tell(&mut self, line: impl FnOnce() -> String) {
        let time = self.time;
        if let Some(story) = &mut self.story {
            story.push(format!("{time} {}", line()));
        }
    }

    pub(super) fn lag(&mut self) -> usize {
        match self.random.one_in(self.faults.stale) {
            true => self.random.below(6),
            false => 0,
        }
    }

    pub(super) fn place(&self, generation: u32) -> usize {
        match self.policy.means {
            Means::Minted => generation as usize,
            Means::Alternating => generation as usize % 2,
        }
    }

    /// What the server says to somebody who logs in.
    pub(super) fn works(&self, given: Given) -> bool {
        let place = given.generation as usize;
        match self.policy.means {
            Means::Minted => {
                self.keystone[place].get() == Some(&given) && self.time < self.ends[place]
            }
            Means::Alternating => self.users[place % 2] == given.value,
        }
    }

    pub fn draw(&mut self) -> u64 {
        self.random.draw()
    }
}
