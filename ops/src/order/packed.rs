//! The indices of a lane in order.
//!
//! One integer has what fits of an element's rank, less what all have in common, and below it the
//! index. Most dtypes and most lanes fit; where bits are left out, elements that agree in the others
//! are compared once more.

use ndarray::{ArrayView1, ArrayViewMut1};
use opwright_runtime::{Result, buffer, interrupt, multiversion};
use smallvec::SmallVec;

use super::compare;
use super::keys::SortKey;
use super::radix;
use super::rank::{Order, Ranked, Ranks};

/// Elements of a lane in order.
pub(super) struct Packed<'a> {
    ranks: Ranks<'a>,
    items: SmallVec<[u64; 32]>,
    layout: BitLayout,
}

/// What integers have where.
#[derive(Clone, Copy)]
struct BitLayout {
    /// What is done to ranks so that they are in ascending order.
    flip: u64,
    /// Taken from all ranks.
    least: u64,
    /// Lower bits of ranks that are left out.
    left_out: u32,
    /// Bits of the index.
    index: u32,
    /// Whether no two ranks differ in what is left out.
    is_exact: bool,
}

impl<'a> Packed<'a> {
    /// The elements of the lane in order; equal ones are in the order of their indices.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough for a list of all.
    pub(super) fn sorted(ranks: Ranks<'a>, order: Order) -> Result<Packed<'a>> {
        let mut items = buffer::short(std::iter::repeat_n(0, ranks.len()))?;
        let flip = if order == Order::Ascending { 0 } else { u64::MAX };
        write_ranks(ranks, flip, &mut items);
        let layout = BitLayout::of(&items, ranks.is_narrow, flip);
        let mut index = 0;
        for items in items.chunks_mut(BETWEEN_CHECKS) {
            pack(items, layout, index);
            index += items.len() as u64;
            interrupt::check_at(index as usize);
        }
        let is_sorted = u64::sort_in_registers(&mut items)
            || radix::sort(&mut items, layout.index).unwrap_or(false);
        if !is_sorted {
            compare::sort_by_comparing(&mut items);
        }
        let mut packed = Packed { ranks, items, layout };
        if !layout.is_exact {
            packed.compare_once_more()?;
        }
        Ok(packed)
    }

    /// Where the elements are.
    pub(super) fn write_indices(&self, mut out: ArrayViewMut1<'_, i64>) {
        match out.as_slice_mut() {
            Some(out) => read_indices(&self.items, self.layout, out),
            None => write(out, |at| Some(self.layout.index_of(*self.items.get(at)?) as i64)),
        }
    }

    /// The elements, which are those of the lane.
    pub(super) fn write_values<T: Ranked>(
        &self,
        lane: ArrayView1<'_, T>,
        out: ArrayViewMut1<'_, T>,
    ) {
        let Packed { items, layout, .. } = self;
        let there = |item| lane[layout.index_of(item)];
        if layout.is_exact {
            // The elements are far apart in memory, their ranks are at hand.
            let value = |item| T::of_rank(layout.rank_of(item)).unwrap_or_else(|| there(item));
            write(out, |at| items.get(at).map(|&item| value(item)));
        } else {
            write(out, |at| items.get(at).map(|&item| there(item)));
        }
    }

    /// Puts elements in order that only differ in what was left out of their ranks.
    fn compare_once_more(&mut self) -> Result<()> {
        let Packed { ranks, items, layout } = self;
        let rank = |item| ranks.at(layout.index_of(item)) ^ layout.flip;
        let (mut end, mut ties) = (0, 0);
        while let Some(start) = next_tie(items, end, layout.index) {
            let all = items[start] >> layout.index;
            let run = items[start..].iter().take_while(|&item| item >> layout.index == all).count();
            end = start + run;
            ties += 1;
            interrupt::check_at(ties);
            let run = &mut items[start..end];
            let mut ranked: SmallVec<[(u64, u64); 8]> =
                buffer::short(run.iter().map(|&item| (rank(item), item)))?;
            ranked.sort_unstable_by(compare::checked(Ord::cmp));
            run.iter_mut().zip(ranked).for_each(|(slot, (_, item))| *slot = item);
        }
        Ok(())
    }
}

/// How many elements are looked at between two checks for an interrupt.
const BETWEEN_CHECKS: usize = 1 << 16;

/// Writes what stands for each element in this order.
fn write_ranks(ranks: Ranks<'_>, flip: u64, to: &mut [u64]) {
    let mut first = 0;
    for to in to.chunks_mut(BETWEEN_CHECKS) {
        ranks.write(first, flip, to);
        first += to.len();
        if to.len() == BETWEEN_CHECKS {
            interrupt::check();
        }
    }
}

multiversion! {
    /// The least and the greatest rank, and the bits in which they differ.
    avx512 fn range(ranks: &[u64]) -> [u64; 3] {
        let first = ranks.first().copied().unwrap_or_default();
        let mut all = [first, first, 0];
        for &rank in ranks {
            all = [all[0].min(rank), all[1].max(rank), all[2] | (rank ^ first)];
        }
        all
    }

    avx512 fn read_indices(items: &[u64], layout: BitLayout, out: &mut [i64]) {
        for (slot, &item) in out.iter_mut().zip(items) {
            *slot = layout.index_of(item) as i64;
        }
    }

    /// The first place from one on whose item agrees with the next one above the index.
    avx512 fn next_tie(items: &[u64], from: usize, index: u32) -> Option<usize> {
        const TOGETHER: usize = 64;

        let mut at = from;
        while let Some(block) = items.get(at..=at + TOGETHER) {
            let ties = block.array_windows().map(|[it, next]| u64::from((it ^ next) >> index == 0));
            if ties.sum::<u64>() > 0 {
                break;
            }
            at += TOGETHER;
        }
        let rest = items[at.min(items.len())..].array_windows();
        let tie = rest.into_iter().position(|[it, next]| (it ^ next) >> index == 0);
        tie.map(|tie| at + tie)
    }

    /// Puts the index below what is left of each rank.
    avx512 fn pack(ranks: &mut [u64], layout: BitLayout, first: u64) {
        let BitLayout { least, left_out, index, .. } = layout;
        for (at, rank) in ranks.iter_mut().enumerate() {
            *rank = (*rank - least) >> left_out << index | (first + at as u64);
        }
    }
}

impl BitLayout {
    fn of(ranks: &[u64], is_narrow: bool, flip: u64) -> BitLayout {
        if is_narrow && u32::try_from(ranks.len()).is_ok() {
            let least = flip << u32::BITS;
            return BitLayout { flip, least, left_out: 0, index: u32::BITS, is_exact: true };
        }
        let [least, greatest, differing] = range(ranks);
        let index = usize::BITS - ranks.len().saturating_sub(1).leading_zeros();
        let width = u64::BITS - (greatest - least).leading_zeros();
        let left_out = (width + index).saturating_sub(u64::BITS);
        BitLayout { flip, least, left_out, index, is_exact: left_out <= differing.trailing_zeros() }
    }

    #[inline(always)]
    fn index_of(self, item: u64) -> usize {
        (item & ((1 << self.index) - 1)) as usize
    }

    #[inline(always)]
    fn rank_of(self, item: u64) -> u64 {
        ((item >> self.index << self.left_out) + self.least) ^ self.flip
    }
}

/// Writes what belongs at each index, until there is nothing.
pub(super) fn write<T: Copy>(mut out: ArrayViewMut1<'_, T>, value: impl Fn(usize) -> Option<T>) {
    let (first, step) = (out.as_mut_ptr(), out.strides()[0]);
    for at in 0..out.len() {
        interrupt::check_at(at + 1);
        let Some(value) = value(at) else { return };
        // SAFETY: the view has an element of this index.
        unsafe { first.wrapping_offset(at as isize * step).write(value) };
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use ndarray::{aview_mut1, aview1};
    use opwright_runtime::f16;

    /// Calls `check` with numbers of many kinds, in lists around the sizes at which something else
    /// sorts them.
    pub(in crate::order) fn for_lists(mut check: impl FnMut(&[u64])) {
        let random = |at: u64| (at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let lengths = (0..40).chain([63, 64, 65, 127, 128, 129, 200, 255, 256, 257, 300, 777]);
        for length in lengths.chain([1023, 1025, 4095, 4097, 9999]) {
            let kinds: [fn(u64) -> u64; 6] =
                [|it| it, |it| it % 3, |_| 7, |it| it >> 40 << 40, |it| it % 1000, |it| it >> 63];
            for kind in kinds {
                check(&(0..length).map(|at| kind(random(at))).collect::<Vec<_>>());
            }
            check(&(0..length).collect::<Vec<_>>());
            check(&(0..length).rev().collect::<Vec<_>>());
        }
    }

    /// Doubles with zeros of both signs, infinities and many things that are not numbers.
    pub(in crate::order) fn strange(bits: u64) -> f64 {
        match bits % 11 {
            0 => 0.0,
            1 => -0.0,
            2 => f64::from_bits(0x7ff8_0000_0000_0000 | (bits % 1000)),
            3 => f64::from_bits(0xfff8_0000_0000_0000 | (bits % 1000)),
            4 => f64::INFINITY,
            5 => f64::NEG_INFINITY,
            6 => 1.0 + (bits >> 11) as f64 * 1e-30,
            _ => f64::from_bits(bits),
        }
    }

    #[track_caller]
    fn check<T: Ranked>(lane: &[T]) {
        for order in [Order::Ascending, Order::Descending] {
            let mut expected: Vec<usize> = (0..lane.len()).collect();
            match order {
                Order::Ascending => expected.sort_by_key(|&at| lane[at].rank()),
                Order::Descending => expected.sort_by_key(|&at| !lane[at].rank()),
            }
            let sorted = Packed::sorted(Ranks::of(aview1(lane)), order).unwrap();
            let (mut values, mut indices) = (vec![T::default(); lane.len()], vec![0; lane.len()]);
            sorted.write_values(aview1(lane), aview_mut1(&mut values));
            sorted.write_indices(aview_mut1(&mut indices));
            assert!(expected.iter().zip(&indices).all(|(&a, &b)| a as i64 == b));
            let expected: Vec<T> = expected.iter().map(|&at| lane[at]).collect();
            assert_eq!(bytes_of(&values), bytes_of(&expected));
        }
    }

    pub(in crate::order) fn bytes_of<T>(items: &[T]) -> &[u8] {
        // SAFETY: numbers have no bytes but their own.
        unsafe { std::slice::from_raw_parts(items.as_ptr().cast(), size_of_val(items)) }
    }

    #[test]
    fn equal_elements_keep_their_order_and_bits() {
        for_lists(|bits| {
            check(&bits.iter().map(|&it| it as i64).collect::<Vec<_>>());
            check(&bits.iter().map(|&it| it as u8).collect::<Vec<_>>());
            check(&bits.iter().map(|&it| it % 2 == 0).collect::<Vec<_>>());
            check(&bits.iter().map(|&it| strange(it)).collect::<Vec<_>>());
            check(&bits.iter().map(|&it| f32::from_bits(it as u32)).collect::<Vec<_>>());
            check(&bits.iter().map(|&it| strange(it) as f32).collect::<Vec<_>>());
            check(&bits.iter().map(|&it| f16::from_f64(strange(it))).collect::<Vec<_>>());
        });
    }

    #[test]
    fn what_was_left_out_is_compared() {
        // All but one agree in more bits than fit beside the index.
        let close = |at: u64| 1.0 + f64::EPSILON * (at * 7919 % 5003) as f64;
        check(&(0..5000).map(close).chain([1e300, f64::NAN]).collect::<Vec<_>>());
        let near: Vec<i64> = (0..5000).map(|at| i64::MIN + (at * 7919) % 13).collect();
        check(&[&near[..], &[i64::MAX]].concat());
    }

    #[test]
    fn lanes_may_lie_apart() {
        let all: Vec<f64> = (0..3000_u64).map(|it| strange(it.wrapping_mul(it))).collect();
        let lane = ndarray::ArrayView2::from_shape((1000, 3), &all).unwrap();
        let sorted = Packed::sorted(Ranks::of(lane.column(1)), Order::Ascending).unwrap();
        let dense = lane.column(1).to_vec();
        let expected = Packed::sorted(Ranks::of(aview1(&dense)), Order::Ascending).unwrap();
        assert_eq!(sorted.items, expected.items);
    }
}
