//! What K-ORC, Keystone, the store, consumers and people do, and what must hold meanwhile.

use super::generation_world::{GenerationWorld, Given, MOST, Pod, Resource};
use crate::Slips;
use crate::generations::{Marks, Means};

impl<S: Slips> GenerationWorld<'_, S> {
    pub fn happen(&mut self) {
        if let Some(sent) = self.flights.arrive(&mut self.random) {
            self.apply(&sent);
        }
        let event = self.random.below(21);
        match event {
            0..=2 => self.reconcile_one(),
            3 | 4 => self.push_now(),
            5 | 6 => self.pull_now(),
            7..=9 => self.roll_one(),
            10 | 11 => self.wait_between(1, 60),
            12 => self.wait_between(60, 1_000),
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
                self.requested += 1;
                self.old_pods = self.pods.clone();
            }
            20 => self.apply_tree(),
            _ => {}
        }
        self.tell(|| format!("event {event}"));
        self.look();
    }

    pub(super) fn wait_between(&mut self, low: i64, high: i64) {
        let until = self.time + self.random.between(low, high);
        while let Some((time, sent)) = self.flights.arrive_until(self.time, until) {
            (self.time, self.clockwork.time) = (time, time);
            self.apply(&sent);
            self.look();
        }
        (self.time, self.clockwork.time) = (until, until);
    }

    fn reconcile_one(&mut self) {
        if self.policy.means == Means::Alternating {
            let place = self.random.below(2);
            return self.apply_password(place);
        }
        let alive: Vec<usize> =
            (0..MOST).filter(|place| self.resources[*place].get().is_some()).collect();
        if !alive.is_empty() {
            let place = alive[self.random.below(alive.len())];
            self.reconcile(place);
        }
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
        if self.keystone[place].is_none() && resource.id.is_none() {
            self.made += 1;
            // Sometimes a credential of this name is there already, and nobody knows its secret.
            let adopts = self.faults.lies && self.random.one_in(4);
            let value = if adopts { u64::MAX } else { kept.value };
            let given = Given { generation: place as u32, id: self.made, value };
            self.keystone[place] = Some(given);
            self.mints[place] += 1;
            let allowed = 1 + u32::from(self.taken[place]);
            if self.mints[place] > allowed {
                self.fail("I4", format!("generation {place} is minted twice"));
            }
        }
        let id = self.keystone[place].map(|given| given.id);
        if id != resource.id && id.is_some() {
            self.resources[place].set(&mut self.clockwork, Resource { id, ..resource });
        }
    }

    /// K-ORC takes an error of Keystone for "not found".
    fn lie(&mut self) {
        let place = self.random.below(MOST);
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

    /// A pod ends and another comes, by a rollout or by accident.
    pub(super) fn roll_one(&mut self) {
        let Some(has) = self.delivered.get().copied() else { return };
        let carried =
            |world: &Self, consumer: usize| world.templates[consumer].get().copied().flatten();
        if self.pods.len() < 4 {
            let consumer = self.pods.len() % 2;
            let carries = carried(self, consumer);
            return self.pods.push(Pod { consumer, carries, has });
        }
        let index = self.random.below(self.pods.len());
        let consumer = self.pods[index].consumer;
        self.bring_back(consumer);
        self.pods[index] = Pod { consumer, carries: carried(self, consumer), has };
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

    /// A person deletes something, each thing once, or disables and enables the user.
    fn person(&mut self) {
        let which = self.random.below(12) as u32;
        if self.deleted.count_ones() >= self.faults.deletions || self.deleted & 1 << which != 0 {
            return;
        }
        self.deleted |= 1 << which;
        self.interfered = true;
        self.tell(|| format!("a person deletes {which}"));
        let newest = self.rotation.get().map_or(0, |(marks, _)| marks.committed);
        let victim = newest.saturating_sub(self.random.below(2) as u32).max(1);
        let place = self.place(victim);
        let clockwork = &mut self.clockwork;
        match which {
            0 => self.published.delete(clockwork),
            1 => self.delivered.delete(clockwork),
            2 => self.secrets[place].delete(clockwork),
            3 if self.policy.means == Means::Minted => {
                if let Some(resource) = self.resources[place].get().copied() {
                    self.taken[place] = true;
                    let resource = Resource { deleting: true, ..resource };
                    self.resources[place].set(clockwork, resource);
                }
            }
            4 if self.policy.means == Means::Minted => {
                for place in 0..MOST {
                    if self.keystone[place].take().is_some() {
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
                self.forgotten_early = self.published.get().is_none();
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

    pub(super) fn was_remade(&self) -> bool {
        self.deleted & 1 << 8 != 0
    }

    /// Every pod logs in with what it has, and has a token from then on.
    pub(super) fn look(&mut self) {
        for index in 0..self.pods.len() {
            let has = self.pods[index].has;
            let generation = has.generation as usize;
            self.last_used[generation] = self.time;
            if !self.works(has) && !self.taken[generation] {
                self.fail("I3", format!("a pod has generation {generation}, which is refused"));
            }
        }
        let live = self.keystone.iter().filter(|given| given.is_some()).count();
        // One more when a person deleted what was published, or K-ORC made anew what a person took away. A
        // rotation that was made anew before anything was published looks as if it had been deleted.
        let lost = self.deleted & 1 != 0 || self.forgotten_early;
        let excused = lost || self.taken.contains(&true);
        if live > 2 + usize::from(excused) {
            self.fail("I4", format!("{live} generations are live"));
        }
    }
}
