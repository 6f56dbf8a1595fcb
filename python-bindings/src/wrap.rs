//! The results of overloads as Python objects.

use opwright_runtime::{DType, Scalar, Tensor, buffer};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::failure::Failure;
use crate::tensor::object;
use crate::types::PyDType;

/// A result that Python can hold.
pub trait Wrap {
    /// A new reference.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    fn wrap(self, py: Python<'_>) -> Result<*mut PyObject, Failure>;
}

/// A pointer that is null if an exception is set.
#[inline]
fn checked(py: Python<'_>, object: *mut PyObject) -> Result<*mut PyObject, Failure> {
    if object.is_null() { Err(fetched(py)) } else { Ok(object) }
}

/// The exception that is set.
#[cold]
#[inline(never)]
fn fetched(py: Python<'_>) -> Failure {
    PyErr::fetch(py).into()
}

impl Wrap for Tensor {
    // Not in each of thousands of bodies.
    #[inline(never)]
    fn wrap(self, py: Python<'_>) -> Result<*mut PyObject, Failure> {
        checked(py, object::new(self))
    }
}

impl Wrap for () {
    fn wrap(self, py: Python<'_>) -> Result<*mut PyObject, Failure> {
        Ok(py.None().into_ptr())
    }
}

impl Wrap for bool {
    fn wrap(self, py: Python<'_>) -> Result<*mut PyObject, Failure> {
        // SAFETY: the GIL is held.
        checked(py, unsafe { ffi::PyBool_FromLong(self.into()) })
    }
}

impl Wrap for i64 {
    fn wrap(self, py: Python<'_>) -> Result<*mut PyObject, Failure> {
        // SAFETY: the GIL is held.
        checked(py, unsafe { ffi::PyLong_FromLongLong(self) })
    }
}

impl Wrap for f64 {
    fn wrap(self, py: Python<'_>) -> Result<*mut PyObject, Failure> {
        // SAFETY: the GIL is held.
        checked(py, unsafe { ffi::PyFloat_FromDouble(self) })
    }
}

impl Wrap for Scalar {
    fn wrap(self, py: Python<'_>) -> Result<*mut PyObject, Failure> {
        match self {
            Scalar::Bool(value) => value.wrap(py),
            Scalar::Int(value) => value.wrap(py),
            Scalar::Float(value) => value.wrap(py),
            Scalar::Complex(value) => {
                // SAFETY: the GIL is held.
                checked(py, unsafe { ffi::PyComplex_FromDoubles(value.re, value.im) })
            }
        }
    }
}

impl Wrap for DType {
    fn wrap(self, py: Python<'_>) -> Result<*mut PyObject, Failure> {
        Ok(PyDType::object(py, self)?.into_ptr())
    }
}

impl Wrap for String {
    fn wrap(self, py: Python<'_>) -> Result<*mut PyObject, Failure> {
        Ok(self.into_pyobject(py).map_err(PyErr::from)?.into_ptr())
    }
}

impl<T: Wrap> Wrap for Vec<T> {
    fn wrap(self, py: Python<'_>) -> Result<*mut PyObject, Failure> {
        let elements = buffer::try_collected(self.into_iter().map(|it| owned(py, it)))?;
        Ok(tuple(py, elements)?.into_ptr())
    }
}

/// A tuple of objects; unlike PyO3's, one that does not fit into memory is an exception.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn tuple<'py>(
    py: Python<'py>,
    elements: Vec<Bound<'py, PyAny>>,
) -> Result<Bound<'py, PyTuple>, Failure> {
    // SAFETY: the GIL is held; the tuple is new, and gets as many elements as it has places.
    unsafe {
        let tuple = checked(py, ffi::PyTuple_New(elements.len() as ffi::Py_ssize_t))?;
        for (at, element) in elements.into_iter().enumerate() {
            ffi::PyTuple_SetItem(tuple, at as ffi::Py_ssize_t, element.into_ptr());
        }
        Ok(Bound::from_owned_ptr(py, tuple).cast_into_unchecked())
    }
}

/// The same as a list.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn list<'py>(
    py: Python<'py>,
    elements: Vec<Bound<'py, PyAny>>,
) -> Result<Bound<'py, PyList>, Failure> {
    // SAFETY: the GIL is held; the list is new, and gets as many elements as it has places.
    unsafe {
        let list = checked(py, ffi::PyList_New(elements.len() as ffi::Py_ssize_t))?;
        for (at, element) in elements.into_iter().enumerate() {
            ffi::PyList_SetItem(list, at as ffi::Py_ssize_t, element.into_ptr());
        }
        Ok(Bound::from_owned_ptr(py, list).cast_into_unchecked())
    }
}

/// One element of a tuple.
fn owned<T: Wrap>(py: Python<'_>, value: T) -> Result<Bound<'_, PyAny>, Failure> {
    // SAFETY: `wrap` returns a new reference.
    Ok(unsafe { Bound::from_owned_ptr(py, value.wrap(py)?) })
}

macro_rules! wrap_tuples {
    ($(($($name:ident)+),)*) => {
        $(
            impl<$($name: Wrap),+> Wrap for ($($name,)+) {
                fn wrap(self, py: Python<'_>) -> Result<*mut PyObject, Failure> {
                    #[expect(non_snake_case, reason = "one name for the type and its value")]
                    let ($($name,)+) = self;
                    Ok(PyTuple::new(py, [$(owned(py, $name)?),+])?.into_ptr())
                }
            }
        )*
    };
}

wrap_tuples! {
    (A B),
    (A B C),
    (A B C D),
    (A B C D E),
    (A B C D E F),
    (A B C D E F G),
    (A B C D E F G H),
    (A B C D E F G H I),
    (A B C D E F G H I J),
    (A B C D E F G H I J K),
    (A B C D E F G H I J K L),
}
