#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_macros::native_op;
use opwright_runtime::{Result, Scalar, Spec, Tensor};

#[native_op(add.Tensor, rule)]
fn add_rule(self_: &Tensor, _other: &Tensor, _alpha: Scalar) -> Result<Spec> {
    Ok(Spec::new(&[], self_.dtype(), self_.device()))
}

fn main() {}
