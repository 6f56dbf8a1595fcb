//! A hash map for looking things up, faster than the standard one: its keys
//! come from the author of a crate, who has no interest in collisions.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// For lookup only: iterating would make generated code differ between runs.
#[derive(Debug)]
pub(crate) struct Lookup<K, V>(HashMap<K, V, BuildHasherDefault<WordHasher>>);

impl<K: Eq + Hash, V> Lookup<K, V> {
    /// An empty one with room for so many keys.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Lookup(HashMap::with_capacity_and_hasher(capacity, BuildHasherDefault::default()))
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.0.get(key)
    }

    /// The value of this key, which is made if there is none.
    pub(crate) fn get_or_insert_with(&mut self, key: K, value: impl FnOnce() -> V) -> &mut V {
        self.0.entry(key).or_insert_with(value)
    }
}

/// Mixes eight bytes at a time: multiply and rotate.
#[derive(Debug, Default)]
pub(crate) struct WordHasher(u64);

impl WordHasher {
    /// An odd number without a pattern in its bits.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(Self::FACTOR);
    }
}

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|it| self.mix(u64::from_le_bytes(*it)));
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.mix(u64::from_le_bytes(last));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.mix(u64::from(value));
    }

    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }

    fn finish(&self) -> u64 {
        // The map takes the upper bits, too.
        self.0 ^ (self.0 >> 32)
    }
}
