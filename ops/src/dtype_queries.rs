//! Questions about dtypes and about tensors as a whole, and casts.

use std::fmt::Debug;

use opwright_macros::native_op;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::promote::{self, ResultType};
use opwright_runtime::{DType, Device, Layout, MemoryFormat, Result, Scalar, Tensor, ensure, fail};

use crate::ops;

#[native_op(result_type.Tensor)]
fn result_type_tensor(tensor: &Tensor, other: &Tensor) -> Result<DType> {
    promote::result_type(&[tensor, other])
}

#[native_op(result_type.Scalar)]
fn result_type_scalar(tensor: &Tensor, other: Scalar) -> Result<DType> {
    dtype_of(ResultType::EMPTY.with_tensor(tensor).with_scalar(other))
}

#[native_op(result_type.Scalar_Tensor)]
fn result_type_scalar_tensor(scalar: Scalar, tensor: &Tensor) -> Result<DType> {
    dtype_of(ResultType::EMPTY.with_scalar(scalar).with_tensor(tensor))
}

#[native_op(result_type.Scalar_Scalar)]
fn result_type_scalar_scalar(scalar1: Scalar, scalar2: Scalar) -> Result<DType> {
    dtype_of(ResultType::EMPTY.with_scalar(scalar1).with_scalar(scalar2))
}

#[native_op(can_cast)]
fn can_cast(from_: DType, to: DType) -> Result<bool> {
    Ok(promote::can_cast(from_, to))
}

#[native_op(promote_types)]
fn promote_types(type1: DType, type2: DType) -> Result<DType> {
    promote::promoted(type1, type2)
}

#[native_op(is_nonzero)]
fn is_nonzero(self_: &Tensor) -> Result<bool> {
    ensure!(self_.numel() != 0, Runtime, "Boolean value of Tensor with no values is ambiguous");
    ensure!(
        self_.numel() == 1,
        Runtime,
        "Boolean value of Tensor with more than one value is ambiguous"
    );
    Ok(ops::_local_scalar_dense::Default_::call(self_)?.to_bool())
}

#[native_op(is_floating_point)]
fn is_floating_point(self_: &Tensor) -> Result<bool> {
    Ok(self_.dtype().is_floating())
}

#[native_op(is_complex)]
fn is_complex(self_: &Tensor) -> Result<bool> {
    Ok(self_.dtype().is_complex_number())
}

#[native_op(is_signed)]
fn is_signed(self_: &Tensor) -> Result<bool> {
    Ok(self_.dtype().is_signed_number())
}

#[native_op(is_same_size)]
fn is_same_size(self_: &Tensor, other: &Tensor) -> Result<bool> {
    Ok(self_.shape() == other.shape())
}

#[native_op(sym_size.int)]
fn sym_size(self_: &Tensor, dim: i64) -> Result<i64> {
    self_.size_of(dim)
}

#[native_op(sym_stride.int)]
fn sym_stride(self_: &Tensor, dim: i64) -> Result<i64> {
    self_.size_of(dim)?;
    Ok(self_.strides()[wrap_dim(dim, self_.ndim())?])
}

#[native_op(sym_numel)]
fn sym_numel(self_: &Tensor) -> Result<i64> {
    Ok(self_.numel() as i64)
}

#[native_op(sym_storage_offset)]
fn sym_storage_offset(self_: &Tensor) -> Result<i64> {
    Ok(self_.offset())
}

#[native_op(sym_is_contiguous)]
fn sym_is_contiguous(self_: &Tensor, memory_format: MemoryFormat) -> Result<bool> {
    Ok(self_.is_in_format(memory_format))
}

fn dtype_of(operands: ResultType) -> Result<DType> {
    match operands.dtype() {
        Some(dtype) => Ok(dtype),
        None => promote::result_type(&[]),
    }
}

/// For composite kernels: the tensor if it has that dtype already, else a copy cast to it.
pub(crate) fn to_dtype(tensor: &Tensor, dtype: DType) -> Result<Tensor> {
    if tensor.dtype() == dtype {
        return Ok(tensor.clone());
    }
    ops::_to_copy::Default_::call(tensor, Some(dtype), None, None, None, false, None)
}

#[native_op(_assert_tensor_metadata)]
fn assert_tensor_metadata(
    a: &Tensor,
    size: Option<&[i64]>,
    stride: Option<&[i64]>,
    dtype: Option<DType>,
    device: Option<Device>,
    layout: Option<Layout>,
) -> Result<()> {
    fn check<T: PartialEq + Debug>(what: &str, found: T, wanted: Option<T>) -> Result<()> {
        let Some(wanted) = wanted.filter(|it| *it != found) else { return Ok(()) };
        fail!(Runtime, "Tensor {what} mismatch! Expected: {wanted:?}, Got: {found:?}")
    }
    check("sizes", a.shape(), size)?;
    check("strides", a.strides(), stride)?;
    check("dtype", a.dtype(), dtype)?;
    check("device", a.device(), device)?;
    check("layout", Layout::Strided, layout)
}
