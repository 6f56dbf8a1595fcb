//! Candidates for operations, and their answers to types.

use std::sync::Arc;

use opwright_jit::types::{Ty, TyKind};
use opwright_jit::{ArgumentQuery, Candidate, Frozen, Inline, MemberRole, Operation, Resolution};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::py_host::PyHost;
use crate::jit::{freeze, objects, types};

/// The operators of the language that are written in it for some types.
const BUILT_IN: [&str; 1] = ["contains"];

impl<'py> PyHost<'py> {
    pub(super) fn asked(
        &self,
        op: Operation<'_>,
        args: &[ArgumentQuery],
        keywords: &[(Arc<str>, ArgumentQuery)],
    ) -> PyResult<Vec<Candidate>> {
        let registry = || self.package("registry");
        let py = self.py;
        let (function, mut front) = match op {
            Operation::Object(object) => {
                self.load()?;
                let object = objects::object(py, object);
                if !registry()?.call_method1("is_registered", (&object,))?.is_truthy()? {
                    return Ok(Vec::new());
                }
                ("ask", vec![object])
            }
            Operation::Operator(name) => match self.registered_operator(name)? {
                Some(object) => ("ask", vec![object]),
                None => return Ok(Vec::new()),
            },
            Operation::Member(ty, role, name) => {
                self.load()?;
                let role = match role {
                    MemberRole::Method => "method",
                    MemberRole::Get => "get",
                    MemberRole::Set => "set",
                    MemberRole::Delete => "del",
                };
                let ty = types::to_python(py, ty)?;
                let (role, name) =
                    (role.into_pyobject(py)?.into_any(), name.into_pyobject(py)?.into_any());
                ("ask_member", vec![ty, role, name])
            }
            Operation::Class(class, name) => {
                self.load()?;
                ("ask_class", vec![objects::object(py, class), name.into_pyobject(py)?.into_any()])
            }
            Operation::Bound(method) => ("ask_bound", vec![objects::object(py, method)]),
        };
        let args: PyResult<Vec<_>> = args.iter().map(|it| asked_type(py, *it)).collect();
        front.push(PyTuple::new(py, args?)?.into_any());
        let named = PyDict::new(py);
        for (name, ty) in keywords {
            named.set_item(&**name, asked_type(py, *ty)?)?;
        }
        if function == "ask_member" && matches!(op, Operation::Member(_, MemberRole::Get, _)) {
            named.set_item("name", &front[2])?;
        }
        front.push(named.into_any());
        let rows = registry()?.call_method1(function, PyTuple::new(py, front)?)?;
        rows.try_iter()?.map(|it| self.candidate(&it?)).collect()
    }

    /// The function of `operator` of this name, if something is registered for it. For most that is by
    /// the user alone, so that the package's part need not be loaded.
    fn registered_operator(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.operators.borrow().get(name) == Some(&false) {
            return Ok(None);
        }
        if BUILT_IN.contains(&name) {
            self.load()?;
        }
        let registry = format!("{}._jit.registry", crate::object::package::name());
        let loaded = self.py.import("sys")?.getattr("modules")?;
        let loaded = loaded.cast::<PyDict>().map_err(PyErr::from)?;
        let found = match loaded.get_item(registry)? {
            Some(registry) => {
                let object = self.py.import("operator")?.getattr(name)?;
                let is_known = registry.call_method1("is_registered", (&object,))?.is_truthy()?;
                is_known.then_some(object)
            }
            None => None,
        };
        self.operators.borrow_mut().insert(name.to_owned(), found.is_some());
        Ok(found)
    }

    fn candidate(&self, row: &Bound<'py, PyAny>) -> PyResult<Candidate> {
        type CandidateRow<'py> = (String, i64, String, Bound<'py, PyAny>, i64, String);
        let (place, priority, kind, value, rank, reason): CandidateRow<'py> = row.extract()?;
        let answer = match kind.as_str() {
            "body" => {
                let defaults = value.get_item(1)?;
                let defaults = defaults.cast::<PyDict>().map_err(PyErr::from)?;
                let mut found: Vec<(Arc<str>, Frozen)> = Vec::new();
                for (name, default) in defaults.iter() {
                    if let Some(frozen) = freeze::freeze(&default, &self.keeper)? {
                        found.push((name.extract::<String>()?.into(), frozen));
                    }
                }
                let inline = inline_of(value.get_item(2)?.extract()?);
                Resolution::Body(self.keeper.number(&value.get_item(0)?), found, inline)
            }
            "lowered" => {
                let args: PyResult<Vec<Ty>> = value
                    .getattr("args")?
                    .try_iter()?
                    .map(|it| freeze::from_python(&it?))
                    .collect();
                let result = freeze::from_python(&value.getattr("result")?)?;
                Resolution::Lowered(self.keeper.number(&value), args?, result)
            }
            "elementwise" => {
                let numbers = value.get_item(1)?.extract()?;
                Resolution::Elementwise(self.keeper.number(&value.get_item(0)?), numbers)
            }
            "forward" => Resolution::Forward(self.keeper.number(&value)),
            "field" => Resolution::Field(value.extract::<String>()?.into()),
            "method" => Resolution::Method(self.keeper.number(&value)),
            _ => Resolution::Declined(reason),
        };
        Ok(Candidate { place, priority, rank, answer })
    }
}

/// Whether a body is written where it is called, by the word for it.
pub(super) fn inline_of(word: &str) -> Inline {
    match word {
        "always" => Inline::Always,
        "never" => Inline::Never,
        _ => Inline::Auto,
    }
}

/// The type that candidates are asked for: that of the one value, if it is known.
fn asked_type<'py>(py: Python<'py>, asked: ArgumentQuery) -> PyResult<Bound<'py, PyAny>> {
    match (&*asked.ty, asked.known) {
        (TyKind::Bool, Some(bits)) => types::literal(py, bits != 0),
        (TyKind::Int(_), Some(bits)) => types::literal(py, bits.cast_signed()),
        _ => types::to_python(py, asked.ty),
    }
}
