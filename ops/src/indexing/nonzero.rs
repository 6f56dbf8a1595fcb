//! Indices of elements that are not zero.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use opwright_macros::native_op;
#[cfg(target_arch = "x86_64")]
use opwright_runtime::Isa;
use opwright_runtime::tensor::Pieces;
use opwright_runtime::{DType, Result, Scalar, Tensor, buffer, ensure, interrupt, view};
#[cfg(target_arch = "x86_64")]
use opwright_vecmath::with_features;

use super::zip_elements::Walk;
use crate::ops;

#[native_op(nonzero)]
fn nonzero(self_: &Tensor) -> Result<Tensor> {
    let truth = truth_of(self_)?;
    // SAFETY: what is written below is other memory, and threads that share a
    // tensor do not write to it while an operator reads it.
    let truth = unsafe { truth.as_slice::<u8>()? };
    let (shape, ndim) = (self_.shape(), self_.ndim());
    let rows = [count_true(truth) as i64, ndim as i64];
    Tensor::from_pieces(&rows, |pieces| {
        match shape {
            [] => {}
            [_] => write_places(truth, pieces),
            _ => write_rows(truth, shape, pieces),
        }
        Ok(())
    })
}

/// Writes where bytes of a vector are not 0.
fn write_places(truth: &[u8], pieces: &mut Pieces<'_, i64>) {
    for (block, line) in truth.chunks(BLOCK).enumerate() {
        interrupt::check_at((block + 1) * BLOCK);
        // SAFETY: as many were written as is said.
        unsafe {
            pieces.extend_by::<BLOCK>(|slots| true_places(line, (block * BLOCK) as i64, slots));
        }
    }
}

/// Writes the indices of bytes that are not 0, in this shape.
fn write_rows(truth: &[u8], shape: &[i64], pieces: &mut Pieces<'_, i64>) {
    let (last, ndim) = (shape.len() - 1, shape.len());
    let mut index = vec![0; ndim];
    let mut rows = vec![0; ndim * ROWS];
    let (mut columns, mut looked_at) = ([MaybeUninit::uninit(); BLOCK], 0);
    for line in truth.chunks_exact((shape[last] as usize).max(1)) {
        for (block, line) in line.chunks(BLOCK).enumerate() {
            let count = true_places(line, (block * BLOCK) as i64, &mut columns);
            // SAFETY: so many were written.
            let columns = unsafe { columns[..count].assume_init_ref() };
            for columns in columns.chunks(ROWS) {
                let slots = rows.chunks_exact_mut(ndim).zip(columns);
                slots.for_each(|(row, &column)| {
                    index[last] = column;
                    row.copy_from_slice(&index);
                });
                pieces.extend(&rows[..ndim * columns.len()]);
            }
            looked_at += line.len();
            if looked_at > BETWEEN_CHECKS {
                looked_at = 0;
                interrupt::check();
            }
        }
        next_line(&mut index[..last], shape);
    }
}

/// How many rows are written in one go.
const ROWS: usize = 64;

/// How many bytes are not 0.
fn count_true(truth: &[u8]) -> usize {
    // So few that a byte holds their number.
    let few = |bytes: &[u8]| bytes.iter().map(|&it| u8::from(it != 0)).sum::<u8>();
    truth.chunks(255).map(|bytes| usize::from(few(bytes))).sum()
}

/// Writes where bytes are not 0, counted from `first`, into at least as many slots as a block has:
/// how many are so.
fn true_places(line: &[u8], first: i64, places: &mut [MaybeUninit<i64>]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if Isa::detect() >= Isa::Avx512 {
        // SAFETY: the processor was asked for the instructions.
        return unsafe { true_places_avx512(line, first, places) };
    }
    write_true(line, first, places)
}

/// The same byte by byte; as [`push_true`].
fn write_true(line: &[u8], first: i64, places: &mut [MaybeUninit<i64>]) -> usize {
    let mut end = 0;
    for (at, &byte) in (first..).zip(line) {
        places[end].write(at);
        end += usize::from(byte != 0);
    }
    end
}

/// Bytes whose places fill a register.
#[cfg(target_arch = "x86_64")]
const LANES: usize = 8;

#[cfg(target_arch = "x86_64")]
with_features! { Avx512
    /// The same by bit masks of bytes that are not zero, 64 at a time.
    fn true_places_avx512(line: &[u8], first: i64, places: &mut [MaybeUninit<i64>]) -> usize {
        assert!(places.len() >= line.len());
        let (chunks, rest) = line.as_chunks::<64>();
        let mut row =
            _mm512_add_epi64(_mm512_set1_epi64(first), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
        let mut end = 0;
        for chunk in chunks {
            // SAFETY: so many bytes are there.
            let bytes = unsafe { _mm512_loadu_si512(chunk.as_ptr().cast()) };
            for lanes in _mm512_test_epi8_mask(bytes, bytes).to_le_bytes() {
                let found = _mm512_maskz_compress_epi64(lanes, row);
                let slots = &mut places[end..][..LANES];
                // SAFETY: there is room for a register.
                unsafe { _mm512_storeu_epi64(slots.as_mut_ptr().cast(), found) };
                end += lanes.count_ones() as usize;
                row = _mm512_add_epi64(row, _mm512_set1_epi64(LANES as i64));
            }
        }
        let done = line.len() - rest.len();
        end + write_true(rest, first + done as i64, &mut places[end..])
    }
}

/// Appends a function of the position of each byte that is not 0. Nothing
/// branches on a byte: whether it is 0 cannot be foreseen.
fn push_true<T: Copy + Default>(line: &[u8], f: impl Fn(usize) -> T, list: &mut Vec<T>) {
    let mut end = list.len();
    list.resize(end + line.len(), T::default());
    for (at, &byte) in line.iter().enumerate() {
        list[end] = f(at);
        end += usize::from(byte != 0);
    }
    list.truncate(end);
}

/// The elements of a tensor as truth values, contiguous: bytes that are 0 or not.
fn truth_of(tensor: &Tensor) -> Result<Tensor> {
    ensure!(
        !tensor.device().is_meta(),
        NotImplemented,
        "the number of elements that are not zero is not known on the meta device"
    );
    view::reinterpret(&tensor.to_dtype(DType::Bool)?.to_contiguous()?, DType::UInt8)
}

fn next_line(index: &mut [i64], shape: &[i64]) {
    for (at, &size) in index.iter_mut().zip(shape).rev() {
        *at += 1;
        if *at < size {
            return;
        }
        *at = 0;
    }
}

/// The offsets, in a tensor with these strides, of the elements at which a mask
/// of its shape is true.
pub(super) fn places_of(mask: &Tensor, strides: &[i64]) -> Result<Vec<isize>> {
    let truth = truth_of(mask)?;
    // SAFETY: as in `nonzero`.
    let truth = unsafe { truth.as_slice::<u8>()? };
    // With room for what `push_true` looks at in one go.
    let count = count_true(truth);
    let mut places = buffer::with_capacity(count + BLOCK)?;
    let walk = Walk::new(mask.shape(), [strides]);
    walk.visit(0..walk.count(), |run| {
        for (block, line) in truth[run.position..][..run.count].chunks(BLOCK).enumerate() {
            let first = run.start[0] + (block * BLOCK) as isize * run.strides[0];
            push_true(line, |at| first + at as isize * run.strides[0], &mut places);
        }
    });
    Ok(places)
}

/// How many elements are looked at in one go, so that the list grows little more
/// than it has to.
const BLOCK: usize = 1024;

/// How many elements are looked at between two checks for an interrupt.
const BETWEEN_CHECKS: usize = 1 << 16;

#[native_op(nonzero_static)]
fn nonzero_static(self_: &Tensor, size: i64, fill_value: i64) -> Result<Tensor> {
    ensure!(size >= 0, Runtime, "'size' must be an non-negative integer, but got {size}");
    let shape = [size, self_.ndim() as i64];
    let rows = Tensor::filled(&shape, Scalar::Int(fill_value), DType::Int64, self_.device())?;
    if self_.device().is_meta() {
        return Ok(rows);
    }
    let found = nonzero(self_)?;
    let count = found.shape()[0].min(size);
    view::narrow(&rows, 0, 0, count)?.copy_from(&view::narrow(&found, 0, 0, count)?)?;
    Ok(rows)
}

#[native_op(nonzero_numpy)]
fn nonzero_numpy(self_: &Tensor) -> Result<Vec<Tensor>> {
    let input =
        if self_.ndim() == 0 { ops::reshape::Default_::call(self_, &[1])? } else { self_.clone() };
    let rows = ops::nonzero::Default_::call(&input)?;
    ops::unbind::int::call(&rows, 1)
}

#[native_op(where)]
fn where_indices(condition: &Tensor) -> Result<Vec<Tensor>> {
    if condition.ndim() == 0 {
        // A single element counts as one in a row of its own.
        return ops::r#where::Default_::call(&ops::unsqueeze::Default_::call(condition, 0)?);
    }
    let indices = ops::nonzero::Default_::call(condition)?;
    ops::unbind::int::call(&indices, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_found() {
        for length in [0, 1, 7, 63, 64, 65, 200, BLOCK] {
            let line: Vec<u8> = (0..length).map(|at| (at * at % 7 % 3) as u8).collect();
            let mut places = [MaybeUninit::uninit(); BLOCK];
            let count = true_places(&line, 5, &mut places);
            // SAFETY: so many were written.
            let found = unsafe { places[..count].assume_init_ref() };
            let is_true = |at: &usize| line[*at] != 0;
            let expected: Vec<i64> = (0..length).filter(is_true).map(|at| at as i64 + 5).collect();
            assert_eq!(found, expected, "{length}");
        }
    }
}
