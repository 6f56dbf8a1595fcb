//! A call as the arguments that take it over see it.

use opwright_runtime::resolve::{ABSENT, Keywords, VARIADIC};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use super::Call;
use super::held::Held;
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
        Call { overridden: false, foreign: true, held: Held::new(), ..*self }
    }

    /// All objects that may take over: the receiver, then arguments and
    /// elements of lists in the order of parameters.
    pub fn objects(&self) -> Vec<Bound<'py, PyAny>> {
        let mut objects = Vec::new();
        if !self.passed.receiver.is_null() {
            objects.push(self.bound(self.passed.receiver));
        }
        let params = self.function.signatures[self.binding.overload].params.len();
        for &slot in &self.binding.slots[..params] {
            match slot {
                ABSENT => {}
                VARIADIC => {
                    objects.extend(
                        self.passed.args[..self.passed.positional].iter().map(|&it| self.bound(it)),
                    );
                }
                given => self.push(&mut objects, self.bound(self.passed.args[given as usize])),
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
        let receiver = (!self.passed.receiver.is_null()).then_some(self.passed.receiver);
        let positional =
            receiver.into_iter().chain(self.passed.args[..self.passed.positional].iter().copied());
        let args = PyTuple::new(py, positional.map(|it| self.bound(it)).collect::<Vec<_>>())?;
        if self.passed.names.is_empty() {
            return Ok((args, None));
        }
        let kwargs = PyDict::new(py);
        for at in 0..self.passed.names.len() {
            kwargs.set_item(
                self.passed.names.text(at),
                self.bound(self.passed.args[self.passed.positional + at]),
            )?;
        }
        Ok((args, Some(kwargs)))
    }
}
