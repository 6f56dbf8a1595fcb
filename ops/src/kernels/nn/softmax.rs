//! Numbers as probabilities, along one dimension.

use ndarray::{ArrayView1, ArrayViewMut1};
use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::structured::rule;
use opwright_runtime::{DType, Result, Spec, Tensor, ensure, lanes};

use super::row::{greatest, total};
use crate::kernels::analytic::Analytic;
use crate::kernels::calculate::calculate;

#[native_op(_softmax.out, rule)]
fn softmax_rule(self_: &Tensor, dim: i64, half_to_float: bool) -> Result<Spec> {
    common_rule(self_, dim, half_to_float, "softmax")
}

#[native_op(_log_softmax.out, rule)]
fn log_softmax_rule(self_: &Tensor, dim: i64, half_to_float: bool) -> Result<Spec> {
    common_rule(self_, dim, half_to_float, "log_softmax")
}

fn common_rule(input: &Tensor, dim: i64, half_to_float: bool, what: &str) -> Result<Spec> {
    wrap_dim(dim, input.ndim())?;
    if !input.dtype().is_floating() {
        return Err(input.dtype().unsupported(what));
    }
    let spec = rule::like_first(&[input])?;
    if !half_to_float {
        return Ok(spec);
    }
    ensure!(
        input.dtype() == DType::Float16,
        Runtime,
        "conversion is supported for Half type only, not {}",
        input.dtype()
    );
    Ok(spec.with_dtype(DType::Float32))
}

#[native_op(_softmax.out)]
fn softmax_kernel(self_: &Tensor, dim: i64, _half_to_float: bool, out: &mut Tensor) -> Result<()> {
    let dim = wrap_dim(dim, self_.ndim())?;
    calculate!(out.dtype(), "softmax", floating, |T| along::<T>(self_, dim, out, softmax_row))
}

#[native_op(_log_softmax.out)]
fn log_softmax_kernel(
    self_: &Tensor,
    dim: i64,
    _half_to_float: bool,
    out: &mut Tensor,
) -> Result<()> {
    let dim = wrap_dim(dim, self_.ndim())?;
    calculate!(out.dtype(), "log_softmax", floating, |T| {
        along::<T>(self_, dim, out, log_softmax_row)
    })
}

/// Applies a function of rows along a dimension. Rows are made slices first:
/// another order of memory costs less than going through it with large steps.
fn along<T: Float>(
    input: &Tensor,
    dim: usize,
    out: &mut Tensor,
    f: impl Fn(&[T], &mut [T]) + Sync,
) -> Result<()> {
    let last = input.ndim().saturating_sub(1);
    let swapped = |tensor: &Tensor| match tensor.ndim() {
        0 => tensor.reshaped(&[1]),
        _ => tensor.with_dims_swapped(dim, last),
    };
    let source = swapped(input)?.to_dtype(T::DTYPE)?.to_contiguous()?;
    let mut target = swapped(out)?;
    let rows = |row: ArrayView1<'_, T>, mut out: ArrayViewMut1<'_, T>| {
        if let (Some(row), Some(out)) = (row.as_slice(), out.as_slice_mut()) {
            f(row, out);
        }
    };
    if target.is_contiguous() && target.dtype() == T::DTYPE {
        return lanes::unary(&source, &mut target, last, rows);
    }
    let mut result = Tensor::allocate(source.shape(), T::DTYPE, source.device())?;
    lanes::unary(&source, &mut result, last, rows)?;
    target.copy_from(&result)
}

fn softmax_row<T: Float + Analytic>(row: &[T], out: &mut [T]) {
    // Taken off first, so that no exponential is too large.
    let greatest = greatest(row);
    for (slot, &x) in out.iter_mut().zip(row) {
        *slot = (x - greatest).exponential();
    }
    let scale = total(out, |x| x).recip();
    out.iter_mut().for_each(|x| *x = *x * scale);
}

fn log_softmax_row<T: Float + Analytic>(row: &[T], out: &mut [T]) {
    let greatest = greatest(row);
    let shift = total(row, |x| (x - greatest).exponential()).ln();
    for (slot, &x) in out.iter_mut().zip(row) {
        *slot = x - greatest - shift;
    }
}

#[native_op(softmax.int)]
fn softmax(self_: &Tensor, dim: i64, dtype: Option<DType>) -> Result<Tensor> {
    crate::ops::_softmax::Default_::call(&as_dtype(self_, dtype)?, dim, false)
}

#[native_op(softmax.int_out)]
fn softmax_out(self_: &Tensor, dim: i64, dtype: Option<DType>, out: &mut Tensor) -> Result<()> {
    crate::ops::_softmax::out::call(&as_dtype(self_, dtype)?, dim, false, out)
}

#[native_op(log_softmax.int)]
fn log_softmax(self_: &Tensor, dim: i64, dtype: Option<DType>) -> Result<Tensor> {
    crate::ops::_log_softmax::Default_::call(&as_dtype(self_, dtype)?, dim, false)
}

#[native_op(log_softmax.int_out)]
fn log_softmax_out(self_: &Tensor, dim: i64, dtype: Option<DType>, out: &mut Tensor) -> Result<()> {
    crate::ops::_log_softmax::out::call(&as_dtype(self_, dtype)?, dim, false, out)
}

fn as_dtype(input: &Tensor, dtype: Option<DType>) -> Result<Tensor> {
    input.to_dtype(dtype.unwrap_or(input.dtype()))
}
