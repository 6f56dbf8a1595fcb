//! Lowerings: the steps that they note.

use std::sync::Arc;

use opwright_jit::native::NativeEntry;
use opwright_jit::types::{Obj, Ty};
use opwright_jit::{Extra, LoweringStep, LoweringSteps};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::py_host::PyHost;
use crate::jit::{freeze, objects, types};

impl<'py> PyHost<'py> {
    pub(super) fn noted(&self, lowering: Obj) -> PyResult<LoweringSteps> {
        let lowering = objects::object(self.py, lowering);
        let made = lowering.call_method0("steps")?;
        let mut steps = Vec::new();
        for step in made.get_item(0)?.try_iter()? {
            let (name, args, extra): (String, Vec<usize>, Bound<'py, PyAny>) = step?.extract()?;
            let extra = self.extra(&name, &extra)?;
            steps.push(LoweringStep { name: name.into(), args, extra });
        }
        Ok(LoweringSteps { steps, result: made.get_item(1)?.extract()? })
    }

    fn extra(&self, name: &str, extra: &Bound<'py, PyAny>) -> PyResult<Extra> {
        if extra.is_none() {
            return Ok(Extra::None);
        }
        Ok(match name {
            "constant" => {
                let (ty, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = extra.extract()?;
                let frozen = freeze::freeze(&value, &self.keeper)?.ok_or_else(|| {
                    pyo3::exceptions::PyTypeError::new_err(format!("{value:?} is no constant"))
                })?;
                Extra::Constant(freeze::from_python(&ty)?, frozen)
            }
            "field" | "with_field" | "icmp_signed" | "icmp_unsigned" | "fcmp_ordered"
            | "fcmp_unordered" => Extra::Name(extra.extract::<String>()?.into()),
            "item" | "with_item" | "dim" => Extra::Index(extra.extract()?),
            "call" | "function" => {
                let extra = extra.getattr("_opwright_operation_").unwrap_or_else(|_| extra.clone());
                let function = extra.getattr("py_func").unwrap_or(extra);
                Extra::Object(self.keeper.number(&function), Arc::from(""))
            }
            "native" => {
                let (ty, words, direct): (Bound<'py, PyAny>, usize, usize) = extra.extract()?;
                // SAFETY: who made the row says that functions are there, of a library that stays.
                let entry = unsafe { NativeEntry::of_addresses(words, direct) };
                let entry = entry.ok_or_else(|| PyValueError::new_err("no function is at 0"))?;
                Extra::Native(freeze::from_python(&ty)?, entry)
            }
            "raise" => {
                let (class, text): (Bound<'py, PyAny>, String) = extra.extract()?;
                Extra::Object(self.keeper.number(&class), text.into())
            }
            _ => Extra::Type(freeze::from_python(extra)?),
        })
    }

    pub(super) fn cast_of(&self, from: Ty, to: Ty) -> PyResult<Option<Obj>> {
        let (from, to) = (types::to_python(self.py, from)?, types::to_python(self.py, to)?);
        let found = self.package("casts")?.call_method1("find", (&from, &to))?;
        if found.is_none() {
            return Ok(None);
        }
        let made = self.package("lowering")?.call_method1("of_cast", (from, to, found))?;
        Ok(Some(self.keeper.number(&made)))
    }

    pub(super) fn setting_of(&self, of: Ty, name: &str, value: Ty) -> PyResult<Option<Obj>> {
        let (of, value) = (types::to_python(self.py, of)?, types::to_python(self.py, value)?);
        let made = self.package("lowering")?.call_method1("of_setattr", (of, name, value))?;
        Ok(if made.is_none() { None } else { Some(self.keeper.number(&made)) })
    }
}
