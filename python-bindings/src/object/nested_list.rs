//! Elements of a tensor as Python numbers in nested lists.

use opwright_runtime::geometry::Dims;
use opwright_runtime::{Element, Tensor, buffer, dispatch};
use pyo3::prelude::*;

use super::convert::Convert;
use super::element::ElementValue;
use super::failure::Failure;
use super::gil::detached;
use crate::raw;

/// The elements as Python numbers, in as many levels of lists as there are dimensions.
pub(crate) fn nested_list<'py>(
    py: Python<'py>,
    tensor: &Tensor,
) -> Result<Bound<'py, PyAny>, Failure> {
    let shape = Dims::from_slice(tensor.shape());
    dispatch!(tensor.dtype(), "tolist", all, |T| {
        let values = detached(py, tensor.numel(), || tensor.to_vec::<T>())?;
        Ok(nested(py, &values, &shape))
    })?
}

/// `values` in row-major order, in as many levels of lists as `shape` has dimensions.
fn nested<'py, T: Element>(
    py: Python<'py>,
    values: &[T],
    shape: &[i64],
) -> Result<Bound<'py, PyAny>, Failure> {
    match shape {
        [] => ElementValue::of(values[0]).object(py),
        [_] => list(py, values.iter().map(|it| nested(py, std::slice::from_ref(it), &[]))),
        [rows, rest @ ..] => {
            // Not the product of the rest, which may be too large where nothing is.
            let width = values.len() / (*rows).max(1) as usize;
            list(py, (0..*rows as usize).map(|it| nested(py, &values[it * width..][..width], rest)))
        }
    }
}

/// How many objects are made between two looks for a signal, such as Ctrl-C.
const BETWEEN_CHECKS: usize = 1 << 14;

fn list<'py>(
    py: Python<'py>,
    items: impl Iterator<Item = Result<Bound<'py, PyAny>, Failure>>,
) -> Result<Bound<'py, PyAny>, Failure> {
    let mut list = buffer::with_capacity(items.size_hint().0)?;
    for (at, item) in items.enumerate() {
        if at % BETWEEN_CHECKS == BETWEEN_CHECKS - 1 {
            py.check_signals()?;
        }
        list.push(item?);
    }
    Ok(raw::list(py, list)?.into_any())
}
