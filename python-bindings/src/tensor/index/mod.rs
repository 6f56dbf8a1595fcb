//! `tensor[...]`, to read and to write.
//!
//! Integers, slices, `...`, `None` and bools give a view, which is geometry.
//! Tensors and lists of indices, and masks, are left to an operator, which gets
//! the view and one entry per dimension of it.

mod item;
mod plain;
mod plan;
mod steps;
mod value;

use std::ffi::{c_int, c_void};

use opwright_runtime::fast_path::FastPath;
use opwright_runtime::{DType, Error, Scalar, Tensor, reserve};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyList;

pub(crate) use self::item::Item;
use self::plan::Plan;
pub(crate) use self::plan::too_many;
pub(crate) use self::steps::check_index;
use crate::args::Vectorcall;
use crate::call::tables::of_module;
use crate::call::target::Target;
use crate::call::{overrides, shim};
use crate::object::gil::detached;
use crate::object::trampoline::trampoline;
use crate::object::{self, Convert, Failure, Object, classes, operators};
use crate::raw::method::Slot;
use crate::raw::{Lent, New, Optional, entry};

/// `tensor[key]` and `tensor[key] = value`.
pub(super) static SLOTS: [Slot; 2] = [
    Slot { id: ffi::Py_mp_subscript, function: get as *const c_void },
    Slot { id: ffi::Py_mp_ass_subscript, function: set as *const c_void },
];

entry! {
    fn get(py, object: Lent<Object>, key: Lent<PyAny>) -> New {
        trampoline("__getitem__", None, || {
            reserve::check()?;
            if FastPath::PlainKey.is_on()
                && let Some(view) = plain::view(object, &key)?
            {
                FastPath::PlainKey.taken();
                return view.object(py).map(Some);
            }
            if let Some(arrays) = whole(object, &key)? {
                return apply(py, "__getitem__", &[object.to_owned().into_any(), arrays]).map(Some);
            }
            let receiver = object.to_owned().into_any();
            if let Some(result) = overrides::of_protocol("__getitem__", &receiver, &[&key])? {
                return Ok(Some(result));
            }
            // The handle is counted, since a key may run code of its own.
            let tensor = object::peek(object).clone();
            let plan = Plan::new(&tensor, &key)?;
            if plan.arrays.is_empty() {
                return plan.view.object(py).map(Some);
            }
            let view = object::wrap(py, plan.view)?;
            let arrays = list_of(py, plan.arrays)?;
            apply(py, "__getitem__", &[view, arrays]).map(Some)
        })
    }

    /// No value means `del`.
    fn set(py, object: Lent<Object>, key: Lent<PyAny>, value: Optional<PyAny>) -> c_int {
        trampoline("__setitem__", -1, || {
            reserve::check()?;
            let Some(value) = value else {
                return Err(PyTypeError::new_err("elements of a tensor cannot be deleted").into());
            };
            if FastPath::FillView.is_on()
                && let Some(number) = value::exact_number(&value)
                && fill(py, plain::view(object, &key)?, number)
            {
                FastPath::FillView.taken();
                return Ok(0);
            }
            let receiver = object.to_owned().into_any();
            if overrides::of_protocol("__setitem__", &receiver, &[&key, &value])?.is_some() {
                return Ok(0);
            }
            // What was refused is refused again, with a message about the assignment.
            let tensor = object::peek(object).clone();
            assign(py, &tensor, &key, &value)?;
            Ok(0)
        })
    }
}

/// Writes a number to what was picked, and says whether that was possible.
fn fill(py: Python<'_>, view: Option<Tensor>, number: Scalar) -> bool {
    let Some(mut view) = view else { return false };
    // On the meta device, the operator would not say whether the number fits.
    !view.device().is_meta()
        && detached(py, view.numel(), || operators::fill_(&mut view, number)).is_ok()
}

/// A key that is a tensor of indices, or a mask of the shape of the first dimensions, as the list
/// that the operator takes; `None` for other keys, and for tensors of derived classes.
fn whole<'py>(
    object: Borrowed<'_, 'py, Object>,
    key: &Bound<'py, PyAny>,
) -> Result<Option<Bound<'py, PyAny>>, Failure> {
    if !FastPath::TensorKey.is_on()
        || !classes::TENSOR.is_exact(object.as_any())
        || !classes::TENSOR.is_exact(key)
    {
        return Ok(None);
    }
    let tensor = object::peek(object);
    let Some(index) = object::tensor_of(key) else { return Ok(None) };
    let fits = match index.dtype() {
        DType::Bool => tensor.shape().starts_with(index.shape()),
        dtype => dtype.is_integral() && tensor.ndim() > 0,
    };
    Ok(if FastPath::TensorKey.takes(fits && index.ndim() > 0) {
        Some(PyList::new(key.py(), [key])?.into_any())
    } else {
        None
    })
}

/// Writes what is assigned to all elements of a view.
///
/// # Errors
///
/// Those of an assignment to `view[...]`.
pub(crate) fn write(
    py: Python<'_>,
    mut view: Tensor,
    value: &Bound<'_, PyAny>,
) -> Result<(), Failure> {
    let value = value::of(value, view.dtype(), view.ndim())?;
    let work = view.numel();
    Ok(detached(py, work, || value::copy(&mut view, &value))?)
}

fn assign(
    py: Python<'_>,
    tensor: &Tensor,
    key: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
) -> Result<(), Failure> {
    let mut plan = Plan::new(tensor, key)?;
    let value = value::of(value, tensor.dtype(), plan.dims())?;
    if plan.arrays.is_empty() {
        let work = plan.view.numel();
        return Ok(detached(py, work, || value::copy(&mut plan.view, &value))?);
    }
    let value = detached(py, value.numel(), || operators::to_dtype(&value, tensor.dtype()))?;
    let view = object::wrap(py, plan.view)?;
    let (arrays, value) = (list_of(py, plan.arrays)?, object::wrap(py, value)?);
    apply(py, "__setitem__", &[view, arrays, value])?;
    Ok(())
}

/// One entry per dimension: indices, or `None`.
fn list_of(py: Python<'_>, arrays: Vec<Option<Tensor>>) -> Result<Bound<'_, PyAny>, Failure> {
    let entries = arrays.into_iter().map(|entry| match entry {
        Some(tensor) => object::wrap(py, tensor),
        None => Ok(py.None().into_bound(py)),
    });
    Ok(PyList::new(py, entries.collect::<PyResult<Vec<_>>>()?)?.into_any())
}

/// Calls the operator behind a protocol method.
fn apply<'py>(
    py: Python<'py>,
    protocol: &str,
    operands: &[Bound<'py, PyAny>],
) -> Result<Bound<'py, PyAny>, Failure> {
    let target: Option<&'static Target> = of_module().and_then(|it| it.protocol(protocol));
    let target = target.ok_or_else(|| {
        Error::not_implemented("this module has no operator for indices that are tensors")
    })?;
    let (receiver, args) = match operands.split_first() {
        Some((first, rest)) if target.method => (object::known(first.as_borrowed()), rest),
        _ => (None, operands),
    };
    Ok(shim::call(py, target, &Vectorcall::positional(receiver, args))?)
}
