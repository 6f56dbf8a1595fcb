//! Prepared calls: an operator with all arguments but its tensors.

use std::collections::HashMap;
use std::sync::Arc;

use opwright_runtime::lock::Lock;
use opwright_runtime::op::{Operator, Results, Type, Value};
use opwright_runtime::{DType, Result, Tensor, buffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::super::values;
use super::frame::Called;
use crate::object::Failure;

/// An operator of a program, and what it is called with.
pub(super) struct PreparedCall {
    row: &'static Operator,
    arguments: Vec<Argument>,
}

enum Argument {
    Value(Value),
    /// One of the program's arguments, as int64 if it is to be.
    Input {
        at: usize,
        is_wide: bool,
    },
    /// The memory of one of the program's results.
    Output(usize),
    List(Vec<Argument>),
}

/// By the texts that programs have of them.
static PREPARED: Lock<Option<HashMap<Vec<u8>, Arc<PreparedCall>>>> = Lock::new(None);

/// More are not kept: each program has a few.
const MOST: usize = 4096;

impl PreparedCall {
    /// One of an overload with arguments by the names of its parameters, in which `{"tensor": 1}`
    /// stands for a tensor that the program passes, `{"int64": 1}` for it as int64, and
    /// `{"output": 0}` for one that it wants to have written.
    ///
    /// # Errors
    ///
    /// `TypeError` if one is missing, and what reading them raises.
    pub(super) fn new(row: &'static Operator, given: &Bound<'_, PyDict>) -> PyResult<PreparedCall> {
        let mut arguments = Vec::new();
        for param in row.params {
            let name = param.slot.name;
            arguments.push(match (given.get_item(name)?, param.default) {
                (Some(object), _) => Argument::read(&object, &param.slot.ty)?,
                (None, Some(default)) => Argument::Value(default.value()),
                (None, None) => {
                    return Err(PyTypeError::new_err(format!("misses `{name}`: {}", row.schema)));
                }
            });
        }
        Ok(PreparedCall { row, arguments })
    }

    pub(super) fn find(called: &Called<'_>) -> Option<Arc<PreparedCall>> {
        PREPARED.lock().as_ref()?.get(&key(called)).cloned()
    }

    pub(super) fn keep(self, called: &Called<'_>) {
        let (key, this) = (key(called), Arc::new(self));
        let mut prepared = PREPARED.lock();
        let all = prepared.get_or_insert_default();
        let before = if all.len() < MOST { all.insert(key, this) } else { Some(this) };
        drop(prepared);
        drop(before);
    }

    pub(super) fn forget(called: &Called<'_>) {
        let gone = PREPARED.lock().as_mut().and_then(|it| it.remove(&key(called)));
        drop(gone);
    }

    /// Calls the operator, and writes what it returns.
    ///
    /// Whether all could be written: results are tensors of the dtypes that are wanted, or of more
    /// bits.
    ///
    /// # Errors
    ///
    /// What the operator reports.
    pub(super) fn run(&self, inputs: &[Tensor], outputs: &mut [Tensor]) -> Result<bool> {
        let filled = self.arguments.iter().map(|it| it.filled(inputs, outputs));
        let mut values = filled.collect::<Result<Vec<_>>>()?;
        let returned = (self.row.call)(&mut values)?;
        let written = self.arguments.iter().zip(&values).all(|(argument, value)| match argument {
            Argument::Output(at) => is_over(value, &outputs[*at]),
            _ => true,
        });
        let has_outputs = self.arguments.iter().any(|it| matches!(it, Argument::Output(_)));
        Ok(if has_outputs { written } else { written_all(returned, outputs)? })
    }
}

impl Argument {
    fn read(object: &Bound<'_, PyAny>, ty: &Type) -> Result<Argument, Failure> {
        if let Ok(place) = object.cast_exact::<PyDict>() {
            return Ok(Argument::place(place)?);
        }
        if let (Ok(items), Type::List(element, _)) = (object.cast_exact::<PyList>(), bare(ty)) {
            let items = items.iter().map(|it| Argument::read(&it, element));
            return Ok(Argument::List(items.collect::<Result<_, _>>()?));
        }
        Ok(Argument::Value(values::value(object, ty)?))
    }

    fn place(place: &Bound<'_, PyDict>) -> PyResult<Argument> {
        let (kind, at): (String, usize) = match place.iter().next() {
            Some((kind, at)) => (kind.extract()?, at.extract()?),
            None => return Err(PyTypeError::new_err("an empty place")),
        };
        Ok(match kind.as_str() {
            "output" => Argument::Output(at),
            _ => Argument::Input { at, is_wide: kind == "int64" },
        })
    }

    fn filled(&self, inputs: &[Tensor], outputs: &[Tensor]) -> Result<Value> {
        Ok(match self {
            Argument::Value(value) => value.clone(),
            Argument::Input { at, is_wide: false } => Value::Tensor(inputs[*at].clone()),
            Argument::Input { at, is_wide: true } => {
                Value::Tensor(inputs[*at].to_dtype(DType::Int64)?)
            }
            Argument::Output(at) => Value::Tensor(outputs[*at].clone()),
            Argument::List(items) => {
                let items = items.iter().map(|it| it.filled(inputs, outputs));
                Value::List(buffer::try_collected(items)?)
            }
        })
    }
}

/// A type without its being optional.
fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Optional(inner) => bare(inner),
        ty => ty,
    }
}

/// The texts side by side; no name of an overload has a zero.
fn key(called: &Called<'_>) -> Vec<u8> {
    [called.out, called.call].join(&0)
}

fn is_over(value: &Value, output: &Tensor) -> bool {
    matches!(value, Value::Tensor(it) if it.data_ptr() == output.data_ptr())
}

/// Writes each tensor of what a call returned to its output.
fn written_all(returned: Results, outputs: &mut [Tensor]) -> Result<bool> {
    let mut tensors = Vec::with_capacity(outputs.len());
    for value in returned {
        match value {
            Value::List(items) => tensors.extend(items),
            value => tensors.push(value),
        }
    }
    if tensors.len() != outputs.len() {
        return Ok(false);
    }
    for (value, output) in tensors.iter().zip(outputs) {
        match value {
            Value::Tensor(it) if fits(it, output)? => output.copy_from(it)?,
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// Whether the elements of a result are elements of an output: as in JAX, a real number that is too
/// large for fewer bits is infinite, and an integer is not.
fn fits(result: &Tensor, output: &Tensor) -> Result<bool> {
    let (from, to) = (result.dtype(), output.dtype());
    if result.shape() != output.shape() {
        return Ok(false);
    }
    Ok(match (from, to) {
        _ if from == to => true,
        (DType::Float64, DType::Float32) | (DType::Complex128, DType::Complex64) => true,
        (DType::Int64, DType::Int32) => {
            result.to_vec::<i64>()?.into_iter().all(|it| i32::try_from(it).is_ok())
        }
        _ => false,
    })
}
