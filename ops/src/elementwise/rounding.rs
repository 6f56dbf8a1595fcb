//! Rounding to integers and to decimals.

use opwright_macros::native_op;
use opwright_runtime::Result;
use opwright_runtime::dtype::{Element, Float, Integer};
use opwright_runtime::iterate::Each;
use opwright_vecmath::Round;

#[native_op(floor.out, elementwise, dtypes = real)]
fn floor_out<T: Round>(x: T) -> T {
    x.down()
}

#[native_op(ceil.out, elementwise, dtypes = real)]
fn ceil_out<T: Round>(x: T) -> T {
    x.up()
}

#[native_op(trunc.out, elementwise, dtypes = real)]
fn trunc_out<T: Round>(x: T) -> T {
    x.towards_zero()
}

#[native_op(round.out, elementwise, dtypes = real)]
fn round_out<T: Round>(x: T) -> T {
    x.to_nearest()
}

#[native_op(round.decimals_out, elementwise, dtypes = floating)]
fn round_decimals_out<T: Element + Float + Round>(
    each: Each<'_, T, T>,
    decimals: i64,
) -> Result<()> {
    if decimals == 0 {
        return each.run(T::to_nearest);
    }
    // More digits than this no floating number has, before or after the point.
    let digits = decimals.clamp(-400, 400) as i32;
    let scale = T::constant(10.0).powi(digits.abs());
    if digits > 0 {
        return each.run(|x| {
            let scaled = x * scale;
            // Numbers so large have no digits that could be dropped.
            if scaled.is_finite() { scaled.to_nearest() / scale } else { x }
        });
    }
    each.run(|x| {
        let scaled = (x / scale).to_nearest();
        // Infinity stays even if the scale is infinite, too.
        if scaled.is_nan() {
            x
        } else if scaled == T::ZERO {
            scaled
        } else {
            scaled * scale
        }
    })
}

#[native_op(round.decimals_out, elementwise, dtypes = integral)]
fn round_decimals_of_integers<T: Element + Integer>(
    each: Each<'_, T, T>,
    decimals: i64,
) -> Result<()> {
    if decimals != 0 {
        return Err(each.dtype().unsupported("round"));
    }
    each.run(|x| x)
}

#[native_op(frac.out, elementwise, dtypes = floating)]
fn frac_out<T: Float + Round>(x: T) -> T {
    // As in C it has the sign of the number, that of zero too, and is zero of what is infinite.
    (if x.is_infinite() { T::ZERO } else { x - x.towards_zero() }).copysign(x)
}
