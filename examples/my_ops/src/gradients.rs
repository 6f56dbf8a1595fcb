//! One operator for each way to say how it is differentiated. Those of `forms.rs` that take single
//! elements say nothing, and are differentiated as they stand.

use opwright::runtime::dtype::{Element, Float};
use opwright::runtime::{Result, Spec, Tensor, iterate};
use opwright::{gradient_helper, native_op};

/// The elements, `by` times as large.
///
/// The gradient is a formula, which calls this very operator.
#[native_op("scale(Tensor x, float by) -> Tensor", derivative(x = "scale(grad, by)"))]
fn scale(x: &Tensor, by: f64) -> Result<Tensor> {
    let mut out = Spec::elementwise(&[x])?.allocate()?;
    iterate::unary(x, &mut out, |it: f64| it * by)?;
    Ok(out)
}

/// The product of elements, whose gradients a function says.
#[native_op(
    "times(Tensor self, Tensor other) -> Tensor",
    elementwise,
    dtypes = floating,
    method,
    derivative((self, other) = times_backward)
)]
fn times<T: Element + Float>(self_: T, other: T) -> T {
    self_ * other
}

/// Those of both factors, as far as they are wanted.
fn times_backward(
    grad: &Tensor,
    self_: &Tensor,
    other: &Tensor,
    grad_input_mask: &[bool],
) -> Result<(Option<Tensor>, Option<Tensor>)> {
    let by = |factor: &Tensor, is_wanted: bool| {
        is_wanted.then(|| crate::ops::times::Default_::call(grad, factor)).transpose()
    };
    Ok((by(other, grad_input_mask[0])?, by(self_, grad_input_mask[1])?))
}

/// The exponential, whose gradient is made of its result by a helper of formulas.
#[native_op("grow(Tensor x) -> Tensor", derivative(x = "weighted(grad, result, 1.0)"))]
fn grow(x: &Tensor) -> Result<Tensor> {
    let mut out = Spec::elementwise(&[x])?.allocate()?;
    iterate::unary(x, &mut out, f64::exp)?;
    Ok(out)
}

/// `grad * by * more`.
#[gradient_helper]
pub(crate) fn weighted(grad: &Tensor, by: &Tensor, more: f64) -> Result<Tensor> {
    let weighted = crate::ops::times::Default_::call(grad, by)?;
    crate::ops::scale::Default_::call(&weighted, more)
}

/// The elements behind the decimal point, of which nobody says the gradient.
#[native_op("behind_point(Tensor x) -> Tensor", elementwise, dtypes = floating, derivative = none)]
fn behind_point<T: Float>(x: T) -> T {
    x.fract()
}

/// The elements without what stands behind the decimal point, which have no gradient at all.
#[native_op("whole(Tensor x) -> Tensor", elementwise, dtypes = floating, derivative(x = none))]
fn whole<T: Float>(x: T) -> T {
    x.trunc()
}
