//! Buffer import: tensors over memory of other Python objects.

use opwright_runtime::geometry::contiguous_strides;
use opwright_runtime::{DType, Error, Tensor};
use pyo3::ffi::Py_ssize_t;
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::format;
use crate::object::{Failure, type_name};
use crate::raw::{Buffer, is_buffer};

impl Buffer {
    /// The dtype, if we have it.
    pub(crate) fn dtype(&self) -> Option<DType> {
        format::read(self.format(), self.item_size())
    }

    /// A tensor over the memory. The caller has looked at
    /// [`is_read_only`](Buffer::is_read_only), or writes to no element.
    ///
    /// # Errors
    ///
    /// `TypeError` for elements that we have no dtype for, `ValueError` for
    /// elements that are not aligned.
    pub(crate) fn tensor(self) -> Result<Tensor, Failure> {
        let dtype = self.dtype().ok_or_else(|| unsupported(&self.format().to_string_lossy()))?;
        let size = dtype.size() as i64;
        let shape = dims(self.shape());
        let mut strides = match self.strides() {
            // Who leaves them out lends the elements in row-major order.
            [] => contiguous_strides(&shape).iter().map(|it| it * size).collect(),
            given => dims(given),
        };
        for (stride, &extent) in strides.iter_mut().zip(&shape) {
            // Nobody steps along a dimension of one element.
            if extent > 1 && *stride % size != 0 {
                return Err(misaligned().into());
            }
            *stride /= size;
        }
        let start = self.start();
        let is_empty = shape.contains(&0);
        let address = if dtype.is_complex_number() { size / 2 } else { size };
        if !is_empty && !start.addr().is_multiple_of(address as usize) {
            return Err(misaligned().into());
        }
        // SAFETY: the exporter vouches for shape and strides, and keeps the
        // memory where it is until the view, which the tensor owns, is released.
        Ok(unsafe { Tensor::from_foreign(start, &shape, &strides, dtype, Box::new(self)) }?)
    }
}

fn dims(of: &[Py_ssize_t]) -> SmallVec<[i64; 6]> {
    of.iter().map(|&it| it as i64).collect()
}

#[cold]
fn misaligned() -> Error {
    Error::value(
        "the elements are not at multiples of their size; copy the array first, with .copy()",
    )
}

/// The exception for elements of a foreign type, with what is supported.
#[cold]
pub(crate) fn unsupported(what: &str) -> Error {
    let names: Vec<&str> =
        DType::ALL.iter().filter(|it| it.buffer_format().is_some()).map(|it| it.name()).collect();
    Error::wrong_type(format_args!(
        "cannot make a tensor of elements of type {what}; the supported types are {}",
        names.join(", ")
    ))
}

/// A one-dimensional tensor over the bytes of an object: `count` elements from
/// byte `offset` on, or all if `count` is negative. Read-only bytes are copied.
///
/// # Errors
///
/// `TypeError` if the object has no buffer, `ValueError` if the bytes are not
/// contiguous, too few or not aligned.
pub(crate) fn bytes_as(
    object: &Bound<'_, PyAny>,
    dtype: DType,
    count: i64,
    offset: i64,
) -> Result<Tensor, Failure> {
    if !is_buffer(object) {
        return Err(Error::wrong_type(format_args!(
            "expected an object with a buffer, not {}",
            type_name(object)
        ))
        .into());
    }
    let buffer = Buffer::get(object)?;
    if !buffer.is_contiguous() {
        return Err(Error::value("the bytes do not lie one after the other").into());
    }
    let count = buffer.elements(dtype, count, offset)?;
    let start = buffer.start().wrapping_offset(offset as isize);
    let is_read_only = buffer.is_read_only();
    // SAFETY: `elements` made sure that there are that many, and the view, which
    // the tensor owns, keeps them where they are.
    let tensor = unsafe { Tensor::from_foreign(start, &[count], &[1], dtype, Box::new(buffer)) }?;
    Ok(if is_read_only { tensor.copy()? } else { tensor })
}

/// A tensor over the memory of an object with a buffer, and false; of read-only
/// memory, over a copy, and true.
///
/// # Errors
///
/// `TypeError` for elements that no dtype is for, `ValueError` for elements
/// that are not aligned, what the object raises.
pub(crate) fn view(object: &Bound<'_, PyAny>) -> Result<(Tensor, bool), Failure> {
    let buffer = Buffer::get(object)?;
    let is_read_only = buffer.is_read_only();
    let tensor = buffer.tensor()?;
    Ok((if is_read_only { tensor.copy()? } else { tensor }, is_read_only))
}

impl Buffer {
    /// How many elements of `dtype` there are from byte `offset` on, at most
    /// `count` unless that is negative.
    fn elements(&self, dtype: DType, count: i64, offset: i64) -> Result<i64, Failure> {
        let (bytes, size) = (self.bytes() as i64, dtype.size() as i64);
        let wrong = |text: String| Err(Error::value(text).into());
        if offset < 0 || offset > bytes {
            return wrong(format!("offset {offset} is not within the {bytes} bytes"));
        }
        let left = bytes - offset;
        if count < 0 {
            return match left % size {
                0 => Ok(left / size),
                _ => wrong(format!("{left} bytes are not a whole number of {dtype} elements")),
            };
        }
        if count > left / size {
            return wrong(format!("{left} bytes are too few for {count} elements of {dtype}"));
        }
        Ok(count)
    }
}
