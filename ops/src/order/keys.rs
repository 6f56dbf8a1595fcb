//! Sorting plain integers.

use opwright_runtime::{Isa, interrupt};

#[cfg(target_arch = "x86_64")]
use super::quick;
use super::radix;

/// Integers that stand for elements.
pub(super) trait Key: Copy + Ord + Default {
    /// Sorts them with instructions of [`Isa::Avx512`], if the processor has them: whether it has.
    fn sort_in_registers(keys: &mut [Self]) -> bool;

    /// That of a rank, of which as many bits are used.
    fn of_rank(rank: u64) -> Self;

    /// The rank.
    fn rank(self) -> u64;
}

macro_rules! keys {
    ($($key:ident by $sort:ident;)*) => {$(
        impl Key for $key {
            fn sort_in_registers(keys: &mut [$key]) -> bool {
                let is_there = cfg!(target_arch = "x86_64") && Isa::detect() >= Isa::Avx512;
                #[cfg(target_arch = "x86_64")]
                if is_there {
                    // SAFETY: the processor was asked for the instructions.
                    unsafe { quick::$sort(keys) }
                }
                #[cfg(not(target_arch = "x86_64"))]
                let _ = keys;
                is_there
            }

            #[inline(always)]
            fn of_rank(rank: u64) -> $key {
                rank as $key
            }

            #[inline(always)]
            fn rank(self) -> u64 {
                u64::from(self)
            }
        }
    )*};
}

keys! {
    u64 by sort_wide;
    u32 by sort_narrow;
}

/// Fewer keys are in order before anybody could interrupt.
const WORTH_CHECKING: usize = 1 << 20;

/// Sorts keys in ascending order.
pub(super) fn sort<K: Key>(keys: &mut [K]) {
    // Without memory for it, it takes longer.
    if !K::sort_in_registers(keys) && !radix::sort(keys, 0).unwrap_or(false) {
        sort_by_comparing(keys);
    }
}

/// The same with neither registers nor memory.
pub(super) fn sort_by_comparing<K: Key>(keys: &mut [K]) {
    if keys.len() < WORTH_CHECKING {
        return keys.sort_unstable();
    }
    keys.sort_unstable_by(checked(K::cmp));
}

/// A comparison with a check for an interrupt once in so many.
pub(super) fn checked<T>(
    mut compare: impl FnMut(&T, &T) -> std::cmp::Ordering,
) -> impl FnMut(&T, &T) -> std::cmp::Ordering {
    let mut compared = 0;
    move |a, b| {
        compared += 1;
        interrupt::check_at(compared);
        compare(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::packed::tests::for_lists;

    #[track_caller]
    fn check<K: Key + std::fmt::Debug>(mut keys: Vec<K>) {
        let mut expected = keys.clone();
        expected.sort();
        sort(&mut keys);
        assert_eq!(keys, expected);
    }

    #[test]
    fn keys_of_all_kinds_are_sorted() {
        for_lists(|bits| {
            check(bits.to_vec());
            check(bits.iter().map(|&it| it as u32).collect::<Vec<_>>());
            check(bits.iter().map(|&it| !it % 5).collect::<Vec<_>>());
            check(bits.iter().map(|&it| u32::MAX - (it % 2) as u32).collect::<Vec<_>>());
        });
        // Up, and down again.
        check((0..50_000_u64).chain((0..50_000).rev()).collect::<Vec<_>>());
    }
}
