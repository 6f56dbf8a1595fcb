//! Rounding to integers and to decimals.

use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::{Result, Tensor, iterate};

use super::calculate::calculate;
use super::vectorized::Round;

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

#[native_op(round.decimals_out)]
fn round_decimals_out(self_: &Tensor, decimals: i64, out: &mut Tensor) -> Result<()> {
    if decimals == 0 {
        return calculate!(out.dtype(), "round", real, |T| {
            iterate::unary(self_, out, round_out::<T>)
        });
    }
    // More digits than this no floating number has, before or after the point.
    let digits = decimals.clamp(-400, 400) as i32;
    calculate!(out.dtype(), "round", floating, |T| {
        let scale = (10.0 as T).powi(digits.abs());
        if digits > 0 {
            return iterate::unary(self_, out, |x: T| {
                let scaled = x * scale;
                // Numbers so large have no digits that could be dropped.
                if scaled.is_finite() { scaled.to_nearest() / scale } else { x }
            });
        }
        iterate::unary(self_, out, |x: T| {
            let scaled = (x / scale).to_nearest();
            // Infinity stays even if the scale is infinite, too.
            if scaled.is_nan() {
                x
            } else if scaled == 0.0 {
                scaled
            } else {
                scaled * scale
            }
        })
    })
}

#[native_op(frac.out, elementwise, dtypes = floating)]
fn frac_out<T: Float + Round>(x: T) -> T {
    x - x.towards_zero()
}
