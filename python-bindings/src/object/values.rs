//! [`Convert`] for numbers, texts, tensors, options, vectors and tuples.

use opwright_runtime::{Dimname, Error, Scalar, Stream, Tensor, buffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyTuple};

use super::convert::{Convert, Reading};
use super::describe::type_name;
use super::failure::Failure;
use super::list::{elements, no_list};
use super::number::{as_float, as_int, as_scalar};
use super::{lifecycle, tensor, text};
use crate::raw::{self, NewReference, Sequence};

/// The exception that is set.
#[cold]
#[inline(never)]
fn fetched(py: Python<'_>) -> Failure {
    PyErr::fetch(py).into()
}

/// A handle of its own; a number becomes a tensor.
#[diagnostic::do_not_recommend]
impl Convert for Tensor {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        // Most numbers are floats, which then need not be compared with subclasses of tensors.
        let tensor = match object.is_exact_instance_of::<PyFloat>() {
            true => None,
            false => tensor::tensor_of(object),
        };
        match tensor {
            Some(tensor) => Ok(tensor.clone()),
            None => Ok(Tensor::wrapped_number(as_scalar(object)?)?),
        }
    }

    #[inline]
    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        lifecycle::new(py, self).ok_or_else(|| fetched(py))
    }

    // Cold: kept out of line.
    #[inline(never)]
    fn wrap(self, py: Python<'_>) -> Result<NewReference, Failure> {
        Ok(self.object(py)?.into())
    }
}

#[diagnostic::do_not_recommend]
impl Convert for () {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        if object.is_none() { Ok(()) } else { Err(wrong("None", object)) }
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(py.None().into_bound(py))
    }
}

#[cold]
fn wrong(expected: &str, object: &Bound<'_, PyAny>) -> Failure {
    PyTypeError::new_err(format!("expected {expected}, not {}", type_name(object))).into()
}

#[diagnostic::do_not_recommend]
impl Convert for bool {
    #[inline]
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        Ok(object.is_truthy()?)
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(PyBool::new(py, self).to_owned().into_any())
    }
}

#[diagnostic::do_not_recommend]
impl Convert for i64 {
    #[inline]
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        as_int(object)
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(raw::int(py, self)?)
    }
}

#[diagnostic::do_not_recommend]
impl Convert for f64 {
    #[inline]
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        as_float(object)
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(raw::float(py, self)?)
    }
}

#[diagnostic::do_not_recommend]
impl Convert for Scalar {
    #[inline]
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        as_scalar(object)
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        match self {
            Scalar::Bool(value) => value.object(py),
            Scalar::Int(value) => value.object(py),
            Scalar::Float(value) => value.object(py),
            Scalar::Complex(value) => Ok(raw::complex(py, value.re, value.im)?),
        }
    }
}

#[diagnostic::do_not_recommend]
impl Convert for String {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        text::text(object)
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(self.into_pyobject(py).map_err(PyErr::from)?.into_any())
    }
}

/// There are none.
#[diagnostic::do_not_recommend]
impl Convert for Dimname {
    fn unpack(_: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        Err(Error::not_implemented("dimensions have no names here; give their positions").into())
    }

    fn object(self, _: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        match self {}
    }
}

/// There are none.
#[diagnostic::do_not_recommend]
impl Convert for Stream {
    fn unpack(_: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        Err(Error::not_implemented("the devices here have no streams").into())
    }

    fn object(self, _: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        match self {}
    }
}

#[diagnostic::do_not_recommend]
impl<T: Convert> Convert for Option<T> {
    fn unpack(object: &Bound<'_, PyAny>, reading: Reading) -> Result<Self, Failure> {
        if object.is_none() { Ok(None) } else { T::unpack(object, reading).map(Some) }
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        match self {
            Some(it) => it.object(py),
            None => ().object(py),
        }
    }
}

/// A list or tuple; a tuple, if it is handed out.
#[diagnostic::do_not_recommend]
impl<T: Convert> Convert for Vec<T> {
    fn unpack(object: &Bound<'_, PyAny>, reading: Reading) -> Result<Self, Failure> {
        let elements = elements::<T, [T; 1]>(object, |it| T::unpack(it, reading))?;
        Ok(elements.into_vec())
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        let elements = buffer::try_collected(self.into_iter().map(|it| it.object(py)))?;
        Ok(raw::tuple(py, elements)?.into_any())
    }
}

/// A tensor as an argument of functions that are written with PyO3.
pub struct PyTensor(pub Tensor);

impl<'a, 'py> FromPyObject<'a, 'py> for PyTensor {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<PyTensor> {
        let tensor = tensor::tensor_of(&object).cloned();
        tensor.map(PyTensor).ok_or_else(|| {
            PyTypeError::new_err(format!("expected a Tensor, not {}", type_name(&object)))
        })
    }
}

macro_rules! convert_tuples {
    ($(($($name:ident)+),)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl<$($name: Convert),+> Convert for ($($name,)+) {
                fn unpack(object: &Bound<'_, PyAny>, reading: Reading) -> Result<Self, Failure> {
                    let parts = Sequence::of(object.as_borrowed()).ok_or_else(|| no_list(object))?;
                    let mut at = 0..;
                    let mut next = || at.next().and_then(|it| parts.get(it));
                    let parts = ($(
                        $name::unpack(&next().ok_or_else(|| wrong("a longer tuple", object))?, reading)?,
                    )+);
                    if next().is_none() { Ok(parts) } else { Err(wrong("a shorter tuple", object)) }
                }

                fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
                    #[expect(non_snake_case, reason = "one name for the type and its value")]
                    let ($($name,)+) = self;
                    Ok(PyTuple::new(py, [$($name.object(py)?),+])?.into_any())
                }
            }
        )*
    };
}

convert_tuples! {
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
