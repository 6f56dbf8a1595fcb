//! `tensor[...]`, to read and to write.
//!
//! Integers, slices, `...`, `None` and bools give a view, which is geometry.
//! Tensors and lists of indices, and masks, are left to an operator, which gets
//! the view and one entry per dimension of it.

mod item;
mod plain;
mod plan;
mod value;

use std::ffi::{c_int, c_void};
use std::ptr;

use opwright_runtime::tensor::Pick;
use opwright_runtime::{DType, Error, Scalar, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyList;

use self::plan::Plan;
use super::guard::{detached, guard};
use super::{TABLES, object};
use crate::classes;
use crate::failure::Failure;
use crate::shim::{self, Target};
use crate::tables::Slot;
use crate::wrap::Wrap;

/// `tensor[key]` and `tensor[key] = value`.
pub(super) static SLOTS: [Slot; 2] = [
    Slot { id: ffi::Py_mp_subscript, function: get as *const c_void },
    Slot { id: ffi::Py_mp_ass_subscript, function: set as *const c_void },
];

unsafe extern "C" fn get(object: *mut PyObject, key: *mut PyObject) -> *mut PyObject {
    // SAFETY: called by the interpreter for an instance of the class; the
    // handle is counted, since a key may run code of its own.
    unsafe {
        guard("__getitem__", ptr::null_mut(), |py| {
            let key: Borrowed<'_, '_, PyAny> = Borrowed::from_ptr(py, key);
            if let Some(view) = plain::view(object, &key)? {
                return view.wrap(py);
            }
            if let Some(arrays) = whole(object, &key)? {
                let tensor = Bound::from_borrowed_ptr(py, object);
                return apply(py, "__getitem__", &[tensor, arrays]);
            }
            let tensor = object::peek(object).clone();
            let plan = Plan::new(&tensor, &key)?;
            if plan.arrays.is_empty() {
                return plan.view.wrap(py);
            }
            let view = object::wrap(py, plan.view)?;
            let arrays = list_of(py, plan.arrays)?;
            apply(py, "__getitem__", &[view, arrays])
        })
    }
}

unsafe extern "C" fn set(object: *mut PyObject, key: *mut PyObject, value: *mut PyObject) -> c_int {
    // SAFETY: as for `get`; a null value means `del`.
    unsafe {
        guard("__setitem__", -1, |py| {
            let key: Bound<'_, PyAny> = Bound::from_borrowed_ptr(py, key);
            let Some(value) = Bound::from_borrowed_ptr_or_opt(py, value) else {
                return Err(PyTypeError::new_err("elements of a tensor cannot be deleted").into());
            };
            if let Some(number) = value::exact_number(&value)
                && plain::with_pick(object, &key, |it| Ok(fill(py, it, number)))?
                    .is_some_and(|it| it)
            {
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
fn fill(py: Python<'_>, pick: &mut Pick<'_>, number: Scalar) -> bool {
    if pick.is_element() {
        return pick.write(number).is_ok();
    }
    let Ok(mut view) = pick.view() else { return false };
    detached(py, view.numel(), || view.fill(number)).is_ok()
}

/// A key that is a tensor of indices, or a mask of the shape of the first dimensions, as the list
/// that the operator takes; `None` for other keys, and for tensors of derived classes.
///
/// # Safety
///
/// `object` is a valid tensor.
unsafe fn whole<'py>(
    object: *mut PyObject,
    key: &Bound<'py, PyAny>,
) -> Result<Option<Bound<'py, PyAny>>, Failure> {
    // SAFETY: by the caller's promise a tensor, and a key that is one by its class.
    let (tensor, index) = unsafe {
        if !classes::TENSOR.is_exact(object) || !classes::TENSOR.is_exact(key.as_ptr()) {
            return Ok(None);
        }
        (object::peek(object), object::peek(key.as_ptr()))
    };
    let fits = match index.dtype() {
        DType::Bool => tensor.shape().starts_with(index.shape()),
        dtype => dtype.is_integral() && tensor.ndim() > 0,
    };
    Ok(if fits && index.ndim() > 0 { Some(PyList::new(key.py(), [key])?.into_any()) } else { None })
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
    let value = detached(py, value.numel(), || value.to_dtype(tensor.dtype()))?;
    let view = object::wrap(py, plan.view)?;
    let (arrays, value) = (list_of(py, plan.arrays)?, object::wrap(py, value)?);
    let result = apply(py, "__setitem__", &[view, arrays, value])?;
    // SAFETY: a new reference, which nobody needs.
    unsafe { ffi::Py_DECREF(result) };
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

/// Calls the operator behind a protocol method; a new reference.
fn apply(
    py: Python<'_>,
    protocol: &str,
    operands: &[Bound<'_, PyAny>],
) -> Result<*mut PyObject, Failure> {
    let target: Option<&'static Target> = TABLES.get().and_then(|it| it.protocol(protocol));
    let target = target.ok_or_else(|| {
        Error::not_implemented("this module has no operator for indices that are tensors")
    })?;
    let operands: Vec<*mut PyObject> = operands.iter().map(Bound::as_ptr).collect();
    let (receiver, args) = match operands.split_first() {
        Some((first, rest)) if target.method => (*first, rest),
        _ => (ptr::null_mut(), &operands[..]),
    };
    // SAFETY: valid objects that the caller keeps alive; the GIL is held.
    let result =
        unsafe { shim::run(target, receiver, args.as_ptr(), args.len() as isize, ptr::null_mut()) };
    if result.is_null() { Err(PyErr::fetch(py).into()) } else { Ok(result) }
}
