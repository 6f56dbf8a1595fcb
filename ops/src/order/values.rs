//! The elements of a lane in order, without their indices.

use std::ops::Range;

use ndarray::{ArrayView1, ArrayViewMut1};
use opwright_runtime::{Result, buffer, interrupt, multiversion};

use super::keys::SortKey;
use super::rank::Ranked;
use super::{compare, packed, radix};

/// Writes the elements in ascending order; equal ones in the order of their indices.
///
/// # Errors
///
/// `Memory` if there is not enough for a list of all.
pub(super) fn write_values<T: Ranked>(
    lane: ArrayView1<'_, T>,
    out: ArrayViewMut1<'_, T>,
) -> Result<()> {
    // Each is compiled for its elements alone.
    match const { T::IS_NARROW } {
        true => write_by::<T, u32>(lane, out),
        false => write_by::<T, u64>(lane, out),
    }
}

fn write_by<T: Ranked, K: SortKey>(
    lane: ArrayView1<'_, T>,
    mut out: ArrayViewMut1<'_, T>,
) -> Result<()> {
    match out.as_slice_mut() {
        Some(out) if size_of::<T>() == size_of::<K>() => {
            // SAFETY: both are numbers of the same size, which may have any bits and are aligned
            // alike; only one of the slices is used at a time.
            let ranks =
                unsafe { std::slice::from_raw_parts_mut(out.as_mut_ptr().cast(), out.len()) };
            let several = sorted_ranks::<T, K>(lane, ranks);
            read_in_place(out, K::default());
            write_several(lane, several, out);
        }
        Some(out) => {
            let mut ranks = buffer::filled(lane.len(), K::default())?;
            let several = sorted_ranks::<T, K>(lane, &mut ranks);
            read_ranks(&ranks, out);
            write_several(lane, several, out);
        }
        None => {
            let mut sorted = buffer::filled(lane.len(), T::default())?;
            write_by::<T, K>(lane, ArrayViewMut1::from(&mut sorted))?;
            packed::write(out, |at| sorted.get(at).copied());
        }
    }
    Ok(())
}

/// Ranks that several elements have, and where these are: zeros of both signs, and what is not a
/// number.
type Several = [(u64, Range<usize>); 2];

/// Writes the ranks of a lane in ascending order.
fn sorted_ranks<T: Ranked, K: SortKey>(lane: ArrayView1<'_, T>, ranks: &mut [K]) -> Several {
    match lane.as_slice() {
        Some(lane) => write_ranks(lane, ranks),
        None => {
            for (at, rank) in ranks.iter_mut().enumerate() {
                *rank = K::of_rank(lane[at].rank());
            }
        }
    }
    sort(ranks);
    let place =
        |rank| (rank, if T::of_rank(rank).is_some() { 0..0 } else { place_of(ranks, rank) });
    [place(T::default().rank()), place(K::of_rank(u64::MAX).rank())]
}

/// Sorts keys in ascending order.
fn sort<K: SortKey>(keys: &mut [K]) {
    // Without memory for it, it takes longer.
    if !K::sort_in_registers(keys) && !radix::sort(keys, 0).unwrap_or(false) {
        compare::sort_by_comparing(keys);
    }
}

/// Where a rank is among ranks in ascending order.
fn place_of<K: SortKey>(ranks: &[K], rank: u64) -> Range<usize> {
    let start = ranks.partition_point(|it| it.rank() < rank);
    start..ranks.partition_point(|it| it.rank() <= rank)
}

/// Writes the elements of those ranks in the order of their indices.
fn write_several<T: Ranked>(lane: ArrayView1<'_, T>, several: Several, out: &mut [T]) {
    for (rank, place) in several {
        if place.is_empty() {
            continue;
        }
        let mut slots = &mut out[place];
        for at in 0..lane.len() {
            interrupt::check_at(at + 1);
            // SAFETY: the lane has as many elements.
            let it = unsafe { *lane.uget(at) };
            if it.rank() == rank
                && let Some(slot) = slots.split_off_first_mut()
            {
                *slot = it;
            }
        }
    }
}

/// The element of this rank, or anything if there are several.
#[inline(always)]
fn of_rank<T: Ranked>(rank: u64) -> T {
    T::of_rank(rank).unwrap_or_default()
}

multiversion! {
    avx512 fn write_ranks<T, K>(lane: &[T], ranks: &mut [K])
    where
        [T: Ranked, K: SortKey]
    {
        for (rank, it) in ranks.iter_mut().zip(lane) {
            *rank = K::of_rank(it.rank());
        }
    }

    /// The elements in place of their ranks, which are of such a type.
    avx512 fn read_in_place<T, K>(out: &mut [T], _like: K)
    where
        [T: Ranked, K: SortKey]
    {
        assert!(size_of::<T>() == size_of::<K>() && align_of::<T>() == align_of::<K>());
        for it in out {
            // SAFETY: both are numbers of the same size, and keys may have any bits.
            let rank = unsafe { std::ptr::from_mut(it).cast::<K>().read() };
            *it = of_rank(rank.rank());
        }
    }

    avx512 fn read_ranks<T, K>(ranks: &[K], out: &mut [T])
    where
        [T: Ranked, K: SortKey]
    {
        for (rank, it) in ranks.iter().zip(out) {
            *it = of_rank(rank.rank());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::packed::tests::{bytes_of, for_lists, strange};
    use ndarray::{aview_mut1, aview1};
    use opwright_runtime::bf16;

    #[track_caller]
    fn check<T: Ranked>(lane: &[T]) {
        let mut expected = lane.to_vec();
        expected.sort_by_key(|it| it.rank());
        let mut values = vec![T::default(); lane.len()];
        write_values(aview1(lane), aview_mut1(&mut values)).unwrap();
        assert_eq!(bytes_of(&values), bytes_of(&expected));
        let mut apart = ndarray::Array2::default((lane.len(), 2));
        write_values(aview1(lane), apart.column_mut(1)).unwrap();
        assert_eq!(bytes_of(&apart.column(1).to_vec()), bytes_of(&expected));
    }

    #[test]
    fn values_are_those_of_a_stable_sort() {
        for_lists(|bits| {
            check(&bits.iter().map(|&it| it as i64).collect::<Vec<_>>());
            check(&bits.iter().map(|&it| it as i32).collect::<Vec<_>>());
            check(&bits.iter().map(|&it| it as i16).collect::<Vec<_>>());
            check(&bits.iter().map(|&it| it % 2 == 0).collect::<Vec<_>>());
            check(&bits.iter().map(|&it| strange(it)).collect::<Vec<_>>());
            check(&bits.iter().map(|&it| f32::from_bits(it as u32)).collect::<Vec<_>>());
            check(&bits.iter().map(|&it| strange(it) as f32).collect::<Vec<_>>());
            check(&bits.iter().map(|&it| bf16::from_f64(strange(it))).collect::<Vec<_>>());
        });
    }

    #[track_caller]
    fn check_sort<K: SortKey + std::fmt::Debug>(mut keys: Vec<K>) {
        let mut expected = keys.clone();
        expected.sort();
        sort(&mut keys);
        assert_eq!(keys, expected);
    }

    #[test]
    fn keys_of_all_kinds_are_sorted() {
        for_lists(|bits| {
            check_sort(bits.to_vec());
            check_sort(bits.iter().map(|&it| it as u32).collect::<Vec<_>>());
            check_sort(bits.iter().map(|&it| !it % 5).collect::<Vec<_>>());
            check_sort(bits.iter().map(|&it| u32::MAX - (it % 2) as u32).collect::<Vec<_>>());
        });
        // Up, and down again.
        check_sort((0..50_000_u64).chain((0..50_000).rev()).collect::<Vec<_>>());
    }
}
