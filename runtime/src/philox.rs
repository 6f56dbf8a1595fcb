//! Philox4x32-10: random numbers as a function of a counter.
//!
//! J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011.

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
const ROUNDS: usize = 10;

/// The 128 random bits that belong to a counter under a key.
#[inline]
pub(crate) fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for round in 0..ROUNDS {
        if round > 0 {
            key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
        }
        let first = u64::from(MULTIPLIERS[0]) * u64::from(counter[0]);
        let second = u64::from(MULTIPLIERS[1]) * u64::from(counter[2]);
        counter = [
            high(second) ^ counter[1] ^ key[0],
            second as u32,
            high(first) ^ counter[3] ^ key[1],
            first as u32,
        ];
    }
    counter
}

#[inline]
fn high(product: u64) -> u32 {
    (product >> 32) as u32
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
}
