//! Schedules by their seeds, and crashes at all pairs of writes.

use super::Violation;
use super::fault::{Crash, Faults, Start};
use super::generation_world::GenerationWorld;
use super::key_world::KeyWorld;
use super::random::Random;
use crate::Slips;
use crate::generations::Means;
use crate::keys::Kind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Machine {
    FernetKeys,
    CredentialKeys,
    ApplicationCredential,
    AlternatingUsers,
}

impl Machine {
    pub const ALL: [Self; 4] = [
        Self::FernetKeys,
        Self::CredentialKeys,
        Self::ApplicationCredential,
        Self::AlternatingUsers,
    ];

    pub const fn of(seed: u64) -> Self {
        Self::ALL[seed as usize % 4]
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    pub schedules: u64,
    pub rotations: u64,
    pub writes: u64,
    pub crashes: u64,
    /// The seed, and what did not hold.
    pub violations: Vec<(u64, Violation)>,
}

impl Report {
    fn add(&mut self, seed: u64, outcome: Outcome) {
        self.schedules += 1;
        self.rotations += u64::from(outcome.rotations);
        self.writes += u64::from(outcome.writes);
        self.crashes += u64::from(outcome.crashes);
        self.violations.extend(outcome.violation.map(|violation| (seed, violation)));
    }

    pub fn merge(&mut self, other: Self) {
        self.schedules += other.schedules;
        self.rotations += other.rotations;
        self.writes += other.writes;
        self.crashes += other.crashes;
        self.violations.extend(other.violations);
    }
}

#[derive(Debug)]
pub struct Outcome {
    pub rotations: u32,
    pub writes: u32,
    pub crashes: u32,
    pub violation: Option<Violation>,
    pub story: Option<Vec<String>>,
}

/// Events of a schedule before everything is mended.
const EVENTS: usize = 120;

macro_rules! run {
    ($world:expr, $start:expr, $second:expr, $told:expr) => {{
        let mut world = $world;
        world.story = $told.then(Vec::new);
        world.settle($start);
        for _ in 0..EVENTS {
            if world.violation.is_some() {
                break;
            }
            let draw = world.draw();
            let leader = usize::from($second && draw & 1 == 1);
            match draw >> 1 & 3 {
                0 => drop(world.decide(leader)),
                1 => world.land(leader),
                2 => {
                    world.decide(leader);
                    world.land(leader);
                }
                _ => {}
            }
            world.happen();
        }
        if world.violation.is_none() {
            world.finish();
        }
        // Last, because what came of it matters more.
        if world.overwritten && world.violation.is_none() {
            world.fail("I9", "a write has landed on what its writer had not seen".to_owned());
        }
        Outcome {
            rotations: world.rotations,
            writes: world.writes,
            crashes: world.crashes,
            violation: world.violation,
            story: world.story,
        }
    }};
}

/// One schedule.
pub fn schedule<S: Slips>(seed: u64, slips: &S) -> Outcome {
    let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let faults = Faults::drawn(&mut random);
    run(Machine::of(seed), random.draw(), (Start::Drawn, faults), false, slips)
}

/// The same schedule again, with its story.
pub fn replay<S: Slips>(seed: u64, slips: &S) -> Outcome {
    let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let faults = Faults::drawn(&mut random);
    run(Machine::of(seed), random.draw(), (Start::Drawn, faults), true, slips)
}

fn run<S: Slips>(
    machine: Machine,
    seed: u64,
    (start, faults): (Start, Faults),
    told: bool,
    slips: &S,
) -> Outcome {
    let second = faults.second_leader;
    match machine {
        Machine::FernetKeys => {
            run!(KeyWorld::new(Kind::Fernet, seed, faults, slips), start, second, told)
        }
        Machine::CredentialKeys => {
            run!(KeyWorld::new(Kind::Credential, seed, faults, slips), start, second, told)
        }
        Machine::ApplicationCredential => {
            run!(GenerationWorld::new(Means::Minted, seed, faults, slips), start, second, told)
        }
        Machine::AlternatingUsers => {
            run!(GenerationWorld::new(Means::Alternating, seed, faults, slips), start, second, told)
        }
    }
}

/// The schedules of these seeds, one after another.
pub fn schedules<S: Slips>(seeds: std::ops::Range<u64>, slips: &S) -> Report {
    let mut report = Report::default();
    for seed in seeds {
        report.add(seed, schedule(seed, slips));
    }
    report
}

/// Two crashes without other faults, each pair of writes and in each of three ways: in the rotation of a cloud
/// that runs, and in one that begins with nothing. Which writes there are after the first crash depends on it: what
/// it kept from happening is tried again, so that the second may come one write after the last.
pub fn pairs<S: Slips>(machine: Machine, slips: &S) -> Report {
    let mut report = Report::default();
    for start in [Start::Settled, Start::Bare] {
        let with = |planned: Vec<(u32, Crash)>| {
            let faults = Faults { planned, ..Faults::none() };
            run(machine, 1, (start, faults), false, slips)
        };
        for first in 1..=with(Vec::new()).writes {
            for one in Crash::ALL {
                for second in first + 1..=with(vec![(first, one)]).writes {
                    for two in Crash::ALL {
                        report.add(1, with(vec![(first, one), (second, two)]));
                    }
                }
            }
        }
    }
    report
}
