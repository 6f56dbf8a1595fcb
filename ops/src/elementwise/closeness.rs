//! Comparisons of whole tensors, and comparisons up to a tolerance.

use num_complex::Complex;
use opwright_macros::native_op;
use opwright_runtime::structured::rule;
use opwright_runtime::{Result, Tensor, ensure, iterate};

use crate::ops;

#[native_op(isclose)]
fn isclose(
    self_: &Tensor,
    other: &Tensor,
    rtol: f64,
    atol: f64,
    equal_nan: bool,
) -> Result<Tensor> {
    let tolerance = Tolerance::new(rtol, atol, equal_nan)?;
    ensure!(
        self_.dtype() == other.dtype(),
        Runtime,
        "{} did not match {}",
        self_.dtype().title(),
        other.dtype().title()
    );
    let mut out = rule::elementwise_bool(&[self_, other])?.allocate()?;
    let dtype = self_.dtype();
    if out.device().is_meta() {
        return Ok(out);
    }
    if dtype.is_complex_number() {
        iterate::binary(self_, other, &mut out, |a: Complex<f64>, b: Complex<f64>| {
            tolerance.accepts(a == b, (a - b).norm(), b.norm(), a.is_nan() && b.is_nan())
        })?;
    } else if dtype.is_floating() {
        iterate::binary(self_, other, &mut out, |a: f64, b: f64| {
            tolerance.accepts(a == b, (a - b).abs(), b.abs(), a.is_nan() && b.is_nan())
        })?;
    } else {
        iterate::binary(self_, other, &mut out, |a: i64, b: i64| {
            tolerance.accepts(a == b, a.abs_diff(b) as f64, b.unsigned_abs() as f64, false)
        })?;
    }
    Ok(out)
}

#[native_op(allclose)]
fn allclose(self_: &Tensor, other: &Tensor, rtol: f64, atol: f64, equal_nan: bool) -> Result<bool> {
    all(ops::isclose::Default_::call(self_, other, rtol, atol, equal_nan)?)
}

#[native_op(equal)]
fn equal(self_: &Tensor, other: &Tensor) -> Result<bool> {
    Ok(self_.shape() == other.shape() && all(ops::eq::Tensor::call(self_, other)?)?)
}

/// How much two numbers may differ.
#[derive(Clone, Copy)]
struct Tolerance {
    relative: f64,
    absolute: f64,
    equal_nan: bool,
}

impl Tolerance {
    fn new(relative: f64, absolute: f64, equal_nan: bool) -> Result<Tolerance> {
        for (name, value) in [("rtol", relative), ("atol", absolute)] {
            ensure!(
                value >= 0.0,
                Runtime,
                "{name} must be greater than or equal to zero, but got {value}"
            );
        }
        Ok(Tolerance { relative, absolute, equal_nan })
    }

    #[inline]
    fn accepts(self, is_equal: bool, distance: f64, magnitude: f64, are_nan: bool) -> bool {
        let allowed = self.absolute + self.relative * magnitude;
        is_equal || (distance.is_finite() && distance <= allowed) || (self.equal_nan && are_nan)
    }
}

/// Whether a tensor of `bool` holds nothing else than true.
fn all(mut answers: Tensor) -> Result<bool> {
    Ok(answers.array_mut::<bool>()?.iter().all(|&it| it))
}
