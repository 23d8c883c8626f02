//! Writes of operators in the world of a ring of keys.

use std::rc::Rc;

use super::cell::{Cell, allows, is_as_seen};
use super::fault::Crash;
use super::flight::Sent;
use super::key_world::{KeyWorld, marked};
use crate::keys::{self, JobState, Migration};
use crate::ring::Marked;
use crate::{Action, Digest, Mistake, Move, Object, Precondition, Ring, Slips, Stamp, Time};

impl<S: Slips> KeyWorld<'_, S> {
    /// What the operator wanted to do, perhaps some time ago, happens or fails.
    pub fn land(&mut self, leader: usize) {
        let me = &mut self.leaders[leader];
        let (blind, now) = (me.blind, Time(self.time + me.offset));
        let Some((mut action, saw)) = me.take_pending(self.rotation.stamp()) else { return };
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
        if let Some(ring) = self.compose(&action, now) {
            let sent = Sent::new((action, saw), ring, now, blind, self.time);
            if let Some(sent) = self.flights.send(sent, crash, late) {
                self.apply(&sent);
            }
        }
        if matches!(crash, Some(Crash::Before | Crash::After)) {
            self.leaders[leader].restart();
        }
    }

    /// The ring that is written, where one is. None if the shell finds that it was too late.
    fn compose(&mut self, action: &Action, now: Time) -> Option<Option<Rc<Marked>>> {
        let with = |cell: &Cell<Rc<Marked>>, digest: &Digest| {
            cell.get().filter(|kept| kept.digest == *digest).cloned()
        };
        let ring = match (&action.object, &action.make) {
            (Object::First | Object::Next, Move::Generate) => {
                let ring = Ring::fresh(self.make_key(), self.make_key(), now);
                Some(Rc::new(marked(ring)))
            }
            (Object::First | Object::Next, Move::Adopt(digest)) => with(&self.live, digest),
            (Object::Next, Move::Restore(Digest(0))) => self.live.get().cloned(),
            (Object::Next, Move::Restore(digest)) => with(&self.backup, digest),
            (Object::Live, Move::Publish(digest)) => with(&self.next, digest),
            (Object::Next, make) => {
                let next = self.next.get().cloned()?;
                let mut key = self.keys_made;
                let fresh = || {
                    key += 1;
                    Digest(key)
                };
                let ring = keys::moved(&next.ring, make, now, fresh, self.slips);
                self.keys_made = key;
                ring.map(|ring| Rc::new(marked(ring)))
            }
            _ => return Some(None),
        };
        ring.map(Some)
    }

    /// The version of an object as it is now.
    fn there(&self, object: Object) -> Option<Stamp> {
        match object {
            Object::Rotation => self.rotation.stamp(),
            Object::First => self.first.stamp(),
            Object::Next => self.next.stamp(),
            Object::Live => self.live.stamp(),
            Object::Migration => self.job.stamp(),
            Object::FirstPushSecret => self.first_push.stamp(),
            Object::PushSecret => self.push.stamp(),
            Object::ExternalSecret => self.pull.stamp(),
            _ => None,
        }
    }

    pub(super) fn apply(&mut self, sent: &Sent<Option<Rc<Marked>>>) {
        let Sent { action, saw, body, .. } = sent;
        let there = self.there(action.object);
        if !allows(action.precondition, there) && !sent.blind {
            return;
        }
        if !is_as_seen(*saw, there) {
            self.overwritten = true;
            self.tell(|| format!("{:?}: saw {saw:?}, writes over {there:?}", action.object));
        }
        match (&action.object, &action.make) {
            (Object::Rotation, make) => {
                let mut status = self.rotation.get().copied().unwrap_or_default();
                match make {
                    Move::MarkInitialised => status.initialised = true,
                    Move::Acknowledge { replaces } => {
                        (status.acknowledged, status.replaces) = (self.requested, *replaces);
                    }
                    _ => return,
                }
                self.rotation.set(&mut self.clockwork, status);
            }
            (Object::Migration, Move::Migrate(ring)) => {
                let job = Migration { ring: *ring, state: JobState::Running };
                self.job.set(&mut self.clockwork, job);
                self.job_ring = None;
            }
            (Object::Migration, Move::RemoveJob) => self.job.delete(&mut self.clockwork),
            (object, Move::Nudge(sync)) => {
                let told = match object {
                    Object::FirstPushSecret => &mut self.first_push,
                    Object::PushSecret => &mut self.push,
                    _ => &mut self.pull,
                };
                told.set(&mut self.clockwork, Some(*sync));
            }
            (object, make) => {
                let Some(ring) = body.clone() else { return };
                let clockwork = &mut self.clockwork;
                match object {
                    Object::First => self.first.set(clockwork, ring),
                    Object::Next => self.next.set(clockwork, ring),
                    _ => {
                        self.damaged = false;
                        self.live.set(clockwork, ring);
                        self.live_changed();
                    }
                }
                self.rotations += u32::from(*make == Move::Promote);
            }
        }
    }

    pub(super) fn live_changed(&mut self) {
        let time = self.time;
        for pod in &mut self.pods {
            pod.behind_since.get_or_insert(time);
        }
    }
}
