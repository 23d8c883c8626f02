//! What one operator sees of the world of a credential, and decides.

use super::generation_world::{GenerationWorld, Given, MOST};
use super::key_world::copied;
use crate::generations::{
    self, Consumer, Credential, Delivered, Generation, GenerationsSeen, Means, Pods, Proof,
    Published,
};
use crate::{
    Action, Digest, Mistake, Move, Object, Phase, Precondition, Reason, Seen, Slips, Step, Time,
};

impl<S: Slips> GenerationWorld<'_, S> {
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
