//! Sequences: anything that has elements by index.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyString, PyTuple};

use opwright_runtime::Element;

use super::leaf::{self, NumberKinds};
use crate::object::Failure;
use crate::raw;
use crate::raw::Sequence;

/// A list, a tuple, or another sequence, whose elements are read one by one.
pub(crate) struct Rows<'a, 'py> {
    object: &'a Bound<'py, PyAny>,
    /// What it is if it is a list or a tuple.
    native: Option<Sequence<'a, 'py>>,
    len: usize,
}

impl<'a, 'py> Rows<'a, 'py> {
    /// `object` as a sequence, if it is one; text is none.
    pub(crate) fn of(object: &'a Bound<'py, PyAny>) -> Result<Option<Rows<'a, 'py>>, Failure> {
        let native = Sequence::of(object.as_borrowed());
        if native.is_none() && !is_sequence(object) {
            return Ok(None);
        }
        Ok(Some(Rows { object, native, len: object.len()? }))
    }

    /// Whether `object` is a list or a tuple.
    pub(crate) fn are_native(object: &Bound<'_, PyAny>) -> bool {
        object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// What the elements are, if all of them are exactly numbers of Python.
    pub(crate) fn exact_numbers(&self) -> Option<NumberKinds> {
        // SAFETY: `with` runs no code of Python.
        let mut elements = unsafe { self.native?.peek_each() };
        elements.try_fold(NumberKinds::default(), |kinds, it| kinds.with(&it))
    }

    /// Appends the floats, and what else is sure to fit, from the first element
    /// on; returns how many elements that are.
    pub(crate) fn push_exact_numbers<T: Element>(&self, values: &mut Vec<T>) -> usize {
        let Some(native) = self.native else { return 0 };
        let before = values.len();
        // SAFETY: `plain_number` runs no code of Python.
        let elements = unsafe { native.peek_each() };
        values.extend(elements.map_while(|it| leaf::plain_number::<T>(&it)));
        values.len() - before
    }

    /// The element at `index`.
    ///
    /// # Errors
    ///
    /// What the sequence raises; `RuntimeError` if it became shorter.
    pub(crate) fn get(&self, index: usize) -> Result<Bound<'py, PyAny>, Failure> {
        match self.native {
            Some(native) => Ok(native.get(index).ok_or_else(changed)?),
            None => Ok(self.object.get_item(index)?),
        }
    }
}

#[cold]
pub(crate) fn changed() -> PyErr {
    PyRuntimeError::new_err("the data changed while it was read")
}

fn is_sequence(object: &Bound<'_, PyAny>) -> bool {
    let is_text = object.is_instance_of::<PyString>()
        || object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyByteArray>()
        || object.is_instance_of::<PyDict>();
    !is_text && raw::is_sequence(object) && object.len().is_ok()
}
