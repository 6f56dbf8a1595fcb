//! Equal elements: told apart, and counted.

use std::mem::MaybeUninit;

use opwright_macros::native_op;
use opwright_runtime::tensor::Pieces;
use opwright_runtime::{
    DType, Element, Result, Tensor, buffer, dispatch, ensure, fail, interrupt, multiversion, view,
};

#[cfg(target_arch = "x86_64")]
use super::quick;

use crate::indexing::indices::Indices;

#[native_op(bincount)]
fn bincount(self_: &Tensor, weights: Option<&Tensor>, minlength: i64) -> Result<Tensor> {
    ensure!(minlength >= 0, Runtime, "minlength should be >= 0");
    ensure!(
        self_.ndim() == 1 && (self_.dtype().is_integral() || self_.numel() == 0),
        Runtime,
        "bincount only supports 1-d non-negative integral inputs."
    );
    let numbers = Indices::new(self_)?;
    // Without signs, so that one below 0 is greater than all others.
    let greatest = numbers.all().map(|it| it as u64).max();
    let end = greatest.map_or(Ok(0), |it| i64::try_from(it).map(|it| it.saturating_add(1)));
    let Ok(end) = end else {
        fail!(Runtime, "bincount only supports 1-d non-negative integral inputs.");
    };
    let size = end.max(minlength);
    let Some(weights) = weights else {
        let mut counts = Tensor::zeroed(&[size], DType::Int64, self_.device())?;
        let slots = counts.as_mut_slice::<i64>()?;
        for start in (0..numbers.count()).step_by(BETWEEN_CHECKS) {
            let end = numbers.count().min(start + BETWEEN_CHECKS);
            for number in numbers.range(start..end) {
                *slot_of(slots, number)? += 1;
            }
            interrupt::check_at(end);
        }
        return Ok(counts);
    };
    ensure!(
        weights.shape() == self_.shape(),
        Runtime,
        "weights should be 1-d and have the same length as input"
    );
    let dtype = if weights.dtype() == DType::Float32 { DType::Float32 } else { DType::Float64 };
    let weights = weights.to_vec::<f64>()?;
    let mut sums = Tensor::zeroed(&[size], DType::Float64, self_.device())?;
    let slots = sums.as_mut_slice::<f64>()?;
    for (at, (number, weight)) in numbers.all().zip(weights).enumerate() {
        interrupt::check_at(at + 1);
        *slot_of(slots, number)? += weight;
    }
    sums.to_dtype(dtype)
}

/// Where a number is counted, which may be another one than when the greatest
/// was looked for.
fn slot_of<T>(slots: &mut [T], number: i64) -> Result<&mut T> {
    match usize::try_from(number).ok().and_then(|number| slots.get_mut(number)) {
        Some(slot) => Ok(slot),
        None => fail!(Runtime, "the numbers changed while they were counted"),
    }
}

#[native_op(unique_consecutive)]
fn unique_consecutive(
    self_: &Tensor,
    return_inverse: bool,
    return_counts: bool,
    dim: Option<i64>,
) -> Result<(Tensor, Tensor, Tensor)> {
    let (input, dim, shape) = match dim {
        Some(dim) => {
            let dim = opwright_runtime::geometry::wrap_dim(dim, self_.ndim())?;
            ensure!(dim < self_.ndim(), Index, "a tensor without dimensions has no slices");
            (self_.clone(), dim, vec![self_.shape()[dim]])
        }
        None => (view::reshape(self_, &[self_.numel() as i64])?, 0, self_.shape().to_vec()),
    };
    let none = || Tensor::allocate(&[0], DType::Int64, self_.device());
    if input.ndim() == 1 && !return_inverse && !return_counts {
        return Ok((first_of_each_run(&input)?, none()?, none()?));
    }
    let firsts = firsts_of_runs(&input, dim)?;
    let count = firsts.len();
    let places = Tensor::from_slice(&[count as i64], &firsts)?;
    let values = crate::ops::index_select::Default_::call(&input, dim as i64, &places)?;
    let lengths = || lengths_of_runs(&firsts, input.shape()[dim]);
    let inverse = if return_inverse {
        let mut inverse = buffer::with_capacity(input.shape()[dim] as usize)?;
        for (run, length) in lengths().enumerate() {
            inverse.extend(std::iter::repeat_n(run as i64, length as usize));
        }
        Tensor::from_vec(&shape, inverse)?
    } else {
        none()?
    };
    let counts = if return_counts {
        let mut counts = buffer::with_capacity(count)?;
        counts.extend(lengths());
        Tensor::from_vec(&[count as i64], counts)?
    } else {
        none()?
    };
    Ok((values, inverse, counts))
}

/// How long runs are that begin at these places, of so many slices.
fn lengths_of_runs(firsts: &[i64], slices: i64) -> impl Iterator<Item = i64> {
    let ends = firsts.iter().skip(1).copied().chain([slices]);
    firsts.iter().zip(ends).map(|(first, end)| end - first)
}

/// How many elements are compared between two checks for an interrupt.
const BETWEEN_CHECKS: usize = 1 << 16;

/// Where runs of equal slices begin.
fn firsts_of_runs(input: &Tensor, dim: usize) -> Result<Vec<i64>> {
    dispatch!(input.dtype(), "unique", all, |T| {
        let input = input.to_values::<T>()?;
        if input.ndim() == 1 {
            let input = input.to_contiguous()?;
            // SAFETY: nothing is written below, and threads that share a tensor do not
            // write to it while an operator reads it.
            return firsts_of_equal(unsafe { input.as_slice::<T>()? });
        }
        let mut order: Vec<usize> = (0..input.ndim()).collect();
        order[..=dim].rotate_right(1);
        let input = view::permute(&input, &order)?.to_contiguous()?;
        let count = input.shape()[0] as usize;
        let each = input.numel().checked_div(count).unwrap_or_default();
        // SAFETY: as above.
        let elements = unsafe { input.as_slice::<T>()? };
        let slice = |place: usize| &elements[place * each..][..each];
        let (mut firsts, mut looked_at) = (Vec::new(), 0);
        for place in 0..count {
            looked_at += each;
            if looked_at > BETWEEN_CHECKS {
                looked_at = 0;
                interrupt::check();
            }
            if place == 0 || slice(place - 1) != slice(place) {
                buffer::push(&mut firsts, place as i64)?;
            }
        }
        Ok(firsts)
    })
}

/// Where runs of equal elements begin.
fn firsts_of_equal<T: PartialEq>(elements: &[T]) -> Result<Vec<i64>> {
    let mut firsts = buffer::filled(runs_of_equal(elements) + 1, 0)?;
    // Each place is written where the next run's is to be, so that nothing depends on guesses.
    let mut runs = usize::from(!elements.is_empty());
    for (place, [before, it]) in elements.array_windows().enumerate() {
        if place % BETWEEN_CHECKS == 0 {
            interrupt::check();
        }
        firsts[runs] = place as i64 + 1;
        runs += usize::from(before != it);
    }
    firsts.truncate(runs);
    Ok(firsts)
}

/// The first element of each run of equal elements of a vector.
fn first_of_each_run(input: &Tensor) -> Result<Tensor> {
    dispatch!(input.dtype(), "unique", all, |T| {
        let input = input.to_values::<T>()?.to_contiguous()?;
        // SAFETY: what is written below is other memory, and threads that share a tensor do not
        // write to it while an operator reads it.
        let elements = unsafe { input.as_slice::<T>()? };
        Tensor::from_pieces(&[runs_of_equal(elements) as i64], |pieces| {
            write_firsts(elements, pieces);
            Ok(())
        })
    })
}

fn write_firsts<T: Element>(elements: &[T], pieces: &mut Pieces<'_, T>) {
    /// How many elements are looked at in one go.
    const BLOCK: usize = 1024;

    pieces.extend(&elements[..elements.len().min(1)]);
    // The last element of a block is the one before the first of the next.
    for start in (0..elements.len().saturating_sub(1)).step_by(BLOCK) {
        interrupt::check_at(start + BLOCK);
        let end = elements.len().min(start + BLOCK + 1);
        let block = &elements[start..end];
        // SAFETY: as many were written as is said.
        unsafe {
            pieces.extend_by::<BLOCK>(|slots| {
                firsts_in_registers(block, slots).unwrap_or_else(|| write_unequal(block, slots))
            });
        }
    }
}

/// Writes the elements that differ from the one before, one after the other: how many there are.
fn write_unequal<T: Copy + PartialEq>(elements: &[T], firsts: &mut [MaybeUninit<T>]) -> usize {
    let mut count = 0;
    for [before, it] in elements.array_windows() {
        firsts[count].write(*it);
        count += usize::from(before != it);
    }
    count
}

/// The same by instructions for integers of eight bytes, if these are and the processor has them.
fn firsts_in_registers<T: Element>(elements: &[T], firsts: &mut [MaybeUninit<T>]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if T::DTYPE == DType::Int64 && opwright_runtime::Isa::detect() >= opwright_runtime::Isa::Avx512
    {
        // SAFETY: they are `i64`, of which each may be taken for a `u64`.
        let (elements, firsts) = unsafe {
            let elements = std::slice::from_raw_parts(elements.as_ptr().cast(), elements.len());
            (elements, std::slice::from_raw_parts_mut(firsts.as_mut_ptr().cast(), firsts.len()))
        };
        // SAFETY: the processor was asked for the instructions.
        return Some(unsafe { quick::write_unequal(elements, firsts) });
    }
    let _ = (elements, firsts);
    None
}

multiversion! {
    avx512 fn runs_of_equal<T>(elements: &[T]) -> usize
    where
        [T: PartialEq]
    {
        let Some((_, others)) = elements.split_first() else { return 0 };
        let starts = elements.iter().zip(others).map(|(before, it)| usize::from(before != it));
        1 + starts.sum::<usize>()
    }
}
