//! Exponentials, logarithms and the logistic function.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::Float;
use opwright_runtime::iterate::Each;
use opwright_runtime::{Complex, DType, Element, Result, Scalar, Tensor, autograd};
use opwright_vecmath::blocks;
use opwright_vecmath::elementary::Elementary;

use crate::gradient::{along, logistic_density};
use crate::ops::TensorOps;

#[native_op(exp.out, elementwise, dtypes = floating | complex, wide)]
fn exp_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::exp)
}

#[native_op(exp2.out, elementwise, dtypes = floating | complex, wide)]
fn exp2_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::exp2)
}

#[native_op(expm1.out, elementwise, dtypes = floating | complex, wide)]
fn expm1_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::expm1)
}

#[native_op(log.out, elementwise, dtypes = floating | complex, wide)]
fn log_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::log)
}

#[native_op(log2.out, elementwise, dtypes = floating | complex, wide)]
fn log2_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::log2)
}

#[native_op(log10.out, elementwise, dtypes = floating | complex, wide)]
fn log10_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::log10)
}

#[native_op(log1p.out, elementwise, dtypes = floating | complex, wide)]
fn log1p_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::log1p)
}

#[native_op(sigmoid.out, elementwise, dtypes = floating | complex, wide)]
fn sigmoid_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::sigmoid)
}

#[native_op(logaddexp.out, elementwise, dtypes = floating | complex, wide)]
fn logaddexp_out<T: LogAddExp>(a: T, other: T) -> T {
    a.logaddexp(other)
}

#[native_op(logaddexp2.out, elementwise, dtypes = floating)]
fn logaddexp2_out<T: Element + Float>(a: T, other: T) -> T {
    let (high, low) = if a > other { (a, other) } else { (other, a) };
    // Equal infinities have no difference, and are their own result.
    if a == other && high.is_infinite() {
        return a;
    }
    high + (low - high).exp2().ln_1p() * T::constant(std::f64::consts::LOG2_E)
}

trait LogAddExp {
    /// `log(exp(self) + exp(other))`
    fn logaddexp(self, other: Self) -> Self;
}

macro_rules! reals {
    ($($ty:ty)*) => {$(
        impl LogAddExp for $ty {
            #[inline(always)]
            fn logaddexp(self, other: $ty) -> $ty {
                let (high, low) = if self > other { (self, other) } else { (other, self) };
                // Equal infinities have no difference, and are their own result.
                if high.is_infinite() && self == other {
                    self
                } else {
                    high + (low - high).exp().ln_1p()
                }
            }
        }
    )*};
}

reals! { f32 f64 }

impl LogAddExp for Complex<f64> {
    fn logaddexp(self, other: Self) -> Self {
        let (high, low) = if self.re > other.re { (self, other) } else { (other, self) };
        // As above; and what is infinitely negative has no direction.
        match high.re {
            f64::NEG_INFINITY => high.re.into(),
            f64::INFINITY if self.re == other.re => high,
            _ => high + Elementary::exp::<false>(low - high).log1p::<false>(),
        }
    }
}

/// `grad * conj(sigmoid(-self) * result)`: one less the result would say nothing of it where the
/// result is close to one.
#[gradient_helper]
pub(crate) fn sigmoid_backward(grad: &Tensor, self_: &Tensor, result: &Tensor) -> Result<Tensor> {
    let is_half = matches!(result.dtype(), DType::Float16 | DType::BFloat16);
    if result.dtype().is_complex_number() || !(is_half || autograd::is_recording()) {
        return grad.mul(&self_.neg()?.sigmoid()?.mul(result)?.conj()?);
    }
    along(grad, self_, logistic_density)
}

/// `a - b`, and 0 between equal infinities.
#[gradient_helper]
pub(crate) fn difference(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let is_same = a.eq(b)?.logical_and(&a.isinf()?)?;
    a.sub(b)?.masked_fill(&is_same, Scalar::Int(0))
}

/// Of `log(1 + self)`: `grad / conj(self + 1)`.
#[gradient_helper]
pub(crate) fn log1p_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    grad.div(&self_.add_scalar(Scalar::Int(1))?.conj()?)
}
