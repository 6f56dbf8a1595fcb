//! Rounding to integers and to decimals.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor, iterate};

use super::calculate::calculate;
use super::map::map_real;
use super::vectorized::Round;

#[native_op(floor.out)]
fn floor_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    if out.dtype().is_integral() {
        return out.copy_from(self_);
    }
    map_real!("floor", self_, out, |x| x.down())
}

#[native_op(ceil.out)]
fn ceil_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    if out.dtype().is_integral() {
        return out.copy_from(self_);
    }
    map_real!("ceil", self_, out, |x| x.up())
}

#[native_op(trunc.out)]
fn trunc_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    if out.dtype().is_integral() {
        return out.copy_from(self_);
    }
    map_real!("trunc", self_, out, |x| x.towards_zero())
}

#[native_op(round.out)]
fn round_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    if out.dtype().is_integral() {
        return out.copy_from(self_);
    }
    map_real!("round", self_, out, |x| x.to_nearest())
}

#[native_op(round.decimals_out)]
fn round_decimals_out(self_: &Tensor, decimals: i64, out: &mut Tensor) -> Result<()> {
    if decimals == 0 {
        return round_out(self_, out);
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

#[native_op(frac.out)]
fn frac_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_real!("frac", self_, out, |x| x - x.towards_zero())
}
