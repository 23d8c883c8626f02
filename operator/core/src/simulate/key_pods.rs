//! Keystone's replicas: kubelet brings them the keys late, and they make and check tokens all the time.

use std::rc::Rc;

use super::key_world::{DAMAGE, KeyWorld, TOKEN_LIFE};
use crate::keys::Kind;
use crate::ring::Marked;
use crate::{Digest, Slips};

/// How long a node may be out of touch before the cluster calls its pods unready.
const TOUCH: i64 = 60;
/// How long kubelet takes at most. It takes so long twice when its node is out of touch in between, for less
/// than anybody notices; and an operator may have a list of pods that is a minute old.
const KUBELET: i64 = 240;

#[derive(Debug, Clone)]
pub struct Pod {
    pub ring: Option<Rc<Marked>>,
    pub ready: bool,
    /// Changes whenever `ready` does, and when the pod is replaced.
    pub transition: u64,
    /// Says what it has mounted.
    pub reports: bool,
    /// Since when its node is out of touch.
    pub lost: Option<i64>,
    /// Since when there is something newer.
    pub behind_since: Option<i64>,
}

impl<S: Slips> KeyWorld<'_, S> {
    pub fn add_pod(&mut self) {
        let transition = self.clockwork.tick();
        let reports = self.random.one_in(4);
        let pod =
            Pod { ring: None, ready: false, transition, reports, lost: None, behind_since: None };
        self.pods.push(pod);
    }

    /// A pod does not start before its volumes are there, and is not ready with nonsense in them.
    pub fn start_pod(&mut self, index: usize) {
        let Some(live) = self.live.get().cloned() else { return };
        if live.digest == DAMAGE {
            return;
        }
        let transition = self.clockwork.tick();
        let pod = &mut self.pods[index];
        if pod.lost.is_none() {
            *pod = Pod {
                ring: Some(live),
                ready: true,
                transition,
                behind_since: None,
                ..pod.clone()
            };
        }
    }

    pub fn sync_pod(&mut self, index: usize) {
        let pod = &self.pods[index];
        if pod.ring.is_none() {
            return self.start_pod(index);
        }
        if pod.lost.is_some() {
            return;
        }
        // A Secret that is gone leaves the folder as it was.
        let Some(live) = self.live.get().cloned() else { return };
        if live.digest == DAMAGE {
            return;
        }
        if pod.ready {
            self.check_swap(index, &live);
        }
        let pod = &mut self.pods[index];
        (pod.ring, pod.behind_since) = (Some(live), None);
    }

    /// A request that listed the old folder may open files of the new one. A key is found for certain
    /// only under a name that has it in both.
    fn check_swap(&mut self, index: usize, new: &Rc<Marked>) {
        let Some(old) = self.pods[index].ring.clone() else { return };
        let needed = self.needed();
        for key in needed {
            let held = |ring: &Marked| ring.ring.slots().iter().any(|slot| slot.key == key);
            let found = old.ring.slots().iter().any(|slot| {
                slot.key == key
                    && new
                        .ring
                        .slots()
                        .iter()
                        .any(|other| other.index == slot.index && other.key == key)
            });
            if held(&old) && held(new) && !found {
                self.fail(
                    "I1",
                    format!("key {} can be missed while kubelet swaps the folder", key.0),
                );
            }
        }
    }

    fn needed(&self) -> Vec<Digest> {
        let alive = |(_, at): &&(Digest, i64)| at + TOKEN_LIFE >= self.time;
        self.issued.iter().filter(alive).map(|(key, _)| *key).collect()
    }

    /// Time goes by, and what has a deadline happens at the latest then.
    pub fn advance(&mut self, seconds: i64) {
        let until = self.time + seconds;
        while self.time < until && self.violation.is_none() {
            let mut next = until;
            for pod in &self.pods {
                let deadline = match (pod.lost, pod.behind_since) {
                    (Some(lost), _) if pod.ready => lost + TOUCH,
                    (None, Some(since)) if pod.ring.is_some() => since + KUBELET,
                    _ => continue,
                };
                next = next.min(deadline.max(self.time));
            }
            let arrived = self.flights.arrive_until(self.time, next);
            let next = arrived.as_ref().map_or(next, |(time, _)| *time);
            (self.time, self.clockwork.time) = (next, next);
            if let Some((_, sent)) = arrived {
                self.apply(&sent);
            }
            for index in 0..self.pods.len() {
                let pod = &self.pods[index];
                match (pod.lost, pod.behind_since) {
                    (Some(lost), _) if pod.ready && lost + TOUCH <= self.time => {
                        let transition = self.clockwork.tick();
                        let pod = &mut self.pods[index];
                        (pod.ready, pod.transition) = (false, transition);
                    }
                    (None, Some(since)) if pod.ring.is_some() && since + KUBELET <= self.time => {
                        self.pods[index].behind_since = None;
                        self.sync_pod(index);
                    }
                    _ => {}
                }
            }
            self.look();
            if next == until {
                break;
            }
        }
    }

    pub fn disturb_pods(&mut self) {
        let index = self.random.below(self.pods.len());
        match self.random.below(5) {
            0 => {
                let time = self.time;
                self.pods[index].lost.get_or_insert(time);
            }
            1 => self.touch_again(index),
            2 if self.pods.len() < 4 => self.add_pod(),
            3 if self.pods.len() > 2 => drop(self.pods.swap_remove(index)),
            // It ends, and comes back with what is there then.
            _ => {
                self.pods[index].ring = None;
                self.pods[index].ready = false;
                self.start_pod(index);
            }
        }
    }

    /// A node in touch again: its pods are ready at once, and its volumes are looked at a little later.
    fn touch_again(&mut self, index: usize) {
        let (transition, time) = (self.clockwork.tick(), self.time);
        let pod = &mut self.pods[index];
        if pod.lost.take().is_some() {
            if !pod.ready && pod.ring.is_some() {
                (pod.ready, pod.transition) = (true, transition);
            }
            if pod.behind_since.is_some() {
                pod.behind_since = Some(time);
            }
        }
    }

    pub fn mend_pods(&mut self) {
        for index in 0..self.pods.len() {
            self.touch_again(index);
            self.sync_pod(index);
        }
    }

    /// External Secrets has taken to the store what a person made of `next`.
    fn spoilt(&self) -> bool {
        self.next_damaged && self.store.as_ref().is_some_and(|store| store.digest == DAMAGE)
    }

    /// Every serving replica makes tokens and credentials with its primary, and checks all there are.
    pub fn look(&mut self) {
        let (time, kind) = (self.time, self.policy.kind);
        for index in 0..self.pods.len() {
            let pod = &self.pods[index];
            let (true, Some(ring)) = (pod.ready, &pod.ring) else { continue };
            let primary = ring.ring.primary().key;
            if kind == Kind::Credential {
                if !self.rows.contains(&primary) {
                    self.rows.push(primary);
                }
                continue;
            }
            match self.issued.iter_mut().find(|(key, _)| *key == primary) {
                Some((_, at)) => *at = time,
                None => self.issued.push((primary, time)),
            }
        }
        self.issued.retain(|(_, at)| at + TOKEN_LIFE >= time);
        let needed = if kind == Kind::Fernet { self.needed() } else { self.rows.clone() };
        let invariant = if kind == Kind::Fernet { "I1" } else { "I2" };
        for key in needed {
            let blind = self.pods.iter().any(|pod| {
                pod.ready && pod.ring.as_ref().is_some_and(|ring| !ring.ring.holds(&key))
            });
            if blind {
                self.fail(invariant, format!("a ready replica does not have key {}", key.0));
            }
            if self.foreign_store() {
                continue;
            }
            let kept = self.store.as_ref().is_some_and(|store| store.ring.holds(&key));
            if !kept && !self.emptied && !self.spoilt() {
                self.fail("I2", format!("key {} is in use and not in the store", key.0));
            }
            let live = self.live.get().filter(|live| live.digest != DAMAGE);
            if live.is_some_and(|live| !live.ring.holds(&key)) {
                self.fail(invariant, format!("key {} is in use and no longer mounted", key.0));
            }
        }
    }
}
