//! Parts of floating numbers: mantissas, exponents, and neighbours.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::iterate::Each;
use opwright_runtime::{DType, Element, Result, Scalar, Tensor};

use crate::gradient::{to, widened};
use crate::ops::{self, TensorOps};

/// Each element as a product of a mantissa from 1/2 to 1, or its opposite, and a power of two: a named
/// tuple `(mantissa, exponent)`. What is zero, infinite or NaN is its own mantissa, with the
/// exponent 0.
///
/// ```python
/// >>> opwright.frexp(opwright.tensor([1.0, 6.0]))
/// frexp(mantissa=tensor([0.50, 0.75], dtype=float32, shape=(2,)), exponent=tensor([1, 3], dtype=int32, shape=(2,)))
/// ```
#[native_op(
    "frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
    elementwise,
    dtypes = floating,
    method,
    tags = "pointwise",
    derivative(self = "frexp_backward(grad, exponent)")
)]
fn frexp<T: Element>(x: T) -> (T, i32) {
    let (mantissa, exponent) = parts(x.as_f64());
    (T::cast_from(mantissa), exponent)
}

fn parts(x: f64) -> (f64, i32) {
    const EXPONENTS: u64 = 0x7ff << 52;
    /// That of one half.
    const HALF: u64 = 1022;
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let is_subnormal = x.abs() < f64::MIN_POSITIVE;
    let (x, less) = if is_subnormal { (x * 2.0_f64.powi(54), 54) } else { (x, 0) };
    let bits = x.to_bits();
    let exponent = ((bits & EXPONENTS) >> 52) as i32 - HALF as i32 - less;
    (f64::from_bits(bits & !EXPONENTS | HALF << 52), exponent)
}

/// `self * 2^other`
#[native_op(ldexp.Tensor)]
fn ldexp(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    self_.mul(&ops::pow::Scalar::call(Scalar::Float(2.0), other)?)
}

#[native_op(ldexp_)]
fn ldexp_(self_: &mut Tensor, other: &Tensor) -> Result<()> {
    self_.mul_(&ops::pow::Scalar::call(Scalar::Float(2.0), other)?)
}

#[native_op(nextafter.out, elementwise, dtypes = [bf16, f32, f64])]
fn nextafter_out<T: Neighbours + Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    // A `bfloat16` has the upper half of the bits of the `f32` that it is calculated in.
    let unit = if each.dtype() == DType::BFloat16 { 1 << 16 } else { 1 };
    each.run(move |x, other| x.towards(other, unit))
}

/// Numbers with bits in their order.
trait Neighbours: Copy {
    /// The next number of those that are so many apart.
    fn towards(self, other: Self, unit: u32) -> Self;
}

macro_rules! neighbours {
    ($($ty:ident $bits:ident)*) => {$(
        impl Neighbours for $ty {
            #[inline]
            fn towards(self, other: $ty, unit: u32) -> $ty {
                let unit = $bits::from(unit);
                if self.is_nan() || other.is_nan() {
                    return $ty::NAN;
                }
                if self == other {
                    return other;
                }
                if self == 0.0 {
                    return $ty::from_bits(unit).copysign(other);
                }
                let is_away = (other > self) == (self > 0.0);
                let bits = self.to_bits();
                $ty::from_bits(if is_away { bits + unit } else { bits - unit })
            }
        }
    )*};
}

neighbours! { f32 u32 f64 u64 }

/// Of the mantissa: `grad` by the power of two.
#[gradient_helper]
pub(crate) fn frexp_backward(grad: &Tensor, exponent: &Tensor) -> Result<Tensor> {
    let wide = widened(grad)?;
    let power = to(exponent, wide.dtype())?.neg()?.exp2()?;
    to(&wide.mul(&power)?, grad.dtype())
}
