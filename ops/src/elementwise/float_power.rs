//! Powers in double precision, whatever the operands are.

use opwright_macros::native_op;
use opwright_runtime::{DType, Result, Scalar, Tensor, ensure};

use crate::dtype_queries::to_dtype;
use crate::ops;

#[native_op(float_power.Tensor_Tensor)]
fn float_power_tensor_tensor(self_: &Tensor, exponent: &Tensor) -> Result<Tensor> {
    let dtype = double(self_.dtype(), exponent.dtype());
    ops::pow::Tensor_Tensor::call(&to_dtype(self_, dtype)?, &to_dtype(exponent, dtype)?)
}

#[native_op(float_power.Tensor_Tensor_out)]
fn float_power_tensor_tensor_out(
    self_: &Tensor,
    exponent: &Tensor,
    out: &mut Tensor,
) -> Result<()> {
    let dtype = double(self_.dtype(), exponent.dtype());
    check_target("output", out.dtype(), dtype)?;
    ops::pow::Tensor_Tensor_out::call(&to_dtype(self_, dtype)?, &to_dtype(exponent, dtype)?, out)
}

#[native_op(float_power.Scalar)]
fn float_power_scalar(self_: Scalar, exponent: &Tensor) -> Result<Tensor> {
    let dtype = double(self_.storage_dtype(), exponent.dtype());
    ops::pow::Scalar::call(self_, &to_dtype(exponent, dtype)?)
}

#[native_op(float_power.Scalar_out)]
fn float_power_scalar_out(self_: Scalar, exponent: &Tensor, out: &mut Tensor) -> Result<()> {
    let dtype = double(self_.storage_dtype(), exponent.dtype());
    check_target("output", out.dtype(), dtype)?;
    ops::pow::Scalar_out::call(self_, &to_dtype(exponent, dtype)?, out)
}

#[native_op(float_power.Tensor_Scalar)]
fn float_power_tensor_scalar(self_: &Tensor, exponent: Scalar) -> Result<Tensor> {
    let dtype = double(self_.dtype(), exponent.storage_dtype());
    ops::pow::Tensor_Scalar::call(&to_dtype(self_, dtype)?, exponent)
}

#[native_op(float_power.Tensor_Scalar_out)]
fn float_power_tensor_scalar_out(self_: &Tensor, exponent: Scalar, out: &mut Tensor) -> Result<()> {
    let dtype = double(self_.dtype(), exponent.storage_dtype());
    check_target("output", out.dtype(), dtype)?;
    ops::pow::Tensor_Scalar_out::call(&to_dtype(self_, dtype)?, exponent, out)
}

#[native_op(float_power_.Tensor)]
fn float_power_inplace_tensor(self_: &mut Tensor, exponent: &Tensor) -> Result<()> {
    let dtype = double(self_.dtype(), exponent.dtype());
    check_target("base", self_.dtype(), dtype)?;
    ops::pow_::Tensor::call(self_, &to_dtype(exponent, dtype)?)
}

#[native_op(float_power_.Scalar)]
fn float_power_inplace_scalar(self_: &mut Tensor, exponent: Scalar) -> Result<()> {
    let dtype = double(self_.dtype(), exponent.storage_dtype());
    check_target("base", self_.dtype(), dtype)?;
    ops::pow_::Scalar::call(self_, exponent)
}

fn double(a: DType, b: DType) -> DType {
    let is_complex = a.is_complex_number() || b.is_complex_number();
    if is_complex { DType::Complex128 } else { DType::Float64 }
}

fn check_target(what: &str, actual: DType, expected: DType) -> Result<()> {
    ensure!(
        actual == expected,
        Runtime,
        "the {what} given to float_power has dtype {} but the operation's result requires dtype {}",
        actual.title(),
        expected.title()
    );
    Ok(())
}
