//! Number conversion: Python objects to numbers, exactly or not at all.

use num_complex::Complex;
use opwright_runtime::{Error, Scalar};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyComplexMethods, PyFloat, PyInt};

use super::describe::type_name;
use super::failure::Failure;
use super::{numpy, operators, tensor};
use crate::raw;

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
    raw::to_i64(raw::exact(object)?)
}

fn any_int(object: &Bound<'_, PyAny>) -> Result<i64, Failure> {
    if let Some(tensor) = tensor::tensor_of(object) {
        return integral_item(tensor);
    }
    let index = raw::index(object)?;
    raw::to_i64(&index).ok_or_else(|| {
        let text = format!("{} does not fit a 64-bit integer", short_int(&index));
        PyValueError::new_err(text).into()
    })
}

/// An integer as messages show it: all its digits, or how many there are.
fn short_int(index: &Bound<'_, PyInt>) -> String {
    let bits = index.call_method0("bit_length").and_then(|it| it.extract::<u64>());
    match bits {
        Ok(bits) if bits > 128 => format!("an integer of {bits} bits"),
        _ => index.to_string(),
    }
}

fn integral_item(tensor: &opwright_runtime::Tensor) -> Result<i64, Failure> {
    match operators::item(tensor)? {
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
    if let Some(float) = raw::exact::<PyFloat>(object) {
        return Ok(float.value());
    }
    if let Some(integer) = raw::instance(object) {
        return Ok(raw::to_f64(integer)?);
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
    if let Some(float) = raw::exact::<PyFloat>(object) {
        return Ok(Scalar::Float(float.value()));
    }
    if let Some(flag) = raw::exact::<PyBool>(object) {
        return Ok(Scalar::Bool(flag.is_true()));
    }
    if let Some(integer) = raw::instance(object) {
        return int_scalar(integer);
    }
    other_scalar(object)
}

fn int_scalar(integer: &Bound<'_, PyInt>) -> Result<Scalar, Failure> {
    raw::to_i64(integer).map(Scalar::Int).ok_or_else(|| {
        let text = format!("{} does not fit a 64-bit integer", short_int(integer));
        PyOverflowError::new_err(text).into()
    })
}

/// The value of a Python integer that fits 64 bits, but only without a sign.
pub(crate) fn beyond_i64(object: &Bound<'_, PyAny>) -> Option<u64> {
    let value = object.cast::<PyInt>().ok()?.extract::<u64>().ok()?;
    (value > i64::MAX as u64).then_some(value)
}

fn other_scalar(object: &Bound<'_, PyAny>) -> Result<Scalar, Failure> {
    if let Some(tensor) = tensor::tensor_of(object) {
        return Ok(operators::item(tensor)?);
    }
    if let Some(float) = raw::instance::<PyFloat>(object) {
        return Ok(Scalar::Float(float.value()));
    }
    if let Some(complex) = raw::instance::<PyComplex>(object) {
        return Ok(Scalar::Complex(Complex::new(complex.real(), complex.imag())));
    }
    if numpy::is_numpy_scalar(object) {
        let item = object.call_method0("item")?;
        if !numpy::is_numpy_scalar(&item) {
            return as_scalar(&item);
        }
    }
    Err(PyTypeError::new_err(format!("expected a number, not {}", type_name(object))).into())
}
