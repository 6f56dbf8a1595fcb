//! Operators that compiled functions call: rows of the module's tables, by plans of the package.

use std::sync::OnceLock;

use opwright_jit::operator::{OperatorArg, OperatorCall};
use opwright_jit::types::{Kind, Layout, Ty};
use opwright_jit::{Frozen, OperatorOperand, memory};
use opwright_runtime::op::{Operator, Value, find};
use opwright_runtime::{DType, Device, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyTuple};

use super::{objects, types};
use crate::tables::Tables;

static TABLES: OnceLock<&'static Tables> = OnceLock::new();

/// How many elements the dimensions of stand-ins have.
const EXTENT: i64 = 2;

/// Says where the rows are.
pub(super) fn set(tables: &'static Tables) {
    TABLES.get_or_init(|| tables);
}

fn row(name: &str) -> Option<&'static Operator> {
    TABLES.get()?.operators.tables().iter().find_map(|it| find(it, name))
}

/// The call of an operator that a function of arrays is; none if the package does not know it.
pub(super) fn call(
    py: Python<'_>,
    name: &str,
    args: &[OperatorOperand],
) -> PyResult<Option<OperatorCall>> {
    let module = py.import(format!("{}._jit.operators", crate::package::name()))?;
    let class = module.getattr("Arg")?;
    let positional = PyList::empty(py);
    let named = PyDict::new(py);
    for (at, arg) in args.iter().enumerate() {
        let ty = types::to_python(py, arg.ty)?;
        let known = match &arg.known {
            Some(frozen) => PyTuple::new(py, [thawed(py, frozen)?])?,
            None => PyTuple::empty(py),
        };
        let made = class.call1((at, ty, known))?;
        match &arg.name {
            None => positional.append(made)?,
            Some(name) => named.set_item(&**name, made)?,
        }
    }
    let plan = module.call_method1("plan", (name, positional, named))?;
    if plan.is_none() {
        return Ok(None);
    }
    let name: String = plan.get_item(0)?.extract()?;
    let values = plan.get_item(1)?.cast_into::<PyTuple>().map_err(PyErr::from)?;
    let row = row(&name)
        .ok_or_else(|| PyTypeError::new_err(format!("this module has no operator {name}")))?;
    let mut passed = Vec::with_capacity(row.params.len());
    for value in values.iter() {
        passed.push(argument(&value, args)?);
    }
    let mut results = results(row, &passed)?;
    if plan.len()? > 2 {
        // So many results are wanted.
        results.truncate(plan.get_item(2)?.extract()?);
    }
    Ok(Some(OperatorCall { row, args: passed, results }))
}

/// A value that is known, as an object.
fn thawed<'py>(py: Python<'py>, frozen: &Frozen) -> PyResult<Bound<'py, PyAny>> {
    Ok(match frozen {
        Frozen::None => py.None().into_bound(py),
        Frozen::Number(ty, bits) => match &**ty {
            Kind::Bool => PyBool::new(py, bits[0] != 0).to_owned().into_any(),
            Kind::Int(_) => bits[0].cast_signed().into_pyobject(py)?.into_any(),
            Kind::Float(64) => f64::from_bits(bits[0]).into_pyobject(py)?.into_any(),
            _ => f64::from(f32::from_bits(bits[0] as u32)).into_pyobject(py)?.into_any(),
        },
        Frozen::Tuple(items) => {
            let items: PyResult<Vec<_>> = items.iter().map(|it| thawed(py, it)).collect();
            PyTuple::new(py, items?)?.into_any()
        }
        Frozen::Fact(ty) => match &**ty {
            Kind::DType(dtype) => dtype.to_string().into_pyobject(py)?.into_any(),
            Kind::Text(text) => text.into_pyobject(py)?.into_any(),
            Kind::Function(object) => {
                let object = objects::object(py, *object);
                super::freeze::known(&object)?.into_pyobject(py)?.into_any()
            }
            _ => py.None().into_bound(py),
        },
        Frozen::Array(..) | Frozen::Struct(..) | Frozen::Lowered(..) | Frozen::Object(..) => {
            py.None().into_bound(py)
        }
    })
}

/// What an operator is passed, as a plan says it.
fn argument(value: &Bound<'_, PyAny>, args: &[OperatorOperand]) -> PyResult<OperatorArg> {
    if let Ok(number) = value.getattr("number") {
        let operand = &args[number.extract::<usize>()?];
        if *operand.ty == Kind::None {
            return Ok(OperatorArg::Constant(Value::None));
        }
        return Ok(OperatorArg::Word(operand.word, operand.ty));
    }
    constant(value).map(OperatorArg::Constant)
}

fn constant(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_none() {
        return Ok(Value::None);
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Bool(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(Value::Int(value.extract()?));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(value.extract()?));
    }
    if let Ok(list) = value.cast::<PyList>() {
        let items: PyResult<Vec<Value>> = list.iter().map(|it| constant(&it)).collect();
        return Ok(Value::List(items?));
    }
    let (kind, inner): (String, Bound<'_, PyAny>) = value.extract()?;
    if kind == "dtype" && !inner.is_none() {
        let name: String = inner.extract()?;
        let name = match name.as_str() {
            "float" => "float64",
            "int" => "int64",
            other => other,
        };
        let dtype = Ty::of_name(name).and_then(memory::dtype);
        return match dtype {
            Some(dtype) => Ok(Value::DType(dtype)),
            None => Err(PyTypeError::new_err(format!("no dtype is called {name}"))),
        };
    }
    constant(&inner)
}

/// The types of the results, as the operator says them of tensors without elements.
fn results(row: &Operator, args: &[OperatorArg]) -> PyResult<Vec<Ty>> {
    let raised = |it: opwright_runtime::Error| crate::failure::exception(&it);
    let mut values = Vec::with_capacity(args.len());
    for arg in args {
        values.push(match arg {
            OperatorArg::Constant(value) => value.clone(),
            OperatorArg::Word(_, ty) => match &**ty {
                Kind::Array(array) => {
                    let dtype = memory::dtype(array.dtype).unwrap_or(DType::Float64);
                    let shape = vec![EXTENT; array.ndim];
                    Value::Tensor(Tensor::zeroed(&shape, dtype, Device::Meta).map_err(raised)?)
                }
                Kind::Bool => Value::Bool(false),
                Kind::Int(_) => Value::Int(0),
                _ => Value::Float(0.0),
            },
        });
    }
    let returned = (row.call)(&mut values).map_err(raised)?;
    let mut found = Vec::with_capacity(returned.len());
    for value in returned {
        let tensor = value.tensor().map_err(raised)?;
        let dtype = memory::ty(tensor.dtype())
            .ok_or_else(|| PyTypeError::new_err("the result has elements that are not compiled"))?;
        found.push(match tensor.ndim() {
            0 => dtype,
            ndim => Ty::array(dtype, ndim, Layout::C),
        });
    }
    Ok(found)
}
