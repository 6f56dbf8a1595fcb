//! Error functions and terms with logarithms.

use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::iterate::Each;
use opwright_runtime::{Element, Result, Scalar};
use opwright_vecmath::special::{self, Special};

#[native_op(erf.out, elementwise, dtypes = floating)]
fn erf_out<T: Special + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(special::erf)
}

#[native_op(erfc.out, elementwise, dtypes = floating)]
fn erfc_out<T: Special + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(special::erfc)
}

#[native_op(special_entr.out, elementwise, dtypes = floating)]
fn special_entr_out<T: Special>(x: T) -> T {
    x.entropy()
}

#[native_op(xlogy.OutTensor, elementwise, dtypes = floating)]
fn xlogy_outtensor<T: Special + Float>(x: T, other: T) -> T {
    x.xlogy(other, other.ln())
}

#[native_op(special_xlog1py.out, elementwise, dtypes = floating)]
fn special_xlog1py_out<T: Special + Float>(x: T, other: T) -> T {
    x.xlogy(other, other.ln_1p())
}

/// The logarithm of the odds `x / (1 - x)` of each element. With `eps`, elements
/// are first brought into the range from `eps` to `1 - eps`.
///
/// ```python
/// >>> opwright.logit(opwright.tensor([0.5, 0.75]))
/// tensor([0.0000, 1.0986], dtype=float32, shape=(2,))
/// >>> opwright.logit(opwright.tensor([1.0]), eps=0.25)
/// tensor([1.0986], dtype=float32, shape=(1,))
/// ```
#[native_op(
    "logit(Tensor self, float? eps=None) -> Tensor",
    elementwise,
    dtypes = floating,
    promote = float,
    method,
    tags = "pointwise",
    derivative(self = "logit_backward(grad, self, eps)")
)]
fn logit<T: Element + Float>(x: T, eps: Option<f64>) -> T {
    let x = match eps.map(|eps| (Scalar::Float(eps).wrap(), Scalar::Float(1.0 - eps).wrap())) {
        Some((low, _)) if x < low => low,
        Some((_, high)) if x > high => high,
        Some(_) | None => x,
    };
    (x / (T::ONE - x)).ln()
}
