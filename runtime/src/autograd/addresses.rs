//! Maps and sets of nodes, by their addresses.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// By the addresses of nodes.
pub(super) type ByAddress<T> = HashMap<usize, T, BuildHasherDefault<AddressHasher>>;

/// Addresses of nodes.
pub(super) type Addresses = HashSet<usize, BuildHasherDefault<AddressHasher>>;

/// Mixes the bits of an address, which nobody chooses in order to harm: its lowest ones are the
/// same for all nodes, and a map looks at the highest.
#[derive(Default)]
pub(super) struct AddressHasher(u64);

/// 2⁶⁴ divided by the golden ratio, made odd: Knuth's multiplicative hashing.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Hasher for AddressHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|it| self.write_usize((*it).into()));
    }

    fn write_usize(&mut self, address: usize) {
        self.0 = (self.0 ^ address as u64).wrapping_mul(GOLDEN).rotate_left(26);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
