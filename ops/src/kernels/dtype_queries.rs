//! Questions about dtypes and about tensors as a whole, and casts.

use opwright_macros::native_op;
use opwright_runtime::promote::{self, ResultType};
use opwright_runtime::{DType, Result, Scalar, Tensor, ensure};

use crate::ops;

/// The dtype that an arithmetic operator with these operands would calculate in.
///
/// ```python
/// >>> opwright.result_type(opwright.tensor([1]), 0.5)
/// opwright.float32
/// ```
#[native_op(
    "result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType",
    composite,
    gil = "hold"
)]
fn result_type_tensor(tensor: &Tensor, other: &Tensor) -> Result<DType> {
    promote::result_type(&[tensor, other])
}

#[native_op(
    "result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType",
    composite,
    gil = "hold"
)]
fn result_type_scalar(tensor: &Tensor, other: Scalar) -> Result<DType> {
    dtype_of(ResultType::EMPTY.with_tensor(tensor).with_scalar(other))
}

#[native_op(
    "result_type.Scalar_Tensor(Scalar scalar, Tensor tensor) -> ScalarType",
    composite,
    gil = "hold"
)]
fn result_type_scalar_tensor(scalar: Scalar, tensor: &Tensor) -> Result<DType> {
    dtype_of(ResultType::EMPTY.with_scalar(scalar).with_tensor(tensor))
}

#[native_op(
    "result_type.Scalar_Scalar(Scalar scalar1, Scalar scalar2) -> ScalarType",
    composite,
    gil = "hold"
)]
fn result_type_scalar_scalar(scalar1: Scalar, scalar2: Scalar) -> Result<DType> {
    dtype_of(ResultType::EMPTY.with_scalar(scalar1).with_scalar(scalar2))
}

/// Whether a result of dtype `from_` may be written to a tensor of dtype `to`, in
/// place or as `out`: unless it would fall to a lower category.
///
/// ```python
/// >>> opwright.can_cast(opwright.int64, opwright.float32), opwright.can_cast(
/// ...     opwright.float32, opwright.int64
/// ... )
/// (True, False)
/// ```
#[native_op("can_cast(ScalarType from_, ScalarType to) -> bool", composite, gil = "hold")]
fn can_cast(from_: DType, to: DType) -> Result<bool> {
    Ok(promote::can_cast(from_, to))
}

/// The smallest dtype that both can be brought to.
///
/// ```python
/// >>> opwright.promote_types(opwright.int64, opwright.float32)
/// opwright.float32
/// ```
#[native_op(
    "promote_types(ScalarType type1, ScalarType type2) -> ScalarType",
    composite,
    gil = "hold"
)]
fn promote_types(type1: DType, type2: DType) -> Result<DType> {
    Ok(promote::promote_types(type1, type2))
}

/// Whether the only element is anything but 0.
///
/// Raises `RuntimeError` if there is not exactly one.
///
/// ```python
/// >>> opwright.is_nonzero(opwright.tensor(3)), opwright.is_nonzero(opwright.tensor([0.0]))
/// (True, False)
/// ```
#[native_op("is_nonzero(Tensor self) -> bool", composite, method, gil = "hold")]
fn is_nonzero(self_: &Tensor) -> Result<bool> {
    ensure!(self_.numel() != 0, Runtime, "Boolean value of Tensor with no values is ambiguous");
    ensure!(
        self_.numel() == 1,
        Runtime,
        "Boolean value of Tensor with more than one value is ambiguous"
    );
    Ok(ops::_local_scalar_dense::Default_::call(self_)?.to_bool())
}

/// Whether the elements are real floating numbers.
///
/// ```python
/// >>> opwright.is_floating_point(opwright.tensor([1.0])), opwright.is_floating_point(
/// ...     opwright.tensor([1])
/// ... )
/// (True, False)
/// ```
#[native_op("is_floating_point(Tensor self) -> bool", composite, gil = "hold")]
fn is_floating_point(self_: &Tensor) -> Result<bool> {
    Ok(self_.dtype().is_floating())
}

/// Whether the elements are complex numbers.
///
/// ```python
/// >>> opwright.is_complex(opwright.tensor([1j])), opwright.is_complex(opwright.tensor([1.0]))
/// (True, False)
/// ```
#[native_op("is_complex(Tensor self) -> bool", composite, gil = "hold")]
fn is_complex(self_: &Tensor) -> Result<bool> {
    Ok(self_.dtype().is_complex_number())
}

/// Whether the dtype has negative numbers.
///
/// ```python
/// >>> opwright.is_signed(opwright.tensor([1])), opwright.is_signed(
/// ...     opwright.tensor([1], dtype=opwright.uint8)
/// ... )
/// (True, False)
/// ```
#[native_op("is_signed(Tensor self) -> bool", composite, gil = "hold")]
fn is_signed(self_: &Tensor) -> Result<bool> {
    Ok(self_.dtype().is_signed_number())
}

/// Whether `self` and `other` have the same shape.
///
/// ```python
/// >>> opwright.is_same_size(opwright.ones(2, 3), opwright.zeros(2, 3))
/// True
/// ```
#[native_op("is_same_size(Tensor self, Tensor other) -> bool", explicit, method, gil = "hold")]
fn is_same_size(self_: &Tensor, other: &Tensor) -> Result<bool> {
    Ok(self_.shape() == other.shape())
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
