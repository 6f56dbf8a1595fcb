//! Numbers as unsigned integers in the same order.
//!
//! Sorting needs an order in which NaN has a place, and is fastest on plain
//! integers that carry the index along: then equal elements cannot swap, so
//! that even the fastest algorithm is stable.

use ndarray::ArrayView1;
use opwright_runtime::dtype::{Element, Ordered};
use opwright_runtime::{Result, bf16, buffer, dtype_rows, f16, interrupt};
use smallvec::{Array, SmallVec};

use super::keys;

/// An element that has a rank.
pub(crate) trait Ranked: Element + Ordered {
    /// Whether ranks are below 2^32.
    const IS_NARROW: bool;

    /// Greater for greater elements, equal for equal ones, greatest for NaN.
    fn rank(self) -> u64;

    /// The element of this rank, if it is the only one.
    fn of_rank(rank: u64) -> Option<Self>;
}

impl Ranked for bool {
    const IS_NARROW: bool = true;

    #[inline(always)]
    fn rank(self) -> u64 {
        u64::from(self)
    }

    #[inline(always)]
    fn of_rank(rank: u64) -> Option<bool> {
        Some(rank != 0)
    }
}

macro_rules! integers {
    ({} boolean $b:tt narrow { $($narrow:tt)* } wide { $($wide:tt)* } $($others:tt)*) => {
        integers! { $($narrow)* $($wide)* }
    };
    ($($(#[$about:meta])* $dtype:ident: $ty:ty = $number:literal $row:tt)*) => {$(
        impl Ranked for $ty {
            const IS_NARROW: bool = <$ty>::BITS <= 32;

            #[inline(always)]
            fn rank(self) -> u64 {
                i64::from(self).wrapping_sub(i64::from(<$ty>::MIN)) as u64
            }
            #[inline(always)]
            fn of_rank(rank: u64) -> Option<$ty> {
                Some(i64::from(<$ty>::MIN).wrapping_add(rank as i64) as $ty)
            }
        }
    )*};
}

dtype_rows! { integers {} }

impl Ranked for f32 {
    const IS_NARROW: bool = true;

    #[inline(always)]
    fn rank(self) -> u64 {
        if self.is_nan() {
            return u64::from(u32::MAX);
        }
        // Adding zero makes -0.0 and 0.0 the same.
        let bits = (self + 0.0).to_bits();
        let flip = if bits >> 31 == 1 { u32::MAX } else { 1 << 31 };
        u64::from(bits ^ flip)
    }

    #[inline(always)]
    fn of_rank(rank: u64) -> Option<f32> {
        let rank = rank as u32;
        let flip = if rank >> 31 == 1 { 1 << 31 } else { u32::MAX };
        let value = f32::from_bits(rank ^ flip);
        // Zeros have two signs, and what is not a number has many bits.
        (value != 0.0 && !value.is_nan()).then_some(value)
    }
}

impl Ranked for f64 {
    const IS_NARROW: bool = false;

    #[inline(always)]
    fn rank(self) -> u64 {
        if self.is_nan() {
            return u64::MAX;
        }
        let bits = (self + 0.0).to_bits();
        let flip = if bits >> 63 == 1 { u64::MAX } else { 1 << 63 };
        bits ^ flip
    }

    #[inline(always)]
    fn of_rank(rank: u64) -> Option<f64> {
        let flip = if rank >> 63 == 1 { 1 << 63 } else { u64::MAX };
        let value = f64::from_bits(rank ^ flip);
        (value != 0.0 && !value.is_nan()).then_some(value)
    }
}

macro_rules! through_single_precision {
    ($($ty:ty)*) => {$(
        impl Ranked for $ty {
            const IS_NARROW: bool = true;

            #[inline(always)]
            fn rank(self) -> u64 {
                self.to_f32().rank()
            }
            #[inline(always)]
            fn of_rank(rank: u64) -> Option<$ty> {
                f32::of_rank(rank).map(<$ty>::from_f32)
            }
        }
    )*};
}

through_single_precision! { f16 bf16 }

/// Which elements come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The least.
    Ascending,
    /// The greatest, and before them NaN.
    Descending,
}

impl Order {
    pub(crate) fn new(descending: bool) -> Order {
        if descending { Order::Descending } else { Order::Ascending }
    }
}

/// Which part of the order is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent {
    /// The first so many elements.
    First(usize),
    /// The element at this place only.
    Place(usize),
}

/// Calls `take` with the ranks and indices of the elements of `lane` in order, as
/// far as it is wanted; equal elements are in the order of their indices.
///
/// # Errors
///
/// `Memory` if there is not enough for a list of all.
pub(crate) fn order_lane<T: Ranked>(
    lane: ArrayView1<'_, T>,
    order: Order,
    extent: Extent,
    mut take: impl FnMut(u64, usize),
) -> Result<()> {
    let flip = if order == Order::Ascending { 0 } else { u64::MAX };
    let ranks = lane.iter().map(|value| value.rank() ^ flip).enumerate();
    // Not at 0, which every short lane has.
    let ranks = ranks.inspect(|(i, _)| interrupt::check_at(i + 1));
    if T::IS_NARROW && u32::try_from(lane.len()).is_ok() {
        let ranks = ranks.map(|(i, rank)| rank << 32 | i as u64);
        let mut packed = candidates::<[u64; 32]>(ranks, extent)?;
        let flip = flip >> 32;
        for &it in sorted(&mut packed, extent) {
            take((it >> 32) ^ flip, it as u32 as usize);
        }
    } else {
        let pack = |(i, rank)| u128::from(rank) << 64 | i as u128;
        let mut packed = candidates::<[u128; 16]>(ranks.map(pack), extent)?;
        for &it in sorted(&mut packed, extent) {
            take((it >> 64) as u64 ^ flip, it as u64 as usize);
        }
    }
    Ok(())
}

/// So few of the first ones are looked for without a list of all.
const FEW: usize = 1 << 12;

/// All items; or, if few of the first ones are wanted, only such as can be among these.
fn candidates<A: Array<Item: Copy + Ord>>(
    mut items: impl ExactSizeIterator<Item = A::Item>,
    extent: Extent,
) -> Result<SmallVec<A>> {
    let Extent::First(count @ 1..=FEW) = extent else { return buffer::short(items) };
    let room = 4 * count.max(64);
    let mut kept = buffer::short::<A>(items.by_ref().take(room))?;
    if items.len() == 0 {
        return Ok(kept);
    }
    let mut last = keep_first(&mut kept, count);
    for it in items {
        if it < last {
            kept.push(it);
            if kept.len() == room {
                last = keep_first(&mut kept, count);
            }
        }
    }
    Ok(kept)
}

/// Leaves so many, in any order but for the last, which is returned.
fn keep_first<A: Array<Item: Copy + Ord>>(kept: &mut SmallVec<A>, count: usize) -> A::Item {
    let (_, &mut last, _) = kept.select_nth_unstable(count - 1);
    kept.truncate(count);
    last
}

/// Sorts as far as wanted, and returns what is wanted.
fn sorted<U: Ord>(packed: &mut [U], extent: Extent) -> &[U] {
    let mut compare = keys::checked(U::cmp);
    match extent {
        Extent::First(count) => {
            if 0 < count && count < packed.len() {
                packed.select_nth_unstable_by(count - 1, &mut compare);
            }
            packed[..count].sort_unstable_by(compare);
            &packed[..count]
        }
        Extent::Place(place) => {
            packed.select_nth_unstable_by(place, compare);
            &packed[place..=place]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::aview1;

    #[track_caller]
    fn check<T: Ranked>(lane: &[T], order: Order, extent: Extent, expected: &[usize]) {
        let mut indices = Vec::new();
        order_lane(aview1(lane), order, extent, |rank, index| {
            assert!(T::of_rank(rank).is_none_or(|it| it == lane[index]));
            indices.push(index);
        })
        .unwrap();
        assert_eq!(indices, expected);
    }

    #[test]
    fn equal_elements_keep_their_order() {
        use Order::{Ascending, Descending};
        check(&[2, 1, 2, 1_i32], Ascending, Extent::First(4), &[1, 3, 0, 2]);
        check(&[2, 1, 2, 1_i32], Descending, Extent::First(4), &[0, 2, 1, 3]);
        check(&[0.0, -0.0, 0.0_f64], Ascending, Extent::First(3), &[0, 1, 2]);
        check(&[true, false], Ascending, Extent::First(2), &[1, 0]);
    }

    #[test]
    fn not_a_number_is_greatest() {
        let lane = [1.0, f32::NAN, f32::INFINITY, -f32::NAN, f32::NEG_INFINITY, -2.0];
        check(&lane, Order::Ascending, Extent::First(6), &[4, 5, 0, 2, 1, 3]);
        check(&lane, Order::Descending, Extent::First(3), &[1, 3, 2]);
    }

    #[test]
    fn few_of_many_are_the_first() {
        let lane: Vec<i64> = (0..5000).map(|at| (at * 7919) % 1013).collect();
        let mut expected: Vec<usize> = (0..lane.len()).collect();
        expected.sort_by_key(|&at| lane[at]);
        for count in [1, 3, 100, 300] {
            check(&lane, Order::Ascending, Extent::First(count), &expected[..count]);
        }
        let falling: Vec<f32> = (0..5000).rev().map(|at| at as f32).collect();
        check(&falling, Order::Ascending, Extent::First(2), &[4999, 4998]);
    }

    #[test]
    fn wide_integers_keep_all_bits() {
        let lane = [i64::MAX, i64::MIN, i64::MAX - 1, -1, 0];
        check(&lane, Order::Ascending, Extent::First(5), &[1, 3, 4, 2, 0]);
        check(&lane, Order::Ascending, Extent::Place(1), &[3]);
        check(&lane, Order::Ascending, Extent::First(0), &[]);
    }
}
