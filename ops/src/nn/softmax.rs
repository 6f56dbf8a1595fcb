//! Numbers as probabilities, along one dimension.

use ndarray::{ArrayView1, ArrayViewMut1};
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::structured::rule;
use opwright_runtime::{
    DType, Result, Scalar, Spec, Tensor, along_dim, dispatch, ensure, multiversion,
};
use opwright_vecmath::elementary::Elementary;

use super::along_dim::{Form, greatest, softmax_side_by_side, total};
use crate::dtype_queries::to_dtype;
use crate::gradient::to;
use crate::ops::{self, TensorOps};

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
    dispatch!(out.dtype(), "softmax", calculated floating, |T| along::<T>(self_, dim, out, Form::Share))
}

#[native_op(_log_softmax.out)]
fn log_softmax_kernel(
    self_: &Tensor,
    dim: i64,
    _half_to_float: bool,
    out: &mut Tensor,
) -> Result<()> {
    let dim = wrap_dim(dim, self_.ndim())?;
    dispatch!(out.dtype(), "log_softmax", calculated floating, |T| {
        along::<T>(self_, dim, out, Form::Logarithm)
    })
}

/// Writes the result for every row along `dim`, from and to contiguous memory.
fn along<T: Element + Float + Elementary>(
    input: &Tensor,
    dim: usize,
    out: &mut Tensor,
    form: Form,
) -> Result<()> {
    if out.numel() == 0 {
        // There may be more rows of no elements than anybody can visit.
        return Ok(());
    }
    if !out.is_contiguous() || out.dtype() != T::DTYPE {
        let mut result = Tensor::allocate(out.shape(), T::DTYPE, out.device())?;
        along::<T>(input, dim, &mut result, form)?;
        return out.copy_from(&result);
    }
    let input = input.to_dtype(T::DTYPE)?.to_contiguous()?;
    let is_innermost = input.shape().iter().skip(dim + 1).all(|&size| size == 1);
    if !is_innermost {
        return softmax_side_by_side::<T>(&input, dim, out, form);
    }
    let row = match form {
        Form::Share => softmax_row::<T>,
        Form::Logarithm => log_softmax_row::<T>,
    };
    // SAFETY: the function uses nothing but its lanes, and threads that share a
    // tensor leave it alone while an operator uses it.
    unsafe {
        along_dim::unary(
            &input,
            out,
            dim,
            |lane: ArrayView1<'_, T>, mut out: ArrayViewMut1<'_, T>| {
                // Lanes along the innermost dimension are slices.
                if let (Some(lane), Some(out)) = (lane.as_slice(), out.as_slice_mut()) {
                    row(lane, out);
                }
                Ok(())
            },
        )
    }
}

multiversion! {
    fn softmax_row<const FMA: bool, T>(row: &[T], out: &mut [T])
    where
        [T: Float + Elementary]
    {
        // Taken off first, so that no exponential is too large.
        let greatest = greatest(row);
        for (slot, &x) in out.iter_mut().zip(row) {
            *slot = x - greatest;
        }
        exponentials::<FMA, T>(out);
        let scale = total(out, |x| x).recip();
        out.iter_mut().for_each(|x| *x = *x * scale);
    }

    fn log_softmax_row<const FMA: bool, T>(row: &[T], out: &mut [T])
    where
        [T: Float + Elementary]
    {
        let greatest = greatest(row);
        let mut sum = T::ZERO;
        let mut room = [T::ZERO; 256];
        for (part, out) in row.chunks(room.len()).zip(out.chunks_mut(room.len())) {
            let powers = &mut room[..part.len()];
            for ((power, slot), &x) in powers.iter_mut().zip(out).zip(part) {
                *slot = x - greatest;
                *power = *slot;
            }
            exponentials::<FMA, T>(powers);
            sum = sum + total(powers, |x| x);
        }
        let shift = if sum < T::constant(2.0) {
            // One outweighs all others, of which the sum keeps few digits.
            total(out, |x| if x < T::ZERO { Elementary::exp::<FMA>(x) } else { T::ZERO }).ln_1p()
        } else {
            sum.ln()
        };
        out.iter_mut().for_each(|x| *x = *x - shift);
    }
}

/// The exponential of each.
#[inline(always)]
pub(super) fn exponentials<const FMA: bool, T: Float + Elementary>(numbers: &mut [T]) {
    if T::exp_lanes(numbers) {
        return;
    }
    if T::exp_is_in_range(numbers) {
        for x in numbers {
            *x = x.exp_in_range::<FMA>();
        }
    } else {
        for x in numbers {
            *x = Elementary::exp::<FMA>(*x);
        }
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

#[native_op(_safe_softmax)]
fn safe_softmax(self_: &Tensor, dim: i64, dtype: Option<DType>) -> Result<Tensor> {
    let shares = ops::softmax::int::call(self_, dim, dtype)?;
    let nothing = self_.eq_scalar(Scalar::Float(f64::NEG_INFINITY))?;
    let nothing = ops::all::dim::call(&nothing, dim, true)?;
    shares.masked_fill(&nothing, Scalar::Int(0))
}

fn as_dtype(input: &Tensor, dtype: Option<DType>) -> Result<Tensor> {
    to_dtype(input, dtype.unwrap_or(input.dtype()))
}

fn sum_along(tensor: &Tensor, dim: i64) -> Result<Tensor> {
    ops::sum::dim_IntList::call(tensor, Some(&[dim]), true, None)
}

/// `result * (grad - sum(grad * result))`, in the dtype of the input. As the results are 1 together,
/// `grad` may be counted from any number: from that of the greatest result, which then does not
/// cover the others.
#[gradient_helper]
pub(crate) fn softmax_backward_data(
    grad: &Tensor,
    result: &Tensor,
    dim: i64,
    dtype: DType,
) -> Result<Tensor> {
    let grad = match result.ndim() > 0 && result.numel() > 0 {
        true => {
            let greatest = ops::argmax::Default_::call(result, Some(dim), true)?;
            grad.sub(&ops::gather::Default_::call(grad, dim, &greatest, false)?)?
        }
        false => grad.clone(),
    };
    let mean = sum_along(&grad.mul(result)?, dim)?;
    to(&result.mul(&grad.sub(&mean)?)?, dtype)
}

/// `grad - exp(result) * sum(grad)`, in the dtype of the input: where a result is almost 0, what
/// `grad` has there is not taken from itself.
#[gradient_helper]
pub(crate) fn log_softmax_backward_data(
    grad: &Tensor,
    result: &Tensor,
    dim: i64,
    dtype: DType,
) -> Result<Tensor> {
    let others = sum_along(grad, dim)?.sub(grad)?;
    let own = grad.mul(&result.expm1()?)?;
    to(&own.add(&result.exp()?.mul(&others)?)?.neg()?, dtype)
}
