//! The indices of a lane in order.
//!
//! One integer has what fits of an element's rank, less what all have in common, and below it the
//! index. Most dtypes and most lanes fit; where bits are left out, elements that agree in the others
//! are compared once more.

use ndarray::{ArrayView1, ArrayViewMut1};
use opwright_runtime::{Result, buffer, interrupt, multiversion};
use smallvec::SmallVec;

use super::keys::{self, Key};
use super::radix;
use super::rank::{Order, Ranked};

/// Elements of a lane in order.
pub(super) struct Packed<'a, T> {
    lane: ArrayView1<'a, T>,
    items: SmallVec<[u64; 32]>,
    layout: Layout,
}

/// What integers have where.
#[derive(Clone, Copy)]
struct Layout {
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

/// So many elements are sorted by digits: fewer are compared sooner.
const WORTH_DIGITS: usize = 1 << 10;

impl<'a, T: Ranked> Packed<'a, T> {
    /// The elements of the lane in order; equal ones are in the order of their indices.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough for a list of all.
    pub(super) fn sorted(lane: ArrayView1<'a, T>, order: Order) -> Result<Packed<'a, T>> {
        let mut items = buffer::short(std::iter::repeat_n(0, lane.len()))?;
        let flip = if order == Order::Ascending { 0 } else { u64::MAX };
        write_ranks(lane, flip, &mut items);
        let layout = Layout::of::<T>(&items, flip);
        let mut index = 0;
        for items in items.chunks_mut(BETWEEN_CHECKS) {
            pack(items, layout, index);
            index += items.len() as u64;
        }
        let is_sorted = u64::sort_in_registers(&mut items)
            || items.len() >= WORTH_DIGITS && radix::sort(&mut items, layout.index)?;
        if !is_sorted {
            keys::sort(&mut items);
        }
        let mut packed = Packed { lane, items, layout };
        if !layout.is_exact {
            packed.compare_once_more()?;
        }
        Ok(packed)
    }

    /// Where the elements are.
    pub(super) fn write_indices(&self, mut out: ArrayViewMut1<'_, i64>) {
        match out.as_slice_mut() {
            Some(out) => read_indices(&self.items, self.layout, out),
            None => write(out, self.items.iter().map(|&it| self.layout.index_of(it) as i64)),
        }
    }

    /// The elements.
    pub(super) fn write_values(&self, out: ArrayViewMut1<'_, T>) {
        let Packed { lane, items, layout } = self;
        let there = |item| lane[layout.index_of(item)];
        if layout.is_exact {
            // The elements are far apart in memory, their ranks are at hand.
            let value = |&item| T::of_rank(layout.rank_of(item)).unwrap_or_else(|| there(item));
            write(out, items.iter().map(value));
        } else {
            write(out, items.iter().map(|&item| there(item)));
        }
    }

    /// Puts elements in order that only differ in what was left out of their ranks.
    fn compare_once_more(&mut self) -> Result<()> {
        let Packed { lane, items, layout } = self;
        let rank = |item| lane[layout.index_of(item)].rank() ^ layout.flip;
        let mut end = 0;
        while let Some(start) = next_tie(items, end, layout.index) {
            let all = items[start] >> layout.index;
            let run = items[start..].iter().take_while(|&item| item >> layout.index == all).count();
            end = start + run;
            let run = &mut items[start..end];
            let mut ranked: SmallVec<[(u64, u64); 8]> =
                buffer::short(run.iter().map(|&item| (rank(item), item)))?;
            ranked.sort_unstable_by(keys::checked(Ord::cmp));
            run.iter_mut().zip(ranked).for_each(|(slot, (_, item))| *slot = item);
        }
        Ok(())
    }
}

/// How many elements are looked at between two checks for an interrupt.
const BETWEEN_CHECKS: usize = 1 << 16;

/// Writes what stands for each element in this order.
fn write_ranks<T: Ranked>(lane: ArrayView1<'_, T>, flip: u64, to: &mut [u64]) {
    let Some(lane) = lane.as_slice() else {
        return interrupt::checked(to.iter_mut().zip(lane))
            .for_each(|(to, it)| *to = it.rank() ^ flip);
    };
    for (lane, to) in lane.chunks(BETWEEN_CHECKS).zip(to.chunks_mut(BETWEEN_CHECKS)) {
        ranks(lane, flip, to);
        if to.len() == BETWEEN_CHECKS {
            interrupt::check();
        }
    }
}

multiversion! {
    wide fn ranks<T>(lane: &[T], flip: u64, to: &mut [u64])
    where
        [T: Ranked]
    {
        for (to, it) in to.iter_mut().zip(lane) {
            *to = it.rank() ^ flip;
        }
    }

    /// The least and the greatest rank, and the bits in which they differ.
    wide fn range(ranks: &[u64]) -> [u64; 3] {
        let first = ranks.first().copied().unwrap_or_default();
        let mut all = [first, first, 0];
        for &rank in ranks {
            all = [all[0].min(rank), all[1].max(rank), all[2] | (rank ^ first)];
        }
        all
    }

    wide fn read_indices(items: &[u64], layout: Layout, out: &mut [i64]) {
        for (slot, &item) in out.iter_mut().zip(items) {
            *slot = layout.index_of(item) as i64;
        }
    }

    /// The first place from one on whose item agrees with the next one above the index.
    wide fn next_tie(items: &[u64], from: usize, index: u32) -> Option<usize> {
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
    wide fn pack(ranks: &mut [u64], layout: Layout, first: u64) {
        let Layout { least, left_out, index, .. } = layout;
        for (at, rank) in ranks.iter_mut().enumerate() {
            *rank = (*rank - least) >> left_out << index | (first + at as u64);
        }
    }
}

impl Layout {
    fn of<T: Ranked>(ranks: &[u64], flip: u64) -> Layout {
        if T::IS_NARROW && u32::try_from(ranks.len()).is_ok() {
            let least = flip << u32::BITS;
            return Layout { flip, least, left_out: 0, index: u32::BITS, is_exact: true };
        }
        let [least, greatest, differing] = range(ranks);
        let index = usize::BITS - ranks.len().saturating_sub(1).leading_zeros();
        let width = u64::BITS - (greatest - least).leading_zeros();
        let left_out = (width + index).saturating_sub(u64::BITS);
        Layout { flip, least, left_out, index, is_exact: left_out <= differing.trailing_zeros() }
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

/// Writes as many as there are.
fn write<T>(mut out: ArrayViewMut1<'_, T>, values: impl Iterator<Item = T>) {
    match out.as_slice_mut() {
        Some(out) => out.iter_mut().zip(values).for_each(|(slot, value)| *slot = value),
        None => out.iter_mut().zip(values).for_each(|(slot, value)| *slot = value),
    }
}
