//! How a schedule of a credential ends: everybody works, and it comes to rest.

use super::generation_world::{GenerationWorld, MOST};
use crate::generations::Means;
use crate::schedule::{DAY, Schedule};
use crate::{Phase, Reason, Slips};

/// Once everybody works, a credential that Keystone refuses is replaced within this time.
const TIME_TO_HEAL: i64 = 4 * 3_600;

impl<S: Slips> GenerationWorld<'_, S> {
    pub(super) fn everybody_works(&mut self) {
        match self.policy.means {
            Means::Alternating => (0..2).for_each(|place| self.apply_password(place)),
            Means::Minted => (0..MOST).for_each(|place| self.reconcile(place)),
        }
        self.apply_tree();
        self.push_now();
        self.pull_now();
        for _ in 0..4 {
            self.roll_one();
        }
        for index in 0..self.pods.len() {
            let (pod, delivered) = (self.pods[index], self.delivered.get().copied());
            if let (Some(carries), Some(has)) = (self.templates[pod.consumer].get(), delivered)
                && pod.carries != *carries
            {
                self.pods[index] = self.pod(pod.consumer, has);
            }
        }
        self.wait_until(self.time + 30);
        self.look();
    }

    pub fn finish(&mut self) {
        self.faults.end();
        (self.keystone_down, self.store_down, self.paused) = (false, false, false);
        self.leaders[1].pending = None;
        self.leaders.iter_mut().for_each(|leader| leader.offset = 0);
        if self.comes_to_rest() {
            self.judge_end();
        }
        if self.violation.is_none() && self.random.one_in(8) {
            self.live_on();
        }
    }

    fn comes_to_rest(&mut self) -> bool {
        let mut at_rest = 0;
        let mut refused_since = None;
        for _ in 0..500 {
            let refused = self.policy.means == Means::Minted
                && self.published.get().is_some_and(|given| !self.works(*given))
                // Else there is no room for another.
                && self.live() < 2;
            let since = *refused_since.get_or_insert(self.time);
            if !refused {
                refused_since = None;
            } else if self.time - since > TIME_TO_HEAL {
                let seconds = self.time - since;
                self.fail("I7", format!("what is published is refused for {seconds} s"));
                return false;
            }
            let step = self.decide(0);
            let acted = step.action.is_some() || !self.flights.is_empty();
            self.land(0);
            self.look();
            if self.violation.is_some() {
                return false;
            }
            let settled = step.phase == Phase::Idle && step.reason == Reason::UpToDate;
            at_rest = if acted || !settled { 0 } else { at_rest + 1 };
            if at_rest == 3 {
                return true;
            }
            self.everybody_works();
            let long = matches!(step.reason, Reason::TooSoon | Reason::TooManyGenerations);
            if step.phase == Phase::Drained || long {
                let seconds = if refused { 900 } else { 900 + self.policy.grace / 8 };
                self.wait_until(self.time + seconds);
            }
        }
        let last = self.last.as_ref().map(|step| (step.phase, step.reason, step.action.clone()));
        self.fail("I7", format!("does not come to rest: {last:?}"));
        false
    }

    /// Until what is published has ended by itself, with a look every few hours. Whoever lengthens the
    /// interval meanwhile does not put that off.
    fn live_on(&mut self) {
        let Some(given) = self.published.get().copied() else { return };
        let due = self.promised[given.generation as usize] - self.policy.overtime;
        self.due += 1;
        if self.random.one_in(2) {
            self.policy.schedule = Schedule::Every(365 * DAY);
        }
        let last = self.policy.overtime / 3_600 + 1;
        for hours in [-1, 1, 7, 13, 19, last] {
            self.wait_until((due + hours * 3_600).max(self.time));
            self.look();
            if self.violation.is_some() || !self.comes_to_rest() {
                return;
            }
        }
        self.judge_end();
    }

    fn judge_end(&mut self) {
        let published = self.published.get().copied();
        let Some(given) = published else {
            return self.fail("I7", "rests with nothing published".to_owned());
        };
        let live: Vec<u32> =
            (0..MOST as u32).filter(|at| self.keystone[*at as usize].get().is_some()).collect();
        if self.policy.means == Means::Minted && live != [given.generation] {
            self.fail(
                "I7",
                format!("rests with generations {live:?} live, {} published", given.generation),
            );
        }
        let objects: Vec<u32> = (0..MOST as u32)
            .filter(|at| self.resources[*at as usize].get().is_some() && *at != given.generation)
            .collect();
        if !objects.is_empty() {
            self.fail("I7", format!("rests with objects of generations {objects:?}"));
        }
        let causes = 1 + self.fulfilled + self.taken_back + self.due + self.deleted.count_ones();
        if self.rotations > causes {
            let count = self.rotations;
            self.fail("I7", format!("{count} generations were published, for {causes} reasons"));
        }
        if self.delivered.get() != published.as_ref() || !self.works(given) {
            self.fail(
                "I7",
                "rests with another credential delivered, or one that is refused".to_owned(),
            );
        }
        if self.pods.iter().any(|pod| pod.has != given) {
            self.fail("I7", "rests with a pod that has another credential".to_owned());
        }
    }
}
