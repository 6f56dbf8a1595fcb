//! Quotients, remainders, and divisors of integers.

use std::ops::{Div, Rem};
use std::sync::atomic::{AtomicBool, Ordering};

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{Element, Integer, Real};
use opwright_runtime::iterate::Each;
use opwright_runtime::promote::result_type;
use opwright_runtime::structured::rule;
use opwright_runtime::{Complex, DType, Result, RoundingMode, Spec, Tensor, ensure, multiversion};
use opwright_vecmath::elementary::Elementary;
use opwright_vecmath::{double, single};

use crate::elementwise::gradient::zeros_in;
use crate::gradient::handle_r_to_c;
use crate::ops::{self, TensorOps};

#[native_op(div.out, elementwise, dtypes = floating | complex, wide)]
fn div_out<T: Elementary>(a: T, other: T) -> T {
    a.over(other)
}

#[native_op(div.out_mode, rule)]
fn div_mode_rule(
    self_: &Tensor,
    other: &Tensor,
    rounding_mode: Option<RoundingMode>,
) -> Result<Spec> {
    match rounding_mode {
        None => rule::elementwise_float(&[self_, other]),
        Some(RoundingMode::Floor | RoundingMode::Trunc) => {
            ensure!(!divides_by_zero(self_, other)?, Runtime, "{BY_ZERO}");
            rule::elementwise(&[self_, other])
        }
    }
}

#[native_op(div.out_mode, elementwise, dtypes = real, wide)]
fn div_out_mode<T: Division>(
    each: Each<'_, (T, T), T>,
    rounding_mode: Option<RoundingMode>,
) -> Result<()> {
    match rounding_mode {
        None => each.run(|a, b| a / b),
        Some(RoundingMode::Floor) => divide(each, T::floored),
        Some(RoundingMode::Trunc) => divide(each, T::truncated),
    }
}

#[native_op(div.out_mode, elementwise, dtypes = [bool, c64, c128])]
fn div_of_others_mode<T: Element>(
    each: Each<'_, (T, T), T>,
    rounding_mode: Option<RoundingMode>,
) -> Result<()> {
    type Wide = Complex<f64>;
    match rounding_mode {
        None => each.run(|a, b| Wide::over(a.cast(), b.cast()).cast()),
        Some(RoundingMode::Floor) => Err(each.dtype().unsupported("floor_divide")),
        Some(RoundingMode::Trunc) => Err(each.dtype().unsupported("div")),
    }
}

#[native_op(floor_divide.out, check)]
fn floor_divide_check(self_: &Tensor, other: &Tensor) -> Result<()> {
    ensure!(!divides_by_zero(self_, other)?, Runtime, "{BY_ZERO}");
    Ok(())
}

#[native_op(remainder.Tensor_out, check)]
fn remainder_check(self_: &Tensor, other: &Tensor) -> Result<()> {
    ensure!(!divides_by_zero(self_, other)?, Runtime, "{BY_ZERO}");
    Ok(())
}

#[native_op(fmod.Tensor_out, check)]
fn fmod_check(self_: &Tensor, other: &Tensor) -> Result<()> {
    ensure!(!divides_by_zero(self_, other)?, Runtime, "{BY_ZERO}");
    Ok(())
}

const BY_ZERO: &str = "integers cannot be divided by zero";

/// Whether integers are divided by 0, which is asked before anything is written.
fn divides_by_zero(a: &Tensor, other: &Tensor) -> Result<bool> {
    let is_known = !a.device().is_meta() && !other.device().is_meta() && a.numel() > 0;
    if !is_known || !result_type(&[a, other])?.is_integral() {
        return Ok(false);
    }
    let has_none = match other.numel() {
        1 => other.to_scalar()?.to_bool(),
        _ => ops::all::Default_::call(other)?.to_scalar()?.to_bool(),
    };
    Ok(!has_none)
}

#[native_op(floor_divide.out, elementwise, dtypes = real, wide)]
fn floor_divide_out<T: Division>(each: Each<'_, (T, T), T>) -> Result<()> {
    divide(each, T::floored)
}

#[native_op(remainder.Tensor_out, elementwise, dtypes = real, wide)]
fn remainder_tensor_out<T: Division>(each: Each<'_, (T, T), T>) -> Result<()> {
    if T::IS_INTEGER { divide(each, T::floored_rest) } else { each.run_blocks(floored_rests) }
}

#[native_op(fmod.Tensor_out, elementwise, dtypes = real, wide)]
fn fmod_tensor_out<T: Division>(each: Each<'_, (T, T), T>) -> Result<()> {
    if T::IS_INTEGER { divide(each, T::rest) } else { each.run_blocks(rests) }
}

multiversion! {
    /// As [`Division::rest`], of each and one of as many divisors.
    fn rests<const FMA: bool, T>(block: &mut [T], divisors: &[T])
    where
        [T: Division]
    {
        let are_usual = have_usual_quotients(block, divisors);
        for (a, &b) in block.iter_mut().zip(divisors) {
            *a = if are_usual { a.exact_rest::<FMA>(b) } else { a.rest(b) };
        }
    }

    /// As [`Division::floored_rest`], likewise.
    fn floored_rests<const FMA: bool, T>(block: &mut [T], divisors: &[T])
    where
        [T: Division]
    {
        let are_usual = have_usual_quotients(block, divisors);
        for (a, &b) in block.iter_mut().zip(divisors) {
            let rest = if are_usual { a.exact_rest::<FMA>(b) } else { a.rest(b) };
            *a = rest.with_sign_of(b);
        }
    }
}

#[inline(always)]
fn have_usual_quotients<T: Division>(block: &[T], divisors: &[T]) -> bool {
    block.iter().zip(divisors).fold(true, |all, (&a, &b)| all & a.quotient_is_exact(b))
}

/// Divides element by element; integers are not divided by 0.
fn divide<T: Division>(
    each: Each<'_, (T, T), T>,
    quotient: impl Fn(T, T) -> T + Sync,
) -> Result<()> {
    let by_zero = AtomicBool::new(false);
    each.run(|a, b| {
        if T::IS_INTEGER && b == T::ZERO {
            by_zero.store(true, Ordering::Relaxed);
            return b;
        }
        quotient(a, b)
    })?;
    ensure!(!by_zero.into_inner(), Runtime, "integers cannot be divided by zero");
    Ok(())
}

/// Kinds of division. Integers are never divided by 0.
trait Division: Element + Real + Div<Output = Self> + Rem<Output = Self> {
    const IS_INTEGER: bool;

    /// The quotient, rounded towards 0.
    fn truncated(self, divisor: Self) -> Self;

    /// The quotient, rounded down.
    fn floored(self, divisor: Self) -> Self;

    /// The remainder with the sign of the dividend.
    fn rest(self, divisor: Self) -> Self;

    /// Whether the quotient is small enough for [`Division::exact_rest`].
    fn quotient_is_exact(self, divisor: Self) -> bool;

    /// The same remainder, by way of the quotient.
    fn exact_rest<const FMA: bool>(self, divisor: Self) -> Self;

    /// The remainder with the sign of the divisor.
    #[inline(always)]
    fn floored_rest(self, divisor: Self) -> Self {
        self.rest(divisor).with_sign_of(divisor)
    }

    /// A remainder, or that which has the sign of the divisor.
    #[inline(always)]
    fn with_sign_of(self, divisor: Self) -> Self {
        let is_wrong = self != Self::ZERO && (self < Self::ZERO) != (divisor < Self::ZERO);
        if is_wrong { self.plus(divisor) } else { self }
    }
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Division for $ty {
            const IS_INTEGER: bool = true;

            #[inline]
            fn truncated(self, divisor: $ty) -> $ty {
                self.wrapping_div(divisor)
            }
            #[inline]
            fn floored(self, divisor: $ty) -> $ty {
                const ZERO: $ty = 0;
                let quotient = self.truncated(divisor);
                let is_inexact = self.rest(divisor) != ZERO;
                let has_other_sign = (self < ZERO) != (divisor < ZERO);
                if is_inexact && has_other_sign { quotient - 1 } else { quotient }
            }
            #[inline]
            fn rest(self, divisor: $ty) -> $ty {
                self.wrapping_rem(divisor)
            }
            #[inline(always)]
            fn quotient_is_exact(self, _divisor: $ty) -> bool {
                false
            }
            #[inline(always)]
            fn exact_rest<const FMA: bool>(self, divisor: $ty) -> $ty {
                self.rest(divisor)
            }
        }
    )*};
}

integers! { i32 i64 u64 }

macro_rules! floats {
    ($($ty:ident $functions:ident)*) => {$(
        impl Division for $ty {
            const IS_INTEGER: bool = false;

            #[inline]
            fn truncated(self, divisor: $ty) -> $ty {
                (self / divisor).trunc()
            }

            /// By way of the exact remainder: the quotient itself may be rounded up to the next
            /// integer.
            #[inline]
            fn floored(self, divisor: $ty) -> $ty {
                if divisor == 0.0 {
                    return self / divisor;
                }
                let rest = self % divisor;
                let mut quotient = (self - rest) / divisor;
                if rest != 0.0 && (divisor < 0.0) != (rest < 0.0) {
                    quotient -= 1.0;
                }
                if quotient == 0.0 {
                    return (0.0 as $ty).copysign(self / divisor);
                }
                let floor = quotient.floor();
                if quotient - floor > 0.5 { floor + 1.0 } else { floor }
            }
            #[inline]
            fn rest(self, divisor: $ty) -> $ty {
                self % divisor
            }
            /// No remainder has the sign of the divisor, too.
            #[inline(always)]
            fn with_sign_of(self, divisor: $ty) -> $ty {
                let is_wrong = self != 0.0 && (self < 0.0) != (divisor < 0.0);
                (if is_wrong { self + divisor } else { self }).copysign(divisor)
            }
            #[inline(always)]
            fn quotient_is_exact(self, divisor: $ty) -> bool {
                $functions::quotient_is_exact(self, divisor)
            }
            #[inline(always)]
            fn exact_rest<const FMA: bool>(self, divisor: $ty) -> $ty {
                $functions::rest::<FMA>(self, divisor)
            }
        }
    )*};
}

floats! { f32 single f64 double }

/// Euclid's algorithm; negative remainders do no harm.
#[native_op(gcd.out, elementwise, dtypes = integral, wide)]
fn gcd_out<T: Integer>(mut a: T, mut other: T) -> T {
    while other != T::ZERO {
        // The least number divided by -1 would overflow, and has no remainder.
        let is_minus_one = other < T::ZERO && other.negated() == T::ONE;
        (a, other) = (other, if is_minus_one { T::ZERO } else { a % other });
    }
    positive(a)
}

#[native_op(lcm.out, elementwise, dtypes = integral, wide)]
fn lcm_out<T: Integer>(a: T, other: T) -> T {
    let divisor = gcd_out(a, other);
    if divisor <= T::ZERO {
        // 0, or the least number, which has no positive counterpart.
        return T::ZERO;
    }
    positive((a / divisor).times(other))
}

fn positive<T: Integer>(value: T) -> T {
    if value < T::ZERO { value.negated() } else { value }
}

/// Of `self / other`: `grad / conj(other)`.
#[gradient_helper]
pub(crate) fn div_tensor_self_backward(
    grad: &Tensor,
    other: &Tensor,
    dtype: DType,
) -> Result<Tensor> {
    handle_r_to_c(dtype, &grad.div(&other.conj()?)?)
}

/// The same of a quotient that may be rounded: 0 then.
#[gradient_helper]
pub(crate) fn div_tensor_mode_self_backward(
    grad: &Tensor,
    other: &Tensor,
    dtype: DType,
    rounding_mode: Option<RoundingMode>,
) -> Result<Tensor> {
    match rounding_mode {
        None => div_tensor_self_backward(grad, other, dtype),
        Some(_) => zeros_in(dtype, grad),
    }
}

/// Of `self / other`: `-grad * conj((self / other) / other)`.
#[gradient_helper]
pub(crate) fn div_tensor_other_backward(
    grad: &Tensor,
    self_: &Tensor,
    other: &Tensor,
) -> Result<Tensor> {
    let slope = self_.div(other)?.div(other)?.conj()?;
    handle_r_to_c(other.dtype(), &grad.neg()?.mul(&slope)?)
}

/// The same of a quotient that may be rounded: 0 then.
#[gradient_helper]
pub(crate) fn div_tensor_mode_other_backward(
    grad: &Tensor,
    self_: &Tensor,
    other: &Tensor,
    rounding_mode: Option<RoundingMode>,
) -> Result<Tensor> {
    match rounding_mode {
        None => div_tensor_other_backward(grad, self_, other),
        Some(_) => zeros_in(other.dtype(), grad),
    }
}
