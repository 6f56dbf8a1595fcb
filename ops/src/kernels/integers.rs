//! Divisors and multiples of integers.

use opwright_macros::native_op;
use opwright_runtime::dtype::Integer;

#[native_op(gcd.out, elementwise, dtypes = integral, wide)]
fn gcd_out<T: Integer>(a: T, other: T) -> T {
    greatest_divisor(a, other)
}

#[native_op(lcm.out, elementwise, dtypes = integral, wide)]
fn lcm_out<T: Integer>(a: T, other: T) -> T {
    let divisor = greatest_divisor(a, other);
    if divisor <= T::ZERO {
        // 0, or the least number, which has no positive counterpart.
        return T::ZERO;
    }
    positive((a / divisor).times(other))
}

/// Euclid's algorithm; negative remainders do no harm.
fn greatest_divisor<T: Integer>(mut a: T, mut b: T) -> T {
    while b != T::ZERO {
        // The least number divided by -1 would overflow, and has no remainder.
        (a, b) = (b, if b == T::ONE.negated() { T::ZERO } else { a % b });
    }
    positive(a)
}

fn positive<T: Integer>(value: T) -> T {
    if value < T::ZERO { value.negated() } else { value }
}
