//! Second pass over nested sequences: their elements, in one dtype.

use opwright_runtime::geometry::element_count;
use opwright_runtime::{DType, Element, Error, Tensor, buffer, dispatch};
use pyo3::prelude::*;

use super::leaf::{Leaf, not_data};
use super::position::Position;
use super::rows::{Rows, changed};
use crate::object::Failure;

/// A tensor of the elements of `data`, whose shape is known.
///
/// # Errors
///
/// If a number does not fit the dtype, or the data is no longer what it was.
pub(super) fn tensor(
    data: &Bound<'_, PyAny>,
    shape: &[i64],
    dtype: DType,
) -> Result<Tensor, Failure> {
    dispatch!(dtype, "tensor", all, |T| Ok(of::<T>(data, shape)))?
}

fn of<T: Element>(data: &Bound<'_, PyAny>, shape: &[i64]) -> Result<Tensor, Failure> {
    let count = element_count(shape)?;
    let values = buffer::with_capacity::<T>(count)?;
    let mut filler = Filler { values, position: Position::default() };
    filler.add(data)?;
    // Python code that ran meanwhile may have changed a list.
    if filler.values.len() != count {
        return Err(changed().into());
    }
    Ok(Tensor::from_vec(shape, filler.values)?)
}

struct Filler<T> {
    values: Vec<T>,
    position: Position,
}

impl<T: Element> Filler<T> {
    fn add(&mut self, object: &Bound<'_, PyAny>) -> Result<(), Failure> {
        if !Rows::are_native(object)
            && let Some(leaf) = Leaf::of(object)?
        {
            return leaf.push_to(&mut self.values).map_err(|it| self.at(object.py(), it));
        }
        let Some(rows) = Rows::of(object)? else {
            return Err(not_data(object, &self.position));
        };
        let done = rows.push_exact_numbers(&mut self.values);
        for index in done..rows.len() {
            self.position.enter(index);
            self.add(&rows.get(index)?)?;
            self.position.leave();
        }
        Ok(())
    }

    /// Says which element a conversion failed for.
    #[cold]
    fn at(&self, py: Python<'_>, failure: Failure) -> Failure {
        match failure {
            Failure::Op(error) => {
                let text = format_args!("{}: {}", self.position, error.message());
                Error::new(error.kind(), text).into()
            }
            Failure::Python(error) => {
                let text = format!("tensor(): {}: {}", self.position, error.value(py));
                PyErr::from_type(error.get_type(py), text).into()
            }
            Failure::Mismatch => Failure::Mismatch,
        }
    }
}
