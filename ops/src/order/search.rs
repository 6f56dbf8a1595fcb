//! Places in sorted sequences.

use std::hint::select_unpredictable;

use ndarray::ArrayView1;
use opwright_macros::native_op;
use opwright_runtime::dtype::Ordered;
use opwright_runtime::geometry::Dims;
use opwright_runtime::{
    DType, Result, Scalar, SearchSide, Tensor, along_dim, buffer, dispatch, ensure, fail,
    interrupt, multiversion, view,
};

use crate::ops;

/// The side that the arguments `right` and `side` say, which must not contradict.
fn side_of(right: bool, side: Option<SearchSide>) -> Result<SearchSide> {
    match side {
        None => Ok(if right { SearchSide::Right } else { SearchSide::Left }),
        Some(SearchSide::Left) if right => {
            fail!(
                Runtime,
                "side and right can't be set to opposites, got side of left while right was True"
            )
        }
        Some(side) => Ok(side),
    }
}

/// So many values are looked for side by side.
const TOGETHER: usize = 16;

multiversion! {
    /// Writes the first places in an ascending sequence before which values fit.
    avx512 fn write_places<T>(sequence: &[T], values: &[T], side: SearchSide, places: &mut [i64])
    where
        [T: Ordered]
    {
        match side {
            SearchSide::Left => places_by(sequence, values, places, |element, value| element >= value),
            SearchSide::Right => places_by(sequence, values, places, |element, value| element > value),
        }
    }
}

#[inline(always)]
fn places_by<T: Ordered>(
    sequence: &[T],
    values: &[T],
    places: &mut [i64],
    is_behind: impl Fn(T, T) -> bool + Copy,
) {
    let (chunks, rest) = values.as_chunks::<TOGETHER>();
    let (slots, last_slots) = places.as_chunks_mut::<TOGETHER>();
    for (at, (values, places)) in chunks.iter().zip(slots).enumerate() {
        interrupt::check_at(at + 1);
        *places = places_of(sequence, *values, is_behind);
    }
    for (&value, place) in rest.iter().zip(last_slots) {
        [*place] = places_of(sequence, [value], is_behind);
    }
}

/// All halve what is left of their sequence together, so that nobody waits for what another reads,
/// and nothing depends on guesses.
#[inline(always)]
fn places_of<T: Ordered, const N: usize>(
    sequence: &[T],
    values: [T; N],
    is_behind: impl Fn(T, T) -> bool,
) -> [i64; N] {
    let (mut low, mut high) = ([0; N], [sequence.len(); N]);
    if sequence.is_empty() {
        return [0; N];
    }
    let last = sequence.len() - 1;
    for _ in 0..usize::BITS - sequence.len().leading_zeros() {
        for ((low, high), &value) in low.iter_mut().zip(&mut high).zip(&values) {
            let middle = (*low + *high) / 2;
            // Who has found its place stays there. What is not a number belongs behind everything.
            let is_low = is_behind(sequence[middle.min(last)], value) | (*low == *high);
            *low = select_unpredictable(is_low, *low, middle + 1);
            *high = select_unpredictable(is_low, middle, *high);
        }
    }
    let mut places = [0; N];
    for (place, low) in places.iter_mut().zip(low) {
        *place = low as i64;
    }
    places
}

#[native_op(searchsorted.Tensor)]
fn searchsorted(
    sorted_sequence: &Tensor,
    self_: &Tensor,
    out_int32: bool,
    right: bool,
    side: Option<SearchSide>,
    sorter: Option<&Tensor>,
) -> Result<Tensor> {
    let side = side_of(right, side)?;
    search(sorted_sequence, self_, side, out_int32, sorter)
}

fn search(
    sorted_sequence: &Tensor,
    values: &Tensor,
    side: SearchSide,
    out_int32: bool,
    sorter: Option<&Tensor>,
) -> Result<Tensor> {
    check_sequence(sorted_sequence, values)?;
    let whole = values.shape();
    let sequence = match sorter {
        Some(sorter) => sorted(sorted_sequence, sorter)?,
        None if sorted_sequence.device().is_meta() => sorted_sequence.clone(),
        // Once, and not for each row that is looked up in it.
        None => sorted_sequence.to_contiguous()?,
    };
    let values = if values.ndim() == 0 { view::unsqueeze(values, 0)? } else { values.clone() };
    let mut shape = Dims::from_slice(values.shape());
    let last = shape.len() - 1;
    shape[last] = sequence.shape()[sequence.ndim() - 1];
    let sequence = view::expand(&sequence, &shape)?;
    let mut places = Tensor::allocate(values.shape(), DType::Int64, values.device())?;
    if !places.device().is_meta() {
        dispatch!(values.dtype(), "searchsorted", ordered, |T| {
            // SAFETY: the function uses nothing but its lanes, and threads that share a
            // tensor leave it alone while an operator uses it.
            unsafe {
                along_dim::binary(
                    &sequence,
                    &values,
                    &mut places,
                    last,
                    |sequence: ArrayView1<'_, T>, values: ArrayView1<'_, T>, mut places| {
                        let mut copies = [Vec::new(), Vec::new()];
                        let [first, second] = &mut copies;
                        let sequence = dense(&sequence, first)?;
                        let values = dense(&values, second)?;
                        if let Some(places) = places.as_slice_mut() {
                            write_places(sequence, values, side, places);
                        } else {
                            let mut found = buffer::filled(values.len(), 0)?;
                            write_places(sequence, values, side, &mut found);
                            places.iter_mut().zip(found).for_each(|(place, it)| *place = it);
                        }
                        Ok(())
                    },
                )
            }
        })?;
    }
    let places = view::reshape(&places, whole)?;
    if out_int32 { places.to_dtype(DType::Int32) } else { Ok(places) }
}

/// The elements of a lane as neighbours, copied to a list if they are not.
fn dense<'a, T: Copy>(lane: &'a ArrayView1<'_, T>, room: &'a mut Vec<T>) -> Result<&'a [T]> {
    match lane.as_slice() {
        Some(lane) => Ok(lane),
        None => {
            *room = buffer::lane(lane)?;
            Ok(room)
        }
    }
}

fn check_sequence(sequence: &Tensor, values: &Tensor) -> Result<()> {
    let (ndim, other) = (sequence.ndim(), values.ndim());
    ensure!(
        sequence.dtype() == values.dtype(),
        Runtime,
        "input value tensor and boundary tensor should have same dtype, but got {} and {}",
        values.dtype(),
        sequence.dtype()
    );
    let fits = ndim == 1
        || (ndim == other
            && ndim > 0
            && sequence.shape()[..ndim - 1] == values.shape()[..ndim - 1]);
    ensure!(
        fits,
        Runtime,
        "sorted_sequence should be 1 dimension or the first N-1 dimensions of sorted_sequence \
         and of the values must match, but we got {:?} and {:?}",
        sequence.shape(),
        values.shape()
    );
    Ok(())
}

/// The elements at the indices that sort them.
fn sorted(sequence: &Tensor, sorter: &Tensor) -> Result<Tensor> {
    ensure!(
        sorter.shape() == sequence.shape(),
        Runtime,
        "sorted_sequence and sorter must have the same size, but got {:?} and {:?}",
        sequence.shape(),
        sorter.shape()
    );
    ensure!(
        sorter.dtype() == DType::Int64,
        Runtime,
        "sorter must be a tensor of int64 dtype, but got dtype {}",
        sorter.dtype()
    );
    ops::gather::Default_::call(sequence, -1, sorter, false)
}

#[native_op(searchsorted.Scalar)]
fn searchsorted_scalar(
    sorted_sequence: &Tensor,
    self_: Scalar,
    out_int32: bool,
    right: bool,
    side: Option<SearchSide>,
    sorter: Option<&Tensor>,
) -> Result<Tensor> {
    let (value, side) = value_for(self_, sorted_sequence, side_of(right, side)?)?;
    search(sorted_sequence, &value, side, out_int32, sorter)
}

/// A number as a tensor without dimensions that goes with a sequence. Where the sequence is of
/// integers it is the one, and the side of it, at which the number's own place is.
fn value_for(value: Scalar, sequence: &Tensor, side: SearchSide) -> Result<(Tensor, SearchSide)> {
    let dtype = sequence.dtype();
    let limits = if dtype.is_boolean() { Some((0, 1)) } else { dtype.integer_range() };
    let filled = |value| Tensor::filled(&[], value, dtype, sequence.device());
    let Some((least, greatest)) = limits else { return Ok((filled(value)?, side)) };
    let (value, side) = whole_place(value, side, least, greatest)?;
    let number = match dtype {
        DType::UInt64 if !sequence.device().is_meta() => Tensor::from_slice(&[], &[value as u64])?,
        _ => filled(Scalar::Int(value as i64))?,
    };
    Ok((number, side))
}

/// The integer within limits, and the side of it, at which a number has its place.
fn whole_place(
    value: Scalar,
    side: SearchSide,
    least: i64,
    greatest: u64,
) -> Result<(i128, SearchSide)> {
    let whole = match value {
        Scalar::Bool(it) => i128::from(it),
        Scalar::Int(it) => i128::from(it),
        // What is not a number belongs behind everything.
        Scalar::Float(it) if it.is_nan() => i128::MAX,
        Scalar::Float(it) => match side {
            SearchSide::Left => it.ceil() as i128,
            SearchSide::Right => it.floor() as i128,
        },
        Scalar::Complex(_) => fail!(Runtime, "a complex number has no place in an order"),
    };
    Ok(if whole > i128::from(greatest) {
        (i128::from(greatest), SearchSide::Right)
    } else if whole < i128::from(least) {
        (i128::from(least), SearchSide::Left)
    } else {
        (whole, side)
    })
}

#[native_op(bucketize.Tensor)]
fn bucketize(self_: &Tensor, boundaries: &Tensor, out_int32: bool, right: bool) -> Result<Tensor> {
    check_boundaries(boundaries)?;
    searchsorted(boundaries, self_, out_int32, right, None, None)
}

fn check_boundaries(boundaries: &Tensor) -> Result<()> {
    ensure!(
        boundaries.ndim() == 1,
        Runtime,
        "boundaries tensor must be 1 dimension, but got dim({})",
        boundaries.ndim()
    );
    Ok(())
}

#[native_op(bucketize.Scalar)]
fn bucketize_scalar(
    self_: Scalar,
    boundaries: &Tensor,
    out_int32: bool,
    right: bool,
) -> Result<Tensor> {
    check_boundaries(boundaries)?;
    let (value, side) = value_for(self_, boundaries, side_of(right, None)?)?;
    search(boundaries, &value, side, out_int32, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks for one value after the other.
    fn place_of(sequence: &[f64], is_behind: impl Fn(f64) -> bool) -> i64 {
        let (mut low, mut high) = (0, sequence.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if is_behind(sequence[middle]) { high = middle } else { low = middle + 1 }
        }
        low as i64
    }

    #[test]
    fn several_places_are_those_of_each() {
        let values: Vec<f64> = (0..75).map(|at| f64::from(at * 29 % 41)).collect();
        let values = [&values[..], &[f64::NAN, f64::INFINITY, -0.0, -1.0]].concat();
        for length in [0, 1, 2, 3, 7, 8, 9, 40, 100] {
            let mut sequence: Vec<f64> = (0..length).map(|at| f64::from(at / 2)).collect();
            for _ in 0..2 {
                let mut places = vec![-1; values.len()];
                write_places(&sequence, &values, SearchSide::Left, &mut places);
                for (&place, &value) in places.iter().zip(&values) {
                    assert_eq!(place, place_of(&sequence, |it| it >= value));
                }
                write_places(&sequence, &values, SearchSide::Right, &mut places);
                for (&place, &value) in places.iter().zip(&values) {
                    assert_eq!(place, place_of(&sequence, |it| it > value));
                }
                // Also where the last ones are not numbers.
                sequence.iter_mut().rev().take(3).for_each(|it| *it = f64::NAN);
            }
        }
    }
}
