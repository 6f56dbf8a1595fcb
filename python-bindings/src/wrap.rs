//! The results of overloads as Python objects.

use opwright_runtime::{DType, Scalar, Tensor, buffer};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyTuple};

use crate::failure::Failure;
use crate::raw;
use crate::tensor::object;
use crate::types::PyDType;

/// A result that Python can hold.
pub trait Wrap: Sized {
    /// The result as an object.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure>;

    /// The same as generated bodies return it: a new reference.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    #[inline]
    fn wrap(self, py: Python<'_>) -> Result<*mut PyObject, Failure> {
        Ok(self.object(py)?.into_ptr())
    }
}

/// The exception that is set.
#[cold]
#[inline(never)]
fn fetched(py: Python<'_>) -> Failure {
    PyErr::fetch(py).into()
}

impl Wrap for Tensor {
    #[inline]
    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        object::new(py, self).ok_or_else(|| fetched(py))
    }

    // Not in each of thousands of bodies.
    #[inline(never)]
    fn wrap(self, py: Python<'_>) -> Result<*mut PyObject, Failure> {
        Ok(self.object(py)?.into_ptr())
    }
}

impl Wrap for () {
    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(py.None().into_bound(py))
    }
}

impl Wrap for bool {
    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(PyBool::new(py, self).to_owned().into_any())
    }
}

impl Wrap for i64 {
    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(raw::int(py, self)?)
    }
}

impl Wrap for f64 {
    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(raw::float(py, self)?)
    }
}

impl Wrap for Scalar {
    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        match self {
            Scalar::Bool(value) => value.object(py),
            Scalar::Int(value) => value.object(py),
            Scalar::Float(value) => value.object(py),
            Scalar::Complex(value) => Ok(raw::complex(py, value.re, value.im)?),
        }
    }
}

impl Wrap for DType {
    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(PyDType::object(py, self)?.into_any())
    }
}

impl Wrap for String {
    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(self.into_pyobject(py).map_err(PyErr::from)?.into_any())
    }
}

impl<T: Wrap> Wrap for Vec<T> {
    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        let elements = buffer::try_collected(self.into_iter().map(|it| it.object(py)))?;
        Ok(raw::tuple(py, elements)?.into_any())
    }
}

macro_rules! wrap_tuples {
    ($(($($name:ident)+),)*) => {
        $(
            impl<$($name: Wrap),+> Wrap for ($($name,)+) {
                fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
                    #[expect(non_snake_case, reason = "one name for the type and its value")]
                    let ($($name,)+) = self;
                    Ok(PyTuple::new(py, [$($name.object(py)?),+])?.into_any())
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
