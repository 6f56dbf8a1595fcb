//! Where elements are not zero.

use opwright_macros::native_op;
use opwright_runtime::{DType, Device, Result, Tensor, buffer, ensure, interrupt, view};

use super::walk::Walk;
use crate::ops;

#[native_op(nonzero)]
fn nonzero(self_: &Tensor) -> Result<Tensor> {
    let truth = truth_of(self_)?;
    // SAFETY: what is written below is other memory, and threads that share a
    // tensor do not write to it while an operator reads it.
    let truth = unsafe { truth.as_slice::<u8>()? };
    let (shape, ndim) = (self_.shape(), self_.ndim());
    let count = truth.iter().filter(|it| **it != 0).count();
    let mut result = Tensor::allocate(&[count as i64, ndim as i64], DType::Int64, Device::Cpu)?;
    if ndim == 0 || count == 0 {
        return Ok(result);
    }
    let mut rows = result.as_mut_slice::<i64>()?;
    let width = shape[ndim - 1] as usize;
    let mut index = vec![0; ndim];
    let (mut columns, mut looked_at) = ([0; BLOCK], 0);
    for line in truth.chunks_exact(width) {
        for (block, line) in line.chunks(BLOCK).enumerate() {
            // Not more than were counted: others may have written since, as they must not.
            let count = true_places(line, &mut columns).min(rows.len() / ndim);
            let (mine, others) = rows.split_at_mut(count * ndim);
            write_rows(mine, &mut index, (block * BLOCK) as i64, &columns[..count]);
            rows = others;
            looked_at += line.len();
            if looked_at > BETWEEN_CHECKS {
                looked_at = 0;
                interrupt::check();
            }
        }
        next_line(&mut index[..ndim - 1], shape);
    }
    Ok(result)
}

/// Writes a row for each column: the index with that column, counted from `first`.
fn write_rows(rows: &mut [i64], index: &mut [i64], first: i64, columns: &[i64]) {
    if let [_] = index {
        for (row, column) in rows.iter_mut().zip(columns) {
            *row = first + column;
        }
        return;
    }
    let ndim = index.len();
    for (row, column) in rows.chunks_exact_mut(ndim).zip(columns) {
        index[ndim - 1] = first + column;
        row.copy_from_slice(index);
    }
}

/// Where bytes are not 0, and how many are so; as [`push_true`].
fn true_places(line: &[u8], places: &mut [i64; BLOCK]) -> usize {
    let mut end = 0;
    for (at, &byte) in line.iter().take(BLOCK).enumerate() {
        places[end] = at as i64;
        end += usize::from(byte != 0);
    }
    end
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
    let count = truth.iter().filter(|it| **it != 0).count();
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

/// The indices of all elements that are not zero, as one tensor for each
/// dimension, in row-major order.
#[native_op(
    "nonzero_numpy(Tensor self) -> Tensor[]",
    composite,
    variants = "method, function",
    python = "skip",
    types = "[T; *s, n] -> [i64; ?] * rank(self)"
)]
fn nonzero_numpy(self_: &Tensor) -> Result<Vec<Tensor>> {
    let input =
        if self_.ndim() == 0 { ops::reshape::Default_::call(self_, &[1])? } else { self_.clone() };
    let rows = ops::nonzero::Default_::call(&input)?;
    ops::unbind::int::call(&rows, 1)
}

/// The indices of the elements that are not 0, a tensor for each dimension.
#[native_op(
    "where(Tensor condition) -> Tensor[]",
    composite,
    types = "[T; *s, n] -> [i64; ?] * rank(condition)"
)]
fn where_indices(condition: &Tensor) -> Result<Vec<Tensor>> {
    if condition.ndim() == 0 {
        // A single element counts as one in a row of its own.
        return ops::r#where::Default_::call(&ops::unsqueeze::Default_::call(condition, 0)?);
    }
    let indices = ops::nonzero::Default_::call(condition)?;
    ops::unbind::int::call(&indices, 1)
}
