//! Triangles and diagonals of matrices.

use ndarray::s;
use opwright_macros::native_op;
use opwright_runtime::structured::{Access, Spec};
use opwright_runtime::{Element, Result, Tensor, dispatch, ensure, interrupt};

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
    dispatch!(out.dtype(), "tril", all, |T| {
        clear::<T>(out, |row, columns| columns.min(diagonal_column(row, diagonal, 1))..columns)
    })
}

#[native_op(triu.out)]
fn triu_out(self_: &Tensor, diagonal: i64, out: &mut Tensor) -> Result<()> {
    out.copy_from(self_)?;
    dispatch!(out.dtype(), "triu", all, |T| {
        clear::<T>(out, |row, columns| 0..columns.min(diagonal_column(row, diagonal, 0)))
    })
}

/// Where a diagonal meets a row, or `after` columns behind that.
fn diagonal_column(row: usize, diagonal: i64, after: i64) -> usize {
    (row as i64).saturating_add(diagonal).saturating_add(after).max(0) as usize
}

/// Writes zeros to a range of each row, which depends on its index.
fn clear<T: Element>(
    out: &mut Tensor,
    range: impl Fn(usize, usize) -> std::ops::Range<usize>,
) -> Result<()> {
    if out.numel() == 0 {
        return Ok(());
    }
    let rows = out.shape()[out.ndim() - 2] as usize;
    let between_checks = (1 << 16) / out.shape()[out.ndim() - 1] + 1;
    // SAFETY: nothing else is used below, and threads that share a tensor leave it
    // alone while an operator writes to it.
    let mut out = unsafe { out.array_view_mut::<T>()? };
    for (idx, mut row) in out.rows_mut().into_iter().enumerate() {
        if idx as i64 % between_checks == 0 {
            interrupt::check();
        }
        let range = range(idx % rows, row.len());
        row.slice_mut(s![range]).fill(T::default());
    }
    Ok(())
}

/// The sum of the diagonal of a matrix; booleans and integers are added as
/// `int64`.
///
/// ```python
/// >>> opwright.trace(opwright.tensor([[1, 2], [3, 4]]))
/// tensor(5, dtype=int64, shape=())
/// ```
#[native_op("trace(Tensor self) -> Tensor", composite, variants = "function, method")]
fn trace(self_: &Tensor) -> Result<Tensor> {
    ensure!(self_.ndim() == 2, Runtime, "expected a matrix, got a {}-D tensor", self_.ndim());
    ops::sum::Default_::call(&self_.diagonal()?, None)
}
