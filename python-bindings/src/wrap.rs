//! The results of overloads as Python objects.

use opwright_runtime::{DType, Scalar, Tensor};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyTuple};

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
    if object.is_null() { Err(PyErr::fetch(py).into()) } else { Ok(object) }
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
                Ok(PyComplex::from_doubles(py, value.re, value.im).into_ptr())
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
        let elements = self.into_iter().map(|it| owned(py, it)).collect::<Result<Vec<_>, _>>()?;
        Ok(PyTuple::new(py, elements)?.into_ptr())
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
