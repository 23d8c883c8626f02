//! Hashing for tables that live as long as one rendering. Their keys come from the program and from the
//! person's own spec, so nobody gains by making them collide, and a hash that withstands that would cost
//! more than what is looked up.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

pub type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;
pub type QuickSet<K> = HashSet<K, BuildHasherDefault<Quick>>;

/// Eight bytes at a time: turned, mixed in and multiplied.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quick(u64);

impl Quick {
    fn add(&mut self, word: u64) {
        // The golden ratio, as an odd number of 64 bits: its multiples are spread evenly.
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        let rest = rest.iter().rev().fold(0, |word, byte| (word << 8) | u64::from(*byte));
        self.add(rest);
    }

    /// What closes a text.
    fn write_u8(&mut self, byte: u8) {
        self.add(u64::from(byte));
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    /// Multiplying mixes upwards, and tables begin with the lowest bits.
    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::{BuildHasher as _, Hash};

    fn hash(key: impl Hash) -> u64 {
        BuildHasherDefault::<Quick>::default().hash_one(key)
    }

    #[test]
    fn the_same_key_has_the_same_hash_and_others_have_others() {
        assert_eq!(hash(("Secret", "nova-db")), hash(("Secret", String::from("nova-db"))));
        let names: QuickSet<String> =
            (0..1000).map(|number| format!("cloud-{number:04}")).collect();
        let hashes: QuickSet<u64> = names.iter().map(hash).collect();
        assert_eq!((names.len(), hashes.len()), (1000, 1000));
        // What a table of 1,024 places begins with.
        let places: QuickSet<u64> = names.iter().map(|name| hash(name) % 1024).collect();
        assert!(places.len() > 500, "{}", places.len());
    }
}
