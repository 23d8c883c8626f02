//! What one operator sees of the world of a credential, and decides.

use super::cell::{BEHIND, map, sight};
use super::generation_world::{GenerationWorld, Given, Kept, MOST, SETTLE};
use super::key_world::copied;
use crate::generations::{
    self, Consumer, Credential, Delivered, Generation, GenerationsSeen, Means, Pods, Proof,
    Published,
};
use crate::{
    Action, Digest, Mistake, Move, Object, Phase, Precondition, Reason, Seen, Slips, Stamp, Step,
    Time,
};

impl<S: Slips> GenerationWorld<'_, S> {
    /// The passwords of both users, as they are seen.
    fn places(&mut self) -> [Seen<Kept>; 2] {
        std::array::from_fn(|place| {
            let lag = self.lag();
            copied(self.secrets[place].seen(lag, &self.clockwork))
        })
    }

    /// Nobody can ask a database here: after a time, its operator is trusted to have applied a password.
    fn alternating(&mut self, leader: usize, places: &[Seen<Kept>; 2]) -> Vec<Generation> {
        let mut found = Vec::new();
        for (place, seen) in places.iter().enumerate() {
            let watched = self.leaders[leader].watch(1 + place, seen.stamp(), self.time);
            let Seen::Present(stamp, kept) = *seen else { continue };
            let Some(number) = kept.generation else { continue };
            let available = watched >= SETTLE;
            found.push(Generation {
                number,
                secret: Some(stamp),
                made: kept.made,
                expires: None,
                credential: Some(Credential { stamp, available, deleting: false }),
                in_keystone: false,
                proof: if available { Proof::Works } else { Proof::Unknown },
            });
        }
        found.sort_by_key(|generation| generation.number);
        found
    }

    fn minted(&mut self) -> Vec<Generation> {
        let published = self.published.get().copied();
        let mut found = Vec::new();
        for number in 1..MOST as u32 {
            let place = number as usize;
            if !self.secrets[place].ever_existed() && !self.resources[place].ever_existed() {
                continue;
            }
            let lags: [usize; 4] = std::array::from_fn(|_| self.lag());
            let secret = copied(self.secrets[place].seen(lags[0], &self.clockwork));
            let resource = copied(self.resources[place].seen(lags[1], &self.clockwork));
            let listed = copied(self.keystone[place].seen(lags[2], &self.clockwork));
            let in_keystone = listed != Seen::Absent && !self.keystone_down;
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
            let silent = self.keystone_down || self.random.one_in(self.faults.unreadable);
            found.push(Generation {
                number,
                secret: secret.stamp(),
                made: kept.map_or(Time(0), |kept| kept.made),
                expires: resource.value().map(|resource| resource.expires),
                credential,
                in_keystone,
                proof: match given {
                    Some(given) if !silent => self.proof(given, lags[3]),
                    _ => Proof::Unknown,
                },
            });
        }
        found
    }

    /// What Keystone says to an operator that asked a while ago.
    fn proof(&self, given: Given, lag: usize) -> Proof {
        let known = self.keystone[given.generation as usize].seen(lag, &self.clockwork);
        let ended = self.time >= self.ends[given.generation as usize];
        match known.value() == Some(&&given) && !ended {
            true => Proof::Works,
            false => Proof::Refused,
        }
    }

    /// Whoever says that all is well has seen that nothing old is left.
    fn check_claim(&mut self, step: &Step) {
        let claimed = step.phase == Phase::Idle && step.reason == Reason::UpToDate;
        if !claimed {
            return;
        }
        let current = self.published.get().map_or(0, |given| given.generation as usize);
        let left = (0..current).find(|at| {
            let known = &self.keystone[*at];
            known.get().is_some() && known.since() + BEHIND <= self.time
        });
        if let Some(left) = left {
            self.fail("I7", format!("rests without having seen that generation {left} is gone"));
        }
    }

    pub fn decide(&mut self, leader: usize) -> Step {
        let places = self.places();
        let generations = match self.policy.means {
            Means::Minted => self.minted(),
            Means::Alternating => self.alternating(leader, &places),
        };
        let lags: [usize; 7] = std::array::from_fn(|_| self.lag());
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
            .filter_map(|(place, template)| match template.seen(lags[5], &self.clockwork) {
                Seen::Present(stamp, digest) => Some(Consumer { place, stamp, template: *digest }),
                _ => None,
            })
            .collect();
        let known = match (unreadable[1], consumers.len() == self.templates.len()) {
            (true, _) => Pods::Unknown,
            (_, false) => Pods::Unnamed,
            _ => Pods::Carry(&pods),
        };
        let free: [Option<Precondition>; 2] = std::array::from_fn(|place| match places[place] {
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
        let delivered = copied(self.delivered.seen(lags[2], &self.clockwork));
        let time = self.time;
        let me = &mut self.leaders[leader];
        let now = Time(time + me.offset);
        let seen = GenerationsSeen {
            policy: &self.policy,
            rotation,
            suspended: self.paused && lags[0] == 0,
            requested: self.requested > acknowledged,
            marks,
            generations: &generations,
            complete: !unreadable[0],
            listed: !self.keystone_down,
            published: map(published, |given| Published {
                generation: given.generation,
                digest: given.digest(),
            }),
            delivered: map(delivered, |given| Delivered {
                generation: given.generation,
                digest: given.digest(),
            }),
            push: copied(self.push.seen(lags[3], &self.clockwork)),
            pull: copied(self.pull.seen(lags[4], &self.clockwork)),
            consumers: &consumers,
            pods: known,
            published_watched: me.watch(0, published.stamp(), time),
            delivered_watched: me.watch(3, delivered.stamp(), time),
            free,
        };
        let step = generations::step(&seen, now, self.slips);
        let blind = step.action.as_ref().and_then(precondition_of);
        self.leaders[leader].blind = blind.is_some_and(|mistake| self.slips.makes(mistake));
        let target = step.action.clone().map(|action| {
            let saw = saw(&seen, &places, action.object);
            (action, saw)
        });
        self.leaders[leader].plan(target, rotation, now);
        self.check_claim(&step);
        self.last = Some(step.clone());
        step
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

/// What was seen of one object.
fn saw(seen: &GenerationsSeen<'_>, places: &[Seen<Kept>; 2], object: Object) -> Seen<()> {
    let listed = |number: u32| seen.generations.iter().find(|found| found.number == number);
    let found = |stamp: Option<Stamp>| stamp.map_or(Seen::Absent, |stamp| Seen::Present(stamp, ()));
    match object {
        Object::Rotation => Seen::Present(seen.rotation, ()),
        Object::Secret(number) => match seen.policy.means {
            Means::Alternating => sight(places[number as usize % 2]),
            Means::Minted => found(listed(number).and_then(|known| known.secret)),
        },
        Object::Credential(number) => {
            found(listed(number).and_then(|known| known.credential).map(|known| known.stamp))
        }
        Object::Published => sight(seen.published),
        Object::PushSecret => sight(seen.push),
        Object::ExternalSecret => sight(seen.pull),
        Object::Consumer(place) => {
            let consumer = seen.consumers.iter().find(|consumer| consumer.place == place);
            found(consumer.map(|consumer| consumer.stamp))
        }
        // Keystone has no versions that could be seen. Whoever deletes there names an id, which is given once, so that
        // it is what was seen or nothing.
        Object::InKeystone(_) => Seen::Absent,
        _ => Seen::Unknown,
    }
}
