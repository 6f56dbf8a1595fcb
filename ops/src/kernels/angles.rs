//! Degrees and radians.

use opwright_macros::native_op;
use opwright_runtime::{Result, Scalar, Tensor};

use crate::ops;

/// Each element, an angle in degrees, in radians.
///
/// ```python
/// >>> opwright.deg2rad(opwright.tensor([90.0, 180.0]))
/// tensor([1.5708, 3.1416], dtype=float32, shape=(2,))
/// ```
#[native_op("deg2rad(Tensor self) -> Tensor", explicit, method, tags = "pointwise")]
fn deg2rad(self_: &Tensor) -> Result<Tensor> {
    ops::mul::Scalar::call(self_, PER_DEGREE)
}

#[native_op("deg2rad_(Tensor(a!) self) -> Tensor(a!)", explicit, method, tags = "pointwise")]
fn deg2rad_(self_: &mut Tensor) -> Result<()> {
    ops::mul_::Scalar::call(self_, PER_DEGREE)
}

#[native_op(
    "deg2rad.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    explicit,
    tags = "pointwise"
)]
fn deg2rad_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    ops::mul::out::call(self_, &Tensor::wrapped_number(PER_DEGREE)?, out)
}

/// Each element, an angle in radians, in degrees.
///
/// ```python
/// >>> opwright.rad2deg(opwright.tensor([0.0, 3.14159265]))
/// tensor([  0., 180.], dtype=float32, shape=(2,))
/// ```
#[native_op("rad2deg(Tensor self) -> Tensor", explicit, method, tags = "pointwise")]
fn rad2deg(self_: &Tensor) -> Result<Tensor> {
    ops::mul::Scalar::call(self_, PER_RADIAN)
}

#[native_op("rad2deg_(Tensor(a!) self) -> Tensor(a!)", explicit, method, tags = "pointwise")]
fn rad2deg_(self_: &mut Tensor) -> Result<()> {
    ops::mul_::Scalar::call(self_, PER_RADIAN)
}

#[native_op(
    "rad2deg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    explicit,
    tags = "pointwise"
)]
fn rad2deg_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    ops::mul::out::call(self_, &Tensor::wrapped_number(PER_RADIAN)?, out)
}

const PER_DEGREE: Scalar = Scalar::Float(std::f64::consts::PI / 180.0);
const PER_RADIAN: Scalar = Scalar::Float(180.0 / std::f64::consts::PI);
