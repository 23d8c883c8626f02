//! The world of a credential: K-ORC and Keystone, or a server with two users; the store; consumers.

use super::Violation;
use super::cell::{Cell, Clockwork};
use super::fault::{Crash, Faults};
use super::key_world::copied;
use super::leader::Leader;
use super::random::Random;
use crate::generations::{
    self, Consumer, Credential, Delivered, Generation, GenerationsSeen, Marks, Means, Pods, Policy,
    Proof, Published,
};
use crate::schedule::{DAY, Schedule};
use crate::{
    Action, Digest, Mistake, Move, Object, Phase, Precondition, Reason, Seen, Slips, Step, Sync,
    Time,
};

const TOKEN_LIFE: i64 = 3_600;
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
    fn digest(self) -> Digest {
        Digest(
            u128::from(self.generation) << 64 | u128::from(self.id) << 32 | u128::from(self.value),
        )
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Pod {
    pub(super) consumer: usize,
    pub(super) carries: Option<Digest>,
    pub(super) has: Given,
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
    /// Keystone's: what lives of each generation.
    pub(super) keystone: Vec<Option<Given>>,
    pub(super) keystone_down: bool,
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
    pub writes: u32,
    pub rotations: u32,
    pub(super) requested: u32,
    pub(super) deleted: u32,
    pub(super) interfered: bool,
    pub violation: Option<Violation>,
    pub(super) last: Option<Step>,
    /// What happened, for whoever replays one schedule.
    pub story: Option<Vec<String>>,
}

impl<'a, S: Slips> GenerationWorld<'a, S> {
    pub fn new(means: Means, seed: u64, faults: Faults, slips: &'a S) -> Self {
        let mut world = Self {
            slips,
            policy: Policy {
                means,
                schedule: Schedule::Every(90 * DAY),
                overtime: DAY,
                token_life: TOKEN_LIFE,
                grace: 0,
            },
            random: Random::new(seed),
            faults,
            time: 1_000_000,
            clockwork: Clockwork { time: 1_000_000, ..Clockwork::default() },
            rotation: Cell::default(),
            secrets: (0..MOST).map(|_| Cell::default()).collect(),
            resources: (0..MOST).map(|_| Cell::default()).collect(),
            keystone: vec![None; MOST],
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
            writes: 0,
            rotations: 0,
            requested: 0,
            deleted: 0,
            interfered: false,
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

    /// Some have a first generation in use; some have nothing yet.
    pub fn settle(&mut self) {
        if self.random.one_in(4) && self.faults.planned.is_empty() {
            return;
        }
        let faults = std::mem::replace(&mut self.faults, Faults::none());
        for _ in 0..60 {
            let step = self.decide(0);
            if step.phase == Phase::Idle && step.action.is_none() {
                break;
            }
            self.land(0);
            self.everybody_works();
        }
        (self.faults, self.writes) = (faults, 0);
        self.requested = 1;
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
        match self.policy.means {
            Means::Minted => self.keystone[given.generation as usize] == Some(given),
            Means::Alternating => self.users[given.generation as usize % 2] == given.value,
        }
    }

    pub(super) fn proof(&self, given: Given) -> Proof {
        match (self.policy.means, self.works(given)) {
            (Means::Minted, _) if self.keystone_down => Proof::Unknown,
            (_, true) => Proof::Works,
            (Means::Minted, false) => Proof::Refused,
            // Nobody can ask a database here; its operator says what it has applied.
            (Means::Alternating, false) => Proof::Unknown,
        }
    }

    pub(super) fn generations(&mut self) -> Vec<Generation> {
        let published = self.published.get().copied();
        let mut found = Vec::new();
        if self.policy.means == Means::Alternating {
            for place in 0..2 {
                let lag = self.lag();
                let Seen::Present(stamp, kept) =
                    copied(self.secrets[place].seen(lag, &self.clockwork))
                else {
                    continue;
                };
                let Some(number) = kept.generation else { continue };
                let given = Given { generation: number, id: place as u64, value: kept.value };
                let available = self.works(given);
                let credential = Credential { stamp, available, deleting: false };
                found.push(Generation {
                    number,
                    secret: Some(stamp),
                    made: kept.made,
                    expires: None,
                    credential: Some(credential),
                    in_keystone: false,
                    proof: self.proof(given),
                });
            }
            found.sort_by_key(|generation| generation.number);
            return found;
        }
        for number in 1..MOST as u32 {
            let place = number as usize;
            if !self.secrets[place].ever_existed() && !self.resources[place].ever_existed() {
                continue;
            }
            let (one, two) = (self.lag(), self.lag());
            let secret = copied(self.secrets[place].seen(one, &self.clockwork));
            let resource = copied(self.resources[place].seen(two, &self.clockwork));
            let in_keystone = self.keystone[place].is_some() && !self.keystone_down;
            let credential = match resource {
                Seen::Present(stamp, resource) => Some(Credential {
                    stamp,
                    available: resource.id.is_some(),
                    deleting: resource.deleting,
                }),
                _ => None,
            };
            if secret == Seen::Absent && credential.is_none() && !in_keystone {
                continue;
            }
            let kept = secret.value().copied();
            let id = resource.value().and_then(|resource| resource.id);
            let own =
                kept.zip(id).map(|(kept, id)| Given { generation: number, id, value: kept.value });
            let given = published.filter(|given| given.generation == number).or(own);
            found.push(Generation {
                number,
                secret: secret.stamp(),
                made: kept.map_or(Time(0), |kept| kept.made),
                expires: resource.value().map(|resource| resource.expires),
                credential,
                in_keystone,
                proof: match given {
                    Some(given) if !self.random.one_in(self.faults.unreadable) => self.proof(given),
                    _ => Proof::Unknown,
                },
            });
        }
        found
    }

    pub fn draw(&mut self) -> u64 {
        self.random.draw()
    }

    pub fn decide(&mut self, leader: usize) -> Step {
        let generations = self.generations();
        let lags: [usize; 6] = std::array::from_fn(|_| self.lag());
        let unreadable: [bool; 2] =
            std::array::from_fn(|_| self.random.one_in(self.faults.unreadable));
        let old = self.random.one_in(self.faults.stale) && !self.old_pods.is_empty();
        let pods: Vec<Option<Digest>> = match old {
            true => self.old_pods.iter().map(|pod| pod.carries).collect(),
            false => self.pods.iter().map(|pod| pod.carries).collect(),
        };
        let consumers: Vec<Consumer> = self
            .templates
            .iter()
            .enumerate()
            .filter_map(|(place, template)| match template.seen(0, &self.clockwork) {
                Seen::Present(stamp, digest) => Some(Consumer { place, stamp, template: *digest }),
                _ => None,
            })
            .collect();
        let known = match (unreadable[1], consumers.len() == self.templates.len()) {
            (true, _) => Pods::Unknown,
            (_, false) => Pods::Unnamed,
            _ => Pods::Carry(&pods),
        };
        let free: [Option<Precondition>; 2] =
            std::array::from_fn(|place| match self.secrets[place].seen(0, &self.clockwork) {
                Seen::Absent => Some(Precondition::Absent),
                Seen::Present(stamp, kept) if kept.generation.is_none() => {
                    Some(Precondition::At(stamp))
                }
                Seen::Present(stamp, _) if self.slips.makes(Mistake::StageIntoUse) => {
                    Some(Precondition::At(stamp))
                }
                _ => None,
            });
        let (rotation, (marks, acknowledged)) = match self.rotation.seen(lags[0], &self.clockwork) {
            Seen::Present(stamp, status) => (stamp, *status),
            _ => return Step::wait(Phase::Staged, Reason::CannotRead, 1),
        };
        let published = copied(self.published.seen(lags[1], &self.clockwork));
        let time = self.time;
        let me = &mut self.leaders[leader];
        let now = Time(time + me.offset);
        let seen = GenerationsSeen {
            policy: &self.policy,
            rotation,
            suspended: false,
            requested: self.requested > acknowledged,
            marks,
            generations: &generations,
            complete: !unreadable[0],
            listed: !self.keystone_down,
            published: map(published, |given| Published {
                generation: given.generation,
                digest: given.digest(),
            }),
            delivered: map(copied(self.delivered.seen(lags[2], &self.clockwork)), |given| {
                Delivered { generation: given.generation, digest: given.digest() }
            }),
            push: copied(self.push.seen(lags[3], &self.clockwork)),
            pull: copied(self.pull.seen(lags[4], &self.clockwork)),
            consumers: &consumers,
            pods: known,
            published_watched: me.watch(0, published.stamp(), time),
            free,
        };
        let step = generations::step(&seen, now, self.slips);
        let blind = step.action.as_ref().and_then(precondition_of);
        self.leaders[leader].blind = blind.is_some_and(|mistake| self.slips.makes(mistake));
        self.leaders[leader].plan(step.action.clone(), rotation);
        self.last = Some(step.clone());
        step
    }

    pub fn land(&mut self, leader: usize) {
        let Some(action) = self.leaders[leader].take_pending(self.rotation.stamp()) else { return };
        self.writes += 1;
        let planned = self.faults.planned.iter().find(|(write, _)| *write == self.writes);
        let crash = match planned {
            Some((_, crash)) => Some(*crash),
            None if self.random.one_in(self.faults.crashes) => {
                Some(Crash::ALL[self.random.below(3)])
            }
            None => None,
        };
        if crash != Some(Crash::Before) {
            self.apply(leader, &action);
        }
        self.tell(|| {
            format!("operator {leader}: {:?} {:?} crash {crash:?}", action.object, action.make)
        });
        if matches!(crash, Some(Crash::Before | Crash::After)) {
            self.leaders[leader].restart();
        }
    }

    pub(super) fn allows(&self, action: &Action) -> bool {
        let at = action.precondition;
        match action.object {
            Object::Rotation => self.rotation.allows(at),
            Object::Secret(number) => self.secrets[self.place(number)].allows(at),
            Object::Credential(number) => self.resources[number as usize].allows(at),
            Object::Published => self.published.allows(at),
            Object::PushSecret => self.push.allows(at),
            Object::ExternalSecret => self.pull.allows(at),
            Object::Consumer(place) => self.templates[place].allows(at),
            _ => true,
        }
    }

    pub(super) fn apply(&mut self, leader: usize, action: &Action) {
        let now = Time(self.time + self.leaders[leader].offset);
        if !self.allows(action) {
            if self.leaders[leader].blind {
                self.fail(
                    "I9",
                    format!("{:?} is written over what nobody looked at", action.object),
                );
            }
            return;
        }
        let clockwork = &mut self.clockwork;
        match (action.object, &action.make) {
            (Object::Rotation, make) => {
                let (mut marks, mut acknowledged) =
                    self.rotation.get().copied().unwrap_or_default();
                match make {
                    Move::Commit(number) => marks.committed = *number,
                    Move::Intend(number) => {
                        (marks.intended, acknowledged) = (*number, self.requested)
                    }
                    Move::GiveUp(number) => marks.given_up = *number,
                    Move::RolledOut { generation, drained } => {
                        (marks.rolled_out, marks.drained) = (*generation, *drained);
                    }
                    _ => return,
                }
                self.rotation.set(clockwork, (marks, acknowledged));
            }
            (Object::Secret(number), Move::Stage(_)) => {
                let place = self.place(number);
                self.made += 1;
                let kept = Kept { generation: Some(number), value: self.made, made: now };
                self.secrets[place].set(&mut self.clockwork, kept);
            }
            (Object::Secret(number), Move::Scramble) => {
                let place = self.place(number);
                self.made += 1;
                let kept = Kept { generation: None, value: self.made, made: now };
                self.secrets[place].set(&mut self.clockwork, kept);
                self.check_revocation(number);
            }
            (Object::Secret(number), Move::RemoveSecret) => {
                let place = self.place(number);
                self.secrets[place].delete(&mut self.clockwork);
            }
            (Object::Credential(number), Move::Mint { expires, .. }) => {
                let place = number as usize;
                if !self.secrets[place].ever_existed() {
                    self.fail("I5", format!("generation {number} is minted without a secret"));
                }
                let committed =
                    self.rotation.get().is_some_and(|(marks, _)| marks.committed >= number);
                if !committed && !self.interfered {
                    self.fail(
                        "I4",
                        format!("generation {number} is minted before its number is taken"),
                    );
                }
                let resource = Resource { id: None, expires: *expires, deleting: false };
                self.resources[place].set(&mut self.clockwork, resource);
            }
            (Object::Credential(number), Move::Revoke) => {
                let place = number as usize;
                if let Some(resource) = self.resources[place].get().copied() {
                    let resource = Resource { deleting: true, ..resource };
                    self.resources[place].set(clockwork, resource);
                }
            }
            (Object::InKeystone(number), Move::Revoke) => self.revoke(number),
            (Object::Published, Move::PublishGeneration(number, proven)) => {
                let place = self.place(*number);
                if self.secrets[place].stamp() != Some(*proven) {
                    return;
                }
                let Some(kept) = self.secrets[place].get().copied() else { return };
                if kept.generation != Some(*number) {
                    return;
                }
                let id = match self.policy.means {
                    Means::Alternating => Some(place as u64),
                    Means::Minted => self.resources[place].get().and_then(|resource| resource.id),
                };
                // The shell reads them again before it writes.
                let Some(id) = id else { return };
                let given = Given { generation: *number, id, value: kept.value };
                if self.published.get().is_none_or(|old| old.generation < *number) {
                    self.rotations += 1;
                }
                self.published.set(&mut self.clockwork, given);
            }
            (Object::PushSecret, Move::Nudge(sync)) => self.push.set(clockwork, Some(*sync)),
            (Object::ExternalSecret, Move::Nudge(sync)) => self.pull.set(clockwork, Some(*sync)),
            (Object::Consumer(place), Move::Stamp(digest)) => {
                self.templates[place].set(clockwork, Some(*digest));
            }
            _ => {}
        }
    }

    /// The credential ends in Keystone, and all tokens of it.
    pub(super) fn revoke(&mut self, number: u32) {
        if self.keystone_down || self.keystone[number as usize].is_none() {
            return;
        }
        self.keystone[number as usize] = None;
        self.check_revocation(number);
    }

    pub(super) fn check_revocation(&mut self, number: u32) {
        if self.taken[number as usize] {
            return;
        }
        let used = self.last_used[number as usize];
        if used + self.policy.token_life > self.time {
            let ago = self.time - used;
            self.fail("I6", format!("generation {number} is revoked {ago} s after it was used"));
        }
    }
}

fn precondition_of(action: &Action) -> Option<Mistake> {
    match (&action.object, &action.make) {
        (Object::Published, _) => Some(Mistake::PublishWithoutPrecondition),
        (Object::Credential(_), Move::Revoke) | (_, Move::Scramble) => {
            Some(Mistake::RevokeWithoutPrecondition)
        }
        (Object::Secret(_), Move::Stage(_)) => Some(Mistake::StageWithoutPrecondition),
        _ => None,
    }
}

fn map<T, U>(seen: Seen<T>, with: impl FnOnce(T) -> U) -> Seen<U> {
    match seen {
        Seen::Unknown => Seen::Unknown,
        Seen::Absent => Seen::Absent,
        Seen::Damaged(stamp) => Seen::Damaged(stamp),
        Seen::Present(stamp, value) => Seen::Present(stamp, with(value)),
    }
}
