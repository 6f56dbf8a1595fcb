//! A class of tensors that the garbage collector does not track from the start.
//!
//! The interpreter tracks the instances of every class that a class statement
//! makes. For those without attributes that is a waste of time and memory with
//! each result of an operator: they refer to no object but their class. Those
//! that get a hook or an attribute are tracked from then on.
//!
//! The class also has the methods of its base as its own, as the interpreter
//! calls those of an instance's very class in a shorter way.

use std::ffi::CString;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use super::class;
use crate::call::tables::of_module;
use crate::object::{self, classes};
use crate::raw::Spec;

/// What only a class statement understands.
const OF_STATEMENT: &str = "__slots__";

/// A decorator: the same class, with instances that are not tracked.
///
/// The class must be derived from `TensorBase` alone, and its instances may
/// have no slots of their own. Its methods cannot use `super()` without
/// arguments, which would mean the class that was decorated.
///
/// # Errors
///
/// `TypeError` for any other class.
#[pyfunction(name = "_untracked")]
pub(super) fn untracked<'py>(class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyType>> {
    let py = class.py();
    let base = classes::TENSOR_BASE.bind(py);
    let size = |class: &Bound<'py, PyType>| class.getattr("__basicsize__")?.extract::<isize>();
    let is_slotted = class.getattr("__dict__")?.contains(OF_STATEMENT)?;
    if !is_slotted || size(class)? != size(&base)? || !class.bases().eq((&base,))? {
        return Err(PyTypeError::new_err(
            "expected a class derived from TensorBase alone, with `__slots__ = ()`",
        ));
    }
    let made = make(class, &base)?;
    for name in ["__name__", "__qualname__"] {
        made.setattr(name, class.getattr(name)?)?;
    }
    let attributes = class.getattr("__dict__")?.call_method0("items")?;
    for attribute in attributes.try_iter()? {
        let (name, value): (Bound<'_, PyString>, Bound<'_, PyAny>) = attribute?.extract()?;
        if name != OF_STATEMENT {
            made.setattr(name, value)?;
        }
    }
    Ok(made)
}

/// A class in the place of `written`, with its name and nothing but the methods of its base.
fn make<'py>(
    written: &Bound<'py, PyType>,
    base: &Bound<'py, PyType>,
) -> PyResult<Bound<'py, PyType>> {
    let name = CString::new(format!("{}.{}", written.module()?, written.qualname()?))?;
    let tables = of_module().ok_or_else(|| PyTypeError::new_err("the module is not ready"))?;
    let slots = vec![
        Spec::slot(ffi::Py_tp_methods, class::methods_of(tables).cast_const().cast()),
        Spec::slot(ffi::Py_tp_dealloc, object::dealloc as *const _),
    ];
    // SAFETY: the table of methods is leaked, its functions take instances of the base, of which
    // those of this class are some, and the destructor frees instances of this size.
    unsafe { class::spec(name, slots).make(written.py(), None, Some(base)) }
}
