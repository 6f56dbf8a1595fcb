//! Affine maps of rows.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor, ensure};

#[native_op(linear)]
fn linear(input: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    ensure!(
        matches!(weight.ndim(), 1 | 2),
        Runtime,
        "weight must be a matrix or a vector, but has {} dimensions",
        weight.ndim()
    );
    let transposed = crate::ops::t::Default_::call(weight)?;
    match bias {
        Some(bias) if input.ndim() == 2 && weight.ndim() == 2 => {
            crate::ops::addmm::Default_::call(bias, input, &transposed, 1.into(), 1.into())
        }
        Some(bias) => {
            let product = crate::ops::matmul::Default_::call(input, &transposed)?;
            crate::ops::add::Tensor::call(&product, bias, 1.into())
        }
        None => crate::ops::matmul::Default_::call(input, &transposed),
    }
}
