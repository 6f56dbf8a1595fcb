//! A call as the arguments that take it over see it.

use opwright_runtime::resolve::{ABSENT, Keywords, VARIADIC};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use super::Call;
use super::sequence::Sequence;

/// Positional arguments, and keyword ones if there are any.
type Arguments<'py> = (Bound<'py, PyTuple>, Option<Bound<'py, PyDict>>);

impl<'a, 'py> Call<'a, 'py> {
    /// Whether an argument takes over the call.
    #[inline(always)]
    pub fn is_overridden(&self) -> bool {
        self.overridden
    }

    /// The same call, which no argument takes over.
    pub fn without_overrides(&self) -> Call<'a, 'py> {
        Call { overridden: false, foreign: true, ..*self }
    }

    /// All objects that may take over: the receiver, then arguments and
    /// elements of lists in the order of parameters.
    pub fn objects(&self) -> Vec<Bound<'py, PyAny>> {
        let mut objects = Vec::new();
        if !self.receiver.is_null() {
            objects.push(self.bound(self.receiver));
        }
        let params = self.function.signatures[self.binding.overload].params.len();
        for &slot in &self.binding.slots[..params] {
            match slot {
                ABSENT => {}
                VARIADIC => {
                    objects.extend(self.args[..self.positional].iter().map(|&it| self.bound(it)));
                }
                given => self.push(&mut objects, self.bound(self.args[given as usize])),
            }
        }
        objects
    }

    fn push(&self, objects: &mut Vec<Bound<'py, PyAny>>, object: Bound<'py, PyAny>) {
        if object.is_instance_of::<PyTuple>() || object.is_instance_of::<PyList>() {
            // SAFETY: a list or tuple, alive as long as `object`.
            let elements = unsafe { Sequence::new(object.as_ptr()) };
            objects.extend(elements.iter().map(|it| self.bound(it)));
        }
        objects.push(object);
    }

    /// The arguments as Python passes them on; a receiver comes first.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub fn as_python(&self) -> PyResult<Arguments<'py>> {
        let py = self.py;
        let receiver = (!self.receiver.is_null()).then_some(self.receiver);
        let positional = receiver.into_iter().chain(self.args[..self.positional].iter().copied());
        let args = PyTuple::new(py, positional.map(|it| self.bound(it)).collect::<Vec<_>>())?;
        if self.names.is_empty() {
            return Ok((args, None));
        }
        let kwargs = PyDict::new(py);
        for at in 0..self.names.len() {
            kwargs.set_item(self.names.text(at), self.bound(self.args[self.positional + at]))?;
        }
        Ok((args, Some(kwargs)))
    }
}
