//! Operators that are defined in Python at run time: `extending.native_op`.
//!
//! Each gets a row as those of the build have, kept for the rest of the process, so that graphs,
//! checks and descriptions see no difference. The row calls by a number, see [`by_number`]; calls
//! from Python go to the function directly, see [`native_op`].

mod body;
mod by_number;
mod declared;
mod derivative;
mod formula;
mod native_op;
mod returned;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use opwright_runtime::lock::Lock;
use opwright_runtime::op::{self as rows, Operator, Results, Value};
use opwright_runtime::{Error, Result, fail};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule};

use self::native_op::PyNativeOp;
use crate::call::tables::of_module;
use crate::object::{gil, package};

/// All that were defined.
struct Registry {
    /// By number.
    operators: BTreeMap<usize, Py<PyNativeOp>>,
    /// By name: the row of the last definition, and its number.
    rows: BTreeMap<&'static str, (&'static Operator, usize)>,
}

static REGISTRY: Lock<Registry> =
    Lock::new(Registry { operators: BTreeMap::new(), rows: BTreeMap::new() });

/// The number of the next one.
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// The row of a name: `my::name`.
pub(crate) fn find(name: &str) -> Option<&'static Operator> {
    if !name.contains("::") {
        return None;
    }
    REGISTRY.lock().rows.get(name).map(|(row, _)| *row)
}

/// Adds the class and what makes its instances.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("NativeOp", native_op::class(module.py())?)?;
    module.add_function(wrap_pyfunction!(define, module)?)?;
    module.add_function(wrap_pyfunction!(defined, module)?)
}

/// The operators that were defined, in the order of their names.
#[pyfunction]
fn defined(py: Python<'_>) -> Vec<Py<PyNativeOp>> {
    let registry = REGISTRY.lock();
    let numbers = registry.rows.values().map(|(_, number)| *number);
    numbers.filter_map(|it| registry.operators.get(&it)).map(|it| it.clone_ref(py)).collect()
}

/// Defines an operator: `place` says where, for messages, and `replace` that there may be one.
#[pyfunction]
fn define<'py>(
    schema: &str,
    function: Bound<'py, PyAny>,
    tags: Vec<String>,
    place: String,
    replace: bool,
) -> PyResult<Bound<'py, PyNativeOp>> {
    let py = function.py();
    let declared = declared::read(schema, &is_operator).map_err(|text| {
        PyValueError::new_err(format!("native_op() cannot take this schema:\n{text}"))
    })?;
    declared::check_tags(&tags).map_err(PyValueError::new_err)?;
    let (name, namespace, attribute) = (declared.name, declared.namespace, declared.attribute);
    refuse_second(py, name, replace)?;
    native_op::check(py, &declared, "the function of native_op()", &function)?;
    // What was refused has no number.
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let call = by_number::call(number).ok_or_else(|| none_left(name))?;
    let made = PyNativeOp::new(declared, call, function.unbind(), tags, place)?.object(py)?;
    let home = namespace_of(py, namespace)?;
    // Another thread may have been first.
    refuse_second(py, name, replace)?;
    let row = made.get().row();
    let mut registry = REGISTRY.lock();
    registry.operators.insert(number, made.clone().unbind());
    registry.rows.insert(name, (row, number));
    drop(registry);
    home.setattr(attribute, &made)?;
    Ok(made)
}

/// Refuses a name that is defined.
fn refuse_second(py: Python<'_>, name: &str, replace: bool) -> PyResult<()> {
    match place_of(py, name).filter(|_| !replace) {
        Some(first) => Err(PyValueError::new_err(format!(
            "{name} is defined already, at {first}; take another name, or pass replace=True"
        ))),
        None => Ok(()),
    }
}

/// Says that the row of an operator is another one now.
fn changed(row: &'static Operator) {
    if let Some((kept, _)) = REGISTRY.lock().rows.get_mut(row.name) {
        *kept = row;
    }
}

#[cold]
fn none_left(name: &str) -> PyErr {
    let most = by_number::MOST;
    PyValueError::new_err(format!(
        "{name} is one more than the {most} operators that a process can define, those included that \
         were replaced, since graphs may still call them: define one operator, and pass as an argument \
         what differs between them"
    ))
}

fn is_operator(word: &str) -> bool {
    let tables = of_module().map_or(&[][..], |it| it.operators.tables());
    let is_class = ["Operator", "Overload"].contains(&word);
    is_class || tables.iter().any(|it| !rows::overloads(it, word).is_empty())
}

/// Where the operator of a name was defined, if it was.
fn place_of(py: Python<'_>, name: &str) -> Option<String> {
    let registry = REGISTRY.lock();
    let (_, number) = registry.rows.get(name)?;
    Some(registry.operators.get(number)?.bind(py).get().place().to_owned())
}

/// `ops.my`, which can be imported.
fn namespace_of<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let ops = package::native(py)?.getattr("ops")?;
    let found = ops.cast::<PyModule>()?.dict().get_item(name)?;
    if let Some(found) = found {
        return Ok(found);
    }
    let path = format!("{}.ops.{name}", package::name());
    let made = PyModule::new(py, &path)?;
    made.setattr(
        "__doc__",
        format!("Operators that were defined in Python, of the namespace {name}."),
    )?;
    // The first one stays, whichever thread made it.
    let kept = ops.cast::<PyModule>()?.dict().call_method1("setdefault", (name, made))?;
    py.import("sys")?.getattr("modules")?.cast_into::<PyDict>()?.set_item(path, &kept)?;
    Ok(kept)
}

/// Calls the operator of a number with a value for each parameter.
fn call(number: usize, values: &mut [Value]) -> Result<Results> {
    let result = gil::attached(|py| {
        let operator = REGISTRY.lock().operators.get(&number).map(|it| it.clone_ref(py));
        match operator {
            Some(operator) => operator.get().call(py, values),
            None => Err(Error::runtime("an operator of Python is called before it is defined")),
        }
    });
    result.unwrap_or_else(|| fail!(Runtime, "the interpreter is gone"))
}
