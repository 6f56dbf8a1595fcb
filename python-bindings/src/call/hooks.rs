//! Hooks of the layer of graphs into calls, and of overloads that are registered in Python.

use std::ffi::CString;
use std::sync::OnceLock;

use opwright_runtime::op::Operator;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::args::{Call, Vectorcall};
#[cfg(feature = "jit")]
use crate::object::hooks;
use crate::object::{Failure, package};
use crate::raw::{self, NewReference};

/// Calls the same function with other arguments.
pub(crate) type Again<'a, 'py> = &'a dyn Fn(&Vectorcall<'_, 'py>) -> PyResult<Bound<'py, PyAny>>;

/// Operands of which some were replaced; nothing if none was.
pub(crate) type Replaced<'py> = Option<Vec<Bound<'py, PyAny>>>;

/// Calls a compiled function: with arguments by place and by name.
#[cfg(feature = "jit")]
pub(crate) type CallCompiled = for<'py> fn(
    &Bound<'py, PyAny>,
    &Bound<'py, PyTuple>,
    &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>>;

/// What the layer makes of calls that have objects of its own among their arguments.
pub(crate) struct CallHooks {
    /// The result of a bound call, given the row of the overload, if there is one.
    pub(crate) call: for<'py> fn(
        &Call<'_, 'py>,
        Option<&'static Operator>,
        Again<'_, 'py>,
    ) -> Result<NewReference, Failure>,
    /// The result of a call of a compiled function.
    #[cfg(feature = "jit")]
    pub(crate) compiled: CallCompiled,
    /// Operands of an operator of the language with method proxies in the places of its objects that
    /// stand for numbers.
    pub(crate) operands: for<'py> fn(&[Bound<'py, PyAny>]) -> PyResult<Replaced<'py>>,
}

static HOOKS: OnceLock<&'static CallHooks> = OnceLock::new();

/// Sets the hooks of the process.
pub(crate) fn set(hooks: &'static CallHooks) {
    HOOKS.get_or_init(|| hooks);
}

/// The result of a bound call that the layer takes over, as it is known to do.
///
/// # Errors
///
/// What the layer raises.
#[cold]
pub(crate) fn call<'py>(
    call: &Call<'_, 'py>,
    row: Option<&'static Operator>,
    again: Again<'_, 'py>,
) -> Result<NewReference, Failure> {
    match HOOKS.get() {
        Some(it) => (it.call)(call, row, again),
        None => Err(PyRuntimeError::new_err("the module is not ready").into()),
    }
}

/// The result of a call of a compiled function that the layer takes over; nothing if it does not.
#[cfg(feature = "jit")]
#[cold]
pub(crate) fn compiled<'py>(
    function: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    keywords: &Bound<'py, PyDict>,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    let is_taken = args.iter().chain(keywords.values()).any(|it| hooks::of(&it).is_some());
    let taker = HOOKS.get().filter(|_| is_taken)?;
    Some((taker.compiled)(function, args, keywords))
}

/// The operands of an operator of the language with method proxies in the places of objects that
/// stand for numbers; nothing if there is none.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn operands<'py>(operands: &[Bound<'py, PyAny>]) -> PyResult<Replaced<'py>> {
    HOOKS.get().map_or(Ok(None), |it| (it.operands)(operands))
}

/// What overloads of a function, which compiled functions ask, say of a call.
pub(crate) enum Overloaded<'py> {
    /// What one returned.
    Returned(Bound<'py, PyAny>),
    /// Why each declined.
    Declined(Vec<String>),
}

/// The name of the module in which overloads are registered.
static REGISTRY: OnceLock<Option<CString>> = OnceLock::new();

/// Whether anything may be registered: whoever registers has loaded the registry.
pub(crate) fn has_overloads(py: Python<'_>) -> bool {
    let name = || CString::new(format!("{}._jit.overloads", package::name())).ok();
    let name = REGISTRY.get_or_init(name).as_deref();
    cfg!(feature = "jit") && name.is_some_and(|it| raw::imported(py, it).is_some())
}

/// What the overloads of a function say of a call: its positional arguments, then those of keywords.
///
/// # Errors
///
/// What the overload that was picked raises.
#[cold]
pub(crate) fn overloaded<'py>(
    function: &Bound<'py, PyAny>,
    passed: &Vectorcall<'_, 'py>,
    given: &[Bound<'py, PyAny>],
) -> PyResult<Overloaded<'py>> {
    let py = function.py();
    let (first, named) = given.split_at(passed.positional.min(given.len()));
    let keywords = PyDict::new(py);
    for (at, object) in named.iter().enumerate() {
        keywords.set_item(passed.names.text(at), object)?;
    }
    let ask = package::load(py, "_jit.overloads")?.getattr("overloaded")?;
    let (is_taken, found): (bool, Bound<'py, PyAny>) =
        ask.call1((function, PyTuple::new(py, first)?, keywords))?.extract()?;
    Ok(if is_taken { Overloaded::Returned(found) } else { Overloaded::Declined(found.extract()?) })
}
