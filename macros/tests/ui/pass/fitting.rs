//! Kernels that fit, however they are spelled.

#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_macros::native_op;
use opwright_runtime::{Result, Scalar, Spec, Tensor};

/// rustc sees through names of types.
type Operand<'a> = &'a Tensor;

#[native_op(add.Tensor)]
fn add_tensor<'a>(self_: Operand<'a>, _: Operand<'a>, _alpha: Scalar) -> Result<Tensor> {
    Ok(self_.clone())
}

/// A shared reference is enough for who does not write.
#[native_op(add_.Tensor)]
fn add_inplace(_: &Tensor, _: &Tensor, _: Scalar) -> Result<()> {
    Ok(())
}

#[native_op(where.self)]
fn r#where(condition: &Tensor, _: &Tensor, _: &Tensor) -> Result<Tensor> {
    Ok(condition.clone())
}

#[native_op(extremes.out, rule)]
fn extremes_rule(self_: &Tensor, _dim: i64) -> Result<(Spec, Spec)> {
    let spec = Spec::new(&[], self_.dtype(), self_.device());
    Ok((spec.clone(), spec))
}

#[native_op(r#"hypot(Tensor x, Tensor y) -> Tensor"#, key = CPU | Meta, method, since = "0.1")]
const fn hypot(_x: &Tensor, _y: &Tensor) -> Result<Tensor> {
    unimplemented!()
}

fn main() {
    let kernels: (usize, usize) = (add_tensor::KERNEL as usize, r#where::KERNEL as usize);
    assert_ne!(kernels.0, kernels.1);
    let _ = (add_inplace::KERNEL, extremes_rule::RULE, hypot::KERNEL);
}
