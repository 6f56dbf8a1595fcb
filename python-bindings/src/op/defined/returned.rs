//! Results of an operator's function, as its schema declares them.

use opwright_runtime::op::{Param, Slot, Type};
use opwright_runtime::resolve::Accepts;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use super::body::is_exact;
use super::native_op::PyNativeOp;
use crate::args::classify;
use crate::object::{Failure, type_name};
use crate::op::values;

impl PyNativeOp {
    /// What was returned, as the schema says it.
    pub(super) fn checked<'py>(
        &self,
        returned: Bound<'py, PyAny>,
        objects: &[Bound<'py, PyAny>],
    ) -> Result<Bound<'py, PyAny>, Failure> {
        match self.declared.results {
            [] if returned.is_none() => Ok(returned),
            [] => Err(self.wrong(&returned, "nothing")),
            [slot] => self.result(slot, returned, objects),
            slots => {
                let is_list =
                    returned.is_instance_of::<PyTuple>() || returned.is_instance_of::<PyList>();
                if !is_list || returned.len()? != slots.len() {
                    return Err(self.wrong(&returned, &format!("{} results", slots.len())));
                }
                let pairs = slots.iter().zip(returned.try_iter()?);
                let all = pairs.map(|(slot, it)| self.result(slot, it?, objects));
                let all = all.collect::<Result<Vec<_>, Failure>>()?;
                Ok(PyTuple::new(returned.py(), all)?.into_any())
            }
        }
    }

    fn result<'py>(
        &self,
        slot: &Slot,
        returned: Bound<'py, PyAny>,
        objects: &[Bound<'py, PyAny>],
    ) -> Result<Bound<'py, PyAny>, Failure> {
        if slot.writes {
            let written = |it: &Param| it.slot.writes && it.slot.sets == slot.sets;
            let at = self.declared.params.iter().position(written);
            let object = at.and_then(|at| objects.get(at));
            return match object {
                Some(object) if returned.is_none() || returned.is(object) => Ok(object.clone()),
                _ => Err(self.wrong(&returned, "what it writes to")),
            };
        }
        if is_exact(&returned, &slot.ty) {
            return Ok(returned);
        }
        let accepts = classify(returned.as_borrowed());
        let is_absent = matches!(slot.ty, Type::Optional(_)) && accepts.has(Accepts::NONE);
        if !is_absent && !accepts.kind(slot.ty.kind()) {
            return Err(self.wrong(&returned, &slot.ty.to_string()));
        }
        let py = returned.py();
        values::object(py, values::value(&returned, &slot.ty)?)
    }

    #[cold]
    fn wrong(&self, returned: &Bound<'_, PyAny>, declared: &str) -> Failure {
        let (name, given) = (self.declared.name, type_name(returned));
        let text = format!(
            "{name}() returned {given}, and its schema declares {declared}: {}",
            self.declared.schema
        );
        PyTypeError::new_err(text).into()
    }
}
