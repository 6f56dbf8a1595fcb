//! Sorting by digits.

use opwright_runtime::{Result, buffer, interrupt};
use smallvec::SmallVec;

use super::keys::SortKey;

/// Bits that are looked at together: with more, what is written next would not stay in cache.
const DIGIT: u32 = 8;

const DIGITS: usize = 1 << DIGIT;

/// How many keys are moved between two checks for an interrupt.
const BETWEEN_CHECKS: usize = 1 << 16;

/// With more digits than these it is faster to compare.
const MOST_DIGITS: usize = 4;

/// So many keys are sorted by digits: fewer are compared sooner.
const WORTH_DIGITS: usize = 1 << 10;

/// Sorts what is in the order of its lower bits already: digit by digit, from these on, without those
/// that all have in common. Says whether it did: not if it would take longer than to compare.
///
/// # Errors
///
/// `Memory` if there is not enough for as many once more.
pub(super) fn sort<K: SortKey>(keys: &mut [K], lower: u32) -> Result<bool> {
    if keys.len() < WORTH_DIGITS {
        return Ok(false);
    }
    if keys.is_sorted() {
        return Ok(true);
    }
    let differing = differing(keys);
    let is_needed = |shift: &u32| differing >> shift != 0 && digit(differing, *shift) != 0;
    let shifts: SmallVec<[u32; 8]> =
        (lower..u64::BITS).step_by(DIGIT as usize).filter(is_needed).collect();
    if shifts.len() > MOST_DIGITS {
        return Ok(false);
    }
    let mut other = buffer::filled(keys.len(), K::default())?;
    let (mut from, mut to) = (&mut *keys, &mut other[..]);
    for (counts, &shift) in counts(from, &shifts).into_iter().zip(&shifts) {
        distribute(from, to, shift, starts(counts));
        (from, to) = (to, from);
    }
    if shifts.len() % 2 == 1 {
        to.copy_from_slice(from);
    }
    Ok(true)
}

/// The bits in which keys differ.
fn differing<K: SortKey>(keys: &[K]) -> u64 {
    let first = keys.first().map_or(0, |it| it.rank());
    keys.iter().fold(0, |all, it| all | (it.rank() ^ first))
}

/// How often each digit stands at each of these places.
fn counts<K: SortKey>(keys: &[K], shifts: &[u32]) -> [[usize; DIGITS]; MOST_DIGITS] {
    let mut counts = [[0; DIGITS]; MOST_DIGITS];
    for keys in keys.chunks(BETWEEN_CHECKS) {
        for &it in keys {
            for (counts, &shift) in counts.iter_mut().zip(shifts) {
                counts[digit(it.rank(), shift)] += 1;
            }
        }
        if keys.len() == BETWEEN_CHECKS {
            interrupt::check();
        }
    }
    counts
}

#[inline(always)]
fn digit(rank: u64, shift: u32) -> usize {
    (rank >> shift) as usize % DIGITS
}

/// Where the keys with each digit begin.
fn starts(counts: [usize; DIGITS]) -> [usize; DIGITS] {
    let mut next = 0;
    counts.map(|count| {
        let start = next;
        next += count;
        start
    })
}

fn distribute<K: SortKey>(from: &[K], to: &mut [K], shift: u32, mut next: [usize; DIGITS]) {
    for keys in from.chunks(BETWEEN_CHECKS) {
        for &it in keys {
            let slot = &mut next[digit(it.rank(), shift)];
            to[*slot] = it;
            *slot += 1;
        }
        if keys.len() == BETWEEN_CHECKS {
            interrupt::check();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(mut items: Vec<u64>, lower: u32) {
        let mut expected = items.clone();
        expected.sort();
        assert!(sort(&mut items, lower).unwrap());
        assert_eq!(items, expected);
    }

    #[test]
    fn ranks_are_in_order_and_indices_among_equal_ones() {
        let rank = |at: u64| at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        check((0..2000).map(|at| rank(at) >> 32 << 32 | at).collect(), 32);
        check((0..2000).map(|at| (rank(at) % 7) << 32 | at).collect(), 32);
        check((0..2000).map(|at| (rank(at) >> 40) << 11 | at).collect(), 11);
        check((0..1900).map(|at| 5 << 32 | at).collect(), 32);
        let mut many: Vec<u64> = (0..2000).map(|at| rank(at) >> 11 << 11 | at).collect();
        assert!(!sort(&mut many, 11).unwrap());
        assert!(!sort(&mut [2_u64, 1], 0).unwrap());
        let mut narrow: Vec<u32> = (0..1999_u32).map(|at| at.wrapping_mul(0x9e37_79b9)).collect();
        let mut expected = narrow.clone();
        expected.sort();
        assert!(sort(&mut narrow, 0).unwrap());
        assert_eq!(narrow, expected);
    }
}
