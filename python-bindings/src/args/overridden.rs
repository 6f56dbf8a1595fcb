//! Override protocol: a call as the arguments that take it over see it.

use opwright_runtime::resolve::{ABSENT, Keywords, VARIADIC};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::call::Call;
use super::held::HeldTensors;
use crate::raw::Sequence;

/// Positional arguments, and keyword ones if there are any.
type OverrideArguments<'py> = (Bound<'py, PyTuple>, Option<Bound<'py, PyDict>>);

impl<'a, 'py> Call<'a, 'py> {
    /// Whether an argument takes over the call.
    #[inline(always)]
    pub fn is_overridden(&self) -> bool {
        self.overridden
    }

    /// The same call, which no argument takes over.
    pub fn without_overrides(&self) -> Call<'a, 'py> {
        Call { overridden: false, foreign: true, held: HeldTensors::new(), ..*self }
    }

    /// All objects that may take over: the receiver, then arguments and
    /// elements of lists in the order of parameters.
    pub fn objects(&self) -> Vec<Bound<'py, PyAny>> {
        let mut objects = Vec::new();
        objects.extend(self.receiver_if_any());
        let params = self.function.signatures[self.binding.overload].params.len();
        for &slot in &self.binding.slots[..params] {
            match slot {
                ABSENT => {}
                VARIADIC => {
                    objects.extend_from_slice(&self.passed.args[..self.passed.positional]);
                }
                given => push(&mut objects, &self.passed.args[given as usize]),
            }
        }
        objects
    }

    /// The arguments as Python passes them on; a receiver comes first.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub fn as_python(&self) -> PyResult<OverrideArguments<'py>> {
        let py = self.py;
        let (positional, keywords) = self.passed.args.split_at(self.passed.positional);
        let positional = self.receiver_if_any().into_iter().chain(positional.iter().cloned());
        let args = PyTuple::new(py, positional.collect::<Vec<_>>())?;
        if self.passed.names.is_empty() {
            return Ok((args, None));
        }
        let kwargs = PyDict::new(py);
        for (at, keyword) in keywords.iter().enumerate() {
            kwargs.set_item(self.passed.names.text(at), keyword)?;
        }
        Ok((args, Some(kwargs)))
    }

    /// The object that a method was called on.
    pub(crate) fn receiver_if_any(&self) -> Option<Bound<'py, PyAny>> {
        self.passed.receiver.map(|it| it.to_owned().into_any())
    }
}

fn push<'py>(objects: &mut Vec<Bound<'py, PyAny>>, object: &Bound<'py, PyAny>) {
    if let Some(elements) = Sequence::of(object.as_borrowed()) {
        objects.extend(elements.iter());
    }
    objects.push(object.clone());
}
