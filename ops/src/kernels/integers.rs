//! Divisors and multiples of integers.

use opwright_macros::native_op;
use opwright_runtime::dtype::Integer;

/// Euclid's algorithm; negative remainders do no harm.
#[native_op(gcd.out, elementwise, dtypes = integral)]
fn gcd_out<T: Integer>(a: T, other: T) -> T {
    let (mut a, mut b) = (a, other);
    while b != T::ZERO {
        // The least number divided by -1 would overflow, and has no remainder.
        (a, b) = (b, if b == T::ONE.negated() { T::ZERO } else { a % b });
    }
    positive(a)
}

#[native_op(lcm.out, elementwise, dtypes = integral)]
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
