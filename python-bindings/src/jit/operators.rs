//! Operators that compiled functions call: rows of the module's tables, by plans of the package.

use std::sync::OnceLock;

use opwright_jit::operator::{OperatorArg, OperatorCall};
use opwright_jit::types::{ArrayLayout, Ty, TyKind};
use opwright_jit::{ArrayPlan, Frozen, OperatorOperand, memory};
use opwright_runtime::op::{Operator, Value, find, overloads};
use opwright_runtime::{Complex, DType, Device, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyFunction, PyInt, PyList, PyTuple};

use super::objects::{self, Keeper};
use super::{overload, types};
use crate::call::tables::Tables;

static TABLES: OnceLock<&'static Tables> = OnceLock::new();

/// How many elements the dimensions of stand-ins have, and by how much integers grow from 0: what
/// the first does not fit is tried with the next.
const STAND_INS: [(i64, i64); 4] = [(2, 0), (2, 1), (3, 0), (1, 0)];

/// Says where the rows are.
pub(super) fn set(tables: &'static Tables) {
    TABLES.get_or_init(|| tables);
}

fn row(name: &str) -> Option<&'static Operator> {
    TABLES.get()?.operators.tables().iter().find_map(|it| find(it, name))
}

/// What a function of arrays is; none if the package does not know it.
pub(super) fn plan(
    py: Python<'_>,
    keeper: &Keeper,
    name: &str,
    args: &[OperatorOperand],
) -> PyResult<Option<ArrayPlan>> {
    if let Some(ours) = name.strip_prefix("opwright.") {
        return Ok(of_name(py, ours, args)?.map(ArrayPlan::Operator));
    }
    let module = py.import(format!("{}._jit.operators", crate::object::package::name()))?;
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
    let first = plan.get_item(0)?;
    if first.is_instance_of::<PyFunction>() {
        let values = plan.get_item(1)?;
        let numbers: PyResult<Vec<usize>> =
            values.try_iter()?.map(|it| it?.getattr("number")?.extract()).collect();
        return Ok(Some(ArrayPlan::Function(keeper.number(&first), numbers?)));
    }
    let is_numpy = name.starts_with("numpy.");
    let name: String = first.extract()?;
    let values = plan.get_item(1)?.cast_into::<PyTuple>().map_err(PyErr::from)?;
    let row = row(&name)
        .ok_or_else(|| PyTypeError::new_err(format!("this module has no operator {name}")))?;
    let mut passed = Vec::with_capacity(row.params.len());
    for value in values.iter() {
        passed.push(argument(&value, args)?);
    }
    let mut results = results(py, row, &passed)?;
    if plan.len()? > 2 {
        // So many results are wanted.
        results.truncate(plan.get_item(2)?.extract()?);
    }
    Ok(Some(ArrayPlan::Operator(OperatorCall { row, args: passed, results, is_numpy })))
}

/// A value that is known, as an object.
fn thawed<'py>(py: Python<'py>, frozen: &Frozen) -> PyResult<Bound<'py, PyAny>> {
    Ok(match frozen {
        Frozen::None => py.None().into_bound(py),
        Frozen::Number(ty, bits) => match &**ty {
            TyKind::Bool => PyBool::new(py, bits[0] != 0).to_owned().into_any(),
            TyKind::Int(_) => bits[0].cast_signed().into_pyobject(py)?.into_any(),
            TyKind::Float(64) => f64::from_bits(bits[0]).into_pyobject(py)?.into_any(),
            _ => f64::from(f32::from_bits(bits[0] as u32)).into_pyobject(py)?.into_any(),
        },
        Frozen::Tuple(items) => {
            let items: PyResult<Vec<_>> = items.iter().map(|it| thawed(py, it)).collect();
            PyTuple::new(py, items?)?.into_any()
        }
        Frozen::Fact(ty) => match &**ty {
            TyKind::DType(dtype) => dtype.to_string().into_pyobject(py)?.into_any(),
            TyKind::Text(text) => text.into_pyobject(py)?.into_any(),
            TyKind::Function(object) => {
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
        if *operand.ty == TyKind::None {
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

/// The call of an operator of ours by its own parameters; none if there is no operator of the name.
fn of_name(py: Python<'_>, name: &str, args: &[OperatorOperand]) -> PyResult<Option<OperatorCall>> {
    let Some(tables) = TABLES.get() else { return Ok(None) };
    let rows = tables.operators.tables().iter().map(|it| overloads(it, name));
    let Some(rows) = rows.into_iter().find(|it| !it.is_empty()) else { return Ok(None) };
    let (row, passed) = overload::choose(rows, args)
        .map_err(|reason| super::errors::typing_error(py, &format!("{name}(): {reason}")))?;
    let results = results(py, row, &passed)?;
    Ok(Some(OperatorCall { row, args: passed, results, is_numpy: false }))
}

/// The types of the results, as the operator says them of tensors without elements.
fn results(py: Python<'_>, row: &Operator, args: &[OperatorArg]) -> PyResult<Vec<Ty>> {
    let mut last = None;
    for (extent, step) in STAND_INS {
        match results_of(py, row, args, extent, step) {
            Ok(found) => return Ok(found),
            Err(error) => last = last.or(Some(error)),
        }
    }
    Err(last.unwrap_or_else(|| PyTypeError::new_err("no extents are tried")))
}

fn results_of(
    py: Python<'_>,
    row: &Operator,
    args: &[OperatorArg],
    extent: i64,
    step: i64,
) -> PyResult<Vec<Ty>> {
    let mut next = -step;
    // What refuses tensors without elements refuses the types.
    let raised = |it: opwright_runtime::Error| match it.kind() {
        opwright_runtime::ErrorKind::Memory => crate::object::failure::exception(&it),
        _ => super::errors::typing_error(py, &format!("{}(): {}", row.parts().0, it.message())),
    };
    let mut stand_in = |_: usize, ty: Ty| {
        Ok::<Value, opwright_runtime::Error>(match &*ty {
            TyKind::Array(array) => {
                let dtype = memory::dtype(array.dtype).unwrap_or(DType::Float64);
                Value::Tensor(Tensor::zeroed(&vec![extent; array.ndim], dtype, Device::Meta)?)
            }
            TyKind::Bool => Value::Bool(false),
            TyKind::Int(_) => {
                next += step;
                Value::Int(next)
            }
            TyKind::Complex(_) => Value::Complex(Complex::new(0.0, 0.0)),
            _ => Value::Float(0.0),
        })
    };
    let mut values = Vec::with_capacity(args.len());
    for arg in args {
        values.push(arg.value(&mut stand_in).map_err(raised)?);
    }
    let returned = (row.call)(&mut values).map_err(raised)?;
    let mut found = Vec::with_capacity(returned.len());
    for value in returned {
        let tensor = value.tensor().map_err(raised)?;
        let dtype = memory::ty(tensor.dtype())
            .ok_or_else(|| PyTypeError::new_err("the result has elements that are not compiled"))?;
        found.push(match tensor.ndim() {
            0 => dtype,
            ndim => Ty::array(dtype, ndim, ArrayLayout::C),
        });
    }
    Ok(found)
}
