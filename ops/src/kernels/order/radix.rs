//! Sorting by the digits of ranks.

use opwright_runtime::{Result, buffer, interrupt};

/// A rank with the index of its element below it.
pub(super) trait Packed: Copy + Default + Ord {
    /// Bits of the rank.
    const BITS: usize;

    /// So many bits of the rank, those from `shift` on.
    fn digit(self, shift: usize) -> usize;
}

impl Packed for u64 {
    const BITS: usize = 32;

    #[inline(always)]
    fn digit(self, shift: usize) -> usize {
        (self >> (32 + shift)) as usize % DIGITS
    }
}

impl Packed for u128 {
    const BITS: usize = 64;

    #[inline(always)]
    fn digit(self, shift: usize) -> usize {
        (self >> (64 + shift)) as usize % DIGITS
    }
}

/// Bits that are looked at together: with more, what is written next would not stay in cache.
const DIGIT: usize = 8;

const DIGITS: usize = 1 << DIGIT;

/// How many elements are moved between two checks for an interrupt.
const BETWEEN_CHECKS: usize = 1 << 16;

/// With more digits than these it is faster to compare.
const MOST_DIGITS: usize = 4;

/// Sorts what is in the order of its indices already: digit by digit, from the lowest on, without
/// those that all have in common. Says whether it did: not if it would take longer than to compare.
///
/// # Errors
///
/// `Memory` if there is not enough for as many once more.
pub(super) fn sort<U: Packed>(packed: &mut [U]) -> Result<bool> {
    let counts = counts(packed).into_iter().enumerate();
    let differing = counts.filter(|(_, counts)| !counts.contains(&packed.len()));
    let differing = buffer::collected(differing)?;
    if differing.len() > MOST_DIGITS {
        return Ok(false);
    }
    let mut other = buffer::filled(packed.len(), U::default())?;
    let (mut from, mut to) = (&mut *packed, &mut other[..]);
    let mut is_swapped = false;
    for (pass, counts) in differing {
        distribute(from, to, pass * DIGIT, starts(counts));
        (from, to) = (to, from);
        is_swapped = !is_swapped;
    }
    if is_swapped {
        to.copy_from_slice(from);
    }
    Ok(true)
}

/// How often each digit stands at each place.
fn counts<U: Packed>(packed: &[U]) -> Vec<[usize; DIGITS]> {
    let mut counts = vec![[0; DIGITS]; U::BITS / DIGIT];
    for items in packed.chunks(BETWEEN_CHECKS) {
        for &it in items {
            for (pass, counts) in counts.iter_mut().enumerate() {
                counts[it.digit(pass * DIGIT)] += 1;
            }
        }
        interrupt::check();
    }
    counts
}

/// Where the items with each digit begin.
fn starts(counts: [usize; DIGITS]) -> [usize; DIGITS] {
    let mut next = 0;
    counts.map(|count| {
        let start = next;
        next += count;
        start
    })
}

fn distribute<U: Packed>(from: &[U], to: &mut [U], shift: usize, mut next: [usize; DIGITS]) {
    for items in from.chunks(BETWEEN_CHECKS) {
        for &it in items {
            let slot = &mut next[it.digit(shift)];
            to[*slot] = it;
            *slot += 1;
        }
        interrupt::check();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<U: Packed + std::fmt::Debug>(mut items: Vec<U>) {
        let mut expected = items.clone();
        expected.sort();
        assert!(sort(&mut items).unwrap());
        assert_eq!(items, expected);
    }

    #[test]
    fn ranks_are_in_order_and_indices_among_equal_ones() {
        let rank = |at: u64| at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        check((0..1000).map(|at| rank(at) >> 32 << 32 | at).collect::<Vec<u64>>());
        check((0..1000).map(|at| (rank(at) % 7) << 32 | at).collect::<Vec<u64>>());
        let wide = |rank: u64, at: u64| u128::from(rank) << 64 | u128::from(at);
        check((0..1000).map(|at| wide(rank(at) >> 40, at)).collect::<Vec<_>>());
        check((0..9).map(|at| 5 << 32 | at).collect::<Vec<u64>>());
        check(Vec::<u64>::new());
        let mut many: Vec<u128> = (0..1000).map(|at| wide(rank(at), at)).collect();
        assert!(!sort(&mut many).unwrap());
    }
}
