//! Checks of `opwright.testing` by the native module: whether kernels do what is declared of
//! them, and which calls they take.

use std::collections::{BTreeMap, BTreeSet};

use opwright_runtime::op::{self, Operator};
use opwright_runtime::testing::{Arguments, Check, Opcheck};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyModule, PyTuple};

use super::operator::{Tables, find_defined};
use super::values;
use crate::object::{Failure, native};

/// What was found of some operators, as Python has it.
#[derive(Default, IntoPyObject)]
struct OpcheckReport {
    /// The overloads that were looked at.
    overloads: Vec<&'static str>,
    calls: BTreeMap<&'static str, usize>,
    uncalled: Vec<&'static str>,
    left: Vec<String>,
    /// Of each problem the overload, the check, what does not hold, and the call.
    problems: Vec<(&'static str, &'static str, String, String)>,
}

/// How operators are looked at.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Settings {
    skip: Vec<String>,
    seeds: usize,
    words: Vec<String>,
    /// Values of types of the crate.
    #[pyo3(default)]
    samples: Vec<Py<PyAny>>,
}

/// Adds `_checks`, the names of the checks; `_opcheck(overloads, settings)`, which makes them on
/// the operators of these overloads; and `_calls(overload, settings)`, functions that make the
/// arguments of calls which it takes, anew each time; and `_natives()`, the classes of the crate's
/// types.
///
/// # Errors
///
/// `MemoryError`.
pub(super) fn add(module: &Bound<'_, PyModule>, tables: &'static Tables) -> PyResult<()> {
    let py = module.py();
    module.add("_checks", Check::ALL.map(Check::name))?;
    let opcheck = move |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
        let (overloads, settings) = args.extract::<(Vec<String>, Settings)>()?;
        found(args.py(), tables, &overloads, &settings)
    };
    let natives = move |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
        Ok::<_, PyErr>(native::classes(args.py()))
    };
    module.add("_natives", PyCFunction::new_closure(py, Some(c"_natives"), None, natives)?)?;
    module.add("_opcheck", PyCFunction::new_closure(py, Some(c"_opcheck"), None, opcheck)?)?;
    let calls = move |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
        let (overload, settings) = args.extract::<(String, Settings)>()?;
        calls(args.py(), tables, &overload, &settings)
    };
    module.add("_calls", PyCFunction::new_closure(py, Some(c"_calls"), None, calls)?)
}

fn found(
    py: Python<'_>,
    tables: &'static Tables,
    overloads: &[String],
    settings: &Settings,
) -> PyResult<OpcheckReport> {
    let mut found = OpcheckReport::default();
    let defined = overloads.iter().filter_map(|it| find_defined(it));
    for table in tables.iter().copied().chain(defined.map(std::slice::from_ref)) {
        let rows = overloads.iter().filter_map(|it| op::find(table, it));
        let names: BTreeSet<&str> = rows.map(Operator::base_name).collect();
        if names.is_empty() {
            continue;
        }
        let is_looked_at = |it: &&Operator| names.contains(it.base_name());
        found.overloads.extend(table.iter().filter(is_looked_at).map(|it| it.name));
        let opcheck = names.into_iter().fold(settings.opcheck(py, table)?, Opcheck::only);
        let report = py.detach(|| opcheck.report());
        for (kind, count) in report.calls {
            *found.calls.entry(kind).or_default() += count;
        }
        found.uncalled.extend(report.uncalled);
        found.left.extend(report.left);
        let problems = report.problems.into_iter();
        found.problems.extend(problems.map(|it| (it.operator, it.check.name(), it.text, it.call)));
    }
    Ok(found)
}

fn calls(
    py: Python<'_>,
    tables: &'static Tables,
    overload: &str,
    settings: &Settings,
) -> PyResult<Vec<Py<PyCFunction>>> {
    let Some(row) = row(tables, overload) else {
        return Ok(Vec::new());
    };
    let opcheck = settings.opcheck(py, std::slice::from_ref(row))?;
    let calls = py.detach(|| opcheck.calls(row)).into_iter();
    calls.map(|it| making(py, it)).collect()
}

fn row(tables: &'static Tables, overload: &str) -> Option<&'static Operator> {
    let found = tables.iter().find_map(|it| op::find(it, overload));
    found.or_else(|| find_defined(overload))
}

/// A function that makes the arguments of a call by the names of their parameters.
fn making(py: Python<'_>, arguments: Arguments) -> PyResult<Py<PyCFunction>> {
    let make = move |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
        let py = args.py();
        let made = PyDict::new(py);
        for (name, value) in arguments.values().map_err(Failure::from)? {
            made.set_item(name, values::object(py, value)?)?;
        }
        Ok::<_, PyErr>(made.unbind())
    };
    PyCFunction::new_closure(py, None, None, make).map(Bound::unbind)
}

impl Settings {
    fn opcheck<'a>(&self, py: Python<'_>, operators: &'a [Operator]) -> PyResult<Opcheck<'a>> {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let mut opcheck = Opcheck::new(operators).seeds(self.seeds).words(&words);
        for sample in &self.samples {
            opcheck = opcheck.value(native::value(sample.bind(py))?);
        }
        self.skip.iter().try_fold(opcheck, |opcheck, name| Ok(opcheck.skip(check(name)?)))
    }
}

fn check(name: &str) -> PyResult<Check> {
    let check = Check::ALL.into_iter().find(|it| it.name() == name);
    check.ok_or_else(|| PyValueError::new_err(format!("there is no check '{name}'")))
}
