//! What K-ORC, Keystone, the store, consumers and people do, and what must hold meanwhile.

use super::generation_world::{GenerationWorld, Given, MOST, Pod, Resource};
use super::key_world::copied;
use crate::Slips;
use crate::generations::{Marks, Means};

/// Within this time a server that is not slow knows a new password.
const APPLY: i64 = 100;
/// What it takes to replace a credential, with one before it that has to go first; and the grace period.
const TIME_TO_ACT: i64 = 4 * 3_600;

impl<S: Slips> GenerationWorld<'_, S> {
    pub fn happen(&mut self) {
        if let Some(sent) = self.flights.arrive(&mut self.random) {
            self.apply(&sent);
        }
        let event = self.random.below(22);
        match event {
            0..=2 => self.reconcile_one(),
            3 | 4 => self.push_now(),
            5 | 6 => self.pull_now(),
            7..=9 => self.roll_one(),
            10 | 11 => self.wait_between(1, 60),
            12 => self.wait_between(60, 1_000),
            13 if self.random.one_in(4) => self.jump_to_due(),
            13 => self.wait_between(1_000, 12_000),
            14 if self.faults.outages => self.keystone_down = self.random.one_in(2),
            15 if self.faults.outages => self.store_down = self.random.one_in(2),
            16 if self.faults.lies => self.lie(),
            17 if self.faults.clock_steps => {
                let leader = self.random.below(2);
                self.leaders[leader].offset = self.random.between(-1_800, 1_800);
            }
            18 => self.person(),
            19 => {
                self.requested += u32::from(self.faults.requests);
                self.old_pods = self.pods.clone();
            }
            20 => self.apply_tree(),
            21 if self.faults.pauses => self.pause_or_resume(),
            _ => {}
        }
        self.tell(|| format!("event {event}"));
        self.look();
    }

    /// As long as that, and not so long that something in use ends though nobody could replace it.
    fn wait_between(&mut self, low: i64, high: i64) {
        let until = self.time + self.random.between(low, high);
        let coming = self.published.get().into_iter().chain(self.delivered.get());
        let had = self.pods.iter().map(|pod| &pod.has).chain(coming);
        let first = had.map(|given| self.promised[given.generation as usize]).min();
        let limit = first.unwrap_or(i64::MAX).saturating_sub(TIME_TO_ACT + self.policy.grace);
        self.wait_until(until.min(limit.max(self.time + 1)));
    }

    pub(super) fn wait_until(&mut self, until: i64) {
        while let Some((time, sent)) = self.flights.arrive_until(self.time, until) {
            self.set_time(time);
            self.apply(&sent);
            self.look();
        }
        self.set_time(until);
    }

    fn set_time(&mut self, time: i64) {
        (self.time, self.clockwork.time) = (time, time);
        for place in 0..2 {
            let since = self.secrets[place].since();
            if self.policy.means == Means::Alternating && !self.slow_server && since + APPLY <= time
            {
                self.apply_password(place);
            }
        }
    }

    /// About when the next generation is due, where an hour more or less matters.
    fn jump_to_due(&mut self) {
        let Some(given) = self.published.get() else { return };
        let due = self.promised[given.generation as usize] - self.policy.overtime;
        let target = due + self.random.between(-4_000, 4_000);
        let seconds = target - self.time;
        if seconds > 0 {
            self.due += 1;
            self.wait_between(seconds, seconds);
        }
    }

    fn reconcile_one(&mut self) {
        if self.policy.means == Means::Alternating {
            let place = self.random.below(2);
            return self.apply_password(place);
        }
        if let Some(place) = self.any_object() {
            self.reconcile(place);
        }
    }

    fn any_object(&mut self) -> Option<usize> {
        let alive: Vec<usize> =
            (0..MOST).filter(|place| self.resources[*place].get().is_some()).collect();
        (!alive.is_empty()).then(|| alive[self.random.below(alive.len())])
    }

    pub(super) fn apply_password(&mut self, place: usize) {
        if let Some(kept) = self.secrets[place].get() {
            self.users[place] = kept.value;
        }
    }

    /// K-ORC looks at one of its objects.
    pub(super) fn reconcile(&mut self, place: usize) {
        if self.keystone_down {
            return;
        }
        let Some(resource) = self.resources[place].get().copied() else { return };
        if resource.deleting {
            self.revoke(place as u32);
            return self.resources[place].delete(&mut self.clockwork);
        }
        let Some(kept) = self.secrets[place].get().copied() else { return };
        if self.keystone[place].get().is_none() && resource.id.is_none() {
            self.made += 1;
            // Sometimes a credential of this name is there already, and nobody knows its secret.
            let adopts = self.faults.lies && self.random.one_in(4);
            let value = if adopts { u64::MAX } else { kept.value };
            let given = Given { generation: place as u32, id: self.made, value };
            self.keystone[place].set(&mut self.clockwork, given);
            self.ends[place] = resource.expires.0;
            self.mints[place] += 1;
            let takings = (self.deleted >> 3 & 3).count_ones();
            let allowed = 1 + if self.taken[place] { takings } else { 0 };
            if self.mints[place] > allowed {
                self.fail("I4", format!("generation {place} is minted twice"));
            }
        }
        let id = self.keystone[place].get().map(|given| given.id);
        if id != resource.id && id.is_some() {
            self.resources[place].set(&mut self.clockwork, Resource { id, ..resource });
        }
    }

    /// K-ORC takes an error of Keystone for "not found".
    fn lie(&mut self) {
        let Some(place) = self.any_object() else { return };
        let Some(resource) = self.resources[place].get().copied() else { return };
        if resource.deleting {
            self.resources[place].delete(&mut self.clockwork);
        } else {
            self.resources[place].set(&mut self.clockwork, Resource { id: None, ..resource });
        }
    }

    pub(super) fn push_now(&mut self) {
        if !self.store_down
            && self.push.get().is_some()
            && let Some(given) = self.published.get()
        {
            self.store = Some(*given);
        }
    }

    pub(super) fn pull_now(&mut self) {
        if !self.store_down
            && self.pull.get().is_some()
            && let Some(given) = self.store
            && self.delivered.get() != Some(&given)
        {
            self.delivered.set(&mut self.clockwork, given);
        }
    }

    /// A pod ends and another comes, by a rollout or by accident. Its node may not know the newest Secret.
    pub(super) fn roll_one(&mut self) {
        let lag = self.lag();
        let Some(has) = copied(self.delivered.seen(lag, &self.clockwork)).value().copied() else {
            return;
        };
        if self.pods.len() < 4 {
            let pod = self.pod(self.pods.len() % 2, has);
            return self.pods.push(pod);
        }
        let index = self.random.below(self.pods.len());
        let consumer = self.pods[index].consumer;
        self.bring_back(consumer);
        self.pods[index] = self.pod(consumer, has);
    }

    pub(super) fn pod(&self, consumer: usize, has: Given) -> Pod {
        let carries = self.templates[consumer].get().copied().flatten();
        Pod { consumer, carries, has, started: false }
    }

    /// Whoever runs a workload makes it anew if it is gone, and nothing is stamped on it then.
    fn bring_back(&mut self, consumer: usize) {
        if self.templates[consumer].get().is_none() {
            self.templates[consumer].set(&mut self.clockwork, None);
        }
    }

    /// Flux makes what it renders anew, if it is gone.
    pub(super) fn apply_tree(&mut self) {
        for way in [&mut self.push, &mut self.pull] {
            if way.get().is_none() {
                way.set(&mut self.clockwork, None);
            }
        }
    }

    /// It is written into the spec, so that the version changes and nothing else.
    fn pause_or_resume(&mut self) {
        self.paused = self.random.one_in(2);
        if let Some(status) = self.rotation.get().copied() {
            self.rotation.set(&mut self.clockwork, status);
        }
    }

    /// A person deletes something, each thing once, or disables and enables the user.
    fn person(&mut self) {
        let which = self.random.below(12) as u32;
        if self.deleted.count_ones() >= self.faults.deletions || self.deleted & 1 << which != 0 {
            return;
        }
        self.deleted |= 1 << which;
        self.tell(|| format!("a person deletes {which}"));
        let newest = self.rotation.get().map_or(0, |(marks, _)| marks.committed);
        let victim = newest.saturating_sub(self.random.below(2) as u32).max(1);
        let place = self.place(victim);
        let clockwork = &mut self.clockwork;
        match which {
            0 => self.published.delete(clockwork),
            1 => self.delivered.delete(clockwork),
            2 => {
                self.secrets[place].delete(clockwork);
                self.bereft[place] = true;
            }
            3 if self.policy.means == Means::Minted => {
                if let Some(resource) = self.resources[place].get().copied() {
                    self.taken[place] = true;
                    let resource = Resource { deleting: true, ..resource };
                    self.resources[place].set(clockwork, resource);
                }
            }
            4 if self.policy.means == Means::Minted => {
                for place in 0..MOST {
                    if self.keystone[place].get().is_some() {
                        self.keystone[place].delete(clockwork);
                        self.taken[place] = true;
                    }
                }
            }
            5 => {
                let place = self.random.below(self.templates.len());
                self.templates[place].set(clockwork, None);
            }
            // Its pods stay, as after `kubectl delete --cascade=orphan`.
            7 => {
                let place = self.random.below(self.templates.len());
                self.templates[place].delete(clockwork);
            }
            // Flux makes it anew, and nobody remembers its status.
            8 => {
                self.rotation.delete(clockwork);
                self.rotation.set(clockwork, (Marks::default(), 0));
            }
            9 => self.push.delete(clockwork),
            // What it made goes with it.
            10 => {
                self.pull.delete(clockwork);
                self.delivered.delete(clockwork);
            }
            // What External Secrets has brought stays.
            11 => self.store = None,
            _ if !self.pods.is_empty() => {
                let index = self.random.below(self.pods.len());
                self.pods.swap_remove(index);
            }
            _ => {}
        }
    }

    /// A pod that starts may wait for a server that does not know its password yet.
    fn waits(&self, pod: Pod) -> bool {
        let kept = self.secrets[pod.has.generation as usize % 2].get();
        let coming = kept.is_none_or(|kept| kept.value == pod.has.value);
        self.policy.means == Means::Alternating && self.slow_server && !pod.started && coming
    }

    pub(super) fn live(&self) -> usize {
        self.keystone.iter().filter(|given| given.get().is_some()).count()
    }

    pub(super) fn was_remade(&self) -> bool {
        self.deleted & 1 << 8 != 0
    }

    /// Every pod logs in with what it has, and has a token from then on.
    pub(super) fn look(&mut self) {
        for index in 0..self.pods.len() {
            let has = self.pods[index].has;
            let generation = has.generation as usize;
            if self.works(has) {
                self.pods[index].started = true;
                self.last_used[generation] = self.time;
            } else if !self.taken[generation] && !self.waits(self.pods[index]) {
                self.fail("I3", format!("a pod has generation {generation}, which is refused"));
            }
        }
        let live = self.live();
        // One more when nothing was published, and each that K-ORC made anew after a person took it away.
        let remade = (0..MOST).filter(|place| {
            self.keystone[*place].get().is_some() && self.taken[*place] && self.mints[*place] > 1
        });
        if live > 2 + usize::from(self.roomy) + remade.count() {
            self.fail("I4", format!("{live} generations are live"));
        }
    }
}
