//! The world of a ring of keys: three Secrets, the store, Keystone's replicas and their folders.

use std::rc::Rc;

use super::Violation;
use super::cell::{Cell, Clockwork, sight};
use super::fault::{Faults, Start};
use super::flight::Flights;
use super::key_pods::Pod;
use super::leader::Leader;
use super::random::Random;
use crate::keys::{self, KeysSeen, Kind, Migration, Policy, Replica};
use crate::ring::Marked;
use crate::schedule::{DAY, Schedule};
use crate::{Digest, Mistake, Object, Phase, Reason, Ring, Seen, Slips, Step, Sync, Time};

pub const TOKEN_LIFE: i64 = 3_600 + 172_800;
pub const PROPAGATION: i64 = 600;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Status {
    pub initialised: bool,
    pub acknowledged: u32,
    pub replaces: u32,
}

#[derive(Debug)]
pub struct KeyWorld<'a, S> {
    pub slips: &'a S,
    pub policy: Policy,
    pub random: Random,
    pub faults: Faults,
    pub time: i64,
    pub clockwork: Clockwork,
    pub rotation: Cell<Status>,
    pub first: Cell<Rc<Marked>>,
    pub next: Cell<Rc<Marked>>,
    pub live: Cell<Rc<Marked>>,
    pub backup: Cell<Rc<Marked>>,
    pub(super) first_push: Cell<Option<Sync>>,
    pub(super) push: Cell<Option<Sync>>,
    pub(super) pull: Cell<Option<Sync>>,
    pub(super) job: Cell<Migration>,
    /// What the running Job has mounted.
    pub(super) job_ring: Option<Rc<Marked>>,
    pub store: Option<Rc<Marked>>,
    pub(super) store_down: bool,
    /// A person put other keys into the store: the right thing is to stop.
    pub(super) foreign: bool,
    /// A person has deleted the path in the store.
    pub(super) emptied: bool,
    /// A person has written nonsense into `live`.
    pub(super) damaged: bool,
    /// And into `next`.
    pub(super) next_damaged: bool,
    pub pods: Vec<Pod>,
    pub(super) old_pods: Vec<Pod>,
    pub(super) old_pods_at: i64,
    /// The keys that credentials in Keystone's database are encrypted with.
    pub rows: Vec<Digest>,
    /// When a token was last made with each key.
    pub issued: Vec<(Digest, i64)>,
    pub(super) keys_made: u128,
    pub(super) leaders: [Leader; 2],
    pub(super) flights: Flights<Option<Rc<Marked>>>,
    /// A write has changed what its writer had not seen.
    pub(super) overwritten: bool,
    pub writes: u32,
    /// How often an operator crashed at one, or did not hear of it.
    pub crashes: u32,
    pub rotations: u32,
    pub requested: u32,
    /// The primary when a person last asked for a rotation.
    pub(super) unwanted: Option<Digest>,
    pub(super) paused: bool,
    pub(super) deleted: u32,
    pub violation: Option<Violation>,
    pub(super) last: Option<Step>,
    /// What happened, for whoever replays one schedule.
    pub story: Option<Vec<String>>,
}

impl<'a, S: Slips> KeyWorld<'a, S> {
    pub fn new(kind: Kind, seed: u64, faults: Faults, slips: &'a S) -> Self {
        let mut world = Self {
            slips,
            policy: Policy {
                kind,
                schedule: Schedule::Every(DAY),
                token_life: TOKEN_LIFE,
                propagation: PROPAGATION,
            },
            random: Random::new(seed),
            faults,
            time: 1_000_000,
            clockwork: Clockwork { time: 1_000_000, ..Clockwork::default() },
            rotation: Cell::default(),
            first: Cell::default(),
            next: Cell::default(),
            live: Cell::default(),
            backup: Cell::default(),
            first_push: Cell::default(),
            push: Cell::default(),
            pull: Cell::default(),
            job: Cell::default(),
            job_ring: None,
            store: None,
            store_down: false,
            foreign: false,
            emptied: false,
            damaged: false,
            next_damaged: false,
            pods: Vec::new(),
            old_pods: Vec::new(),
            old_pods_at: 0,
            rows: Vec::new(),
            issued: Vec::new(),
            keys_made: 0,
            leaders: Default::default(),
            flights: Flights::default(),
            overwritten: false,
            writes: 0,
            crashes: 0,
            rotations: 0,
            requested: 0,
            unwanted: None,
            paused: false,
            deleted: 0,
            violation: None,
            last: None,
            story: None,
        };
        world.rotation.set(&mut world.clockwork, Status::default());
        for told in [&mut world.first_push, &mut world.push, &mut world.pull] {
            told.set(&mut world.clockwork, None);
        }
        let pods = 2 + world.random.below(2);
        for _ in 0..pods {
            world.add_pod();
        }
        world
    }

    /// Some clouds have run for long; some have nothing yet.
    pub fn settle(&mut self, start: Start) {
        let bare = match start {
            Start::Drawn => self.random.one_in(4),
            given => given == Start::Bare,
        };
        if bare {
            return;
        }
        let (staged, primary) = (self.make_key(), self.make_key());
        let mut ring = Ring::fresh(staged, primary, Time(self.time));
        if self.policy.kind == Kind::Credential {
            // Rows of long ago, still under the key before.
            self.rows.push(primary);
            ring = ring.promote(Time(self.time)).restage(self.make_key(), Time(self.time));
        }
        let ring = Rc::new(marked(ring));
        for cell in [&mut self.first, &mut self.next, &mut self.live, &mut self.backup] {
            cell.set(&mut self.clockwork, Rc::clone(&ring));
        }
        self.store = Some(ring);
        self.rotation.set(&mut self.clockwork, Status { initialised: true, ..Status::default() });
        for pod in 0..self.pods.len() {
            self.start_pod(pod);
        }
        self.advance(DAY + 10);
    }

    pub fn make_key(&mut self) -> Digest {
        self.keys_made += 1;
        Digest(self.keys_made)
    }

    pub fn fail(&mut self, invariant: &'static str, text: String) {
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

    pub fn draw(&mut self) -> u64 {
        self.random.draw()
    }

    /// One look of one operator, and what it wants to do.
    pub fn decide(&mut self, leader: usize) -> Step {
        let lags: [usize; 9] = std::array::from_fn(|_| self.lag());
        let unreadable: [bool; 3] =
            std::array::from_fn(|_| self.random.one_in(self.faults.unreadable));
        let old = self.random.one_in(self.faults.stale) && self.old_pods_at + 50 > self.time;
        let time = self.time;
        let me = &mut self.leaders[leader];
        let now = Time(time + me.offset);
        let clockwork = &self.clockwork;
        let ring = |cell: &'_ Cell<Rc<Marked>>, lag: usize| match cell.seen(lag, clockwork) {
            Seen::Present(stamp, ring) if ring.digest == DAMAGE => Seen::Damaged(stamp),
            Seen::Present(stamp, ring) => Seen::Present(stamp, Rc::clone(ring)),
            Seen::Damaged(stamp) => Seen::Damaged(stamp),
            Seen::Unknown => Seen::Unknown,
            Seen::Absent => Seen::Absent,
        };
        let first = ring(&self.first, lags[0]);
        let next = ring(&self.next, lags[1]);
        let live = ring(&self.live, lags[2]);
        let backup = ring(&self.backup, lags[3]);
        let pods = if old { &self.old_pods } else { &self.pods };
        let replicas: Vec<Replica> = pods
            .iter()
            .map(|pod| Replica {
                reported: pod
                    .reports
                    .then(|| pod.ring.as_ref().map_or(Digest(0), |ring| ring.digest)),
                steady: if pod.ready { me.steady(pod.transition, time) } else { 0 },
            })
            .collect();
        let (rotation, status) = match self.rotation.seen(lags[4], &self.clockwork) {
            Seen::Present(stamp, status) => (stamp, *status),
            _ => return Step::wait(Phase::Restoring, Reason::CannotRead, 1),
        };
        let next_stamp = next.stamp().or(first.stamp());
        let migration = copied(self.job.seen(lags[8], &self.clockwork));
        let seen = KeysSeen {
            policy: &self.policy,
            rotation,
            initialised: status.initialised,
            suspended: self.paused && lags[4] == 0,
            requested: self.requested > status.acknowledged,
            replaces: status.replaces,
            first: borrowed(&first),
            next: if unreadable[0] { Seen::Unknown } else { borrowed(&next) },
            live: if unreadable[1] { Seen::Unknown } else { borrowed(&live) },
            backup: borrowed(&backup),
            first_push: copied(self.first_push.seen(lags[5], &self.clockwork)),
            push: copied(self.push.seen(lags[6], &self.clockwork)),
            pull: copied(self.pull.seen(lags[7], &self.clockwork)),
            replicas: (!unreadable[2]).then_some(&replicas[..]),
            migration,
            live_watched: me.watch(0, live.stamp(), time),
            next_watched: me.watch(1, next_stamp, time),
            migration_watched: me.watch(2, migration.stamp(), time),
        };
        let step = keys::step(&seen, now, self.slips);
        let blind = match step.action.as_ref().map(|action| action.object) {
            Some(Object::Next) => self.slips.makes(Mistake::NextWithoutPrecondition),
            Some(Object::Live) => self.slips.makes(Mistake::LiveWithoutPrecondition),
            _ => false,
        };
        let target = step.action.clone().map(|action| {
            let saw = saw(&seen, action.object);
            (action, saw)
        });
        self.leaders[leader].blind = blind;
        self.leaders[leader].plan(target, rotation, now);
        self.last = Some(step.clone());
        step
    }
}

/// What a person's nonsense looks like.
pub(super) const DAMAGE: Digest = Digest(u128::MAX);

pub(super) fn nonsense() -> Rc<Marked> {
    let ring = Ring::fresh(Digest(0), Digest(1 << 100), Time(0));
    Rc::new(Marked { ring, digest: DAMAGE })
}

/// What was seen of one object.
fn saw(seen: &KeysSeen<'_>, object: Object) -> Seen<()> {
    match object {
        Object::Rotation => Seen::Present(seen.rotation, ()),
        Object::First => sight(seen.first),
        Object::Next => sight(seen.next),
        Object::Live => sight(seen.live),
        Object::Migration => sight(seen.migration),
        Object::FirstPushSecret => sight(seen.first_push),
        Object::PushSecret => sight(seen.push),
        Object::ExternalSecret => sight(seen.pull),
        _ => Seen::Unknown,
    }
}

fn borrowed(seen: &Seen<Rc<Marked>>) -> Seen<&Marked> {
    match seen {
        Seen::Unknown => Seen::Unknown,
        Seen::Absent => Seen::Absent,
        Seen::Damaged(stamp) => Seen::Damaged(*stamp),
        Seen::Present(stamp, ring) => Seen::Present(*stamp, ring),
    }
}

pub fn copied<T: Copy>(seen: Seen<&T>) -> Seen<T> {
    match seen {
        Seen::Unknown => Seen::Unknown,
        Seen::Absent => Seen::Absent,
        Seen::Damaged(stamp) => Seen::Damaged(stamp),
        Seen::Present(stamp, value) => Seen::Present(stamp, *value),
    }
}

pub fn marked(ring: Ring<Digest>) -> Marked {
    let mut hash = 0xcbf2_9ce4_8422_2325_u128;
    let mut mix = |value: u128| hash = (hash ^ value).wrapping_mul(0x0100_0000_01b3_u128 << 3 | 1);
    for slot in ring.slots() {
        mix(u128::from(slot.index));
        mix(slot.key.0);
        mix(slot.demoted.map_or(0, |time| time.0 as u128));
    }
    mix(ring.staged.0 as u128);
    mix(ring.promoted.0 as u128);
    Marked { ring, digest: Digest(hash) }
}
