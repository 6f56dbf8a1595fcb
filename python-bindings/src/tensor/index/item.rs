//! Index items: what one item of a key is.

use opwright_runtime::{DType, Error, Scalar, Tensor};
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyEllipsis, PyInt, PyRange, PySlice, PyString};

use crate::interop::{dlpack, numpy};
use crate::object::foreign::is_foreign_tensor;
use crate::object::{self, Failure, as_int, is_numpy_scalar, operators, short};
use crate::raw;
use crate::tensor::construct;

/// What an item of a key asks for.
pub(crate) enum Item {
    /// One index of a dimension, which goes away.
    At(i64),
    /// Some of the indices of a dimension.
    Range(Range),
    /// As many whole dimensions as there are left over.
    Ellipsis,
    /// A new dimension of size one.
    NewDim,
    /// A new dimension, of size one or empty.
    Flag(bool),
    /// Indices of a dimension, of type `int64` or so.
    Indices(Tensor),
    /// Which elements of one or more dimensions to take.
    Mask(Tensor),
}

/// A slice before it is cut to the size of a dimension.
#[derive(Clone, Copy, Default)]
pub(crate) struct Range {
    start: ffi::Py_ssize_t,
    end: ffi::Py_ssize_t,
    step: ffi::Py_ssize_t,
}

impl Range {
    /// Reads a slice.
    ///
    /// # Errors
    ///
    /// `ValueError` if its step is zero, and whatever its bounds raise.
    #[inline(always)]
    pub(super) fn read(slice: &Bound<'_, PySlice>) -> Result<Range, Failure> {
        let mut range = Range::default();
        range.read_in_place(slice)?;
        Ok(range)
    }

    /// The same for a range that is somewhere already: to copy one whose numbers were just written
    /// would have to wait for them.
    #[inline]
    pub(super) fn read_in_place(&mut self, slice: &Bound<'_, PySlice>) -> Result<(), Failure> {
        let Range { start, end, step } = self;
        Ok(raw::slice_into(slice, start, end, step)?)
    }

    /// Where it starts, where it ends, and how far its indices are apart.
    #[inline(always)]
    pub(crate) fn bounds(&self) -> (i64, i64, i64) {
        (self.start as i64, self.end as i64, self.step as i64)
    }
}

impl Item {
    /// Reads the item at `position` of a key.
    ///
    /// # Errors
    ///
    /// `IndexError` for an object that is no index, `ValueError` for a slice
    /// whose step is zero.
    pub(crate) fn read(object: &Bound<'_, PyAny>, position: usize) -> Result<Item, Failure> {
        if object.is_exact_instance_of::<PyInt>() {
            return integer(object, position);
        }
        if let Ok(slice) = object.cast::<PySlice>() {
            return Ok(Item::Range(Range::read(slice)?));
        }
        if object.is_none() {
            return Ok(Item::NewDim);
        }
        if object.is_instance_of::<PyEllipsis>() {
            return Ok(Item::Ellipsis);
        }
        if let Ok(flag) = object.cast::<PyBool>() {
            return Ok(Item::Flag(flag.is_true()));
        }
        if let Some(tensor) = object::tensor_of(object).cloned() {
            return array(tensor, object, position);
        }
        if numpy::is_array(object) {
            return array(small_integers(numpy::copy_array(object)?)?, object, position);
        }
        other(object, position)
    }

    /// How many dimensions of the tensor it uses up.
    pub(crate) fn dims(&self) -> usize {
        match self {
            Item::At(_) | Item::Range(_) | Item::Indices(_) => 1,
            Item::Ellipsis | Item::NewDim | Item::Flag(_) => 0,
            Item::Mask(mask) => mask.ndim(),
        }
    }
}

fn integer(object: &Bound<'_, PyAny>, position: usize) -> Result<Item, Failure> {
    // An integer of more than 64 bits is out of range of every dimension.
    as_int(object).map(Item::At).map_err(|failure| match failure {
        Failure::Python(error) if error.is_instance_of::<PyValueError>(object.py()) => {
            let text = format_args!("index {position}: {}", error.value(object.py()));
            Error::out_of_range(text).into()
        }
        other => other,
    })
}

/// A tensor as an index: without dimensions it stands for a number or a flag.
fn array(tensor: Tensor, object: &Bound<'_, PyAny>, position: usize) -> Result<Item, Failure> {
    let dtype = tensor.dtype();
    if !dtype.is_integral() && !dtype.is_boolean() {
        return Err(not_an_index(object, position).into());
    }
    match (dtype, tensor.ndim()) {
        (DType::Bool, 0) => Ok(Item::Flag(operators::item(&tensor)?.to_bool())),
        (DType::Bool, _) => Ok(Item::Mask(tensor)),
        (_, 0) => match operators::item(&tensor)? {
            Scalar::Int(index) => Ok(Item::At(index)),
            Scalar::Bool(_) | Scalar::Float(_) | Scalar::Complex(_) => {
                Err(not_an_index(object, position).into())
            }
        },
        (_, _) => Ok(Item::Indices(tensor)),
    }
}

/// The bytes of numpy are numbers like others, and so are those of a list.
fn small_integers(tensor: Tensor) -> Result<Tensor, Failure> {
    let is_byte = tensor.dtype() == DType::UInt8;
    Ok(if is_byte { operators::to_dtype(&tensor, DType::Int64)? } else { tensor })
}

fn other(object: &Bound<'_, PyAny>, position: usize) -> Result<Item, Failure> {
    if is_numpy_scalar(object) {
        return Item::read(&object.call_method0("item")?, position)
            .map_err(|_| not_an_index(object, position).into());
    }
    if is_foreign_tensor(object) {
        return array(small_integers(dlpack::tensor(object)?.copy()?)?, object, position);
    }
    if raw::is_index(object) {
        return integer(object, position);
    }
    let is_text = object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>();
    if raw::is_sequence(object) && !is_text || object.is_instance_of::<PyRange>() {
        return sequence(object, position);
    }
    Err(not_an_index(object, position).into())
}

/// A list of indices or bools, which may be nested.
fn sequence(object: &Bound<'_, PyAny>, position: usize) -> Result<Item, Failure> {
    let tensor = construct::copy_of(object, None, None).map_err(|failure| match failure {
        Failure::Op(error) => {
            Error::out_of_range(format_args!("index {position}: {}", error.message())).into()
        }
        other @ (Failure::Python(_) | Failure::Mismatch) => other,
    })?;
    // Without elements, a list has no dtype of its own.
    let tensor =
        if tensor.numel() == 0 { operators::to_dtype(&tensor, DType::Int64)? } else { tensor };
    array(small_integers(tensor)?, object, position)
}

#[cold]
fn not_an_index(object: &Bound<'_, PyAny>, position: usize) -> Error {
    Error::out_of_range(format_args!(
        "index {position}: only integers, slices (`:`), ellipsis (`...`), None, and integer or \
         bool tensors and lists are valid indices, not {}",
        short(object)
    ))
}
