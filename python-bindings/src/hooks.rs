//! What layers above plain tensors add to the handling of arguments: one table, which is the only
//! way up from the code of eager calls.
//!
//! A layer has objects of its own, which calls take in the place of tensors and numbers: variables
//! of graphs. Layers are asked in the order of the table, behind everything that is known without
//! them.

use opwright_runtime::op::Operator;
use opwright_runtime::resolve::Accepts;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::args::{Call, Vectorcall};
use crate::failure::Failure;
use crate::graph;
use crate::package;
use crate::raw::NewReference;

// Types that are written in Python belong to the layer of graphs, and fields may be of any type.
pub(crate) use crate::graph::{accept, emit};

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

/// What a layer adds.
pub(crate) struct Layer {
    /// What one of its objects is called: `variable`.
    pub(crate) object: &'static str,
    /// What to write instead of one that stands for a number where a tensor is expected.
    pub(crate) number_hint: &'static str,
    /// The kinds of parameters that an object satisfies, if it is one of the layer.
    pub(crate) kinds: fn(&Bound<'_, PyAny>) -> Option<Accepts>,
    /// What messages say of an object or of its method proxy, if it is one of the layer.
    pub(crate) describe: fn(&Bound<'_, PyAny>) -> Option<String>,
    /// Whether an object is a method proxy: a tensor that leads to an object of the layer, for a
    /// method that wants one to be called on.
    pub(crate) is_receiver: fn(&Bound<'_, PyAny>) -> bool,
    /// The result of a bound call that has objects of the layer among its arguments, given the row
    /// of the overload, if there is one.
    pub(crate) call: for<'py> fn(
        &Call<'_, 'py>,
        Option<&'static Operator>,
        Again<'_, 'py>,
    ) -> Result<NewReference, Failure>,
    /// The result of a call of a compiled function that has objects of the layer among its arguments.
    #[cfg(feature = "jit")]
    pub(crate) compiled: CallCompiled,
    /// Operands of an operator of the language with method proxies in the places of its objects that
    /// stand for numbers.
    pub(crate) operands: for<'py> fn(&[Bound<'py, PyAny>]) -> PyResult<Replaced<'py>>,
}

/// All layers.
static LAYERS: [Layer; 1] = [graph::LAYER];

/// The kinds of parameters that an object of a layer satisfies.
pub(crate) fn kinds(object: &Bound<'_, PyAny>) -> Option<Accepts> {
    LAYERS.iter().find_map(|it| (it.kinds)(object))
}

/// What messages say of an object of a layer.
pub(crate) fn describe(object: &Bound<'_, PyAny>) -> Option<String> {
    LAYERS.iter().find_map(|it| (it.describe)(object))
}

/// The layer that an object or a method proxy belongs to.
pub(crate) fn layer_of(object: &Bound<'_, PyAny>) -> Option<&'static Layer> {
    LAYERS.iter().find(|it| (it.describe)(object).is_some())
}

/// Whether an object is a method proxy of a layer.
pub(crate) fn is_receiver(object: &Bound<'_, PyAny>) -> bool {
    LAYERS.iter().any(|it| (it.is_receiver)(object))
}

/// The result of a bound call that a layer takes over.
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
    // It is known that one takes it over: the last one, if no other does.
    let [others @ .., last] = &LAYERS;
    let takes = |layer: &&Layer| call.objects().iter().any(|it| (layer.describe)(it).is_some());
    let layer = others.iter().find(takes).unwrap_or(last);
    (layer.call)(call, row, again)
}

/// The result of a call of a compiled function that a layer takes over; nothing if none does.
#[cfg(feature = "jit")]
#[cold]
pub(crate) fn compiled<'py>(
    function: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    keywords: &Bound<'py, PyDict>,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    let layer = args.iter().chain(keywords.values()).find_map(|it| layer_of(&it))?;
    Some((layer.compiled)(function, args, keywords))
}

/// What overloads of a function, which compiled functions ask, say of a call.
pub(crate) enum Overloaded<'py> {
    /// What one returned.
    Returned(Bound<'py, PyAny>),
    /// Why each declined.
    Declined(Vec<String>),
}

/// Whether anything may be registered: whoever registers has loaded the registry.
pub(crate) fn has_overloads(py: Python<'_>) -> bool {
    let loaded = || {
        let modules = py.import("sys")?.getattr("modules")?;
        modules.contains(format!("{}._jit.overloads", package::name()))
    };
    cfg!(feature = "jit") && loaded().unwrap_or(false)
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

/// The operands of an operator of the language with method proxies in the places of objects that
/// stand for numbers; nothing if there is none.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn operands<'py>(operands: &[Bound<'py, PyAny>]) -> PyResult<Replaced<'py>> {
    let mut replaced: Replaced<'py> = None;
    for layer in &LAYERS {
        let now = (layer.operands)(replaced.as_deref().unwrap_or(operands))?;
        replaced = now.or(replaced);
    }
    Ok(replaced)
}
