//! Nodes as data that pickles hold, and back.

use std::sync::Arc;

use opwright_graph::grad::{SerializedInner, SerializedVjp};
use opwright_graph::{Apply, Custom, NodeArgument, Op, SerializedOp, row as built_row};
use opwright_runtime::op::{Operator, Type, Value};
use opwright_runtime::types::{Coerce, TypeRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyModule, PyTuple};

use super::apply::PyApply;
use super::arguments::Inputs;
use super::boxing::{type_object, type_ref};
use super::host_op::HostOp;
use super::{failure, grad, rows, variable};
use crate::op::values;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(described_node, module)?)?;
    module.add_function(wrap_pyfunction!(node_of, module)?)?;
    module.add_function(wrap_pyfunction!(shared_coercion, module)?)
}

/// What a node is: its Op, its arguments, its inputs, the types of its results, its place.
#[pyfunction]
fn described_node<'py>(py: Python<'py>, node: &PyApply) -> PyResult<Bound<'py, PyTuple>> {
    let node = &node.0;
    let (op, arguments) = match node.op() {
        Op::Row(row) => {
            let arguments = written_all(py, node.arguments())?;
            ((("row", known(row)?).into_pyobject(py)?).into_any(), arguments)
        }
        Op::Custom(op) => (custom(py, node, &**op)?, PyList::empty(py)),
    };
    let inputs = node.inputs().iter().map(|it| variable::object(py, it.clone()));
    let inputs = PyList::new(py, inputs.collect::<PyResult<Vec<_>>>()?)?;
    let types = node.outputs().iter().map(|it| type_object(py, it.ty()));
    let types = PyList::new(py, types.collect::<PyResult<Vec<_>>>()?)?;
    let place = node.place().map(|it| (it.file.to_string(), it.line, it.function.to_string()));
    (op, arguments, inputs, types, place).into_pyobject(py)
}

/// The name of a row, by which it is found again.
fn known(row: &'static Operator) -> PyResult<&'static str> {
    match rows::find_called(row.name) {
        Some(found) if found.schema == row.schema => Ok(row.name),
        _ => Err(PyTypeError::new_err(format!(
            "cannot pickle a node of {}: this module has no operator of that name",
            row.name
        ))),
    }
}

fn custom<'py>(py: Python<'py>, node: &Apply, op: &dyn Custom) -> PyResult<Bound<'py, PyAny>> {
    if let Some(host) = op.downcast::<HostOp>() {
        return Ok(("host", host.object(py)).into_pyobject(py)?.into_any());
    }
    match SerializedOp::of(op) {
        Some(it) => Ok(("own", described(py, &it)?).into_pyobject(py)?.into_any()),
        None => Err(PyTypeError::new_err(format!(
            "cannot pickle {node}: it is a part of a compiled function; pickle the function"
        ))),
    }
}

fn described<'py>(py: Python<'py>, it: &SerializedOp) -> PyResult<Bound<'py, PyAny>> {
    Ok(match it {
        SerializedOp::Named(name) => ("named", name).into_pyobject(py)?.into_any(),
        SerializedOp::Numbered(name, at) => ("numbered", name, *at).into_pyobject(py)?.into_any(),
        SerializedOp::Attribute(name) => ("attribute", name).into_pyobject(py)?.into_any(),
        SerializedOp::Vjp(of) => described_vjp(py, of)?,
    })
}

fn described_vjp<'py>(py: Python<'py>, of: &SerializedVjp) -> PyResult<Bound<'py, PyAny>> {
    let row = match &of.row {
        Some((row, arguments, counts)) => Some((known(row)?, written_all(py, arguments)?, *counts)),
        None => None,
    };
    let own = match &of.own {
        Some(SerializedInner::Fitted) => Some(("named", FITTED).into_pyobject(py)?.into_any()),
        Some(SerializedInner::Vjp(inner)) => Some(described_vjp(py, inner)?),
        None => None,
    };
    let (wanted, given) = (of.wanted.clone(), of.given.clone());
    Ok(("vjp", row, own, of.inputs, of.drawn, wanted, given).into_pyobject(py)?.into_any())
}

/// What an Op that sums a gradient to the shape of a tensor is called.
const FITTED: &str = "sum_to_like";

fn written_all<'py>(py: Python<'py>, arguments: &[NodeArgument]) -> PyResult<Bound<'py, PyList>> {
    let written = arguments.iter().map(|it| written(py, it));
    PyList::new(py, written.collect::<PyResult<Vec<_>>>()?)
}

fn written<'py>(py: Python<'py>, argument: &NodeArgument) -> PyResult<Bound<'py, PyTuple>> {
    match argument {
        NodeArgument::Input(at) => ("input", *at).into_pyobject(py),
        NodeArgument::Value(it) => ("value", values::object(py, it.clone())?).into_pyobject(py),
        NodeArgument::List(items) => ("list", written_all(py, items)?).into_pyobject(py),
    }
}

/// An argument of a parameter of this type; `count` is how many inputs there are.
fn read(written: &Bound<'_, PyAny>, ty: &Type, count: usize) -> PyResult<NodeArgument> {
    let (kind, content): (String, Bound<'_, PyAny>) = written.extract()?;
    match (kind.as_str(), ty) {
        ("input", _) => {
            let at: usize = content.extract()?;
            if at < count { Ok(NodeArgument::Input(at)) } else { Err(broken()) }
        }
        ("list", Type::Optional(inner)) => read(written, inner, count),
        ("list", Type::List(element, _)) => {
            let items = content.try_iter()?.map(|it| read(&it?, element, count));
            Ok(NodeArgument::List(items.collect::<PyResult<_>>()?))
        }
        ("value", _) if content.is_none() => Ok(NodeArgument::Value(Value::None)),
        ("value", ty) => match Inputs::default().argument(&content, ty)? {
            argument @ NodeArgument::Value(_) => Ok(argument),
            // A tensor that stands in the arguments itself.
            _ => Ok(NodeArgument::Value(values::value(&content, ty)?)),
        },
        _ => Err(broken()),
    }
}

fn read_all(
    written: &Bound<'_, PyAny>,
    row: &Operator,
    count: usize,
) -> PyResult<Vec<NodeArgument>> {
    let pairs = written.try_iter()?.zip(row.params);
    let read: Vec<NodeArgument> =
        pairs.map(|(it, param)| read(&it?, &param.slot.ty, count)).collect::<PyResult<_>>()?;
    if read.len() == row.params.len() { Ok(read) } else { Err(broken()) }
}

#[cold]
fn broken() -> PyErr {
    PyValueError::new_err("the pickle of a graph is broken, or of another version")
}

fn found(name: &str) -> PyResult<&'static Operator> {
    rows::find_called(name).ok_or_else(|| {
        PyTypeError::new_err(format!("the pickle has a node of {name}, which this module lacks"))
    })
}

/// The node that [`described_node`] told of.
#[pyfunction]
fn node_of<'py>(
    py: Python<'py>,
    op: &Bound<'py, PyAny>,
    arguments: &Bound<'py, PyAny>,
    inputs: Vec<Bound<'py, PyAny>>,
    types: Vec<Bound<'py, PyAny>>,
    place: Option<(String, u32, String)>,
) -> PyResult<Bound<'py, PyAny>> {
    let inputs = inputs.iter().map(Inputs::variable).collect::<PyResult<Vec<_>>>()?;
    let types = types.iter().map(type_ref).collect::<PyResult<Vec<TypeRef>>>()?;
    let place = place.map(|(file, line, function)| opwright_graph::CallSite {
        file: file.into(),
        line,
        function: function.into(),
    });
    let (kind, content): (String, Bound<'_, PyAny>) = op.extract()?;
    let node = match kind.as_str() {
        "row" => {
            let row = found(&content.extract::<String>()?)?;
            let arguments = read_all(arguments, row, inputs.len())?;
            let built = built_row(row, inputs, arguments, place).map_err(failure::raised)?;
            narrowed(&built.node, types)?
        }
        "host" => {
            let op = Op::Custom(Arc::new(HostOp::new(&content)?));
            Apply::new(op, inputs, Vec::new(), types, place)
        }
        "own" => {
            let own = read_described(&content)?;
            let op = own.made(&inputs, &types, grad::calculus(py)?).ok_or_else(broken)?;
            let types = op.types(&inputs).map_err(failure::raised)?.unwrap_or(types);
            Apply::new(Op::Custom(op), inputs, Vec::new(), types, place)
        }
        _ => return Err(broken()),
    };
    PyApply::object(py, &node)
}

/// A node with results of types that are as specific as they were.
fn narrowed(node: &Arc<Apply>, types: Vec<TypeRef>) -> PyResult<Arc<Apply>> {
    if node.outputs().len() != types.len() {
        return Err(broken());
    }
    let pairs = || node.outputs().iter().map(|it| it.ty()).zip(&types);
    if pairs().all(|(found, said)| found.equals(&**said)) {
        return Ok(node.clone());
    }
    let types = pairs().map(|(found, said)| if found.is_super(&**said) { said } else { found });
    let types = types.cloned().collect();
    let (inputs, arguments) = (node.inputs().to_vec(), node.arguments().to_vec());
    Ok(Apply::new(node.op().clone(), inputs, arguments, types, node.place().cloned()))
}

type VjpParts<'py> = (
    String,
    Option<(String, Bound<'py, PyAny>, bool)>,
    Option<Bound<'py, PyAny>>,
    usize,
    Option<usize>,
    Vec<usize>,
    Vec<usize>,
);

fn read_described(data: &Bound<'_, PyAny>) -> PyResult<SerializedOp> {
    let kind: String = data.get_item(0)?.extract()?;
    Ok(match kind.as_str() {
        "named" => SerializedOp::Named(data.get_item(1)?.extract()?),
        "numbered" => {
            SerializedOp::Numbered(data.get_item(1)?.extract()?, data.get_item(2)?.extract()?)
        }
        "attribute" => SerializedOp::Attribute(data.get_item(1)?.extract()?),
        "vjp" => {
            let (_, row, own, inputs, drawn, wanted, given): VjpParts<'_> = data.extract()?;
            let row = match row {
                Some((name, arguments, counts)) => {
                    let row = found(&name)?;
                    Some((row, read_all(&arguments, row, inputs)?, counts))
                }
                None => None,
            };
            let own = match own.map(|it| read_described(&it)).transpose()? {
                Some(SerializedOp::Vjp(inner)) => Some(SerializedInner::Vjp(inner)),
                Some(SerializedOp::Named(name)) if name == FITTED => Some(SerializedInner::Fitted),
                Some(_) => return Err(broken()),
                None => None,
            };
            SerializedOp::Vjp(Box::new(SerializedVjp { row, own, inputs, drawn, wanted, given }))
        }
        _ => return Err(broken()),
    })
}

/// How loosely a shared variable takes values: the flags `strict` and `allow_downcast`.
#[pyfunction]
fn shared_coercion(shared: &Bound<'_, PyAny>) -> (bool, Option<bool>) {
    let found = variable::of(shared).and_then(|it| it.as_shared().map(|it| it.coerce()));
    match found {
        Some(Coerce::Strict) => (true, None),
        Some(Coerce::Lossless) => (false, Some(false)),
        Some(Coerce::Any) => (false, Some(true)),
        Some(Coerce::Natural) | None => (false, None),
    }
}
