//! Traversals of whole graphs: ways through them, copies, other variables in them, and texts.

use std::collections::HashMap;

use opwright_graph::Variable;
use opwright_graph::print::{self, Shown};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyModule;

use super::apply::PyApply;
use super::failure::raised;
use super::{call_site, hook, index, variable};

type Objects<'py> = Vec<Bound<'py, PyAny>>;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(kind, module)?)?;
    module.add_function(wrap_pyfunction!(ancestors, module)?)?;
    module.add_function(wrap_pyfunction!(inputs, module)?)?;
    module.add_function(wrap_pyfunction!(nodes, module)?)?;
    module.add_function(wrap_pyfunction!(replace, module)?)?;
    module.add_function(wrap_pyfunction!(clone, module)?)?;
    module.add_function(wrap_pyfunction!(equal_computations, module)?)?;
    module.add_function(wrap_pyfunction!(shape, module)?)?;
    module.add_function(wrap_pyfunction!(shape_i, module)?)?;
    module.add_function(wrap_pyfunction!(deep_copy, module)?)?;
    module.add_function(wrap_pyfunction!(view, module)?)?;
    module.add_function(wrap_pyfunction!(set_item, module)?)?;
    module.add_function(wrap_pyfunction!(tree, module)?)?;
    module.add_function(wrap_pyfunction!(to_dot, module)?)?;
    module.add_function(wrap_pyfunction!(to_svg, module)?)
}

fn of(object: &Bound<'_, PyAny>) -> PyResult<Variable> {
    variable::of(object).ok_or_else(|| {
        let found = crate::object::type_name(object);
        PyTypeError::new_err(format!("expected a variable, not {found}"))
    })
}

fn all(objects: &[Bound<'_, PyAny>]) -> PyResult<Vec<Variable>> {
    objects.iter().map(of).collect()
}

fn objects(py: Python<'_>, variables: Vec<Variable>) -> PyResult<Objects<'_>> {
    variables.into_iter().map(|it| variable::object(py, it)).collect()
}

/// What a variable is: a constant, shared, a result of a node, or an input.
#[pyfunction]
fn kind(x: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    let variable = of(x)?;
    Ok(if variable.as_constant().is_some() {
        "constant"
    } else if variable.as_shared().is_some() {
        "shared"
    } else if variable.owner().is_some() {
        "result"
    } else {
        "input"
    })
}

/// All that variables depend on, and they themselves, each once.
#[pyfunction]
fn ancestors<'py>(py: Python<'py>, variables: Objects<'py>) -> PyResult<Objects<'py>> {
    objects(py, opwright_graph::ancestors(&all(&variables)?))
}

/// What has to be given to compute variables, in the order of first use.
#[pyfunction]
fn inputs<'py>(py: Python<'py>, variables: Objects<'py>) -> PyResult<Objects<'py>> {
    objects(py, opwright_graph::inputs(&all(&variables)?))
}

/// The nodes between variables, each behind those that it uses.
#[pyfunction]
fn nodes<'py>(
    py: Python<'py>,
    inputs: Objects<'py>,
    outputs: Objects<'py>,
) -> PyResult<Objects<'py>> {
    let found = opwright_graph::nodes(&all(&inputs)?, &all(&outputs)?);
    found.iter().map(|it| PyApply::object(py, it)).collect()
}

/// Variables with others in the place of some that they depend on.
#[pyfunction]
fn replace<'py>(
    py: Python<'py>,
    outputs: Objects<'py>,
    replacements: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
) -> PyResult<Objects<'py>> {
    let pairs = replacements.iter().map(|(old, new)| Ok((of(old)?, of(new)?)));
    let pairs: Vec<_> = pairs.collect::<PyResult<_>>()?;
    let outputs = all(&outputs)?;
    objects(py, hook::heard_failure(|| opwright_graph::replaced(&outputs, &pairs))?)
}

/// A copy of a graph: its inputs, and its outputs.
#[pyfunction]
fn clone<'py>(
    py: Python<'py>,
    inputs: Objects<'py>,
    outputs: Objects<'py>,
) -> PyResult<(Objects<'py>, Objects<'py>)> {
    let (inputs, outputs) = opwright_graph::copied(&all(&inputs)?, &all(&outputs)?);
    Ok((objects(py, inputs)?, objects(py, outputs)?))
}

/// Whether both compute the same of the same variables, by the same calls.
#[pyfunction]
fn equal_computations(xs: Objects<'_>, ys: Objects<'_>) -> PyResult<bool> {
    let (xs, ys) = (all(&xs)?, all(&ys)?);
    hook::heard(|| Ok(opwright_graph::equal_computations(&xs, &ys)))
}

/// The extents of a variable.
#[pyfunction]
fn shape<'py>(x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = x.py();
    variable::object(py, opwright_graph::shape(&of(x)?, call_site::current(py)).map_err(raised)?)
}

/// One extent of a variable.
#[pyfunction]
fn shape_i<'py>(x: &Bound<'py, PyAny>, i: i64) -> PyResult<Bound<'py, PyAny>> {
    let py = x.py();
    variable::object(
        py,
        opwright_graph::extent(&of(x)?, i, call_site::current(py)).map_err(raised)?,
    )
}

/// A value that shares nothing with that of a variable.
#[pyfunction]
fn deep_copy<'py>(x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    variable::object(x.py(), opwright_graph::deep_copy(&of(x)?, call_site::current(x.py())))
}

/// The same value as another variable.
#[pyfunction]
fn view<'py>(x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    variable::object(x.py(), opwright_graph::view(&of(x)?, call_site::current(x.py())))
}

/// A variable with other elements in the place of those that a key picks out.
#[pyfunction]
fn set_item<'py>(
    x: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    index::set(x, key, value)
}

/// Graphs as a text; `order` has the nodes of a function as they run.
#[pyfunction]
fn tree(
    variables: Objects<'_>,
    order: Option<Vec<Py<PyApply>>>,
    types: bool,
    shape: bool,
    ids: bool,
    depth: i64,
) -> PyResult<String> {
    let order: Option<HashMap<u64, usize>> = order
        .map(|nodes| nodes.iter().enumerate().map(|(at, node)| (node.get().0.id(), at)).collect());
    let depth = usize::try_from(depth).ok();
    let shown = Shown { types, shape, ids, depth, order: order.as_ref() };
    Ok(print::tree(&all(&variables)?, &shown))
}

/// Graphs in the language of Graphviz.
#[pyfunction]
fn to_dot(variables: Objects<'_>) -> PyResult<String> {
    Ok(print::dot(&all(&variables)?))
}

/// Graphs as a picture.
#[pyfunction]
fn to_svg(variables: Objects<'_>) -> PyResult<String> {
    Ok(print::svg(&all(&variables)?))
}
