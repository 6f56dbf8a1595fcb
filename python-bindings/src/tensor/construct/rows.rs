//! Anything that has elements by index.

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyString, PyTuple};

use opwright_runtime::Element;

use super::leaf::{self, NumberKinds};
use crate::args::Sequence;
use crate::failure::Failure;

/// A list, a tuple, or another sequence, whose elements are read one by one.
pub(super) struct Rows<'a, 'py> {
    object: &'a Bound<'py, PyAny>,
    is_native: bool,
    len: usize,
}

impl<'a, 'py> Rows<'a, 'py> {
    /// `object` as a sequence, if it is one; text is none.
    pub(super) fn of(object: &'a Bound<'py, PyAny>) -> Result<Option<Rows<'a, 'py>>, Failure> {
        let is_native = Rows::are_native(object);
        if !is_native && !is_sequence(object) {
            return Ok(None);
        }
        Ok(Some(Rows { object, is_native, len: object.len()? }))
    }

    /// Whether `object` is a list or a tuple.
    pub(super) fn are_native(object: &Bound<'_, PyAny>) -> bool {
        object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// What the elements are, if all of them are exactly numbers of Python.
    pub(super) fn exact_numbers(&self) -> Option<NumberKinds> {
        if !self.is_native {
            return None;
        }
        // SAFETY: a list or tuple that the borrow keeps alive; nothing runs
        // that could change it.
        unsafe {
            let elements = Sequence::new(self.object.as_ptr());
            elements.iter().try_fold(NumberKinds::default(), |kinds, it| kinds.with(it))
        }
    }

    /// Appends the floats, and what else is sure to fit, from the first element
    /// on; returns how many elements that are.
    pub(super) fn push_exact_numbers<T: Element>(&self, values: &mut Vec<T>) -> usize {
        if !self.is_native {
            return 0;
        }
        let before = values.len();
        // SAFETY: as above.
        unsafe {
            let elements = Sequence::new(self.object.as_ptr());
            values.extend(elements.iter().map_while(|it| leaf::plain_number::<T>(it)));
        }
        values.len() - before
    }

    /// The element at `index`.
    ///
    /// # Errors
    ///
    /// What the sequence raises; `RuntimeError` if it became shorter.
    pub(super) fn get(&self, index: usize) -> Result<Bound<'py, PyAny>, Failure> {
        if !self.is_native {
            return Ok(self.object.get_item(index)?);
        }
        // SAFETY: a list or tuple that the borrow keeps alive; the element is
        // counted before anything else runs.
        unsafe {
            let element = Sequence::new(self.object.as_ptr()).get(index);
            let element = element.ok_or_else(changed)?;
            Ok(Bound::from_borrowed_ptr(self.object.py(), element))
        }
    }
}

#[cold]
pub(super) fn changed() -> PyErr {
    PyRuntimeError::new_err("the data changed while it was read")
}

fn is_sequence(object: &Bound<'_, PyAny>) -> bool {
    let is_text = object.is_instance_of::<PyString>()
        || object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyByteArray>()
        || object.is_instance_of::<PyDict>();
    // SAFETY: a valid object.
    !is_text && unsafe { ffi::PySequence_Check(object.as_ptr()) != 0 } && object.len().is_ok()
}
