//! Python objects to numbers, exactly or not at all.

use num_complex::Complex;
use opwright_runtime::{Error, Scalar};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyInt;

use super::describe::type_name;
use super::numpy;
use crate::failure::Failure;
use crate::tensor::object;

/// An integer parameter's value.
///
/// # Errors
///
/// `ValueError` if it does not fit 64 bits, `TypeError` if the object is no
/// integer, and whatever its `__index__` raises.
#[inline]
pub fn as_int(object: &Bound<'_, PyAny>) -> Result<i64, Failure> {
    match exact_int(object) {
        Some(value) => Ok(value),
        None => any_int(object),
    }
}

/// The value of a plain integer, if it fits.
#[inline]
pub(crate) fn exact_int(object: &Bound<'_, PyAny>) -> Option<i64> {
    let mut overflow = 0;
    // SAFETY: a valid object, and an integer where its value is read, which then cannot fail.
    let value = unsafe {
        if ffi::PyLong_CheckExact(object.as_ptr()) == 0 {
            return None;
        }
        ffi::PyLong_AsLongLongAndOverflow(object.as_ptr(), &raw mut overflow)
    };
    (overflow == 0).then_some(value)
}

fn any_int(object: &Bound<'_, PyAny>) -> Result<i64, Failure> {
    if let Some(tensor) = object::tensor_of(object) {
        return integral_item(tensor);
    }
    // SAFETY: a valid object; a null result means that an exception is set.
    unsafe {
        let index = ffi::PyNumber_Index(object.as_ptr());
        let index = Bound::from_owned_ptr_or_err(object.py(), index)?;
        let mut overflow = 0;
        let value = ffi::PyLong_AsLongLongAndOverflow(index.as_ptr(), &raw mut overflow);
        if overflow != 0 {
            let text = format!("{} does not fit a 64-bit integer", short_int(&index));
            return Err(PyValueError::new_err(text).into());
        }
        if value == -1 && !ffi::PyErr_Occurred().is_null() {
            return Err(PyErr::fetch(object.py()).into());
        }
        Ok(value)
    }
}

/// An integer as messages show it: all its digits, or how many there are.
fn short_int(index: &Bound<'_, PyAny>) -> String {
    let bits = index.call_method0("bit_length").and_then(|it| it.extract::<u64>());
    match bits {
        Ok(bits) if bits > 128 => format!("an integer of {bits} bits"),
        _ => index.to_string(),
    }
}

fn integral_item(tensor: &opwright_runtime::Tensor) -> Result<i64, Failure> {
    match tensor.to_scalar()? {
        Scalar::Int(value) => Ok(value),
        Scalar::Bool(value) => Ok(value.into()),
        Scalar::Float(_) | Scalar::Complex(_) => Err(Error::wrong_type(format_args!(
            "only an integral tensor can be an integer, not one of {}",
            tensor.dtype().name()
        ))
        .into()),
    }
}

/// A real parameter's value.
///
/// # Errors
///
/// `OverflowError` if an integer is too large, `TypeError` if the object is
/// no real number.
pub fn as_float(object: &Bound<'_, PyAny>) -> Result<f64, Failure> {
    // SAFETY: a valid object; exact floats cannot fail.
    unsafe {
        if ffi::PyFloat_CheckExact(object.as_ptr()) != 0 {
            return Ok(ffi::PyFloat_AsDouble(object.as_ptr()));
        }
    }
    // SAFETY: a valid object; `PyLong_AsDouble` says by an exception that the value is too large.
    unsafe {
        if ffi::PyLong_Check(object.as_ptr()) != 0 {
            let value = ffi::PyLong_AsDouble(object.as_ptr());
            return PyErr::take(object.py()).map_or(Ok(value), |it| Err(it.into()));
        }
    }
    match as_scalar(object)? {
        Scalar::Bool(value) => Ok(f64::from(u8::from(value))),
        Scalar::Int(value) => Ok(value as f64),
        Scalar::Float(value) => Ok(value),
        Scalar::Complex(value) if value.im == 0.0 => Ok(value.re),
        Scalar::Complex(value) => Err(Error::runtime(format!(
            "the complex number {value} cannot be converted to a real one without losing its \
             imaginary part"
        ))
        .into()),
    }
}

/// The value of a parameter that takes any number.
///
/// # Errors
///
/// `OverflowError` if an integer does not fit 64 bits, `TypeError` if the
/// object is no number.
#[inline]
pub fn as_scalar(object: &Bound<'_, PyAny>) -> Result<Scalar, Failure> {
    // SAFETY: a valid object.
    unsafe {
        let ptr = object.as_ptr();
        if ffi::PyFloat_CheckExact(ptr) != 0 {
            return Ok(Scalar::Float(ffi::PyFloat_AsDouble(ptr)));
        }
        if ptr == ffi::Py_True() {
            return Ok(Scalar::Bool(true));
        }
        if ptr == ffi::Py_False() {
            return Ok(Scalar::Bool(false));
        }
        if ffi::PyLong_Check(ptr) != 0 {
            return int_scalar(object);
        }
    }
    other_scalar(object)
}

fn int_scalar(object: &Bound<'_, PyAny>) -> Result<Scalar, Failure> {
    let mut overflow = 0;
    // SAFETY: an integer or an instance of a subclass.
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(object.as_ptr(), &raw mut overflow) };
    if overflow != 0 {
        let text = format!("{} does not fit a 64-bit integer", short_int(object));
        return Err(PyOverflowError::new_err(text).into());
    }
    Ok(Scalar::Int(value))
}

/// The value of a Python integer that fits 64 bits, but only without a sign.
pub(super) fn beyond_i64(object: &Bound<'_, PyAny>) -> Option<u64> {
    let value = object.cast::<PyInt>().ok()?.extract::<u64>().ok()?;
    (value > i64::MAX as u64).then_some(value)
}

fn other_scalar(object: &Bound<'_, PyAny>) -> Result<Scalar, Failure> {
    if let Some(tensor) = object::tensor_of(object) {
        return Ok(tensor.to_scalar()?);
    }
    // SAFETY: a valid object.
    unsafe {
        let ptr: *mut PyObject = object.as_ptr();
        if ffi::PyFloat_Check(ptr) != 0 {
            return Ok(Scalar::Float(ffi::PyFloat_AsDouble(ptr)));
        }
        if ffi::PyComplex_Check(ptr) != 0 {
            let re = ffi::PyComplex_RealAsDouble(ptr);
            return Ok(Scalar::Complex(Complex::new(re, ffi::PyComplex_ImagAsDouble(ptr))));
        }
    }
    if numpy::is_numpy_scalar(object) {
        let item = object.call_method0("item")?;
        if !numpy::is_numpy_scalar(&item) {
            return as_scalar(&item);
        }
    }
    Err(PyTypeError::new_err(format!("expected a number, not {}", type_name(object))).into())
}
