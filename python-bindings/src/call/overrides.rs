//! `__opwright_function__`: an argument that takes over the call.
//!
//! An object of any type whose class defines it, given for any parameter or
//! inside of a list, is asked instead of the overload:
//! `__opwright_function__(function, types, args, kwargs)`. Subclasses of
//! `Tensor` inherit an implementation that runs the function and returns
//! results of the subclass. The marker `_disabled_function_impl` turns both off.

use opwright_runtime::buffer;
use opwright_runtime::resolve::OverloadSet;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyModule, PyTuple, PyType};
use pyo3::{IntoPyObjectExt, intern};

use super::hooks::{self, Again};
use super::target::{Callee, Target};
use crate::args::Call;
use crate::object::hooks::is_method_proxy;
use crate::object::overrides::{Disabled, NAME, handler, overrides, set_marker};
use crate::object::{self, Failure, classes, type_name};
use crate::raw::{self, NewReference};

/// The module in which functions are looked up.
static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// Adds the marker and the default implementation's two helpers.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    MODULE.get_or_init(py, || module.clone().unbind());
    let marker = wrap_pyfunction!(disabled, module)?;
    set_marker(marker.as_any());
    module.add("_disabled_function_impl", &marker)?;
    // The same under the name that code written for PyTorch uses.
    module.add("_disabled_torch_function_impl", marker)?;
    module.add_function(wrap_pyfunction!(call_without, module)?)
}

/// A class whose `__opwright_function__` is this one has no say in calls.
#[pyfunction(name = "_disabled_function_impl", signature = (*_args, **_kwargs))]
fn disabled(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    Err(PyTypeError::new_err("overrides are turned off for this class"))
}

/// Calls `function` as if no argument had an override, and gives results that
/// are plain tensors the class `class`.
#[pyfunction(name = "_call_without_overrides")]
fn call_without<'py>(
    class: &Bound<'py, PyType>,
    function: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let result = {
        let _guard = Disabled::new();
        function.call(args, kwargs)?
    };
    retag(&result, class)
}

/// Asks the arguments that take over the call, one after the other.
///
/// # Errors
///
/// What they raise, or `TypeError` if all of them decline.
#[cold]
pub(super) fn dispatch<'py>(
    call: &Call<'_, 'py>,
    callee: impl Callee,
    again: Again<'_, 'py>,
) -> Result<NewReference, Failure> {
    let py = call.py();
    let asked = in_order(call);
    if asked.is_empty() {
        let row = callee.row(call.overload());
        return hooks::call(call, row, again);
    }
    if let Some(class) = only_default(py, &asked)? {
        let _guard = Disabled::new();
        let mut call = call.without_overrides();
        let result = callee.body(&mut call)?.into_bound(py);
        return Ok(retag(&result, &class)?.into());
    }
    let function = callee.object(py)?;
    let types = PyTuple::new(py, asked.iter().map(Bound::get_type))?;
    let (args, kwargs) = call.as_python()?;
    for object in &asked {
        let Some(handler) = handler(object) else { continue };
        let result = match &kwargs {
            Some(kwargs) => handler.call1((&function, &types, &args, kwargs))?,
            None => handler.call1((&function, &types, &args))?,
        };
        if !result.is(py.NotImplemented()) {
            return Ok(result.into());
        }
    }
    Err(declined(callee.function(), &asked).into())
}

/// What the first argument of a protocol method makes of the call whose class does not leave that to
/// `Tensor`: an index or a value of `tensor[...]`, or an element of an index. None if there is no such
/// argument, or if it declines.
///
/// # Errors
///
/// What it raises.
pub(crate) fn of_protocol<'py>(
    name: &str,
    receiver: &Bound<'py, PyAny>,
    args: &[&Bound<'py, PyAny>],
) -> PyResult<Option<Bound<'py, PyAny>>> {
    // An index of several dimensions is a tuple.
    let found = args.iter().find_map(|it| match it.cast::<PyTuple>() {
        Ok(elements) => elements.iter().find_map(|it| own_handler(&it)),
        Err(_) => own_handler(it),
    });
    let Some(found) = found else { return Ok(None) };
    let py = receiver.py();
    let all: Vec<_> = [receiver].iter().chain(args).copied().collect();
    asked(&found, &classes::TENSOR.bind(py).getattr(name)?, &PyTuple::new(py, all)?)
}

/// The same of a function that is no operator's, with these arguments.
///
/// # Errors
///
/// What it raises.
pub(crate) fn of_arguments<'py>(
    args: &Bound<'py, PyTuple>,
    function: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match args.iter().find_map(|it| own_handler(&it)) {
        Some(found) => asked(&found, &function()?, args),
        None => Ok(None),
    }
}

/// An object, and what it takes calls over with.
type Taker<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// What an object makes of a call; None if it declines.
#[cold]
fn asked<'py>(
    (object, handler): &Taker<'py>,
    function: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = function.py();
    let types = PyTuple::new(py, [object.get_type()])?;
    let result = handler.call1((function, types, args))?;
    Ok((!result.is(py.NotImplemented())).then_some(result))
}

/// An object that does not leave calls to what `Tensor` defines, and its handler.
fn own_handler<'py>(object: &Bound<'py, PyAny>) -> Option<Taker<'py>> {
    if is_method_proxy(object) || !overrides(object) {
        return None;
    }
    let found = handler(object)?;
    let function = found.getattr_opt(intern!(object.py(), "__func__")).ok()?;
    let is_default = function.is_some_and(|it| it.hasattr("_is_default").unwrap_or(false));
    (!is_default).then(|| (object.clone(), found))
}

#[cold]
fn declined(function: &OverloadSet, asked: &[Bound<'_, PyAny>]) -> PyErr {
    let types: Vec<String> = asked.iter().map(|it| type_name(it)).collect();
    PyTypeError::new_err(format!(
        "{}(): every {NAME} returned NotImplemented; asked were {}",
        function.name,
        types.join(", ")
    ))
}

/// Says who takes over a call, in front of what happens without them.
///
/// # Errors
///
/// What looking at the classes raises.
#[cold]
pub(crate) fn account(call: &Call<'_, '_>) -> PyResult<String> {
    let asked = in_order(call);
    let types: Vec<String> = asked.iter().map(|it| type_name(it)).collect();
    Ok(match only_default(call.py(), &asked)? {
        Some(class) => format!("results are of the class {}\n", class.name()?),
        None => format!(
            "{NAME} takes over the call; asked are, in this order:\n  {}\nwithout it, ",
            types.join("\n  ")
        ),
    })
}

/// The objects to ask: in the order of parameters, one of each class, and a
/// subclass before its superclass.
fn in_order<'py>(call: &Call<'_, 'py>) -> Vec<Bound<'py, PyAny>> {
    let mut asked: Vec<Bound<'py, PyAny>> = Vec::new();
    for object in call.objects() {
        if is_method_proxy(&object) || !overrides(&object) {
            continue;
        }
        let class = object.get_type();
        if asked.iter().any(|it| it.get_type().is(&class)) {
            continue;
        }
        let before = asked.iter().position(|it| class.is_subclass(&it.get_type()).unwrap_or(false));
        asked.insert(before.unwrap_or(asked.len()), object);
    }
    asked
}

/// The class of the results, if all objects have just what `Tensor` defines
/// and one of their classes is derived from all others.
fn only_default<'py>(
    py: Python<'py>,
    asked: &[Bound<'py, PyAny>],
) -> PyResult<Option<Bound<'py, PyType>>> {
    let name = intern!(py, NAME);
    let Ok(default) = classes::TENSOR.bind(py).getattr(name)?.getattr("__func__") else {
        return Ok(None);
    };
    for object in asked {
        let own = object.get_type().getattr(name)?.getattr("__func__");
        if !own.is_ok_and(|it| it.is(&default)) {
            return Ok(None);
        }
    }
    let Some(first) = asked.first().map(Bound::get_type) else { return Ok(None) };
    for object in asked {
        if !first.is_subclass(&object.get_type())? {
            return Ok(None);
        }
    }
    Ok(Some(first))
}

/// The public function or method of a target.
pub(crate) fn function_object<'py>(
    py: Python<'py>,
    target: &Target,
) -> PyResult<Bound<'py, PyAny>> {
    if target.method {
        return classes::TENSOR.bind(py).getattr(target.function.name);
    }
    let module = MODULE.get(py).ok_or_else(|| PyTypeError::new_err("the module is not ready"))?;
    let module = module.bind(py).as_any();
    if target.module.is_empty() {
        return module.getattr(target.function.name);
    }
    module.getattr(format!("_{}", target.module))?.getattr(target.function.name)
}

/// Plain tensors in a result become instances of `class`.
fn retag<'py>(
    result: &Bound<'py, PyAny>,
    class: &Bound<'py, PyType>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = result.py();
    if classes::TENSOR.is_exact(result) {
        let Some(tensor) = object::tensor_of(result) else { return Ok(result.clone()) };
        return object::of_class(class, tensor.clone());
    }
    let Ok(tuple) = result.cast::<PyTuple>() else { return Ok(result.clone()) };
    let elements = tuple.iter().map(|it| retag(&it, class).map_err(Failure::from));
    let elements = buffer::try_collected(elements).and_then(|it| Ok(raw::tuple(py, it)?));
    let elements = elements.map_err(|it| it.raised("Tensor"))?;
    if tuple.get_type().is(py.get_type::<PyTuple>()) {
        return elements.into_bound_py_any(py);
    }
    match tuple.get_type().getattr("_make") {
        Ok(make) => make.call1((elements,)),
        // `Size`, which holds no tensors.
        Err(_) => Ok(result.clone()),
    }
}
