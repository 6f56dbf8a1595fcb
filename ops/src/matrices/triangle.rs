//! Triangles and diagonals of matrices.

use std::ops::Range;

use opwright_macros::native_op;
use opwright_runtime::structured::{Access, Spec};
use opwright_runtime::{Result, Tensor, ensure, interrupt};

use crate::ops::{self, TensorOps};

#[native_op(tril.out, rule)]
fn tril_rule(self_: &Tensor, _diagonal: i64) -> Result<Spec> {
    triangle_spec(self_)
}

fn triangle_spec(tensor: &Tensor) -> Result<Spec> {
    ensure!(tensor.ndim() >= 2, Runtime, "input tensor must have at least 2 dimensions");
    let spec = Spec::like(tensor);
    Ok(spec.with_access(Access::Elementwise))
}

#[native_op(tril.out)]
fn tril_out(self_: &Tensor, diagonal: i64, out: &mut Tensor) -> Result<()> {
    out.copy_from(self_)?;
    clear(out, &|row, columns| columns.min(diagonal_column(row, diagonal, 1))..columns)
}

#[native_op(triu.out)]
fn triu_out(self_: &Tensor, diagonal: i64, out: &mut Tensor) -> Result<()> {
    out.copy_from(self_)?;
    clear(out, &|row, columns| 0..columns.min(diagonal_column(row, diagonal, 0)))
}

/// Where a diagonal meets a row, or `after` columns behind that.
fn diagonal_column(row: usize, diagonal: i64, after: i64) -> usize {
    (row as i64).saturating_add(diagonal).saturating_add(after).max(0) as usize
}

/// Writes zeros to a range of each row, which depends on its index and on how many columns there are.
fn clear(out: &mut Tensor, range: &dyn Fn(usize, usize) -> Range<usize>) -> Result<()> {
    out.check_nested()?;
    out.check_readable()?;
    let &[.., rows, columns] = out.shape() else { return Ok(()) };
    let bytes = out.dtype().size();
    if out.numel() == 0 {
        return Ok(());
    }
    let (rows, columns) = (rows as usize, columns as usize);
    let between_checks = (1 << 16) / columns + 1;
    let step = out.strides()[out.ndim() - 1] as isize * bytes as isize;
    for index in 0..out.numel() / columns {
        if index % between_checks == 0 {
            interrupt::check();
        }
        let (range, start) = (range(index % rows, columns), row_start(out, index, columns));
        let place = |column: usize| start.wrapping_offset(column as isize * step);
        // SAFETY: these are places of elements, which threads that share a tensor leave alone
        // while an operator writes to it; in every dtype, bytes of zero are the number.
        unsafe {
            if step == bytes as isize {
                place(range.start).write_bytes(0, range.len() * bytes);
            } else {
                range.for_each(|column| place(column).write_bytes(0, bytes));
            }
        }
    }
    Ok(())
}

/// Where a row begins, of all rows of a tensor.
fn row_start(tensor: &Tensor, index: usize, columns: usize) -> *mut u8 {
    let bytes = tensor.dtype().size() as isize;
    let (mut elements, mut index) = (0, index as i64);
    if tensor.is_contiguous() {
        elements = index * columns as i64;
    } else {
        let outer = tensor.shape().iter().zip(tensor.strides()).rev().skip(1);
        for (&size, &stride) in outer {
            elements += index % size * stride;
            index /= size;
        }
    }
    tensor.data_ptr().wrapping_offset(elements as isize * bytes)
}

#[native_op(trace)]
fn trace(self_: &Tensor) -> Result<Tensor> {
    ensure!(self_.ndim() == 2, Runtime, "expected a matrix, got a {}-D tensor", self_.ndim());
    ops::sum::Default_::call(&self_.diagonal()?, None)
}
