//! Operators whose gradients are made of those of the module `opwright`: with the feature `ops`.

use opwright::runtime::{Result, Spec, Tensor, iterate};
use opwright::{native_op, ops};

/// The elements, `k` times as large; the gradient is a helper of the module `opwright`.
#[native_op("stretch(Tensor x, float k) -> Tensor", derivative(x = "maybe_multiply(grad, k)"))]
fn stretch(x: &Tensor, k: f64) -> Result<Tensor> {
    let mut out = Spec::elementwise(&[x])?.allocate()?;
    iterate::unary(x, &mut out, |it: f64| it * k)?;
    Ok(out)
}

/// The logarithm of the elements' distance from `center`, and that distance.
#[native_op(
    "log_distance(Tensor x, Tensor center) -> (Tensor logarithm, Tensor distance)",
    derivative(
        output_differentiability = [true, false],
        x = "grad / (x - center)",
        center = "-(grad / (x - center))"
    )
)]
fn log_distance(x: &Tensor, center: &Tensor) -> Result<(Tensor, Tensor)> {
    let spec = Spec::elementwise(&[x, center])?;
    let (mut logarithm, mut distance) = (spec.allocate()?, spec.allocate()?);
    iterate::binary(x, center, &mut distance, |a: f64, b: f64| (a - b).abs())?;
    iterate::unary(&distance, &mut logarithm, f64::ln)?;
    Ok((logarithm, distance))
}

/// The sigmoid of the elements, whose gradient a function of a private module says.
#[native_op("squash(Tensor x) -> Tensor", derivative(x = backward::of_squash))]
fn squash(x: &Tensor) -> Result<Tensor> {
    let mut out = Spec::elementwise(&[x])?.allocate()?;
    iterate::unary(x, &mut out, |it: f64| 1.0 / (1.0 + (-it).exp()))?;
    Ok(out)
}

mod backward {
    use super::{Result, Tensor, ops};

    /// `grad * result * (1 - result)`
    pub(super) fn of_squash(grad: &Tensor, result: &Tensor) -> Result<Tensor> {
        let rest = ops::rsub::Scalar::call(result, 1.0.into(), 1.into())?;
        ops::mul::Tensor::call(&ops::mul::Tensor::call(grad, result)?, &rest)
    }
}
