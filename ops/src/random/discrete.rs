//! Integers and events: what becomes of random bits.

use opwright_runtime::{Draws, multiversion};

/// Numbers of 64 bits that are made at once.
const PAIRS: usize = 2 * Draws::AT_ONCE;

/// Which numbers of 64 bits are events.
#[derive(Clone, Copy)]
pub(super) enum Chance {
    Below(u64),
    Certain,
}

impl Chance {
    pub(super) fn new(p: f64) -> Chance {
        // 2^64 for a probability of 1, so that every number is below.
        u64::try_from((p * 2.0_f64.powi(64)) as u128).map_or(Chance::Certain, Chance::Below)
    }
}

// What is compiled for the highest level, too, gives the same at each: these are integers.
multiversion! {
    /// Events from so many blocks, of which this is the `index`th part.
    pub(super) fn events<const _FMA: bool>(
        draws: Draws,
        index: usize,
        chance: Chance,
        made: &mut [bool; PAIRS],
    ) {
        let Chance::Below(bound) = chance else { return made.fill(true) };
        for (slot, bits) in made.iter_mut().zip(draws.blocks((Draws::AT_ONCE * index) as u64)) {
            *slot = bits < bound;
        }
    }

    /// Integers from `from` on, of which there are `count`; 0 stands for 2^64.
    pub(super) fn integers<const _FMA: bool>(
        draws: Draws,
        index: usize,
        from: i64,
        count: u64,
        made: &mut [i64; PAIRS],
    ) {
        let all = draws.blocks((Draws::AT_ONCE * index) as u64);
        let slots = made.iter_mut().zip(all);
        // The product's upper half is below `count`, with a bias of less than 2^-64 times `count`.
        match u32::try_from(count) {
            Ok(0) => slots.for_each(|(slot, bits)| *slot = from.wrapping_add_unsigned(bits)),
            Ok(few) => slots.for_each(|(slot, bits)| {
                *slot = from.wrapping_add_unsigned(upper_product(bits, few));
            }),
            Err(_) => slots.for_each(|(slot, bits)| {
                let product = u128::from(bits) * u128::from(count);
                *slot = from.wrapping_add_unsigned((product >> 64) as u64);
            }),
        }
    }
}

/// The upper half of a product, by halves that vectors can multiply.
#[inline(always)]
fn upper_product(bits: u64, by: u32) -> u64 {
    let (lower, upper) = (bits & u64::from(u32::MAX), bits >> 32);
    (upper * u64::from(by) + ((lower * u64::from(by)) >> 32)) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_by_halves_are_those_of_all() {
        for bits in [0, 1, 1 << 31, u64::from(u32::MAX), 0x9e37_79b9_7f4a_7c15, u64::MAX] {
            for by in [1, 2, 3, 100, 1 << 31, u32::MAX] {
                let whole = (u128::from(bits) * u128::from(by)) >> 64;
                assert_eq!(u128::from(upper_product(bits, by)), whole);
            }
        }
    }

    #[test]
    fn chances_have_bounds() {
        assert!(matches!(Chance::new(0.0), Chance::Below(0)));
        assert!(matches!(Chance::new(0.5), Chance::Below(it) if it == 1 << 63));
        assert!(matches!(Chance::new(1.0), Chance::Certain));
    }
}
