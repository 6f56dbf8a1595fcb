//! Divisors and multiples of integers.

use opwright_macros::native_op;
use opwright_runtime::dtype::Integer;
use opwright_runtime::{Result, Tensor, iterate};

use super::calculate::calculate;

#[native_op(gcd.out)]
fn gcd_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    let (a, b) = (self_.to_dtype(out.dtype())?, other.to_dtype(out.dtype())?);
    calculate!(out.dtype(), "gcd", wide_integral, |T| {
        iterate::binary(&a, &b, out, |a: T, b: T| greatest_divisor(a, b))
    })
}

#[native_op(lcm.out)]
fn lcm_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    let (a, b) = (self_.to_dtype(out.dtype())?, other.to_dtype(out.dtype())?);
    calculate!(out.dtype(), "lcm", wide_integral, |T| {
        iterate::binary(&a, &b, out, |a: T, b: T| least_multiple(a, b))
    })
}

/// Euclid's algorithm; negative remainders do no harm.
fn greatest_divisor<T: Integer>(mut a: T, mut b: T) -> T {
    while b != T::ZERO {
        // The least number divided by -1 would overflow, and has no remainder.
        (a, b) = (b, if b == T::ONE.negated() { T::ZERO } else { a % b });
    }
    positive(a)
}

fn least_multiple<T: Integer>(a: T, b: T) -> T {
    let divisor = greatest_divisor(a, b);
    if divisor <= T::ZERO {
        // 0, or the least number, which has no positive counterpart.
        return T::ZERO;
    }
    positive((a / divisor).times(b))
}

fn positive<T: Integer>(value: T) -> T {
    if value < T::ZERO { value.negated() } else { value }
}
