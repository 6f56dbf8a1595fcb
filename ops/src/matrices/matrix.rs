//! Products of two matrices, and of two batches of matrices.

use opwright_macros::native_op;
use opwright_runtime::structured::Spec;
use opwright_runtime::{DType, Result, Scalar, Tensor, ensure};

use super::product::{batch_spec, matrix_spec, multiply};
use crate::dtype_queries::to_dtype;
use crate::ops;

#[native_op(mm.out, rule)]
fn mm_rule(self_: &Tensor, mat2: &Tensor) -> Result<Spec> {
    matrix_spec(self_, mat2)
}

#[native_op(mm.out)]
fn mm_out(self_: &Tensor, mat2: &Tensor, out: &mut Tensor) -> Result<()> {
    multiply(Scalar::Int(1), self_, mat2, Scalar::Int(0), out)
}

#[native_op(mm.dtype)]
fn mm_dtype(self_: &Tensor, mat2: &Tensor, out_dtype: DType) -> Result<Tensor> {
    let (self_, mat2) = widened(self_, mat2, out_dtype)?;
    ops::mm::Default_::call(&self_, &mat2)
}

#[native_op(bmm.out, rule)]
fn bmm_rule(self_: &Tensor, mat2: &Tensor) -> Result<Spec> {
    batch_spec(self_, mat2)
}

#[native_op(bmm.out)]
fn bmm_out(self_: &Tensor, mat2: &Tensor, out: &mut Tensor) -> Result<()> {
    multiply(Scalar::Int(1), self_, mat2, Scalar::Int(0), out)
}

#[native_op(bmm.dtype)]
fn bmm_dtype(self_: &Tensor, mat2: &Tensor, out_dtype: DType) -> Result<Tensor> {
    let (self_, mat2) = widened(self_, mat2, out_dtype)?;
    ops::bmm::Default_::call(&self_, &mat2)
}

/// Both factors in the dtype that the product is to have.
pub(super) fn widened(a: &Tensor, b: &Tensor, out_dtype: DType) -> Result<(Tensor, Tensor)> {
    let dtype = super::product::common_dtype(a, b)?;
    ensure!(
        out_dtype == dtype || (is_half(dtype) && out_dtype == DType::Float32),
        Runtime,
        "out_dtype must be the same as the dtype of the matrices, or float32 for half precision, \
         but got {out_dtype} for {dtype}"
    );
    Ok((to_dtype(a, out_dtype)?, to_dtype(b, out_dtype)?))
}

fn is_half(dtype: DType) -> bool {
    matches!(dtype, DType::Float16 | DType::BFloat16)
}
