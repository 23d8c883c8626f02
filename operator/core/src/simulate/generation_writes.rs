//! Writes of operators in the world of a credential.

use super::cell::{BEHIND, allows, is_as_seen};
use super::fault::Crash;
use super::flight::Sent;
use super::generation_world::{Body, GenerationWorld, Given, Kept, MOST, Resource};
use crate::generations::Means;
use crate::{Action, Mistake, Move, Object, Precondition, Slips, Stamp, Time};

impl<S: Slips> GenerationWorld<'_, S> {
    pub fn land(&mut self, leader: usize) {
        let me = &mut self.leaders[leader];
        let (blind, now) = (me.blind, Time(self.time + me.offset));
        let decided_at = me.decided_at;
        let Some((mut action, saw)) = me.take_pending(self.rotation.stamp()) else { return };
        if matches!(action.make, Move::Commit(number) | Move::Stage(number) if number as usize >= MOST)
            || matches!(action.make, Move::Mint { generation, .. } if generation as usize >= MOST)
        {
            return self.fail("I7", "takes one number after another".to_owned());
        }
        if self.slips.makes(Mistake::PreconditionOfTheMoment) {
            action.precondition =
                self.there(action.object).map_or(Precondition::Absent, Precondition::At);
        }
        self.writes += 1;
        let crash = self.faults.crash(self.writes, &mut self.random);
        self.crashes += u32::from(crash.is_some());
        let late = self.random.one_in(self.faults.late);
        self.tell(|| {
            let late = if late { ", late" } else { "" };
            format!(
                "operator {leader}: {:?} {:?} crash {crash:?}{late}",
                action.object, action.make
            )
        });
        if let Some(body) = self.compose(&action) {
            if let (Object::Credential(number), Move::Mint { .. }) = (action.object, &action.make) {
                self.check_mint(number);
                self.promise(number, decided_at);
            }
            let sent = Sent::new((action, saw), body, now, blind, self.time);
            if let Some(sent) = self.flights.send(sent, crash, late) {
                self.apply(&sent);
            }
        }
        if matches!(crash, Some(Crash::Before | Crash::After)) {
            self.leaders[leader].restart();
        }
    }

    /// What the shell reads or makes before it writes. None if it finds that it was too late.
    fn compose(&mut self, action: &Action) -> Option<Body> {
        let nothing = Body { value: 0, given: None };
        match (action.object, &action.make) {
            (Object::Credential(number), Move::Revoke) => {
                let gone = self.secrets[number as usize].get().is_none();
                (gone || self.slips.makes(Mistake::DeleteThenCreate)).then_some(nothing)
            }
            (Object::Credential(number), Move::Mint { .. }) => {
                let kept = self.secrets[number as usize].get().is_some();
                (kept || self.slips.makes(Mistake::MintBeforeStage)).then_some(nothing)
            }
            (Object::InKeystone(number), _) => {
                let place = number as usize;
                let gone = self.secrets[place].get().is_none();
                (gone && self.resources[place].get().is_none()).then_some(nothing)
            }
            (_, Move::Stage(_) | Move::Scramble) => {
                self.made += 1;
                Some(Body { value: self.made, given: None })
            }
            (_, Move::PublishGeneration(number, proven)) => {
                let place = self.place(*number);
                let kept = self.secrets[place].get().copied()?;
                let same = self.secrets[place].stamp() == Some(*proven);
                let id = match self.policy.means {
                    Means::Alternating => place as u64,
                    Means::Minted => self.resources[place].get()?.id?,
                };
                let given = Given { generation: *number, id, value: kept.value };
                let ours = same && kept.generation == Some(*number);
                ours.then_some(Body { value: kept.value, given: Some(given) })
            }
            _ => Some(nothing),
        }
    }

    /// The version of an object as it is now; what is in Keystone has none.
    fn there(&self, object: Object) -> Option<Stamp> {
        match object {
            Object::Rotation => self.rotation.stamp(),
            Object::Secret(number) => self.secrets[self.place(number)].stamp(),
            Object::Credential(number) => self.resources[number as usize].stamp(),
            Object::Published => self.published.stamp(),
            Object::PushSecret => self.push.stamp(),
            Object::ExternalSecret => self.pull.stamp(),
            Object::Consumer(place) => self.templates[place].stamp(),
            _ => None,
        }
    }

    pub(super) fn apply(&mut self, sent: &Sent<Body>) {
        let Sent { action, saw, body, now, .. } = sent;
        let there = self.there(action.object);
        if !allows(action.precondition, there) && !sent.blind {
            return;
        }
        if !is_as_seen(*saw, there) {
            self.overwritten = true;
            self.tell(|| format!("{:?}: saw {saw:?}, writes over {there:?}", action.object));
        }
        match (action.object, &action.make) {
            (Object::Rotation, make) => {
                let (mut marks, mut acknowledged) =
                    self.rotation.get().copied().unwrap_or_default();
                match make {
                    Move::Commit(number) => {
                        marks.committed = *number;
                        // Whoever has not seen that one is published tries the next.
                        let unseen = self.published.since() + BEHIND > self.time;
                        self.taken_back += u32::from(unseen && self.published.get().is_some());
                        // With the status, what left no trace is forgotten.
                        if self.keystone[*number as usize].get().is_none() && self.was_remade() {
                            self.mints[*number as usize] = 0;
                        }
                    }
                    Move::Intend(number) => {
                        self.fulfilled += u32::from(self.requested > acknowledged);
                        (marks.intended, acknowledged) = (*number, self.requested);
                    }
                    Move::Recover(number) => {
                        marks.committed = marks.committed.max(*number);
                        marks.intended = marks.intended.max(*number);
                    }
                    Move::GiveUp(number) => {
                        self.taken_back += u32::from(*number <= marks.intended);
                        marks.given_up = *number;
                    }
                    Move::RolledOut { generation, drained } => {
                        (marks.rolled_out, marks.drained) = (*generation, *drained);
                    }
                    _ => return,
                }
                self.rotation.set(&mut self.clockwork, (marks, acknowledged));
            }
            (Object::Secret(number), Move::Stage(_)) => {
                let place = self.place(number);
                if self.policy.means == Means::Alternating {
                    self.promise(number, *now);
                }
                let kept = Kept { generation: Some(number), value: body.value, made: *now };
                self.secrets[place].set(&mut self.clockwork, kept);
            }
            (Object::Secret(number), Move::Scramble) => {
                let place = self.place(number);
                let kept = Kept { generation: None, value: body.value, made: *now };
                self.secrets[place].set(&mut self.clockwork, kept);
                self.check_revocation(number);
            }
            (Object::Secret(number), Move::RemoveSecret) => {
                let place = self.place(number);
                self.secrets[place].delete(&mut self.clockwork);
            }
            (Object::Credential(number), Move::Mint { expires, .. }) => {
                let place = number as usize;
                let others = (0..MOST).filter(|other| {
                    let asked = self.resources[*other].get().is_some();
                    *other != place && (asked || self.keystone[*other].get().is_some())
                });
                self.roomy |= others.count() > 1 && self.published.get().is_none();
                let resource = Resource { id: None, expires: *expires, deleting: false };
                self.resources[place].set(&mut self.clockwork, resource);
            }
            (Object::Credential(number), Move::Revoke) => {
                let place = number as usize;
                if let Some(resource) = self.resources[place].get().copied() {
                    let resource = Resource { deleting: true, ..resource };
                    self.resources[place].set(&mut self.clockwork, resource);
                }
            }
            (Object::InKeystone(number), Move::Revoke) => self.revoke(number),
            (Object::Published, _) => {
                let Some(given) = body.given else { return };
                if given.generation > self.newest {
                    (self.newest, self.rotations) = (given.generation, self.rotations + 1);
                }
                // Whoever had not seen that it is being published tries the next.
                let begun = self.rotation.get().map_or(0, |(marks, _)| marks.committed);
                let unseen = self.rotation.since() + BEHIND >= self.time;
                self.taken_back += u32::from(unseen && begun > given.generation);
                self.published.set(&mut self.clockwork, given);
            }
            (Object::PushSecret, Move::Nudge(sync)) => {
                self.push.set(&mut self.clockwork, Some(*sync))
            }
            (Object::ExternalSecret, Move::Nudge(sync)) => {
                self.pull.set(&mut self.clockwork, Some(*sync))
            }
            (Object::Consumer(place), Move::Stamp(digest)) => {
                self.templates[place].set(&mut self.clockwork, Some(*digest));
            }
            _ => {}
        }
    }

    fn check_mint(&mut self, number: u32) {
        let place = number as usize;
        if self.secrets[place].get().is_none() && !self.bereft[place] {
            self.fail("I5", format!("generation {number} is minted without a secret"));
        }
        if self.rotation.get().is_none_or(|(marks, _)| marks.committed < number) {
            self.fail("I4", format!("generation {number} is minted before its number is taken"));
        }
    }

    /// When a generation that is made now ends, if it is made as it should be.
    fn promise(&mut self, number: u32, now: Time) {
        let due = self.policy.schedule.after(now).unwrap_or(now);
        let promised = &mut self.promised[number as usize];
        *promised = (*promised).min(due.plus(self.policy.overtime).0);
    }

    /// The credential ends in Keystone, and all tokens of it.
    pub(super) fn revoke(&mut self, number: u32) {
        let known = &mut self.keystone[number as usize];
        if self.keystone_down || known.get().is_none() {
            return;
        }
        known.delete(&mut self.clockwork);
        self.check_revocation(number);
    }

    pub(super) fn check_revocation(&mut self, number: u32) {
        if self.taken[number as usize] {
            return;
        }
        let used = self.last_used[number as usize];
        if used + self.policy.token_life.max(self.policy.grace) > self.time {
            let ago = self.time - used;
            self.fail("I6", format!("generation {number} is revoked {ago} s after it was used"));
        }
    }
}
