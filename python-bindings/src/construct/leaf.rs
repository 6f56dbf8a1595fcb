//! Leaves of nested sequences: numbers, and whole arrays.

use num_complex::Complex;
use opwright_runtime::autograd::is_recording;
use opwright_runtime::{DType, Element, Error, Scalar, Tensor, buffer, default_dtype};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyComplexMethods, PyFloat, PyInt};

use crate::interop::numpy;
use crate::object::{self, Failure, beyond_i64, is_numpy_scalar, operators, type_name};
use crate::raw::{self, Buffer};

/// The end of a path through sequences.
pub(crate) enum Leaf<'a, 'py> {
    /// A number of Python.
    Number(&'a Bound<'py, PyAny>),
    /// A number of numpy, as one of Python, and what numpy calls its dtype.
    NumpyNumber(Bound<'py, PyAny>, DType),
    /// A tensor, or an array as a tensor.
    Tensor(Tensor),
}

impl<'a, 'py> Leaf<'a, 'py> {
    /// Whether `object` is a number of Python or numpy.
    pub(crate) fn is_number(object: &Bound<'_, PyAny>) -> bool {
        is_python_number(object) || is_numpy_scalar(object)
    }

    /// `object` as the end of a path, if it can be one.
    ///
    /// # Errors
    ///
    /// `TypeError` for an array of a foreign dtype.
    pub(crate) fn of(object: &'a Bound<'py, PyAny>) -> Result<Option<Leaf<'a, 'py>>, Failure> {
        // A `numpy.float64` is a `float` as well, and knows its dtype.
        if is_exact_number(object) {
            return Ok(Some(Leaf::Number(object)));
        }
        if let Some(tensor) = object::tensor_of(object) {
            return Ok(Some(Leaf::Tensor(tensor.clone())));
        }
        if is_numpy_scalar(object) {
            let number = object.call_method0("item")?;
            if !is_exact_number(&number) {
                return Ok(None);
            }
            // Of a type that we have not, such as `uint64`, the number counts.
            let dtype = Buffer::get(object).ok().and_then(|it| it.dtype());
            let dtype = dtype.unwrap_or_else(|| number_dtype(&number));
            return Ok(Some(Leaf::NumpyNumber(number, dtype)));
        }
        if is_python_number(object) {
            return Ok(Some(Leaf::Number(object)));
        }
        if numpy::is_array(object) {
            return Ok(Some(Leaf::Tensor(numpy::copy_array(object)?)));
        }
        Ok(None)
    }

    /// The sizes that the leaf adds to the shape.
    pub(crate) fn shape(&self) -> &[i64] {
        match self {
            Leaf::Number(_) | Leaf::NumpyNumber(..) => &[],
            Leaf::Tensor(tensor) => tensor.shape(),
        }
    }

    /// Whether it is a tensor whose gradients somebody may want.
    pub(crate) fn requires_grad(&self) -> bool {
        matches!(self, Leaf::Tensor(it) if is_recording() && it.requires_grad())
    }

    /// The dtype that the leaf asks for.
    pub(crate) fn dtype(&self) -> DType {
        match self {
            Leaf::Number(object) => number_dtype(object),
            Leaf::NumpyNumber(_, dtype) => *dtype,
            Leaf::Tensor(tensor) => tensor.dtype(),
        }
    }

    /// Appends the elements.
    ///
    /// # Errors
    ///
    /// If a number does not fit the type.
    pub(crate) fn push_to<T: Element>(&self, values: &mut Vec<T>) -> Result<(), Failure> {
        match self {
            Leaf::Number(object) => values.push(number(object)?),
            Leaf::NumpyNumber(object, _) => values.push(number(object)?),
            Leaf::Tensor(tensor) => {
                buffer::extend(values, operators::detach(tensor)?.to_vec::<T>()?)?
            }
        }
        Ok(())
    }
}

/// What is wrong with an object that is neither a number nor a sequence.
#[cold]
pub(crate) fn not_data(object: &Bound<'_, PyAny>, place: &dyn std::fmt::Display) -> Failure {
    let name = type_name(object);
    Error::wrong_type(format_args!(
        "{place} is of type {name}, not a number, a sequence or an array"
    ))
    .into()
}

/// Whether `object` is exactly a `float`, `int`, `bool` or `complex`.
#[inline]
fn is_exact_number(object: &Bound<'_, PyAny>) -> bool {
    let class = object.get_type_ptr();
    class == &raw mut ffi::PyFloat_Type
        || class == &raw mut ffi::PyLong_Type
        || class == &raw mut ffi::PyBool_Type
        || class == &raw mut ffi::PyComplex_Type
}

/// Which types of numbers there are in a sequence.
#[derive(Clone, Copy, Default)]
pub(crate) struct NumberKinds {
    float: bool,
    int: bool,
    bool: bool,
    complex: bool,
}

impl NumberKinds {
    /// With one more, unless it is no number. Runs no code of Python.
    #[inline]
    pub(crate) fn with(mut self, object: &Bound<'_, PyAny>) -> Option<NumberKinds> {
        let class = object.get_type_ptr();
        let seen = if class == &raw mut ffi::PyFloat_Type {
            &mut self.float
        } else if class == &raw mut ffi::PyLong_Type {
            &mut self.int
        } else if class == &raw mut ffi::PyBool_Type {
            &mut self.bool
        } else if class == &raw mut ffi::PyComplex_Type {
            &mut self.complex
        } else {
            return None;
        };
        *seen = true;
        Some(self)
    }

    /// The dtype that holds them all.
    pub(crate) fn dtype(self) -> DType {
        if self.complex {
            default_dtype().to_complex()
        } else if self.float {
            default_dtype()
        } else if self.int {
            DType::Int64
        } else {
            DType::Bool
        }
    }
}

/// An element that is simple to make: of a float, or of a small integer in a
/// wide type. `None` means that it takes a closer look. Runs no code of Python.
#[inline]
pub(crate) fn plain_number<T: Element>(object: &Bound<'_, PyAny>) -> Option<T> {
    let is_float = T::DTYPE.is_floating() || T::DTYPE.is_complex_number();
    if is_float && let Some(float) = raw::exact::<PyFloat>(object) {
        return Some(Scalar::Float(float.value()).wrap());
    }
    if (is_float || T::DTYPE == DType::Int64)
        && let Some(integer) = raw::exact(object)
    {
        return raw::to_i64(integer).map(|it| Scalar::Int(it).wrap());
    }
    None
}

fn is_python_number(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyFloat>()
        || object.is_instance_of::<PyInt>()
        || object.is_instance_of::<PyComplex>()
}

fn number_dtype(object: &Bound<'_, PyAny>) -> DType {
    if object.is_instance_of::<PyFloat>() {
        default_dtype()
    } else if object.is_instance_of::<PyBool>() {
        DType::Bool
    } else if object.is_instance_of::<PyInt>() {
        DType::Int64
    } else {
        default_dtype().to_complex()
    }
}

/// A number of Python as an element.
///
/// Floating-point numbers that are too large become infinite, as they do in
/// arithmetic; other numbers that do not fit are refused.
#[inline]
fn number<T: Element>(object: &Bound<'_, PyAny>) -> Result<T, Failure> {
    let to_float = T::DTYPE.is_floating() || T::DTYPE.is_complex_number();
    if let Some(float) = raw::instance::<PyFloat>(object) {
        let value = Scalar::Float(float.value());
        return if to_float { Ok(value.wrap()) } else { Ok(value.truncated()?) };
    }
    if let Some(value) = raw::instance(object) {
        return integer(value, to_float);
    }
    complex(object)
}

fn integer<T: Element>(integer: &Bound<'_, PyInt>, to_float: bool) -> Result<T, Failure> {
    if let Some(value) = raw::to_i64(integer) {
        let value = Scalar::Int(value);
        return if to_float { Ok(value.wrap()) } else { Ok(value.checked()?) };
    }
    if to_float {
        return Ok(Scalar::Float(raw::to_f64(integer)?).wrap());
    }
    if T::DTYPE == DType::UInt64 {
        return match beyond_i64(integer) {
            Some(value) => Ok(value.cast()),
            None => Ok(Scalar::Float(raw::to_f64(integer)?).checked()?),
        };
    }
    Err(Error::value("the integer does not fit 64 bits; give a floating dtype").into())
}

fn complex<T: Element>(object: &Bound<'_, PyAny>) -> Result<T, Failure> {
    let complex = object.cast::<PyComplex>()?;
    let value = Complex::new(complex.real(), complex.imag());
    if T::DTYPE.is_complex_number() {
        return Ok(Scalar::Complex(value).wrap());
    }
    Err(Error::wrong_type(format_args!("a complex number cannot be an element of {}", T::DTYPE))
        .into())
}
