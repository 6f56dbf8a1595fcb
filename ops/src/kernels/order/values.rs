//! The elements of a lane in order, without their indices.

use ndarray::{ArrayView1, ArrayViewMut1, s};
use opwright_runtime::{Result, buffer, interrupt, multiversion};

use super::keys::{self, Key};
use super::packed::write;
use super::rank::Ranked;

/// Writes the elements in ascending order; equal ones in the order of their indices.
///
/// # Errors
///
/// `Memory` if there is not enough for a list of all.
pub(super) fn write_values<T: Ranked>(
    lane: ArrayView1<'_, T>,
    out: ArrayViewMut1<'_, T>,
) -> Result<()> {
    if T::IS_NARROW { write_by::<T, u32>(lane, out) } else { write_by::<T, u64>(lane, out) }
}

fn write_by<T: Ranked, K: Key>(
    lane: ArrayView1<'_, T>,
    mut out: ArrayViewMut1<'_, T>,
) -> Result<()> {
    let mut ranks = buffer::filled(lane.len(), K::default())?;
    match lane.as_slice() {
        Some(lane) => write_ranks(lane, &mut ranks),
        None => ranks.iter_mut().zip(lane).for_each(|(rank, it)| *rank = K::of_rank(it.rank())),
    }
    keys::sort(&mut ranks);
    match out.as_slice_mut() {
        Some(out) => read_ranks(&ranks, out),
        None => write(out.view_mut(), ranks.iter().map(|it| of_rank(it.rank()))),
    }
    for rank in [T::default().rank(), K::of_rank(u64::MAX).rank()] {
        if T::of_rank(rank).is_none() {
            write_equal(lane, &ranks, K::of_rank(rank), out.view_mut());
        }
    }
    Ok(())
}

/// The element of this rank, or anything if there are several.
#[inline(always)]
fn of_rank<T: Ranked>(rank: u64) -> T {
    T::of_rank(rank).unwrap_or_default()
}

multiversion! {
    wide fn write_ranks<T, K>(lane: &[T], ranks: &mut [K])
    where
        [T: Ranked, K: Key]
    {
        for (rank, it) in ranks.iter_mut().zip(lane) {
            *rank = K::of_rank(it.rank());
        }
    }

    wide fn read_ranks<T, K>(ranks: &[K], out: &mut [T])
    where
        [T: Ranked, K: Key]
    {
        for (rank, it) in ranks.iter().zip(out) {
            *it = of_rank(rank.rank());
        }
    }
}

/// Writes those of a rank that several elements have: zeros of both signs, and what is not a number.
fn write_equal<T: Ranked, K: Key>(
    lane: ArrayView1<'_, T>,
    ranks: &[K],
    rank: K,
    mut out: ArrayViewMut1<'_, T>,
) {
    let start = ranks.partition_point(|&it| it < rank);
    let end = ranks.partition_point(|&it| it <= rank);
    if start < end {
        let equal = lane.iter().copied().filter(|it| K::of_rank(it.rank()) == rank);
        write(out.slice_mut(s![start..end]), interrupt::checked(equal));
    }
}
