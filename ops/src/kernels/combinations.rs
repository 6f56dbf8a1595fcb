//! Selections and combinations of three operands.

use num_traits::Num;
use opwright_macros::native_op;
use opwright_runtime::dtype::Number;
use opwright_runtime::promote::result_type;
use opwright_runtime::structured::rule;
use opwright_runtime::{DType, Result, Scalar, Spec, Tensor, ensure, iterate};

use super::analytic::Analytic;
use super::calculate::calculate;

#[native_op(where.self_out, rule)]
fn where_rule(condition: &Tensor, self_: &Tensor, other: &Tensor) -> Result<Spec> {
    ensure!(
        matches!(condition.dtype(), DType::Bool | DType::UInt8),
        Runtime,
        "where expected condition to be a boolean tensor, but got a tensor with dtype {}",
        condition.dtype().title()
    );
    let dtype = result_type(&[self_, other])?;
    Ok(rule::elementwise(&[condition, self_, other])?.with_dtype(dtype))
}

#[native_op(where.self_out)]
fn where_self_out(
    condition: &Tensor,
    self_: &Tensor,
    other: &Tensor,
    out: &mut Tensor,
) -> Result<()> {
    calculate!(out.dtype(), "where", all, |T| {
        iterate::ternary(
            condition,
            self_,
            other,
            out,
            |holds: bool, a: T, b: T| {
                if holds { a } else { b }
            },
        )
    })
}

#[native_op(addcmul.out, rule)]
fn addcmul_rule(self_: &Tensor, tensor1: &Tensor, tensor2: &Tensor, value: Scalar) -> Result<Spec> {
    let spec = rule::elementwise(&[self_, tensor1, tensor2])?;
    check_value(spec.dtype(), value)?;
    Ok(spec)
}

#[native_op(addcmul.out)]
fn addcmul_out(
    self_: &Tensor,
    tensor1: &Tensor,
    tensor2: &Tensor,
    value: Scalar,
    out: &mut Tensor,
) -> Result<()> {
    calculate!(out.dtype(), "addcmul", number, |T| {
        let value: T = value.wrap();
        iterate::ternary(self_, tensor1, tensor2, out, |x: T, a: T, b: T| {
            x.plus(value.times(a).times(b))
        })
    })
}

#[native_op(addcdiv.out, rule)]
fn addcdiv_rule(self_: &Tensor, tensor1: &Tensor, tensor2: &Tensor, value: Scalar) -> Result<Spec> {
    let quotient = result_type(&[tensor1, tensor2])?;
    ensure!(
        quotient.is_floating() || quotient.is_complex_number(),
        Runtime,
        "addcdiv does not divide integers: bring tensor1 or tensor2 to a floating dtype first"
    );
    addcmul_rule(self_, tensor1, tensor2, value)
}

#[native_op(addcdiv.out)]
fn addcdiv_out(
    self_: &Tensor,
    tensor1: &Tensor,
    tensor2: &Tensor,
    value: Scalar,
    out: &mut Tensor,
) -> Result<()> {
    calculate!(out.dtype(), "addcdiv", floating_or_complex, |T| {
        let value: T = value.wrap();
        iterate::ternary(self_, tensor1, tensor2, out, |x: T, a: T, b: T| x + (value * a).over(b))
    })
}

#[native_op(lerp.Scalar_out, rule)]
fn lerp_scalar_rule(self_: &Tensor, end: &Tensor, weight: Scalar) -> Result<Spec> {
    check_same_dtype(self_, "end", end)?;
    let spec = rule::elementwise(&[self_, end])?;
    check_value(spec.dtype(), weight)?;
    Ok(spec)
}

#[native_op(lerp.Scalar_out)]
fn lerp_scalar_out(self_: &Tensor, end: &Tensor, weight: Scalar, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "lerp", floating_or_complex, |T| {
        let weight: T = weight.wrap();
        iterate::binary(self_, end, out, |a: T, b: T| between(a, b, weight))
    })
}

#[native_op(lerp.Tensor_out, rule)]
fn lerp_tensor_rule(self_: &Tensor, end: &Tensor, weight: &Tensor) -> Result<Spec> {
    check_same_dtype(self_, "end", end)?;
    check_same_dtype(self_, "weight", weight)?;
    rule::elementwise(&[self_, end, weight])
}

#[native_op(lerp.Tensor_out, elementwise, dtypes = floating | complex, wide)]
fn lerp_tensor_out<T: Analytic + Num>(a: T, end: T, weight: T) -> T {
    between(a, end, weight)
}

/// From the nearer end, so that a weight of 1 gives `b` exactly.
#[inline(always)]
fn between<T: Analytic + Num>(a: T, b: T, weight: T) -> T {
    if weight.magnitude() < 0.5 { a + weight * (b - a) } else { b - (b - a) * (T::one() - weight) }
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
    Ok(())
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
