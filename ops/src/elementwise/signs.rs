//! Signs and magnitudes.

use num_traits::Float as _;
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{ComplexNumber, Float, Number, Ordered};
use opwright_runtime::iterate::Each;
use opwright_runtime::{DType, Element, Result, Scalar, Tensor, ensure, fail};

use crate::elementwise::gradient::zeros_in;
use crate::gradient::zeroed_where;
use crate::ops::TensorOps;

#[native_op(neg.out, check)]
fn neg_check(self_: &Tensor) -> Result<()> {
    ensure!(
        self_.dtype() != DType::Bool,
        Runtime,
        "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to \
         invert a mask, use the `~` or `logical_not()` operator instead."
    );
    Ok(())
}

#[native_op(neg.out, elementwise, dtypes = number)]
fn neg_out<T: Number>(x: T) -> T {
    x.negated()
}

#[native_op(positive)]
fn positive(self_: &Tensor) -> Result<Tensor> {
    ensure!(
        self_.dtype() != DType::Bool,
        Runtime,
        "The `+` operator, on a bool tensor is not supported."
    );
    Ok(self_.clone())
}

#[native_op(abs.out, elementwise, dtypes = real, promote = complex_to_real)]
fn abs_out<T: Sign>(x: T) -> T {
    x.magnitude()
}

#[native_op(abs.out, elementwise, dtypes = complex, promote = complex_to_real, wide)]
fn abs_of_complex<T: ComplexNumber>(z: T) -> T::Part {
    z.real_part().hypot(z.imaginary_part())
}

#[native_op(sign.out, elementwise, dtypes = ordered)]
fn sign_out<T: Sign>(x: T) -> T {
    x.sign()
}

#[native_op(sign.out, elementwise, dtypes = complex)]
fn sign_of_complex<T>(_: Each<'_, T, T>) -> Result<()> {
    fail!(
        Runtime,
        "Unlike NumPy, sign() is not intended to support complex numbers. Please use sgn() instead."
    )
}

#[native_op(sgn.out, elementwise, dtypes = ordered)]
fn sgn_out<T: Sign>(x: T) -> T {
    x.sign()
}

#[native_op(sgn.out, elementwise, dtypes = complex, wide)]
fn sgn_of_complex<T: ComplexNumber>(z: T) -> T {
    if z == T::ZERO {
        return z;
    }
    let (re, im, length) = (z.real_part(), z.imaginary_part(), abs_of_complex(z));
    T::from_parts(re / length, im / length)
}

#[native_op(signbit.out, elementwise, dtypes = ordered)]
fn signbit_out<T: Sign>(x: T) -> bool {
    x.sign_bit()
}

#[native_op(copysign.out, elementwise, dtypes = floating)]
fn copysign_out<T: Float>(a: T, other: T) -> T {
    a.copysign(other)
}

#[native_op(heaviside.out, check)]
fn heaviside_check(self_: &Tensor, values: &Tensor) -> Result<()> {
    ensure!(
        !self_.dtype().is_complex_number() && !values.dtype().is_complex_number(),
        Runtime,
        "heaviside is not yet implemented for complex tensors"
    );
    ensure!(
        self_.dtype() == values.dtype(),
        Runtime,
        "heaviside is not yet implemented for tensors with different dtypes: input is {}, values {}",
        self_.dtype().name(),
        values.dtype().name()
    );
    Ok(())
}

/// What is no number is not positive.
#[native_op(heaviside.out, elementwise, dtypes = ordered)]
fn heaviside_out<T: Element + Ordered>(x: T, values: T) -> T {
    if x == T::default() { values } else { T::cast_from(x > T::default()) }
}

/// Numbers with a sign; that of those which have none is not negative.
trait Sign: Copy {
    fn magnitude(self) -> Self;
    fn sign(self) -> Self;
    fn sign_bit(self) -> bool;
}

macro_rules! signs {
    ($($ty:ty)*, $x:ident: $magnitude:expr, $sign:expr, $bit:expr) => {$(
        impl Sign for $ty {
            #[inline(always)]
            fn magnitude(self) -> $ty {
                let $x = self;
                $magnitude
            }
            #[inline(always)]
            fn sign(self) -> $ty {
                let $x = self;
                $sign
            }
            #[inline(always)]
            fn sign_bit(self) -> bool {
                #[allow(unused_variables, reason = "some have none")]
                let $x = self;
                $bit
            }
        }
    )*};
}

signs! { i8 i16 i32 i64, x: x.wrapping_abs(), x.signum(), x < 0 }
signs! { u8 u16 u32 u64, x: x, x.min(1), false }
signs! { bool, x: x, x, false }
// Unlike `signum`, the sign of 0 is 0.
signs! { f32 f64, x: x.abs(), if x == 0.0 { 0.0 } else { x.signum() }, x.is_sign_negative() }

/// Of the sign: of a complex number `(grad - conj(grad) * result ** 2) / (2 * |self|)`, and 0 at 0;
/// that of a real number does not change.
#[gradient_helper]
pub(crate) fn sgn_backward(self_: &Tensor, grad: &Tensor, result: &Tensor) -> Result<Tensor> {
    if !self_.dtype().is_complex_number() {
        return zeros_in(grad.dtype(), grad);
    }
    let size = self_.abs()?;
    let mirrored = grad.conj()?.mul(result)?.mul(result)?;
    let slope = grad.sub(&mirrored)?.div(&size.mul_scalar(Scalar::Int(2))?)?;
    zeroed_where(&slope, &size.eq_scalar(Scalar::Int(0))?)
}

/// Of a number with the sign of another: `grad` times both signs, and 0 at 0.
#[gradient_helper]
pub(crate) fn copysign_tensor_self_backward(
    grad: &Tensor,
    self_: &Tensor,
    result: &Tensor,
) -> Result<Tensor> {
    grad.mul(&self_.sign()?.mul(&result.sign()?)?)
}
