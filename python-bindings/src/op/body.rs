//! Boxed calls: runs the row of an overload for a call that is bound.

use opwright_runtime::buffer;
use opwright_runtime::op::{Operator, Param, Slot, Type, Value};
use pyo3::prelude::*;

use super::values;
use crate::args::{Call, Gil, TensorMut, TensorsMut};
use crate::object::Failure;
use crate::raw::{self, NewReference};

/// The result as a new reference: what the overload returns, or what it wrote to; several as a
/// tuple.
///
/// # Errors
///
/// What the overload reports, and what reading its arguments raises.
pub(super) fn run(call: &mut Call<'_, '_>, row: &Operator) -> Result<NewReference, Failure> {
    call.gil(gil(row));
    let py = call.py();
    let mut written = Vec::new();
    let mut values = Vec::with_capacity(row.params.len());
    for (at, param) in row.params.iter().enumerate() {
        values.push(if param.slot.writes && call.has(at) {
            let (given, value) = WrittenArguments::read(call, at, param)?;
            written.push((at, given));
            value
        } else {
            values::argument(call, at, param)?
        });
    }
    let mut returned = call.run(|| (row.call)(&mut values))?.into_iter();
    let mut finished = Vec::with_capacity(written.len());
    for (at, given) in written {
        finished.push((at, given.finish(py, &mut values[at])?));
    }
    let mut results = Vec::with_capacity(row.results.len());
    for slot in row.results {
        results.push(if slot.writes {
            let found = finished.iter().find(|(at, _)| shares(slot, &row.params[*at]));
            found.map_or_else(|| py.None().into_bound(py), |(_, object)| object.clone())
        } else {
            values::object(py, returned.next().unwrap_or(Value::None))?
        });
    }
    Ok(match results.len() {
        0 => py.None().into_bound(py).into(),
        1 => results.remove(0).into(),
        _ => raw::tuple(py, results)?.into(),
    })
}

/// Whether a result is what was written to in a parameter's place.
fn shares(result: &Slot, param: &Param) -> bool {
    param.slot.writes && param.slot.sets == result.sets
}

/// The numbers among the arguments say how much there is to compute if no tensor does, or if some
/// are sizes of a result that is no view.
fn gil(row: &Operator) -> Gil {
    let inputs = row.params.iter().filter(|it| !it.is_out).map(|it| it.slot.ty);
    let has_tensor = inputs.clone().any(|it| is_of(&it, Type::Tensor));
    let has_sizes = inputs.clone().any(|it| is_of(&it, Type::SymInt));
    if !row.is_view() && (!has_tensor || has_sizes) { Gil::Sizes } else { Gil::Auto }
}

fn is_of(ty: &Type, base: Type) -> bool {
    match ty {
        Type::Optional(inner) | Type::List(inner, _) => is_of(inner, base),
        ty => *ty == base,
    }
}

/// What a call writes to: a tensor, or a list of them.
enum WrittenArguments {
    One(TensorMut),
    Several(TensorsMut),
}

impl WrittenArguments {
    /// The objects, and the handles that the overload gets.
    fn read(
        call: &Call<'_, '_>,
        at: usize,
        param: &Param,
    ) -> Result<(WrittenArguments, Value), Failure> {
        if let Type::List(..) = param.slot.ty {
            let mut given: TensorsMut = call.required(at)?;
            let handles = given.refs()?.into_iter().map(|it| Value::Tensor(it.clone()));
            let value = Value::List(buffer::collected(handles)?);
            return Ok((WrittenArguments::Several(given), value));
        }
        let given: TensorMut = call.required(at)?;
        let value = Value::Tensor(given.tensor.clone());
        Ok((WrittenArguments::One(given), value))
    }

    /// Gives the objects the handles that the overload left.
    fn finish<'py>(self, py: Python<'py>, value: &mut Value) -> Result<Bound<'py, PyAny>, Failure> {
        Ok(match self {
            WrittenArguments::One(mut given) => {
                if let Value::Tensor(handle) = value {
                    given.tensor = handle.clone();
                }
                given.finished(py).into_any()
            }
            WrittenArguments::Several(mut given) => {
                if let Value::List(handles) = value {
                    for (tensor, handle) in given.refs()?.into_iter().zip(handles) {
                        *tensor = handle.tensor()?.clone();
                    }
                }
                given.finished(py)
            }
        })
    }
}
