//! Sums, differences and products.

use opwright_macros::native_op;
use opwright_runtime::dtype::Number;
use opwright_runtime::structured::rule;
use opwright_runtime::{DType, Result, Scalar, Spec, Tensor, ensure, iterate};

use super::calculate::calculate;
use crate::ops;

#[native_op(add.out, rule)]
fn add_rule(self_: &Tensor, other: &Tensor, alpha: Scalar) -> Result<Spec> {
    let spec = rule::elementwise(&[self_, other])?;
    check_alpha(spec.dtype(), alpha)?;
    Ok(spec)
}

#[native_op(add.out)]
fn add_out(self_: &Tensor, other: &Tensor, alpha: Scalar, out: &mut Tensor) -> Result<()> {
    if out.dtype() == DType::Bool {
        let alpha = alpha.to_bool();
        return iterate::binary(self_, other, out, |a: bool, b: bool| a | (b & alpha));
    }
    calculate!(out.dtype(), "add", number, |T| {
        if alpha.is_one() {
            return iterate::binary(self_, other, out, |a: T, b: T| a.plus(b));
        }
        let alpha: T = alpha.wrap();
        iterate::binary(self_, other, out, |a: T, b: T| a.plus(b.times(alpha)))
    })
}

#[native_op(add.Scalar)]
fn add_scalar(self_: &Tensor, other: Scalar, alpha: Scalar) -> Result<Tensor> {
    ops::add::Tensor::call(self_, &Tensor::wrapped_number(other)?, alpha)
}

#[native_op(add_.Scalar)]
fn add_inplace_scalar(self_: &mut Tensor, other: Scalar, alpha: Scalar) -> Result<()> {
    ops::add_::Tensor::call(self_, &Tensor::wrapped_number(other)?, alpha)
}

#[native_op(sub.out, rule)]
fn sub_rule(self_: &Tensor, other: &Tensor, alpha: Scalar) -> Result<Spec> {
    check_no_truth_values(&[self_, other])?;
    add_rule(self_, other, alpha)
}

#[native_op(sub.out)]
fn sub_out(self_: &Tensor, other: &Tensor, alpha: Scalar, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "sub", number, |T| {
        if alpha.is_one() {
            return iterate::binary(self_, other, out, |a: T, b: T| a.minus(b));
        }
        let alpha: T = alpha.wrap();
        iterate::binary(self_, other, out, |a: T, b: T| a.minus(b.times(alpha)))
    })
}

#[native_op(sub.Scalar)]
fn sub_scalar(self_: &Tensor, other: Scalar, alpha: Scalar) -> Result<Tensor> {
    ops::sub::Tensor::call(self_, &Tensor::wrapped_number(other)?, alpha)
}

#[native_op(sub_.Scalar)]
fn sub_inplace_scalar(self_: &mut Tensor, other: Scalar, alpha: Scalar) -> Result<()> {
    ops::sub_::Tensor::call(self_, &Tensor::wrapped_number(other)?, alpha)
}

/// The difference `other - alpha * self`: `sub` with its operands the other way
/// round.
///
/// ```python
/// >>> opwright.rsub(opwright.tensor([1, 2]), 10)
/// tensor([9, 8], dtype=int64, shape=(2,))
/// ```
#[native_op("rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", composite)]
fn rsub_tensor(self_: &Tensor, other: &Tensor, alpha: Scalar) -> Result<Tensor> {
    ops::sub::Tensor::call(other, self_, alpha)
}

#[native_op("rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", composite)]
fn rsub_scalar(self_: &Tensor, other: Scalar, alpha: Scalar) -> Result<Tensor> {
    ops::sub::Tensor::call(&Tensor::wrapped_number(other)?, self_, alpha)
}

#[native_op(mul.out)]
fn mul_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    if out.dtype() == DType::Bool {
        return iterate::binary(self_, other, out, |a: bool, b: bool| a & b);
    }
    calculate!(out.dtype(), "mul", number, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a.times(b))
    })
}

#[native_op(mul.Scalar)]
fn mul_scalar(self_: &Tensor, other: Scalar) -> Result<Tensor> {
    ops::mul::Tensor::call(self_, &Tensor::wrapped_number(other)?)
}

#[native_op(mul_.Scalar)]
fn mul_inplace_scalar(self_: &mut Tensor, other: Scalar) -> Result<()> {
    ops::mul_::Tensor::call(self_, &Tensor::wrapped_number(other)?)
}

/// The square of each element.
///
/// ```python
/// >>> opwright.square(opwright.tensor([-2, 3]))
/// tensor([4, 9], dtype=int64, shape=(2,))
/// ```
#[native_op("square(Tensor self) -> Tensor", composite, method, tags = "pointwise")]
fn square(self_: &Tensor) -> Result<Tensor> {
    ops::pow::Tensor_Scalar::call(self_, Scalar::Int(2))
}

#[native_op("square_(Tensor(a!) self) -> Tensor(a!)", composite, method, tags = "pointwise")]
fn square_(self_: &mut Tensor) -> Result<()> {
    ops::pow_::Scalar::call(self_, Scalar::Int(2))
}

#[native_op(
    "square.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    tags = "pointwise"
)]
fn square_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    ops::pow::Tensor_Scalar_out::call(self_, Scalar::Int(2), out)
}

/// Fails if a factor cannot be brought to the dtype of the result.
fn check_alpha(dtype: DType, alpha: Scalar) -> Result<()> {
    ensure!(
        !alpha.is_boolean() || dtype.is_boolean(),
        Runtime,
        "Boolean alpha only supported for Boolean results."
    );
    ensure!(
        !(alpha.is_floating() || alpha.is_complex_number())
            || dtype.is_floating()
            || dtype.is_complex_number(),
        Runtime,
        "For integral input tensors, argument alpha must not be a floating point number."
    );
    ensure!(
        !alpha.is_complex_number() || dtype.is_complex_number(),
        Runtime,
        "For non-complex input tensors, argument alpha must not be a complex number."
    );
    Ok(())
}

fn check_no_truth_values(operands: &[&Tensor]) -> Result<()> {
    let count = operands.iter().filter(|it| it.dtype() == DType::Bool).count();
    ensure!(
        count < operands.len(),
        Runtime,
        "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or \
         `logical_xor()` operator instead."
    );
    ensure!(
        count == 0,
        Runtime,
        "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to \
         invert a mask, use the `~` or `logical_not()` operator instead."
    );
    Ok(())
}
