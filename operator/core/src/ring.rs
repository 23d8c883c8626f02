//! A folder of keys as Keystone has it: `0` is staged, the highest number is primary, and all decrypt.
//!
//! The same functions work on digests, in the core and the simulation, and on keys, in the shell: what
//! was decided is what is written.

use super::seen::{Digest, Time};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot<K> {
    pub index: u32,
    pub key: K,
    /// Since when nobody encrypts with it any more.
    pub demoted: Option<Time>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ring<K> {
    /// In order of the index, each once.
    slots: Vec<Slot<K>>,
    /// When the staged key came in, and when the primary became it.
    pub staged: Time,
    pub promoted: Time,
}

/// The fingerprint of a ring as a whole, with its notes, beside the ring of digests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    pub ring: Ring<Digest>,
    pub digest: Digest,
}

impl<K: Clone + PartialEq> Ring<K> {
    pub fn fresh(staged: K, primary: K, now: Time) -> Self {
        let slot = |index, key| Slot { index, key, demoted: None };
        Self { slots: vec![slot(0, staged), slot(1, primary)], staged: now, promoted: now }
    }

    /// None if it is no ring: without a staged or a primary key, or with an index twice.
    pub fn of(slots: Vec<Slot<K>>, staged: Time, promoted: Time) -> Option<Self> {
        let ordered = slots.windows(2).all(|pair| pair[0].index < pair[1].index);
        let whole = ordered && slots.len() >= 2 && slots.first()?.index == 0;
        whole.then_some(Self { slots, staged, promoted })
    }

    pub fn slots(&self) -> &[Slot<K>] {
        &self.slots
    }

    pub fn staged_key(&self) -> &K {
        &self.slots[0].key
    }

    pub fn primary(&self) -> &Slot<K> {
        &self.slots[self.slots.len() - 1]
    }

    pub fn holds(&self, key: &K) -> bool {
        self.slots.iter().any(|slot| slot.key == *key)
    }

    /// Between promotion and restaging the staged key and the primary are the same.
    pub fn is_promoted(&self) -> bool {
        *self.staged_key() == self.primary().key
    }

    /// First of three writes: the staged key becomes primary and stays staged. Keystone lists the folder
    /// and then opens each file, and kubelet may swap the folder in between; with one write instead of
    /// three, a reader can miss the new primary under its old name and its new one.
    #[must_use]
    pub fn promote(&self, now: Time) -> Self {
        let mut next = self.clone();
        let (index, key) = (self.primary().index + 1, self.staged_key().clone());
        next.slots.push(Slot { index, key, demoted: None });
        next.promoted = now;
        next
    }

    /// Second write: a new staged key. Only now is it known that nobody encrypts with the old primary.
    #[must_use]
    pub fn restage(&self, key: K, now: Time) -> Self {
        let mut next = self.clone();
        next.slots[0].key = key;
        next.staged = now;
        let last = next.slots.len() - 1;
        for slot in &mut next.slots[1..last] {
            slot.demoted = slot.demoted.or(Some(now));
        }
        next
    }

    /// Third write: without what is no longer needed.
    #[must_use]
    pub fn prune(&self, gone: &[u32]) -> Self {
        let mut next = self.clone();
        next.slots.retain(|slot| !gone.contains(&slot.index));
        next
    }

    /// The same ring of other keys, as of digests.
    pub fn map<T>(&self, mut with: impl FnMut(&K) -> T) -> Ring<T> {
        let slots = self.slots.iter().map(|slot| Slot {
            index: slot.index,
            key: with(&slot.key),
            demoted: slot.demoted,
        });
        Ring { slots: slots.collect(), staged: self.staged, promoted: self.promoted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indices(ring: &Ring<u8>) -> Vec<(u32, u8)> {
        ring.slots().iter().map(|slot| (slot.index, slot.key)).collect()
    }

    #[test]
    fn a_rotation_is_three_rings() {
        let ring = Ring::fresh(b'b', b'a', Time(0));
        let promoted = ring.promote(Time(10));
        assert_eq!(indices(&promoted), [(0, b'b'), (1, b'a'), (2, b'b')]);
        assert!(promoted.is_promoted() && !ring.is_promoted());
        let restaged = promoted.restage(b'c', Time(20));
        assert_eq!(indices(&restaged), [(0, b'c'), (1, b'a'), (2, b'b')]);
        assert_eq!(restaged.slots()[1].demoted, Some(Time(20)));
        assert_eq!(indices(&restaged.prune(&[1])), [(0, b'c'), (2, b'b')]);
    }

    #[test]
    fn what_is_no_ring_is_none() {
        let slot = |index| Slot { index, key: 'k', demoted: None };
        assert!(Ring::of(vec![slot(0), slot(4)], Time(0), Time(0)).is_some());
        for indices in [&[][..], &[0], &[1, 2], &[0, 2, 2], &[0, 3, 2]] {
            let slots = indices.iter().map(|index| slot(*index)).collect();
            assert!(Ring::of(slots, Time(0), Time(0)).is_none(), "{indices:?}");
        }
    }
}
