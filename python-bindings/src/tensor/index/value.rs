//! Assigned values: what `tensor[key] = value` writes.

use opwright_runtime::geometry::broadcast_strides;
use opwright_runtime::tensor::{Overlap, overlaps};
use opwright_runtime::{DType, Error, MemoryFormat, Result, Scalar, Tensor};
use pyo3::prelude::*;
use pyo3::types::PyFloat;

use crate::object::{self, Failure, exact_int, operators};
use crate::raw;
use crate::tensor::construct;

/// The right side of an assignment to elements of `dtype`: a tensor as it is,
/// anything else as a tensor of that dtype. Dimensions of size one in front of
/// the last `ndim` are left off.
///
/// # Errors
///
/// As for [`construct::copy_of`].
pub(super) fn of(
    value: &Bound<'_, PyAny>,
    dtype: DType,
    ndim: usize,
) -> std::result::Result<Tensor, Failure> {
    let value = match object::tensor_of(value) {
        Some(tensor) => tensor.clone(),
        None => match exact_number(value) {
            // A list is data, whose fractions are dropped; a number is stored as it is written.
            Some(number) => Tensor::from_scalar(number, dtype)?,
            None => construct::copy_of(value, Some(dtype), None)?,
        },
    };
    Ok(without_leading_ones(value, ndim)?)
}

/// A number that is exactly a `float`, or an `int` of 64 bits.
pub(super) fn exact_number(value: &Bound<'_, PyAny>) -> Option<Scalar> {
    if let Some(integer) = exact_int(value) {
        return Some(Scalar::Int(integer));
    }
    raw::exact::<PyFloat>(value).map(|it| Scalar::Float(it.value()))
}

/// Copies `value` to all elements of `view`, which it may share memory with.
///
/// # Errors
///
/// `Runtime` if it does not stretch to the shape.
pub(super) fn copy(view: &mut Tensor, value: &Tensor) -> Result<()> {
    let copied = match overlaps(view, value) {
        Overlap::Partial => {
            operators::copy_(view, &operators::clone(value, MemoryFormat::Contiguous)?)
        }
        Overlap::No | Overlap::Full => operators::copy_(view, value),
    };
    copied.map_err(|error| {
        let fits = broadcast_strides(value.shape(), value.strides(), view.shape()).is_ok();
        if fits { error } else { does_not_fit(view, value) }
    })
}

#[cold]
fn does_not_fit(view: &Tensor, value: &Tensor) -> Error {
    Error::runtime(format_args!(
        "a value of shape {:?} cannot be assigned to elements of shape {:?}",
        value.shape(),
        view.shape()
    ))
}

fn without_leading_ones(mut value: Tensor, ndim: usize) -> Result<Tensor> {
    while value.ndim() > ndim && value.shape()[0] == 1 {
        value = operators::squeeze(&value, 0)?;
    }
    Ok(value)
}
