//! Questions about single floating numbers.

use num_complex::Complex;
use opwright_macros::native_op;
use opwright_runtime::structured::rule;
use opwright_runtime::{Element, Result, Scalar, Tensor, dispatch, iterate};

#[native_op(isnan, elementwise, dtypes = all)]
#[expect(clippy::eq_op, reason = "this is what tells numbers from others")]
fn isnan<T: PartialEq>(x: T) -> bool {
    x != x
}

/// Whether each element is infinite, positive or negative.
///
/// ```python
/// >>> opwright.isinf(opwright.tensor([1.0, float("-inf"), float("nan")]))
/// tensor([False,  True, False], dtype=bool, shape=(3,))
/// ```
#[native_op(
    "isinf(Tensor self) -> Tensor",
    key = CPU | Meta,
    method,
    tags = "core, pointwise"
)]
fn isinf(self_: &Tensor) -> Result<Tensor> {
    classify(self_, false, |re, im| re.is_infinite() || im.is_infinite())
}

/// Whether each element is neither infinite nor NaN.
///
/// ```python
/// >>> opwright.isfinite(opwright.tensor([1.0, float("inf"), float("nan")]))
/// tensor([ True, False, False], dtype=bool, shape=(3,))
/// ```
#[native_op(
    "isfinite(Tensor self) -> Tensor",
    key = CPU | Meta,
    method,
    tags = "pointwise"
)]
fn isfinite(self_: &Tensor) -> Result<Tensor> {
    classify(self_, true, |re, im| re.is_finite() && im.is_finite())
}

/// Whether each element has no imaginary part.
///
/// ```python
/// >>> opwright.isreal(opwright.tensor([1 + 0j, 1j]))
/// tensor([ True, False], dtype=bool, shape=(2,))
/// ```
#[native_op("isreal(Tensor self) -> Tensor", key = CPU | Meta, method)]
fn isreal(self_: &Tensor) -> Result<Tensor> {
    classify(self_, true, |_, im| im == 0.0)
}

#[native_op(isposinf.out, elementwise, dtypes = ordered)]
fn isposinf_out<T: Element>(x: T) -> bool {
    x.cast::<f64>() == f64::INFINITY
}

#[native_op(isneginf.out, elementwise, dtypes = ordered)]
fn isneginf_out<T: Element>(x: T) -> bool {
    x.cast::<f64>() == f64::NEG_INFINITY
}

/// Asks about real and imaginary part of every element; integers all get one answer.
fn classify(
    self_: &Tensor,
    of_integers: bool,
    test: impl Fn(f64, f64) -> bool + Sync,
) -> Result<Tensor> {
    let mut out = rule::elementwise_bool(&[self_])?.allocate()?;
    if out.device().is_meta() {
        return Ok(out);
    }
    match self_.dtype() {
        dtype if dtype.is_complex_number() => {
            iterate::unary(self_, &mut out, |z: Complex<f64>| test(z.re, z.im))?;
        }
        dtype if dtype.is_floating() => dispatch!(dtype, "classify", calculated floating, |T| {
            iterate::unary(self_, &mut out, |x: T| test(x.cast(), 0.0))
        })?,
        _ => out.fill(Scalar::Bool(of_integers))?,
    }
    Ok(out)
}
