//! What the store, Jobs and people do, and how a schedule ends.

use std::rc::Rc;

use super::cell::{BEHIND, Cell};
use super::key_world::{DAMAGE, KeyWorld, Status, TOKEN_LIFE, marked, nonsense};
use crate::keys::{JobState, Migration};
use crate::ring::Marked;
use crate::schedule::DAY;
use crate::{Phase, Reason, Ring, Slips, Step, Time};

impl<S: Slips> KeyWorld<'_, S> {
    /// Something happens that no operator does.
    pub fn happen(&mut self) {
        if let Some(sent) = self.flights.arrive(&mut self.random) {
            self.apply(&sent);
        }
        let event = self.random.below(22);
        match event {
            0..=2 => self.push_now(),
            3..=5 => self.pull_now(),
            6 | 7 => self.work_on_job(),
            8..=10 => {
                let pod = self.random.below(self.pods.len());
                self.sync_pod(pod);
            }
            11 | 12 => {
                let seconds = self.random.between(1, 40);
                self.advance(seconds);
            }
            13 => {
                let seconds = self.random.between(60, 400);
                self.advance(seconds);
            }
            14 if self.random.one_in(2) => self.jump_to_expiry(),
            14 if self.random.one_in(2) => {
                let seconds = self.random.between(3_600, 2 * DAY);
                self.advance(seconds);
            }
            15 => self.disturb_pods(),
            16 if self.faults.outages => self.store_down = self.random.one_in(2),
            17 if self.faults.clock_steps => {
                // Within one hour of each other, whatever steps there are.
                let leader = self.random.below(2);
                self.leaders[leader].offset = self.random.between(-1_800, 1_800);
            }
            18 => self.person(),
            19 => {
                self.request();
                (self.old_pods, self.old_pods_at) = (self.pods.clone(), self.time);
            }
            20 => self.apply_tree(),
            21 if self.faults.pauses => self.pause_or_resume(),
            _ => {}
        }
        self.tell(|| format!("event {event}"));
        self.look();
    }

    /// About when a key may go, where an hour more or less matters.
    fn jump_to_expiry(&mut self) {
        let demoted = self
            .live
            .get()
            .and_then(|live| live.ring.slots().iter().filter_map(|slot| slot.demoted).min());
        if let Some(demoted) = demoted {
            let target = demoted.0 + TOKEN_LIFE + self.random.between(-4_000, 4_000);
            self.advance((target - self.time).max(1));
        }
    }

    fn push_now(&mut self) {
        if self.store_down {
            return;
        }
        // Which of the two looks first is chance.
        if self.random.one_in(4) {
            self.push_first();
        }
        if let (Some(next), Some(_)) = (self.next.get(), self.push.get()) {
            let oldest = self.first.get().is_some_and(|first| first.digest == next.digest);
            self.emptied &= oldest;
            self.store = Some(Rc::clone(next));
        }
        self.push_first();
    }

    /// Into an empty path only.
    fn push_first(&mut self) {
        if let (None, Some(first), Some(_)) = (&self.store, self.first.get(), self.first_push.get())
        {
            self.store = Some(Rc::clone(first));
        }
    }

    /// Flux makes what it renders anew, if it is gone.
    fn apply_tree(&mut self) {
        for way in [&mut self.first_push, &mut self.push, &mut self.pull] {
            if way.get().is_none() {
                way.set(&mut self.clockwork, None);
            }
        }
    }

    /// Because the primary has leaked; of one that is newer than a minute, nobody has heard yet.
    fn request(&mut self) {
        self.requested += 1;
        let known = self.live.since() + BEHIND <= self.time;
        let live = self.live.get().filter(|live| known && live.digest != DAMAGE);
        self.unwanted = live.map(|live| live.ring.primary().key);
    }

    /// It is written into the spec, so that the version changes and nothing else.
    fn pause_or_resume(&mut self) {
        self.paused = self.random.one_in(2);
        if let Some(status) = self.rotation.get().copied() {
            self.rotation.set(&mut self.clockwork, status);
        }
    }

    fn pull_now(&mut self) {
        if self.store_down {
            return;
        }
        if let (Some(store), Some(_)) = (&self.store, self.pull.get()) {
            let same = self.backup.get().is_some_and(|kept| kept.digest == store.digest);
            if !same {
                self.backup.set(&mut self.clockwork, Rc::clone(store));
            }
        }
    }

    fn work_on_job(&mut self) {
        let Some(job) = self.job.get().copied() else { return };
        if job.state != JobState::Running {
            return;
        }
        match self.job_ring.take() {
            None => {
                let live = self.live.get().filter(|live| live.digest != DAMAGE);
                self.job_ring = live.cloned();
            }
            Some(_) if self.faults.outages && self.random.one_in(2) => {
                self.job.set(&mut self.clockwork, Migration { state: JobState::Failed, ..job });
            }
            Some(mounted) => {
                self.rows = vec![mounted.ring.primary().key];
                self.job.set(&mut self.clockwork, Migration { state: JobState::Succeeded, ..job });
            }
        }
    }

    /// A person deletes something, each thing once; or breaks something.
    fn person(&mut self) {
        if self.damaged {
            self.live.delete(&mut self.clockwork);
            self.damaged = false;
            return;
        }
        if self.faults.damage && self.live.get().is_some() && self.deleted & 1 << 16 == 0 {
            self.deleted |= 1 << 16;
            return self.damage();
        }
        let which = self.random.below(9) as u32;
        if self.foreign
            || self.deleted.count_ones() >= self.faults.deletions
            || self.deleted & 1 << which != 0
        {
            return;
        }
        self.deleted |= 1 << which;
        self.tell(|| format!("a person deletes {which}"));
        let clockwork = &mut self.clockwork;
        match which {
            0 => self.first.delete(clockwork),
            1 => self.next.delete(clockwork),
            2 => self.live.delete(clockwork),
            3 => self.backup.delete(clockwork),
            4 => self.job.delete(clockwork),
            5 => {
                self.first_push.delete(clockwork);
                self.push.delete(clockwork);
            }
            // What it made goes with it.
            6 => {
                self.pull.delete(clockwork);
                self.backup.delete(clockwork);
            }
            // What External Secrets has brought stays.
            7 => {
                (self.store, self.emptied) = (None, true);
            }
            // Flux makes it anew, and nobody remembers its status.
            _ => {
                self.rotation.delete(clockwork);
                self.rotation.set(clockwork, Status::default());
            }
        }
    }

    fn damage(&mut self) {
        let kind = self.random.below(4);
        self.tell(|| format!("a person breaks {kind}"));
        match kind {
            // Other keys, in the store.
            0 if self.store.is_some() && !self.store_down => {
                self.foreign = true;
                let ring = Ring::fresh(self.make_key(), self.make_key(), Time(self.time));
                self.store = Some(Rc::new(marked(ring)));
                self.next.delete(&mut self.clockwork);
                self.pull_now();
            }
            // External Secrets takes it to the store, until it is mended.
            1 if self.next.get().is_some() => {
                self.next_damaged = true;
                self.next.set(&mut self.clockwork, nonsense());
            }
            // Whoever tidies up does not know which keys are still needed.
            2 if self.next.get().is_some_and(|next| next.digest != DAMAGE) => {
                self.foreign = true;
                let Some(next) = self.next.get().cloned() else { return };
                let demoted = next.ring.slots().iter().filter(|slot| slot.demoted.is_some());
                let gone: Vec<u32> = demoted.map(|slot| slot.index).collect();
                self.next.set(&mut self.clockwork, Rc::new(marked(next.ring.prune(&gone))));
            }
            // It is deleted later.
            _ => {
                self.damaged = true;
                self.live.set(&mut self.clockwork, nonsense());
            }
        }
    }

    /// What people put into the store themselves is not judged.
    pub fn foreign_store(&self) -> bool {
        self.foreign
    }

    /// No more faults, and everybody does their work: does it come to rest?
    pub fn finish(&mut self) {
        self.faults.end();
        (self.store_down, self.paused) = (false, false);
        if self.damaged {
            self.live.delete(&mut self.clockwork);
            self.damaged = false;
        }
        self.leaders[1].pending = None;
        self.leaders.iter_mut().for_each(|leader| leader.offset = 0);
        let mut at_rest = 0;
        for _ in 0..400 {
            let step = self.decide(0);
            let acted = step.action.is_some();
            self.land(0);
            self.look();
            if self.violation.is_some() {
                return;
            }
            let stopped = matches!(step.reason, Reason::BackupDiffers | Reason::KeysDamaged);
            let settled = step.phase == Phase::Idle || stopped;
            at_rest = if acted || !settled || !self.flights.is_empty() { 0 } else { at_rest + 1 };
            if at_rest == 3 {
                return self.judge_end(&step);
            }
            self.apply_tree();
            self.push_now();
            self.pull_now();
            self.work_on_job();
            self.mend_pods();
            self.advance(30);
            self.look();
        }
        let last = self.last.as_ref().map(|step| (step.phase, step.reason));
        self.fail("I7", format!("does not come to rest: {last:?}"));
    }

    fn judge_end(&mut self, step: &Step) {
        if step.reason == Reason::BackupDiffers {
            if !self.foreign && !self.emptied {
                self.fail("I7", "stops although nobody touched the store".to_owned());
            }
            return;
        }
        if step.reason == Reason::KeysDamaged {
            let good =
                |cell: &Cell<Rc<Marked>>| cell.get().is_some_and(|ring| ring.digest != DAMAGE);
            // Whether what is mounted was ever in the store, nobody knows without the status.
            let initialised = self.rotation.get().is_some_and(|status| status.initialised);
            let left = good(&self.next) || good(&self.backup) || (good(&self.live) && initialised);
            if left || !self.next_damaged {
                self.fail("I7", "stops at damage although a good ring is left".to_owned());
            }
            return;
        }
        let digest = |cell: &Cell<Rc<Marked>>| cell.get().map(|ring| ring.digest);
        let live = digest(&self.live);
        let same = live.is_some()
            && live == digest(&self.next)
            && live == digest(&self.backup)
            && live == self.store.as_ref().map(|ring| ring.digest);
        let staged = self.live.get().is_some_and(|live| !live.ring.is_promoted());
        if !same || !staged {
            self.fail("I7", format!("rests with live {live:?} differing from the store"));
        }
        let primary = self.live.get().map(|live| live.ring.primary().key);
        if self.unwanted.is_some() && primary == self.unwanted {
            self.fail("I7", "rests with the primary that a person wanted replaced".to_owned());
        }
    }
}
