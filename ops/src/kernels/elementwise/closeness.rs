//! Comparisons of whole tensors, and comparisons up to a tolerance.

use num_complex::Complex;
use opwright_macros::native_op;
use opwright_runtime::structured::rule;
use opwright_runtime::{Result, Tensor, ensure, iterate};

use crate::ops;

/// Whether `self` and `other` are equal at each place, or differ by no more than
/// `atol + rtol * abs(other)`. NaN is close to NaN only with `equal_nan`.
///
/// Raises `RuntimeError` if the dtypes differ or a tolerance is negative.
///
/// ```python
/// >>> opwright.isclose(opwright.tensor([1.0, 2.0]), opwright.tensor([1.000001, 2.1]))
/// tensor([ True, False], dtype=bool, shape=(2,))
/// ```
#[native_op(
    "isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> Tensor",
    key = CPU | Meta,
    method
)]
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

/// Whether all elements of `self` and `other` are close; see `isclose`.
///
/// ```python
/// >>> opwright.allclose(opwright.tensor([1.0, 2.0]), opwright.tensor([1.0, 2.000001]))
/// True
/// >>> opwright.allclose(opwright.tensor([1.0]), opwright.tensor([1.1]))
/// False
/// ```
#[native_op(
    "allclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> bool",
    key = CPU | Meta,
    method,
    go = "AllClose",
    tags = "data_dependent_output"
)]
fn allclose(self_: &Tensor, other: &Tensor, rtol: f64, atol: f64, equal_nan: bool) -> Result<bool> {
    all(ops::isclose::Default_::call(self_, other, rtol, atol, equal_nan)?)
}

/// Whether `self` and `other` have the same shape and equal elements.
///
/// ```python
/// >>> opwright.equal(opwright.tensor([1, 2]), opwright.tensor([1, 2]))
/// True
/// >>> opwright.equal(opwright.tensor([1, 2]), opwright.tensor([1, 3]))
/// False
/// ```
#[native_op(
    "equal(Tensor self, Tensor other) -> bool",
    key = CPU | Meta,
    method,
    tags = "data_dependent_output, pointwise"
)]
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
