//! Selections and combinations of three operands.

use num_traits::Num;
use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Number};
use opwright_runtime::iterate::Each;
use opwright_runtime::promote::{self, result_type};
use opwright_runtime::{DType, Result, Scalar, Spec, Tensor, ensure};
use opwright_vecmath::elementary::Elementary;

#[native_op(where.self_out, rule)]
fn where_rule(condition: &Tensor, self_: &Tensor, other: &Tensor) -> Result<Spec> {
    ensure!(
        matches!(condition.dtype(), DType::Bool | DType::UInt8),
        Runtime,
        "where expected condition to be a boolean tensor, but got a tensor with dtype {}",
        condition.dtype().title()
    );
    let dtype = result_type(&[self_, other])?;
    // A number is stored as it is.
    for number in [self_, other] {
        promote::check_stored(number, dtype)?;
    }
    Spec::elementwise_of(&[condition, self_, other], dtype)
}

#[native_op(where.self_out, elementwise, dtypes = all)]
fn where_self_out<T: Element>(each: Each<'_, (bool, T, T), T>) -> Result<()> {
    each.run(|holds, a, b| if holds { a } else { b })
}

#[native_op(addcmul.out, check)]
fn addcmul_check(self_: &Tensor, tensor1: &Tensor, tensor2: &Tensor, value: Scalar) -> Result<()> {
    check_value(result_type(&[self_, tensor1, tensor2])?, value)
}

#[native_op(addcmul.out, elementwise, dtypes = number, wide)]
fn addcmul_out<T: Element + Number>(each: Each<'_, (T, T, T), T>, value: Scalar) -> Result<()> {
    let value: T = value.operand()?;
    each.run(|x, a, b| x.plus(value.times(a).times(b)))
}

/// Below, products of numbers of `f32` have lost digits.
const SMALLEST: f64 = f32::MIN_POSITIVE as f64;

#[native_op(addcdiv.out, check)]
fn addcdiv_check(self_: &Tensor, tensor1: &Tensor, tensor2: &Tensor, value: Scalar) -> Result<()> {
    let quotient = result_type(&[tensor1, tensor2])?;
    ensure!(
        quotient.is_floating() || quotient.is_complex_number(),
        Runtime,
        "addcdiv does not divide integers: bring tensor1 or tensor2 to a floating dtype first"
    );
    addcmul_check(self_, tensor1, tensor2, value)
}

#[native_op(addcdiv.out, elementwise, dtypes = floating | complex, wide)]
fn addcdiv_out<T: Element + Elementary + Num>(
    each: Each<'_, (T, T, T), T>,
    value: Scalar,
) -> Result<()> {
    let value: T = value.operand()?;
    let is_nothing = value.magnitude() == 0.0;
    each.run(|x, a, b| {
        let product = value * a;
        let size = product.magnitude();
        // What is too large or too small on the way may not be in the end.
        let quotient = match is_nothing || (size > SMALLEST && size < f64::INFINITY) {
            true => product.over(b),
            false => value * a.over(b),
        };
        x + quotient
    })
}

#[native_op(lerp.Scalar_out, check)]
fn lerp_scalar_check(self_: &Tensor, end: &Tensor, weight: Scalar) -> Result<()> {
    check_same_dtype(self_, "end", end)?;
    check_value(self_.dtype(), weight)
}

#[native_op(lerp.Scalar_out, elementwise, dtypes = floating | complex, wide)]
fn lerp_scalar_out<T: Element + Elementary + Num>(
    each: Each<'_, (T, T), T>,
    weight: Scalar,
) -> Result<()> {
    let weight: T = weight.operand()?;
    each.run(|a, b| lerp_tensor_out(a, b, weight))
}

#[native_op(lerp.Tensor_out, check)]
fn lerp_tensor_check(self_: &Tensor, end: &Tensor, weight: &Tensor) -> Result<()> {
    check_same_dtype(self_, "end", end)?;
    check_same_dtype(self_, "weight", weight)
}

/// From the nearer end, so that a weight of 1 gives `end` exactly.
#[native_op(lerp.Tensor_out, elementwise, dtypes = floating | complex, wide)]
#[inline(always)]
fn lerp_tensor_out<T: Elementary + Num>(a: T, end: T, weight: T) -> T {
    let (way, rest) = (end - a, T::one() - weight);
    if way.magnitude() == f64::INFINITY {
        // The ends are farther apart than any number is long.
        return a * rest + end * weight;
    }
    if weight.magnitude() < 0.5 { a + weight * way } else { end - way * rest }
}

fn check_value(dtype: DType, value: Scalar) -> Result<()> {
    ensure!(
        !value.is_floating() || dtype.is_floating() || dtype.is_complex_number(),
        Runtime,
        "For integral input tensors, argument value must not be a floating point number."
    );
    ensure!(
        !value.is_complex_number() || dtype.is_complex_number(),
        Runtime,
        "value cannot be converted to type {} without overflow",
        dtype.name()
    );
    if dtype.is_integral() { value.check_held(dtype) } else { Ok(()) }
}

fn check_same_dtype(self_: &Tensor, name: &str, other: &Tensor) -> Result<()> {
    ensure!(
        self_.dtype() == other.dtype(),
        Runtime,
        "expected dtype {} for `{name}` but got dtype {}",
        self_.dtype().name(),
        other.dtype().name()
    );
    Ok(())
}
