//! The submodule `special`: scipy's names for functions that have another one.

use opwright_macros::native_op;
use opwright_runtime::{Result, Scalar, Tensor};

use crate::ops;

/// e raised to the power of each element, minus 1; another name of `expm1`.
///
/// ```python
/// >>> opwright.special.expm1(opwright.tensor([0.0, 1.0]))
/// tensor([0.0000, 1.7183], dtype=float32, shape=(2,))
/// ```
#[native_op("special_expm1(Tensor self) -> Tensor", composite, python_module = "special")]
fn special_expm1(self_: &Tensor) -> Result<Tensor> {
    ops::expm1::Default_::call(self_)
}

#[native_op(
    "special_expm1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "special"
)]
fn special_expm1_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    ops::expm1::out::call(self_, out)
}

/// 2 raised to the power of each element; another name of `exp2`.
///
/// ```python
/// >>> opwright.special.exp2(opwright.tensor([0.0, 3.0]))
/// tensor([1., 8.], dtype=float32, shape=(2,))
/// ```
#[native_op("special_exp2(Tensor self) -> Tensor", composite, python_module = "special")]
fn special_exp2(self_: &Tensor) -> Result<Tensor> {
    ops::exp2::Default_::call(self_)
}

#[native_op(
    "special_exp2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "special"
)]
fn special_exp2_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    ops::exp2::out::call(self_, out)
}

/// The error function of each element; another name of `erf`.
///
/// ```python
/// >>> opwright.special.erf(opwright.tensor([0.0, 1.0]))
/// tensor([0.0000, 0.8427], dtype=float32, shape=(2,))
/// ```
#[native_op("special_erf(Tensor self) -> Tensor", composite, python_module = "special")]
fn special_erf(self_: &Tensor) -> Result<Tensor> {
    ops::erf::Default_::call(self_)
}

#[native_op(
    "special_erf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "special"
)]
fn special_erf_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    ops::erf::out::call(self_, out)
}

/// One minus the error function of each element; another name of `erfc`.
///
/// ```python
/// >>> opwright.special.erfc(opwright.tensor([0.0, 1.0]))
/// tensor([1.0000, 0.1573], dtype=float32, shape=(2,))
/// ```
#[native_op("special_erfc(Tensor self) -> Tensor", composite, python_module = "special")]
fn special_erfc(self_: &Tensor) -> Result<Tensor> {
    ops::erfc::Default_::call(self_)
}

#[native_op(
    "special_erfc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "special"
)]
fn special_erfc_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    ops::erfc::out::call(self_, out)
}

/// The natural logarithm of 1 plus each element; another name of `log1p`.
///
/// ```python
/// >>> opwright.special.log1p(opwright.tensor([0.0, 1.0]))
/// tensor([0.0000, 0.6931], dtype=float32, shape=(2,))
/// ```
#[native_op("special_log1p(Tensor self) -> Tensor", composite, python_module = "special")]
fn special_log1p(self_: &Tensor) -> Result<Tensor> {
    ops::log1p::Default_::call(self_)
}

#[native_op(
    "special_log1p.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "special"
)]
fn special_log1p_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    ops::log1p::out::call(self_, out)
}

/// `sin(pi * x) / (pi * x)` of each element, and 1 for 0; another name of `sinc`.
///
/// ```python
/// >>> opwright.special.sinc(opwright.tensor([0.0, 0.5, 1.5]))
/// tensor([ 1.0000,  0.6366, -0.2122], dtype=float32, shape=(3,))
/// ```
#[native_op("special_sinc(Tensor self) -> Tensor", composite, python_module = "special")]
fn special_sinc(self_: &Tensor) -> Result<Tensor> {
    ops::sinc::Default_::call(self_)
}

#[native_op(
    "special_sinc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "special"
)]
fn special_sinc_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    ops::sinc::out::call(self_, out)
}

/// The logistic function `1 / (1 + exp(-x))` of each element; another name of `sigmoid`.
///
/// ```python
/// >>> opwright.special.expit(opwright.tensor([0.0, 1.0]))
/// tensor([0.5000, 0.7311], dtype=float32, shape=(2,))
/// ```
#[native_op("special_expit(Tensor self) -> Tensor", composite, python_module = "special")]
fn special_expit(self_: &Tensor) -> Result<Tensor> {
    ops::sigmoid::Default_::call(self_)
}

#[native_op(
    "special_expit.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "special"
)]
fn special_expit_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    ops::sigmoid::out::call(self_, out)
}

/// The logarithm of the odds of each element; another name of `logit`.
///
/// ```python
/// >>> opwright.special.logit(opwright.tensor([0.5, 0.75]))
/// tensor([0.0000, 1.0986], dtype=float32, shape=(2,))
/// ```
#[native_op(
    "special_logit(Tensor self, float? eps=None) -> Tensor",
    composite,
    python_module = "special"
)]
fn special_logit(self_: &Tensor, eps: Option<f64>) -> Result<Tensor> {
    ops::logit::Default_::call(self_, eps)
}

#[native_op(
    "special_logit.out(Tensor self, float? eps=None, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "special"
)]
fn special_logit_out(self_: &Tensor, eps: Option<f64>, out: &mut Tensor) -> Result<()> {
    ops::logit::out::call(self_, eps, out)
}

/// The nearest number to each element with so many decimals; another name of `round`.
///
/// ```python
/// >>> opwright.special.round(opwright.tensor([0.5, 1.5]))
/// tensor([0., 2.], dtype=float32, shape=(2,))
/// ```
#[native_op(
    "special_round(Tensor self, *, int decimals=0) -> Tensor",
    composite,
    python_module = "special"
)]
fn special_round(self_: &Tensor, decimals: i64) -> Result<Tensor> {
    ops::round::decimals::call(self_, decimals)
}

#[native_op(
    "special_round.out(Tensor self, *, int decimals=0, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "special"
)]
fn special_round_out(self_: &Tensor, decimals: i64, out: &mut Tensor) -> Result<()> {
    ops::round::decimals_out::call(self_, decimals, out)
}

/// `self * log(other)`, and 0 where `self` is 0; another name of `xlogy`.
///
/// ```python
/// >>> opwright.special.xlogy(opwright.tensor([0.0, 2.0]), opwright.tensor([0.0, 2.0]))
/// tensor([0.0000, 1.3863], dtype=float32, shape=(2,))
/// ```
#[native_op(
    "special_xlogy(Tensor self, Tensor other) -> Tensor",
    composite,
    python_module = "special"
)]
fn special_xlogy(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    ops::xlogy::Tensor::call(self_, other)
}

#[native_op(
    "special_xlogy.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "special"
)]
fn special_xlogy_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    ops::xlogy::OutTensor::call(self_, other, out)
}

#[native_op(
    "special_xlogy.self_scalar(Scalar self, Tensor other) -> Tensor",
    composite,
    python_module = "special"
)]
fn special_xlogy_self_scalar(self_: Scalar, other: &Tensor) -> Result<Tensor> {
    ops::xlogy::Scalar_Self::call(self_, other)
}

#[native_op(
    "special_xlogy.self_scalar_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "special"
)]
fn special_xlogy_self_scalar_out(self_: Scalar, other: &Tensor, out: &mut Tensor) -> Result<()> {
    ops::xlogy::OutScalar_Self::call(self_, other, out)
}

#[native_op(
    "special_xlogy.other_scalar(Tensor self, Scalar other) -> Tensor",
    composite,
    python_module = "special"
)]
fn special_xlogy_other_scalar(self_: &Tensor, other: Scalar) -> Result<Tensor> {
    ops::xlogy::Scalar_Other::call(self_, other)
}

#[native_op(
    "special_xlogy.other_scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "special"
)]
fn special_xlogy_other_scalar_out(self_: &Tensor, other: Scalar, out: &mut Tensor) -> Result<()> {
    ops::xlogy::OutScalar_Other::call(self_, other, out)
}
