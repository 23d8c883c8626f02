//! How a schedule of a credential ends: everybody works, and it comes to rest.

use super::fault::Faults;
use super::generation_world::{GenerationWorld, MOST, Pod};
use crate::generations::Means;
use crate::{Phase, Reason, Slips};

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
            let (consumer, delivered) = (self.pods[index].consumer, self.delivered.get().copied());
            if let (Some(carries), Some(has)) = (self.templates[consumer].get().copied(), delivered)
                && self.pods[index].carries != carries
            {
                self.pods[index] = Pod { consumer, carries, has };
            }
        }
        self.wait_between(30, 30);
        self.look();
    }

    pub fn finish(&mut self) {
        self.faults = Faults::none();
        (self.keystone_down, self.store_down) = (false, false);
        self.leaders[1].pending = None;
        self.leaders.iter_mut().for_each(|leader| leader.offset = 0);
        let mut at_rest = 0;
        for _ in 0..500 {
            let step = self.decide(0);
            let acted = step.action.is_some();
            self.land(0);
            self.look();
            if self.violation.is_some() {
                return;
            }
            let settled = step.phase == Phase::Idle && step.reason == Reason::UpToDate;
            at_rest = if acted || !settled || !self.flights.is_empty() { 0 } else { at_rest + 1 };
            if at_rest == 3 {
                return self.judge_end();
            }
            self.everybody_works();
            if step.phase == Phase::Drained || step.reason == Reason::TooSoon {
                self.wait_between(900, 900);
            }
        }
        let last = self.last.as_ref().map(|step| (step.phase, step.reason, step.action.clone()));
        self.fail("I7", format!("does not come to rest: {last:?}"));
    }

    fn judge_end(&mut self) {
        let published = self.published.get().copied();
        let Some(given) = published else {
            return self.fail("I7", "rests with nothing published".to_owned());
        };
        let live: Vec<u32> =
            (0..MOST as u32).filter(|at| self.keystone[*at as usize].is_some()).collect();
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
        let causes = 1 + self.requested + self.deleted.count_ones();
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
        if self.overwritten {
            self.fail("I9", "a write has landed on what its writer had not seen".to_owned());
        }
    }
}
