//! Exponentials, logarithms and the logistic function.

use opwright_macros::native_op;
use opwright_runtime::{Complex, Result, Tensor, iterate};

use super::analytic::Analytic;
use super::calculate::calculate;
use super::map::map_floating;

#[native_op(exp.out)]
fn exp_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("exp", self_, out, |x| x.exponential())
}

#[native_op(exp2.out)]
fn exp2_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("exp2", self_, out, |x| x.power_of_two())
}

#[native_op(expm1.out)]
fn expm1_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("expm1", self_, out, |x| x.expm1())
}

#[native_op(log.out)]
fn log_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("log", self_, out, |x| x.logarithm())
}

#[native_op(log2.out)]
fn log2_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("log2", self_, out, |x| x.binary_logarithm())
}

#[native_op(log10.out)]
fn log10_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("log10", self_, out, |x| x.decimal_logarithm())
}

#[native_op(log1p.out)]
fn log1p_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("log1p", self_, out, |x| x.log1p())
}

#[native_op(sigmoid.out)]
fn sigmoid_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("sigmoid", self_, out, |x| x.logistic())
}

#[native_op(logaddexp.out)]
fn logaddexp_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    if out.dtype().is_complex_number() {
        return iterate::binary(self_, other, out, |a: Complex<f64>, b: Complex<f64>| {
            let (high, low) = if a.re > b.re { (a, b) } else { (b, a) };
            // As below; and what is infinitely negative has no direction.
            match high.re {
                f64::NEG_INFINITY => high.re.into(),
                f64::INFINITY if a.re == b.re => high,
                _ => high + (low - high).exponential().log1p(),
            }
        });
    }
    calculate!(out.dtype(), "logaddexp", floating, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| {
            let (high, low) = if a > b { (a, b) } else { (b, a) };
            // Equal infinities have no difference, and are their own result.
            if high.is_infinite() && a == b { a } else { high + (low - high).exp().ln_1p() }
        })
    })
}
