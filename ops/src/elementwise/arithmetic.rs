//! Sums, differences and products.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{Bits, Element, Number};
use opwright_runtime::iterate::Each;
use opwright_runtime::promote::result_type;
use opwright_runtime::{DType, Result, Scalar, Tensor, ensure};

use crate::gradient::handle_r_to_c;
use crate::ops;

#[native_op(add.out, check)]
fn add_check(self_: &Tensor, other: &Tensor, alpha: Scalar) -> Result<()> {
    // Which goes with every dtype.
    if matches!(alpha, Scalar::Int(_)) {
        return Ok(());
    }
    check_alpha(result_type(&[self_, other])?, alpha)
}

#[native_op(add.out, elementwise, dtypes = number)]
fn add_out<T: Element + Number>(each: Each<'_, (T, T), T>, alpha: Scalar) -> Result<()> {
    if alpha.is_one() {
        return each.run(|a, b| a.plus(b));
    }
    let alpha: T = alpha.operand()?;
    each.run(|a, b| a.plus(b.times(alpha)))
}

#[native_op(add.out, elementwise, dtypes = [bool])]
fn add_bools<T: Element + Bits>(each: Each<'_, (T, T), T>, alpha: Scalar) -> Result<()> {
    let alpha: T = alpha.operand()?;
    each.run(|a, b| a | (b & alpha))
}

#[native_op(sub.out, check)]
fn sub_check(self_: &Tensor, other: &Tensor, alpha: Scalar) -> Result<()> {
    check_no_truth_values(&[self_, other])?;
    add_check(self_, other, alpha)
}

#[native_op(sub.out, elementwise, dtypes = number)]
fn sub_out<T: Element + Number>(each: Each<'_, (T, T), T>, alpha: Scalar) -> Result<()> {
    if alpha.is_one() {
        return each.run(|a, b| a.minus(b));
    }
    let alpha: T = alpha.operand()?;
    each.run(|a, b| a.minus(b.times(alpha)))
}

#[native_op(mul.out, elementwise, dtypes = number)]
fn mul_out<T: Number>(a: T, other: T) -> T {
    a.times(other)
}

#[native_op(mul.out, elementwise, dtypes = [bool])]
fn mul_bools<T: Bits>(a: T, other: T) -> T {
    a & other
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

/// Of `self * other`: `grad * conj(other)`, as what it is the gradient of has it.
#[gradient_helper]
pub(crate) fn mul_tensor_backward(grad: &Tensor, other: &Tensor, dtype: DType) -> Result<Tensor> {
    let product = ops::mul::Tensor::call(grad, &ops::conj::Default_::call(other)?)?;
    handle_r_to_c(dtype, &product)
}
