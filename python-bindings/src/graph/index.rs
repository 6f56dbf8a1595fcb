//! Indices of variables: the operators that the same index of a tensor comes to.

use opwright_runtime::types::TensorType;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyEllipsis, PyInt, PyList, PySlice, PyTuple};

use super::{build, variable};

/// `variable[key]`.
///
/// # Errors
///
/// `IndexError` for too many indices, and objects that are none.
pub(super) fn get<'py>(
    object: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let items: Vec<Bound<'py, PyAny>> = match key.cast::<PyTuple>() {
        Ok(tuple) => tuple.iter().collect(),
        Err(_) => vec![key.clone()],
    };
    let ndim = rank(object)?;
    let used: usize = items.iter().map(dims).collect::<PyResult<Vec<_>>>()?.iter().sum();
    let left = ndim.checked_sub(used).ok_or_else(|| {
        PyIndexError::new_err(format!(
            "too many indices for a variable of {ndim} dimensions: {used} were given"
        ))
    })?;
    let mut walk = Walk { so_far: object.clone(), done: 0, arrays: Vec::new() };
    for item in &items {
        walk.apply(item, left)?;
    }
    walk.finish()
}

/// `variable[at]`.
///
/// # Errors
///
/// Those of the operator.
pub(super) fn at<'py>(object: &Bound<'py, PyAny>, at: i64) -> PyResult<Bound<'py, PyAny>> {
    select(object, 0, &at.into_pyobject(object.py())?.into_any())
}

/// How many dimensions an item uses.
fn dims(item: &Bound<'_, PyAny>) -> PyResult<usize> {
    if item.is_none() || item.is_instance_of::<PyEllipsis>() {
        return Ok(0);
    }
    Ok(if is_mask(item) { rank(item)? } else { 1 })
}

fn rank(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    if let Some(variable) = variable::of(object) {
        let ty = variable.ty().downcast::<TensorType>();
        return ty.map(TensorType::ndim).ok_or_else(|| {
            PyTypeError::new_err(format!("{} has no elements to index", variable.ty()))
        });
    }
    object.getattr("ndim")?.extract()
}

fn is_mask(item: &Bound<'_, PyAny>) -> bool {
    let of_tensor =
        |it: &Bound<'_, PyAny>| crate::tensor::object::tensor_of(it).map(|it| it.dtype());
    let of_variable = || variable::of(item).and_then(|it| it.ty().element());
    of_tensor(item).or_else(of_variable).is_some_and(|it| it.is_boolean())
}

/// The way along the dimensions.
struct Walk<'py> {
    so_far: Bound<'py, PyAny>,
    done: usize,
    /// Indices and masks, and gaps for dimensions that are taken whole.
    arrays: Vec<Option<Bound<'py, PyAny>>>,
}

impl<'py> Walk<'py> {
    fn apply(&mut self, item: &Bound<'py, PyAny>, left: usize) -> PyResult<()> {
        let py = item.py();
        if item.is_instance_of::<PyEllipsis>() {
            self.keep(left);
        } else if item.is_none() {
            let dim = self.done.into_pyobject(py)?.into_any();
            self.so_far = build::row(py, "unsqueeze", &[self.so_far.clone(), dim])?;
            self.keep(1);
        } else if let Ok(slice) = item.cast::<PySlice>() {
            self.slice(slice)?;
        } else if is_index(item) {
            self.so_far = select(&self.so_far, self.done, item)?;
        } else if is_mask(item) || variable::of(item).is_some() || is_array(item) {
            let count = dims(item)?;
            self.arrays.resize(self.done, None);
            self.arrays.push(Some(item.clone()));
            // A mask is one entry for all of its dimensions.
            self.done += 1;
            debug_assert!(count > 0);
        } else {
            return Err(PyIndexError::new_err(format!(
                "an index of a variable is an int, a slice, `...`, None, a tensor or a variable, \
                 not {}",
                crate::args::type_name(item)
            )));
        }
        Ok(())
    }

    fn keep(&mut self, count: usize) {
        self.done += count;
    }

    fn slice(&mut self, slice: &Bound<'py, PySlice>) -> PyResult<()> {
        let py = slice.py();
        let part = |name: &str| slice.getattr(name);
        let (start, stop, step) = (part("start")?, part("stop")?, part("step")?);
        if !(start.is_none() && stop.is_none() && step.is_none()) {
            let dim = self.done.into_pyobject(py)?.into_any();
            let one = 1_i64.into_pyobject(py)?.into_any();
            let step = if step.is_none() { one } else { step };
            let arguments = [self.so_far.clone(), dim, start, stop, step];
            self.so_far = build::row(py, "slice.Tensor", &arguments)?;
        }
        self.keep(1);
        Ok(())
    }

    fn finish(self) -> PyResult<Bound<'py, PyAny>> {
        let py = self.so_far.py();
        if self.arrays.is_empty() {
            return Ok(self.so_far);
        }
        let none = || py.None().into_bound(py);
        let entries = self.arrays.into_iter().map(|it| it.unwrap_or_else(none));
        let entries = PyList::new(py, entries.collect::<Vec<_>>())?.into_any();
        build::row(py, "index.Tensor", &[self.so_far, entries])
    }
}

/// An integer, or a variable that is one.
fn is_index(item: &Bound<'_, PyAny>) -> bool {
    match variable::of(item) {
        Some(variable) => {
            variable.ty().element().is_some_and(|it| it.is_integral()) && {
                rank(item).is_ok_and(|it| it == 0) || rank(item).is_err()
            }
        }
        None => item.is_instance_of::<PyInt>(),
    }
}

fn is_array(item: &Bound<'_, PyAny>) -> bool {
    crate::tensor::object::tensor_of(item).is_some()
        || item.is_instance_of::<PyList>()
        || crate::interop::numpy::is_array(item)
}

fn select<'py>(
    object: &Bound<'py, PyAny>,
    dim: usize,
    index: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let dim = dim.into_pyobject(py)?.into_any();
    build::row(py, "select.int", &[object.clone(), dim, index.clone()])
}
