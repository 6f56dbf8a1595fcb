//! Quotients and remainders.

use std::sync::atomic::{AtomicBool, Ordering};

use num_traits::Float;
use opwright_macros::native_op;
use opwright_runtime::dtype::Integer;
use opwright_runtime::structured::rule;
use opwright_runtime::{Error, Result, Spec, Tensor, ensure, iterate};

use super::analytic::Analytic;
use super::calculate::calculate;

#[native_op(div.out, elementwise, dtypes = floating | complex, wide)]
fn div_out<T: Analytic>(a: T, other: T) -> T {
    a.over(other)
}

#[native_op(div.out_mode, rule)]
fn div_mode_rule(self_: &Tensor, other: &Tensor, rounding_mode: Option<&str>) -> Result<Spec> {
    match Rounding::parse(rounding_mode)? {
        Rounding::Not => rule::elementwise_float(&[self_, other]),
        Rounding::Floor | Rounding::Trunc => rule::elementwise(&[self_, other]),
    }
}

#[native_op(div.out_mode)]
fn div_out_mode(
    self_: &Tensor,
    other: &Tensor,
    rounding_mode: Option<&str>,
    out: &mut Tensor,
) -> Result<()> {
    match Rounding::parse(rounding_mode)? {
        Rounding::Not => calculate!(out.dtype(), "div", floating_or_complex, |T| {
            iterate::binary(self_, other, out, div_out::<T>)
        }),
        Rounding::Floor => floor_divide_out(self_, other, out),
        Rounding::Trunc => divide::<Truncating>("div", self_, other, out),
    }
}

#[native_op(floor_divide.out)]
fn floor_divide_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    divide::<Flooring>("floor_divide", self_, other, out)
}

#[native_op(remainder.Tensor_out)]
fn remainder_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    divide::<FlooredRest>("remainder", self_, other, out)
}

#[native_op(fmod.Tensor_out)]
fn fmod_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    divide::<TruncatedRest>("fmod", self_, other, out)
}

/// Where a quotient is rounded to.
enum Rounding {
    Not,
    Trunc,
    Floor,
}

impl Rounding {
    fn parse(mode: Option<&str>) -> Result<Rounding> {
        match mode {
            None => Ok(Rounding::Not),
            Some("trunc") => Ok(Rounding::Trunc),
            Some("floor") => Ok(Rounding::Floor),
            Some(other) => Err(Error::runtime(format_args!(
                "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{other}'"
            ))),
        }
    }
}

/// A kind of division. Integers are never divided by 0.
trait Division {
    fn integers<T: Integer>(a: T, b: T) -> T;
    fn floats<T: Float>(a: T, b: T) -> T;
}

/// Divides element by element; truth values are refused.
fn divide<D: Division>(what: &str, self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    if out.dtype().is_integral() {
        return divide_integers::<D>(what, self_, other, out);
    }
    calculate!(out.dtype(), what, floating, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| D::floats(a, b))
    })
}

fn divide_integers<D: Division>(
    what: &str,
    self_: &Tensor,
    other: &Tensor,
    out: &mut Tensor,
) -> Result<()> {
    // Numbers wrap to the dtype of the result, which may make a divisor 0.
    let (a, b) = (self_.to_dtype(out.dtype())?, other.to_dtype(out.dtype())?);
    let by_zero = AtomicBool::new(false);
    calculate!(out.dtype(), what, wide_integral, |T| {
        iterate::binary(&a, &b, out, |a: T, b: T| {
            if b == 0 {
                by_zero.store(true, Ordering::Relaxed);
                return 0;
            }
            D::integers(a, b)
        })
    })?;
    ensure!(!by_zero.into_inner(), Runtime, "ZeroDivisionError");
    Ok(())
}

/// The quotient, rounded towards 0.
struct Truncating;

impl Division for Truncating {
    #[inline]
    fn integers<T: Integer>(a: T, b: T) -> T {
        // The one quotient that overflows is the negative of the least number.
        if b == T::ONE.negated() { a.negated() } else { a / b }
    }
    #[inline]
    fn floats<T: Float>(a: T, b: T) -> T {
        (a / b).trunc()
    }
}

/// The quotient, rounded down.
struct Flooring;

impl Division for Flooring {
    #[inline]
    fn integers<T: Integer>(a: T, b: T) -> T {
        let quotient = Truncating::integers(a, b);
        let is_inexact = TruncatedRest::integers(a, b) != T::ZERO;
        if is_inexact && (a < T::ZERO) != (b < T::ZERO) { quotient.minus(T::ONE) } else { quotient }
    }

    /// By way of the exact remainder: `a / b` itself may be rounded up to the next integer.
    #[inline]
    fn floats<T: Float>(a: T, b: T) -> T {
        if b == T::zero() {
            return a / b;
        }
        let rest = a % b;
        let mut quotient = (a - rest) / b;
        if rest != T::zero() && (b < T::zero()) != (rest < T::zero()) {
            quotient = quotient - T::one();
        }
        if quotient == T::zero() {
            return T::zero().copysign(a / b);
        }
        let floor = quotient.floor();
        let half = T::one() / (T::one() + T::one());
        if quotient - floor > half { floor + T::one() } else { floor }
    }
}

/// The remainder with the sign of the dividend.
struct TruncatedRest;

impl Division for TruncatedRest {
    #[inline]
    fn integers<T: Integer>(a: T, b: T) -> T {
        if b == T::ONE.negated() { T::ZERO } else { a % b }
    }
    #[inline]
    fn floats<T: Float>(a: T, b: T) -> T {
        a % b
    }
}

/// The remainder with the sign of the divisor.
struct FlooredRest;

impl Division for FlooredRest {
    #[inline]
    fn integers<T: Integer>(a: T, b: T) -> T {
        let rest = TruncatedRest::integers(a, b);
        let is_wrong = rest != T::ZERO && (rest < T::ZERO) != (b < T::ZERO);
        if is_wrong { rest.plus(b) } else { rest }
    }
    #[inline]
    fn floats<T: Float>(a: T, b: T) -> T {
        let rest = a % b;
        let is_wrong = rest != T::zero() && (rest < T::zero()) != (b < T::zero());
        if is_wrong { rest + b } else { rest }
    }
}
