//! Philox4x32-10: random numbers as a function of a counter.
//!
//! J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011.

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
const ROUNDS: usize = 10;

/// How many blocks [`consecutive`] makes: enough for vectors of any size.
pub(crate) const AT_ONCE: usize = 32;

/// A word of so many counters, each in the lower half of a number.
type CounterWords = [u64; AT_ONCE];

/// The 128 random bits that belong to a counter under a key.
#[inline]
pub(crate) fn philox([mut a, mut b, mut c, mut d]: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..ROUNDS {
        let first = u64::from(MULTIPLIERS[0]) * u64::from(a);
        let second = u64::from(MULTIPLIERS[1]) * u64::from(c);
        (a, b) = ((second >> 32) as u32 ^ b ^ key[0], second as u32);
        (c, d) = ((first >> 32) as u32 ^ d ^ key[1], first as u32);
        key = next(key);
    }
    [a, b, c, d]
}

/// The random bits of as many counters from `first` on, two numbers from each: in vectors, where
/// it is compiled for these.
#[inline(always)]
pub(crate) fn consecutive(first: u64, mut key: [u32; 2]) -> [u64; 2 * AT_ONCE] {
    let (mut a, mut b): (CounterWords, CounterWords) = ([0; AT_ONCE], [0; AT_ONCE]);
    let (mut c, mut d): (CounterWords, CounterWords) = ([0; AT_ONCE], [0; AT_ONCE]);
    // Loops over places and no iterators, of which parts may be compiled for themselves.
    for i in 0..AT_ONCE {
        let counter = first.wrapping_add(i as u64);
        (a[i], b[i]) = (counter, counter >> 32);
    }
    for _ in 0..ROUNDS {
        for i in 0..AT_ONCE {
            [a[i], b[i], c[i], d[i]] = round([a[i], b[i], c[i], d[i]], key);
        }
        key = next(key);
    }
    let mut made = [0; 2 * AT_ONCE];
    for i in 0..AT_ONCE {
        made[2 * i] = b[i] << 32 | low(a[i]);
        made[2 * i + 1] = d[i] << 32 | low(c[i]);
    }
    made
}

/// One round. Words are the lower halves of numbers; what stands above them does not matter.
#[inline(always)]
fn round([a, b, c, d]: [u64; 4], key: [u32; 2]) -> [u64; 4] {
    let first = u64::from(MULTIPLIERS[0]) * low(a);
    let second = u64::from(MULTIPLIERS[1]) * low(c);
    [second >> 32 ^ b ^ u64::from(key[0]), second, first >> 32 ^ d ^ u64::from(key[1]), first]
}

#[inline(always)]
fn low(word: u64) -> u64 {
    word & u64::from(u32::MAX)
}

/// The key of the next round.
#[inline(always)]
fn next(key: [u32; 2]) -> [u32; 2] {
    [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the known-answer file of the authors' Random123 library.
    #[test]
    fn known_answers() {
        let check = |counter, key, expected: [u32; 4]| {
            assert_eq!(philox(counter, key), expected);
        };
        check([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        check([u32::MAX; 4], [u32::MAX; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        check(
            [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
            [0xa409_3822, 0x299f_31d0],
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
        );
    }

    #[test]
    fn many_are_those_of_each() {
        let key = [0xa409_3822, 0x299f_31d0];
        for first in [0, 7, u64::from(u32::MAX) - 3, u64::MAX - 3] {
            let each = (0..AT_ONCE as u64).flat_map(|i| {
                let counter = first.wrapping_add(i);
                let [a, b, c, d] =
                    philox([counter as u32, (counter >> 32) as u32, 0, 0], key).map(u64::from);
                [b << 32 | a, d << 32 | c]
            });
            assert!(each.eq(consecutive(first, key)));
        }
    }
}
