//! Aliasing of objects: those that may share memory.

use opwright_runtime::op::Value;
use opwright_runtime::types::{TensorType, Type};
use pyo3::prelude::*;

use crate::object;
use crate::raw::{Buffer, is_buffer};

/// Whether two tensors, arrays or other objects with buffers have memory between the same
/// addresses; others share none.
#[pyfunction(name = "may_share_memory")]
pub(super) fn may_be_shared(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> bool {
    let (Some(a), Some(b)) = (over(a), over(b)) else { return false };
    TensorType::new(opwright_runtime::DType::UInt8, []).aliases(&a, &b)
}

/// A tensor over the memory of an object, whoever may write to it: its elements are not looked at.
fn over(object: &Bound<'_, PyAny>) -> Option<Value> {
    if let Some(tensor) = object::tensor_of(object) {
        return Some(Value::Tensor(tensor.clone()));
    }
    if !is_buffer(object) {
        return None;
    }
    Buffer::get(object).ok()?.tensor().ok().map(Value::Tensor)
}
