//! Calls of an operator whose arguments are known but for tensors.

use opwright_runtime::op::{Operator, Results, Type, Value};
use opwright_runtime::{DType, Result, Tensor, buffer, ensure};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::results::write;
use crate::object::Failure;
use crate::op::values;

/// An operator, and what it is called with.
pub(super) struct OperatorCall {
    row: &'static Operator,
    arguments: Vec<ProgramArgument>,
}

enum ProgramArgument {
    Value(Value),
    /// One of the program's arguments, as int64 if it is to be.
    Input {
        at: usize,
        is_wide: bool,
    },
    /// The memory of one of the program's results.
    Output(usize),
    List(Vec<ProgramArgument>),
}

impl OperatorCall {
    /// A call of an overload with arguments by the names of its parameters, in which `{"tensor": 1}`
    /// stands for a tensor that the program passes, `{"int64": 1}` for it as int64, and
    /// `{"output": 0}` for one that it wants to have written.
    ///
    /// # Errors
    ///
    /// `TypeError` if one is missing, and what reading them raises.
    pub(super) fn new(row: &'static Operator, given: &Bound<'_, PyDict>) -> PyResult<OperatorCall> {
        let mut arguments = Vec::new();
        for param in row.params {
            let name = param.slot.name;
            arguments.push(match (given.get_item(name)?, param.default) {
                (Some(object), _) => ProgramArgument::read(&object, &param.slot.ty)?,
                (None, Some(default)) => ProgramArgument::Value(default.value()),
                (None, None) => {
                    return Err(PyTypeError::new_err(format!("misses `{name}`: {}", row.schema)));
                }
            });
        }
        Ok(OperatorCall { row, arguments })
    }

    /// Calls the operator; whether all that it returned could be written.
    ///
    /// # Errors
    ///
    /// What the operator reports.
    pub(super) fn run(&self, inputs: &[Tensor], outputs: &mut [Tensor]) -> Result<bool> {
        let filled = self.arguments.iter().map(|it| it.filled(inputs, outputs));
        let mut values = filled.collect::<Result<Vec<_>>>()?;
        let returned = (self.row.call)(&mut values)?;
        let mut written = self.arguments.iter().zip(&values).filter_map(|(argument, value)| {
            let ProgramArgument::Output(at) = argument else { return None };
            Some(is_over(value, &outputs[*at]))
        });
        match written.next() {
            Some(is_first) => Ok(is_first && written.all(|it| it)),
            None => written_all(returned, outputs),
        }
    }
}

impl ProgramArgument {
    fn read(object: &Bound<'_, PyAny>, ty: &Type) -> Result<ProgramArgument, Failure> {
        if let Ok(place) = object.cast_exact::<PyDict>() {
            return Ok(ProgramArgument::place(place)?);
        }
        if let (Ok(items), Type::List(element, _)) = (object.cast_exact::<PyList>(), bare(ty)) {
            let items = items.iter().map(|it| ProgramArgument::read(&it, element));
            return Ok(ProgramArgument::List(items.collect::<Result<_, _>>()?));
        }
        Ok(ProgramArgument::Value(values::value(object, ty)?))
    }

    fn place(place: &Bound<'_, PyDict>) -> PyResult<ProgramArgument> {
        let (kind, at): (String, usize) = match place.iter().next() {
            Some((kind, at)) => (kind.extract()?, at.extract()?),
            None => return Err(PyTypeError::new_err("an empty place")),
        };
        Ok(match kind.as_str() {
            "output" => ProgramArgument::Output(at),
            _ => ProgramArgument::Input { at, is_wide: kind == "int64" },
        })
    }

    fn filled(&self, inputs: &[Tensor], outputs: &[Tensor]) -> Result<Value> {
        Ok(match self {
            ProgramArgument::Value(value) => value.clone(),
            ProgramArgument::Input { at, is_wide: false } => {
                Value::Tensor(one(inputs, *at)?.clone())
            }
            ProgramArgument::Input { at, is_wide: true } => {
                Value::Tensor(one(inputs, *at)?.to_dtype(DType::Int64)?)
            }
            ProgramArgument::Output(at) => Value::Tensor(one(outputs, *at)?.clone()),
            ProgramArgument::List(items) => {
                let items = items.iter().map(|it| it.filled(inputs, outputs));
                Value::List(buffer::try_collected(items)?)
            }
        })
    }
}

fn one(tensors: &[Tensor], at: usize) -> Result<&Tensor> {
    ensure!(at < tensors.len(), Runtime, "there are {} tensors, and no number {at}", tensors.len());
    Ok(&tensors[at])
}

/// A type without its being optional.
fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Optional(inner) => bare(inner),
        ty => ty,
    }
}

fn is_over(value: &Value, output: &Tensor) -> bool {
    matches!(value, Value::Tensor(it) if it.data_ptr() == output.data_ptr())
}

/// Writes each tensor of what a call returned to its output; whether all could be.
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
    for (result, output) in tensors.iter().zip(outputs) {
        if !write(result, output)? {
            return Ok(false);
        }
    }
    Ok(true)
}
