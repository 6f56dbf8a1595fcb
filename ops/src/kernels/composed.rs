//! What composite kernels do with tensors again and again, by operators.

use opwright_runtime::{DType, MemoryFormat, Result, Scalar, Tensor};

use crate::ops;

/// The tensor if it has that dtype already, else a copy cast to it.
pub(crate) fn to_dtype(tensor: &Tensor, dtype: DType) -> Result<Tensor> {
    if tensor.dtype() == dtype {
        return Ok(tensor.clone());
    }
    let format = Some(MemoryFormat::Contiguous);
    ops::_to_copy::Default_::call(tensor, Some(dtype), None, None, None, false, format)
}

/// The only element.
pub(crate) fn item(tensor: &Tensor) -> Result<Scalar> {
    ops::_local_scalar_dense::Default_::call(tensor)
}
