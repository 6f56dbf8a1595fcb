//! Signs and magnitudes.

use num_complex::Complex;
use opwright_macros::native_op;
use opwright_runtime::dtype::{Float, Number};
use opwright_runtime::structured::rule;
use opwright_runtime::{DType, Result, Scalar, Spec, Tensor, ensure, iterate};

use super::calculate::calculate;

#[native_op(neg.out, rule)]
fn neg_rule(self_: &Tensor) -> Result<Spec> {
    ensure!(
        self_.dtype() != DType::Bool,
        Runtime,
        "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to \
         invert a mask, use the `~` or `logical_not()` operator instead."
    );
    rule::elementwise(&[self_])
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

#[native_op(abs.out)]
fn abs_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    if self_.dtype().is_complex_number() {
        return iterate::unary(self_, out, |z: Complex<f64>| z.norm());
    }
    if self_.dtype().is_integral() && !self_.dtype().is_signed_number() {
        return out.copy_from(self_);
    }
    calculate!(out.dtype(), "abs", wide_real, |T| {
        iterate::unary(self_, out, |x: T| Sign::magnitude(x))
    })
}

#[native_op(sign.out)]
fn sign_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    ensure!(
        !self_.dtype().is_complex_number(),
        Runtime,
        "Unlike NumPy, sign() is not intended to support complex numbers. Please use sgn() instead."
    );
    if self_.dtype() == DType::Bool {
        return out.copy_from(self_);
    }
    calculate!(out.dtype(), "sign", wide_real, |T| {
        iterate::unary(self_, out, |x: T| Sign::sign(x))
    })
}

#[native_op(sgn.out)]
fn sgn_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    if !self_.dtype().is_complex_number() {
        return sign_out(self_, out);
    }
    iterate::unary(self_, out, |z: Complex<f64>| if z == Complex::ZERO { z } else { z / z.norm() })
}

#[native_op(signbit.out)]
fn signbit_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    if !self_.dtype().is_signed_number() {
        return out.fill(Scalar::Bool(false));
    }
    calculate!(self_.dtype(), "signbit", wide_real, |T| {
        iterate::unary(self_, out, |x: T| Sign::sign_bit(x))
    })
}

#[native_op(copysign.out, elementwise, dtypes = floating)]
fn copysign_out<T: Float>(a: T, other: T) -> T {
    a.copysign(other)
}

/// Real numbers with a sign.
trait Sign {
    fn magnitude(self) -> Self;
    fn sign(self) -> Self;
    fn sign_bit(self) -> bool;
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Sign for $ty {
            #[inline(always)]
            fn magnitude(self) -> $ty {
                self.wrapping_abs()
            }
            #[inline(always)]
            fn sign(self) -> $ty {
                self.signum()
            }
            #[inline(always)]
            fn sign_bit(self) -> bool {
                self < 0
            }
        }
    )*};
}

integers! { i32 i64 }

macro_rules! floats {
    ($($ty:ty)*) => {$(
        impl Sign for $ty {
            #[inline(always)]
            fn magnitude(self) -> $ty {
                self.abs()
            }
            #[inline(always)]
            fn sign(self) -> $ty {
                // Unlike `signum`, which gives 1 for 0.
                if self == 0.0 { 0.0 } else { self.signum() }
            }
            #[inline(always)]
            fn sign_bit(self) -> bool {
                self.is_sign_negative()
            }
        }
    )*};
}

floats! { f32 f64 }
