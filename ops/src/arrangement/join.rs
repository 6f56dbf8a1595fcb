//! Tensors put together along a dimension.

use std::mem::MaybeUninit;
use std::ops::Range;

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::geometry::{Dims, wrap_dim};
use opwright_runtime::parallel::{self, Pointer};
use opwright_runtime::promote::result_type;
use opwright_runtime::structured::common_device;
use opwright_runtime::{DType, Result, Spec, Tensor, buffer, ensure, fail, multiversion, view};

use crate::gradient::{handle_r_to_c, part};
use crate::ops;

#[native_op(cat.out, rule)]
fn cat_rule(tensors: &[&Tensor], dim: i64) -> Result<Spec> {
    ensure!(!tensors.is_empty(), Value, "expected a non-empty list of Tensors");
    for (at, tensor) in tensors.iter().enumerate() {
        ensure!(
            tensor.ndim() > 0,
            Runtime,
            "zero-dimensional tensor (at position {at}) cannot be concatenated"
        );
    }
    let spec = |shape: &[i64]| -> Result<Spec> {
        let spec = Spec::new(shape, result_type(tensors)?, common_device(tensors)?).casting();
        Ok(tensors
            .iter()
            .find(|it| !is_skipped(it))
            .map_or(spec.clone(), |it| spec.in_order_of(it)))
    };
    let Some(first) = tensors.iter().find(|it| !is_skipped(it)) else {
        wrap_dim(dim, 1)?;
        return spec(&[0]);
    };
    let dim = wrap_dim(dim, first.ndim())?;
    let mut shape = Dims::from_slice(first.shape());
    shape[dim] = 0;
    for (at, tensor) in tensors.iter().enumerate().filter(|(_, it)| !is_skipped(it)) {
        check_fits(first, tensor, dim, at)?;
        shape[dim] = shape[dim].saturating_add(tensor.shape()[dim]);
    }
    spec(&shape)
}

/// A tensor of shape `[0]` goes with any others.
fn is_skipped(tensor: &Tensor) -> bool {
    tensor.shape() == [0]
}

fn check_fits(first: &Tensor, tensor: &Tensor, dim: usize, at: usize) -> Result<()> {
    ensure!(
        tensor.ndim() == first.ndim(),
        Runtime,
        "Tensors must have same number of dimensions: got {} and {}",
        first.ndim(),
        tensor.ndim()
    );
    for (other, (&expected, &size)) in first.shape().iter().zip(tensor.shape()).enumerate() {
        ensure!(
            other == dim || expected == size,
            Runtime,
            "Sizes of tensors must match except in dimension {dim}. Expected size {expected} but \
             got size {size} for tensor number {at} in the list."
        );
    }
    Ok(())
}

#[native_op(cat.out)]
fn cat_out(tensors: &[&Tensor], dim: i64, out: &mut Tensor) -> Result<()> {
    let dim = wrap_dim(dim, out.ndim())?;
    let parts = buffer::collected(tensors.iter().copied().filter(|it| it.numel() > 0))?;
    if out.is_contiguous() && parts.iter().all(|it| is_plain(it, out)) {
        return join_bytes(&parts, dim, out);
    }
    let mut start = 0;
    for part in parts {
        let length = part.shape()[dim];
        view::narrow(out, dim, start, length)?.copy_from(part)?;
        start += length;
    }
    Ok(())
}

/// Its bytes are those of the output.
fn is_plain(part: &Tensor, out: &Tensor) -> bool {
    part.is_contiguous() && part.dtype() == out.dtype()
}

/// Joins contiguous tensors, which have elements: the output is rows, each of
/// one piece of every part.
fn join_bytes(parts: &[&Tensor], dim: usize, out: &mut Tensor) -> Result<()> {
    let size = out.dtype().size();
    let rows: i64 = out.shape()[..dim].iter().product();
    let bytes_of = |it: &Tensor| it.numel() * size / rows.max(1) as usize;
    let pieces = parts.iter().map(|it| (Pointer(it.data_ptr()), bytes_of(it)));
    let pieces = buffer::collected(pieces)?;
    let width: usize = pieces.iter().map(|(_, bytes)| bytes).sum();
    if width == 0 {
        return Ok(());
    }
    // SAFETY: every byte is written below, before anything is read.
    let target = Pointer(unsafe { out.overwrite_ptr() });
    let [(source, bytes), others @ ..] = &pieces[..] else { return Ok(()) };
    let is_one = others.iter().all(|(other, _)| other.0 == source.0);
    parallel::share(rows as usize, width, &|range| {
        // SAFETY: the part has a piece for every row, and the output has room for as many of it as
        // there are parts; it shares no memory with them.
        if is_one && unsafe { repeat_pieces(source, *bytes, &target, pieces.len(), range.clone()) }
        {
            return;
        }
        for start in range.clone().step_by(ROWS) {
            let rows = start..range.end.min(start + ROWS);
            let mut at = 0;
            for (source, bytes) in &pieces {
                // SAFETY: each part has a piece for every row, and the output has
                // room for all of them; it shares no memory with the parts.
                unsafe { copy_pieces(source, *bytes, &target, at, width, rows.clone()) };
                at += bytes;
            }
        }
    });
    // SAFETY: all rows are written, and they are the whole output.
    unsafe { out.assume_written() };
    Ok(())
}

/// So many rows get their pieces of one part before those of the next: all stay in cache, if
/// they are short.
const ROWS: usize = 256;

/// Fills each of these rows with copies of its piece, if they are as short as an element; whether
/// they are.
///
/// # Safety
///
/// The pieces can be read, rows of so many copies written, and they do not overlap.
unsafe fn repeat_pieces(
    source: &Pointer<u8>,
    bytes: usize,
    target: &Pointer<u8>,
    copies: usize,
    rows: Range<usize>,
) -> bool {
    // SAFETY: as above.
    unsafe {
        match bytes {
            1 => repeat_arrays::<1>(source, target, copies, rows),
            2 => repeat_arrays::<2>(source, target, copies, rows),
            4 => repeat_arrays::<4>(source, target, copies, rows),
            8 => repeat_arrays::<8>(source, target, copies, rows),
            16 => repeat_arrays::<16>(source, target, copies, rows),
            _ => return false,
        }
    }
    true
}

/// # Safety
///
/// As for [`repeat_pieces`].
#[inline(always)]
unsafe fn repeat_arrays<const N: usize>(
    source: &Pointer<u8>,
    target: &Pointer<u8>,
    copies: usize,
    rows: Range<usize>,
) {
    let first = (rows.start * copies * N) as isize;
    // SAFETY: the pieces of these rows lie one after the other, and so do the rows.
    unsafe {
        let from = source.at((rows.start * N) as isize).cast::<[u8; N]>();
        let to = target.at(first).cast::<MaybeUninit<[u8; N]>>();
        let pieces = std::slice::from_raw_parts(from, rows.len());
        let slots = std::slice::from_raw_parts_mut(to, rows.len() * copies);
        repeat(pieces, copies, slots);
    }
}

multiversion! {
    /// Each piece so often in a row.
    avx512 fn repeat<P>(pieces: &[P], copies: usize, slots: &mut [MaybeUninit<P>])
    where
        [P: Copy]
    {
        // As many as the compiler knows of are written at once.
        match copies {
            2 => fill_rows(pieces, 2, slots),
            3 => fill_rows(pieces, 3, slots),
            4 => fill_rows(pieces, 4, slots),
            _ => fill_rows(pieces, copies, slots),
        }
    }
}

#[inline(always)]
fn fill_rows<P: Copy>(pieces: &[P], copies: usize, slots: &mut [MaybeUninit<P>]) {
    for (slots, &piece) in slots.chunks_exact_mut(copies).zip(pieces) {
        slots.fill(MaybeUninit::new(piece));
    }
}

/// Copies a piece into each of these rows, from `at` bytes behind its start on.
///
/// # Safety
///
/// The pieces can be read, the rows, of `width` bytes, written, and they do not overlap.
unsafe fn copy_pieces(
    source: &Pointer<u8>,
    bytes: usize,
    target: &Pointer<u8>,
    at: usize,
    width: usize,
    rows: Range<usize>,
) {
    let places = rows.map(|row| {
        let (from, to) = ((row * bytes) as isize, (row * width + at) as isize);
        // SAFETY: there is a piece for each row.
        unsafe { (source.at(from), target.at(to)) }
    });
    // SAFETY: as above.
    unsafe {
        match bytes {
            1 => places.for_each(|(from, to)| copy_array::<1>(from, to)),
            2 => places.for_each(|(from, to)| copy_array::<2>(from, to)),
            4 => places.for_each(|(from, to)| copy_array::<4>(from, to)),
            8 => places.for_each(|(from, to)| copy_array::<8>(from, to)),
            16 => places.for_each(|(from, to)| copy_array::<16>(from, to)),
            _ => places.for_each(|(from, to)| copy_bytes(Pointer(from), Pointer(to), bytes)),
        }
    }
}

/// Copies so many bytes as are known to the compiler.
///
/// # Safety
///
/// They can be read and written, and do not overlap.
#[inline(always)]
unsafe fn copy_array<const N: usize>(from: *const u8, to: *mut u8) {
    // SAFETY: as above.
    unsafe { to.cast::<[u8; N]>().write(from.cast::<[u8; N]>().read()) }
}

/// How many bytes are copied in one go: between two an interrupt is heard.
const BLOCK: usize = 1 << 16;

/// Copies bytes, many of them on several threads.
///
/// # Safety
///
/// They can be read and written, and do not overlap.
unsafe fn copy_bytes(from: Pointer<u8>, to: Pointer<u8>, bytes: usize) {
    parallel::share(bytes.div_ceil(BLOCK), BLOCK, &|range| {
        let (start, end) = (range.start * BLOCK, bytes.min(range.end * BLOCK));
        // SAFETY: as above; no byte is in two ranges.
        unsafe {
            let from = from.at(start as isize);
            to.at(start as isize).copy_from_nonoverlapping(from, end - start);
        }
    });
}

#[native_op(stack)]
fn stack(tensors: &[&Tensor], dim: i64) -> Result<Tensor> {
    let rows = rows(tensors, dim)?;
    crate::ops::cat::Default_::call(&buffer::collected(rows.iter())?, dim)
}

#[native_op(stack.out)]
fn stack_out(tensors: &[&Tensor], dim: i64, out: &mut Tensor) -> Result<()> {
    let rows = rows(tensors, dim)?;
    crate::ops::cat::out::call(&buffer::collected(rows.iter())?, dim, out)
}

/// The tensors, which must be of one shape, with a new dimension each.
fn rows(tensors: &[&Tensor], dim: i64) -> Result<Vec<Tensor>> {
    ensure!(!tensors.is_empty(), Runtime, "expects a non-empty TensorList");
    let first = tensors[0].shape();
    let dim = wrap_dim(dim, first.len() + 1)?;
    for (at, tensor) in tensors.iter().enumerate() {
        ensure!(
            tensor.shape() == first,
            Runtime,
            "expects each tensor to be equal size, but got {first:?} at entry 0 and {:?} at entry \
             {at}",
            tensor.shape()
        );
    }
    buffer::try_collected(tensors.iter().map(|it| view::unsqueeze(it, dim)))
}

#[native_op(hstack)]
fn hstack(tensors: &[&Tensor]) -> Result<Tensor> {
    check_some(tensors)?;
    let tensors = with_ndim(tensors, 1)?;
    let dim = i64::from(tensors[0].ndim() > 1);
    crate::ops::cat::Default_::call(&buffer::collected(tensors.iter())?, dim)
}

#[native_op(vstack)]
fn vstack(tensors: &[&Tensor]) -> Result<Tensor> {
    check_some(tensors)?;
    let tensors = with_ndim(tensors, 2)?;
    crate::ops::cat::Default_::call(&buffer::collected(tensors.iter())?, 0)
}

#[native_op(dstack)]
fn dstack(tensors: &[&Tensor]) -> Result<Tensor> {
    check_some(tensors)?;
    let tensors = with_ndim(tensors, 3)?;
    crate::ops::cat::Default_::call(&buffer::collected(tensors.iter())?, 2)
}

#[native_op(column_stack)]
fn column_stack(tensors: &[&Tensor]) -> Result<Tensor> {
    check_some(tensors)?;
    let column = |it: &&Tensor| {
        if it.ndim() > 1 {
            Ok((*it).clone())
        } else {
            crate::ops::reshape::Default_::call(it, &[-1, 1])
        }
    };
    let columns = buffer::try_collected(tensors.iter().map(column))?;
    crate::ops::hstack::Default_::call(&buffer::collected(columns.iter())?)
}

fn check_some(tensors: &[&Tensor]) -> Result<()> {
    ensure!(!tensors.is_empty(), Runtime, "expects a non-empty TensorList");
    Ok(())
}

/// The tensors with at least so many dimensions: a vector is a row, and a matrix
/// has a depth of one.
fn with_ndim(tensors: &[&Tensor], least: usize) -> Result<Vec<Tensor>> {
    buffer::try_collected(tensors.iter().map(|it| {
        let mut tensor = (*it).clone();
        while tensor.ndim() < least {
            let at = if tensor.ndim() == 1 { 0 } else { -1 };
            tensor = crate::ops::unsqueeze::Default_::call(&tensor, at)?;
        }
        Ok(tensor)
    }))
}

/// For each tensor the part of `grad` that was made of it.
#[gradient_helper]
pub(crate) fn cat_tensors_backward(
    grad: &Tensor,
    sizes: &[Dims],
    dtypes: &[DType],
    dim: i64,
) -> Result<Vec<Tensor>> {
    let dim = wrap_dim(dim, grad.ndim())?;
    let mut start = 0;
    let mut of_one = |(shape, &dtype): (&Dims, &DType)| {
        // Empty vectors went with tensors of any shape.
        if shape.as_slice() == [0] {
            return Tensor::zeroed(shape, dtype, grad.device());
        }
        let Some(size) = shape.get(dim) else {
            fail!(Runtime, "a tensor of shape {shape:?} has no dimension {dim}");
        };
        let end = start + size;
        let grad = part(grad, dim, start, end)?;
        start = end;
        handle_r_to_c(dtype, &grad)
    };
    sizes.iter().zip(dtypes).map(&mut of_one).collect()
}

/// For each tensor the slice of `grad` that was made of it.
#[gradient_helper]
pub(crate) fn stack_tensors_backward(
    grad: &Tensor,
    dim: i64,
    dtypes: &[DType],
) -> Result<Vec<Tensor>> {
    let slices = ops::unbind::int::call(grad, dim)?;
    slices.iter().zip(dtypes).map(|(slice, &dtype)| handle_r_to_c(dtype, slice)).collect()
}
