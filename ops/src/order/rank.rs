//! Numbers as unsigned integers in the same order.
//!
//! Sorting needs an order in which NaN has a place, and is fastest on plain
//! integers that carry the index along: then equal elements cannot swap, so
//! that even the fastest algorithm is stable.

use std::iter;
use std::marker::PhantomData;

use ndarray::ArrayView1;
use opwright_runtime::dtype::{Element, Ordered};
use opwright_runtime::{Result, bf16, buffer, dtype_rows, f16, interrupt, multiversion};
use smallvec::{Array, SmallVec};

use super::compare;

/// An element that has a rank.
pub(crate) trait Ranked: Element + Ordered {
    /// Whether ranks are below 2^32.
    const IS_NARROW: bool;

    /// The rank of what is not a number, which no number has.
    const NOT_A_NUMBER: Option<u64> = None;

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
                (self as u64).wrapping_sub(<$ty>::MIN as u64)
            }
            #[inline(always)]
            fn of_rank(rank: u64) -> Option<$ty> {
                Some((<$ty>::MIN as u64).wrapping_add(rank) as $ty)
            }
        }
    )*};
}

dtype_rows! { integers {} }

impl Ranked for f32 {
    const IS_NARROW: bool = true;
    const NOT_A_NUMBER: Option<u64> = Some(u32::MAX as u64);

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
    const NOT_A_NUMBER: Option<u64> = Some(u64::MAX);

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
            const NOT_A_NUMBER: Option<u64> = f32::NOT_A_NUMBER;

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

/// The ranks of a lane, made of its elements when they are asked for. What is done with them is compiled
/// once for all dtypes.
#[derive(Clone, Copy)]
pub(crate) struct Ranks<'a> {
    start: *const u8,
    /// In bytes.
    stride: isize,
    count: usize,
    write: unsafe fn(*const u8, isize, u64, &mut [u64]),
    /// Whether they are below 2^32.
    pub(super) is_narrow: bool,
    /// That of what is not a number.
    pub(super) not_a_number: Option<u64>,
    lane: PhantomData<&'a ()>,
}

impl<'a> Ranks<'a> {
    pub(crate) fn of<T: Ranked>(lane: ArrayView1<'a, T>) -> Self {
        Ranks {
            start: lane.as_ptr().cast(),
            stride: lane.strides()[0] * size_of::<T>() as isize,
            count: lane.len(),
            write: write_ranks::<T>,
            is_narrow: T::IS_NARROW,
            not_a_number: T::NOT_A_NUMBER,
            lane: PhantomData,
        }
    }

    /// How many there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Writes those of the elements from `first` on, as many as there is room for, with `flip` applied
    /// to their bits.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub(super) fn write(&self, first: usize, flip: u64, to: &mut [u64]) {
        assert!(first <= self.count && to.len() <= self.count - first);
        let start = self.start.wrapping_offset(first as isize * self.stride);
        // SAFETY: the lane has so many elements of the function's type there, as long as it is borrowed.
        unsafe { (self.write)(start, self.stride, flip, to) };
    }

    /// That of one element.
    pub(super) fn at(&self, index: usize) -> u64 {
        let mut rank = [0];
        self.write(index, 0, &mut rank);
        rank[0]
    }

    /// All of them, with `flip` applied to their bits.
    pub(super) fn all(&self, flip: u64) -> impl ExactSizeIterator<Item = u64> {
        Each { ranks: *self, flip, block: [0; BLOCK], next: 0 }
    }
}

/// Writes the ranks of elements at this distance, in bytes.
///
/// # Safety
///
/// There are as many elements of this type as there is room for.
unsafe fn write_ranks<T: Ranked>(start: *const u8, stride: isize, flip: u64, to: &mut [u64]) {
    if stride == size_of::<T>() as isize {
        // SAFETY: as above.
        let lane = unsafe { std::slice::from_raw_parts(start.cast::<T>(), to.len()) };
        return dense_ranks(lane, flip, to);
    }
    let mut place = start;
    for to in to {
        // SAFETY: as above.
        *to = unsafe { place.cast::<T>().read() }.rank() ^ flip;
        place = place.wrapping_offset(stride);
    }
}

multiversion! {
    avx512 fn dense_ranks<T>(lane: &[T], flip: u64, to: &mut [u64])
    where
        [T: Ranked]
    {
        for (to, it) in to.iter_mut().zip(lane) {
            *to = it.rank() ^ flip;
        }
    }
}

/// How many ranks are made at once.
const BLOCK: usize = 256;

/// The ranks of a lane, one after the other.
struct Each<'a> {
    ranks: Ranks<'a>,
    flip: u64,
    block: [u64; BLOCK],
    next: usize,
}

impl Iterator for Each<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let left = self.ranks.len() - self.next;
        if left == 0 {
            return None;
        }
        let place = self.next % BLOCK;
        if place == 0 {
            // Not at 0, which every short lane has.
            if self.next > 0 {
                interrupt::check_at(self.next);
            }
            self.ranks.write(self.next, self.flip, &mut self.block[..BLOCK.min(left)]);
        }
        self.next += 1;
        Some(self.block[place])
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.ranks.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Each<'_> {}

/// Calls `take` with the ranks and indices of the elements of a lane in order, as
/// far as it is wanted; equal elements are in the order of their indices.
///
/// # Errors
///
/// `Memory` if there is not enough for a list of all.
pub(crate) fn order_lane(
    ranks: Ranks<'_>,
    order: Order,
    extent: Extent,
    take: &mut dyn FnMut(u64, usize),
) -> Result<()> {
    let flip = if order == Order::Ascending { 0 } else { u64::MAX };
    if ranks.is_narrow && u32::try_from(ranks.len()).is_ok() {
        let pack = |(i, rank)| rank << 32 | i as u64;
        let mut packed = candidates::<[u64; 32]>(ranks, flip, extent, pack)?;
        let flip = flip >> 32;
        for &it in sorted(&mut packed, extent) {
            take((it >> 32) ^ flip, it as u32 as usize);
        }
    } else {
        let pack = |(i, rank)| u128::from(rank) << 64 | i as u128;
        let mut packed = candidates::<[u128; 16]>(ranks, flip, extent, pack)?;
        for &it in sorted(&mut packed, extent) {
            take((it >> 64) as u64 ^ flip, it as u64 as usize);
        }
    }
    Ok(())
}

/// So few of the first ones are looked for without a list of all.
const FEW: usize = 1 << 12;

/// All items; or, if few of the first ones are wanted, only such as can be among these.
fn candidates<A: Array<Item: Copy + Default + Ord>>(
    ranks: Ranks<'_>,
    flip: u64,
    extent: Extent,
    pack: impl Fn((usize, u64)) -> A::Item,
) -> Result<SmallVec<A>> {
    let Extent::First(count @ 1..=FEW) = extent else { return all_of(ranks, flip, pack) };
    let mut items = ranks.all(flip).enumerate().map(pack);
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

/// All items, a block of ranks after the other.
fn all_of<A: Array<Item: Copy + Default>>(
    ranks: Ranks<'_>,
    flip: u64,
    pack: impl Fn((usize, u64)) -> A::Item,
) -> Result<SmallVec<A>> {
    let mut packed = buffer::short::<A>(iter::repeat_n(A::Item::default(), ranks.len()))?;
    let mut block = [0; BLOCK];
    let mut first = 0;
    for items in packed.chunks_mut(BLOCK) {
        let block = &mut block[..items.len()];
        ranks.write(first, flip, block);
        for ((item, &rank), index) in items.iter_mut().zip(&*block).zip(first..) {
            *item = pack((index, rank));
        }
        first += items.len();
        interrupt::check_at(first);
    }
    Ok(packed)
}

/// Leaves so many, in any order but for the last, which is returned.
fn keep_first<A: Array<Item: Copy + Ord>>(kept: &mut SmallVec<A>, count: usize) -> A::Item {
    let (_, &mut last, _) = kept.select_nth_unstable(count - 1);
    kept.truncate(count);
    last
}

/// Sorts as far as wanted, and returns what is wanted.
fn sorted<U: Ord>(packed: &mut [U], extent: Extent) -> &[U] {
    let mut compare = compare::checked(U::cmp);
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
        order_lane(Ranks::of(aview1(lane)), order, extent, &mut |rank, index| {
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
