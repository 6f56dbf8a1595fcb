//! Sorting by digits.

use opwright_runtime::{Result, buffer, interrupt};

/// Bits that are looked at together: with more, what is written next would not stay in cache.
const DIGIT: u32 = 8;

const DIGITS: usize = 1 << DIGIT;

/// How many elements are moved between two checks for an interrupt.
const BETWEEN_CHECKS: usize = 1 << 16;

/// With more digits than these it is faster to compare.
const MOST_DIGITS: usize = 4;

/// Sorts what is in the order of its lower bits already: digit by digit, from these on, without those
/// that all have in common. Says whether it did: not if it would take longer than to compare.
///
/// # Errors
///
/// `Memory` if there is not enough for as many once more.
pub(super) fn sort(packed: &mut [u64], lower: u32) -> Result<bool> {
    let counts = counts(packed, lower).into_iter().enumerate();
    let differing = counts.filter(|(_, counts)| !counts.contains(&packed.len()));
    let differing = buffer::collected(differing)?;
    if differing.len() > MOST_DIGITS {
        return Ok(false);
    }
    let mut other = buffer::filled(packed.len(), 0)?;
    let (mut from, mut to) = (&mut *packed, &mut other[..]);
    let mut is_swapped = false;
    for (pass, counts) in differing {
        distribute(from, to, lower + pass as u32 * DIGIT, starts(counts));
        (from, to) = (to, from);
        is_swapped = !is_swapped;
    }
    if is_swapped {
        to.copy_from_slice(from);
    }
    Ok(true)
}

/// How often each digit stands at each place.
fn counts(packed: &[u64], lower: u32) -> Vec<[usize; DIGITS]> {
    let mut counts = vec![[0; DIGITS]; (u64::BITS - lower).div_ceil(DIGIT) as usize];
    for items in packed.chunks(BETWEEN_CHECKS) {
        for &it in items {
            for (pass, counts) in counts.iter_mut().enumerate() {
                counts[digit(it, lower + pass as u32 * DIGIT)] += 1;
            }
        }
        interrupt::check();
    }
    counts
}

fn digit(item: u64, shift: u32) -> usize {
    (item >> shift) as usize % DIGITS
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

fn distribute(from: &[u64], to: &mut [u64], shift: u32, mut next: [usize; DIGITS]) {
    for items in from.chunks(BETWEEN_CHECKS) {
        for &it in items {
            let slot = &mut next[digit(it, shift)];
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
    fn check(mut items: Vec<u64>, lower: u32) {
        let mut expected = items.clone();
        expected.sort();
        assert!(sort(&mut items, lower).unwrap());
        assert_eq!(items, expected);
    }

    #[test]
    fn ranks_are_in_order_and_indices_among_equal_ones() {
        let rank = |at: u64| at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        check((0..1000).map(|at| rank(at) >> 32 << 32 | at).collect(), 32);
        check((0..1000).map(|at| (rank(at) % 7) << 32 | at).collect(), 32);
        check((0..1000).map(|at| (rank(at) >> 40) << 10 | at).collect(), 10);
        check((0..9).map(|at| 5 << 32 | at).collect(), 32);
        check(Vec::new(), 32);
        let mut many: Vec<u64> = (0..1000).map(|at| rank(at) >> 10 << 10 | at).collect();
        assert!(!sort(&mut many, 10).unwrap());
    }
}
