//! Numbers as probabilities, along one dimension.

use ndarray::{ArrayView1, ArrayViewMut1};
use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::structured::rule;
use opwright_runtime::{DType, Element, Result, Spec, Tensor, ensure, lanes};

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
    calculate!(out.dtype(), "softmax", floating, |T| along::<T>(self_, dim, out, softmax_lane))
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
        along::<T>(self_, dim, out, log_softmax_lane)
    })
}

/// Applies a function of lanes; half precision goes through a tensor of `T`.
fn along<T: Element>(
    input: &Tensor,
    dim: usize,
    out: &mut Tensor,
    f: impl Fn(ArrayView1<'_, T>, ArrayViewMut1<'_, T>) + Sync,
) -> Result<()> {
    if out.dtype() == T::DTYPE {
        return lanes::unary(input, out, dim, f);
    }
    let mut wide = Tensor::allocate(out.shape(), T::DTYPE, out.device())?;
    lanes::unary(input, &mut wide, dim, f)?;
    out.copy_from(&wide)
}

fn softmax_lane<T: Float>(lane: ArrayView1<'_, T>, mut out: ArrayViewMut1<'_, T>) {
    let greatest = greatest(lane);
    let mut total = T::ZERO;
    out.zip_mut_with(&lane, |slot, &x| {
        *slot = (x - greatest).exp();
        total = total + *slot;
    });
    let scale = T::ONE / total;
    out.mapv_inplace(|x| x * scale);
}

fn log_softmax_lane<T: Float>(lane: ArrayView1<'_, T>, mut out: ArrayViewMut1<'_, T>) {
    let greatest = greatest(lane);
    let total = lane.fold(T::ZERO, |total, &x| total + (x - greatest).exp());
    let shift = total.ln();
    out.zip_mut_with(&lane, |slot, &x| *slot = x - greatest - shift);
}

/// Taken off first, so that no exponential is too large.
fn greatest<T: Float>(lane: ArrayView1<'_, T>) -> T {
    lane.fold(T::LOWEST, |all, &x| if x > all { x } else { all })
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
