//! Elements as numbers of Python.

use opwright_runtime::{DType, Element, Scalar, Tensor};
use pyo3::prelude::*;

use super::convert::{Convert, Reading};
use super::failure::Failure;
use super::number::as_scalar;
use super::operators;

/// The value of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ElementValue {
    /// Of most.
    Scalar(Scalar),
    /// One of `uint64`, as a [`Scalar`] holds no integer above `i64`.
    UInt64(u64),
}

impl ElementValue {
    /// That of a number in memory.
    pub(crate) fn of<T: Element>(value: T) -> ElementValue {
        match T::DTYPE {
            DType::UInt64 => ElementValue::UInt64(value.as_u64()),
            _ => ElementValue::Scalar(value.into_scalar()),
        }
    }

    /// That of the only element of a tensor.
    ///
    /// # Errors
    ///
    /// If there are more or none, or they cannot be read.
    pub(crate) fn of_only(tensor: &Tensor) -> Result<ElementValue, Failure> {
        let value = operators::item(tensor)?;
        match tensor.dtype() {
            DType::UInt64 if !value.is_integral() => {
                Ok(ElementValue::of(tensor.to_vec::<u64>()?[0]))
            }
            _ => Ok(ElementValue::Scalar(value)),
        }
    }
}

#[diagnostic::do_not_recommend]
impl Convert for ElementValue {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        as_scalar(object).map(ElementValue::Scalar)
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        match self {
            ElementValue::Scalar(it) => it.object(py),
            ElementValue::UInt64(it) => Ok(it.into_pyobject(py).map_err(PyErr::from)?.into_any()),
        }
    }
}
