//! numpy's scalar types, if numpy is loaded: they count as numbers.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// The category of a numpy scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumpyScalar {
    /// `numpy.bool_`.
    Bool,
    /// `numpy.integer`.
    Int,
    /// `numpy.floating`.
    Float,
    /// `numpy.complexfloating`.
    Complex,
}

/// `generic`, `bool_`, `integer`, `floating`, `complexfloating`; null until numpy is seen.
static TYPES: [AtomicPtr<PyTypeObject>; 5] = [const { AtomicPtr::new(ptr::null_mut()) }; 5];
const NAMES: [&str; 5] = ["generic", "bool_", "integer", "floating", "complexfloating"];

/// The category of scalars of `class`, if it is one of numpy's.
///
/// # Safety
///
/// `class` is a valid type, and the GIL is held.
pub(super) unsafe fn scalar(class: *mut PyTypeObject) -> Option<NumpyScalar> {
    // SAFETY: the caller's promise; the types live as long as the process.
    let is =
        |at: usize| unsafe { ffi::PyType_IsSubtype(class, TYPES[at].load(Ordering::Relaxed)) != 0 };
    if !loaded() || !is(0) {
        return None;
    }
    [NumpyScalar::Bool, NumpyScalar::Int, NumpyScalar::Float, NumpyScalar::Complex]
        .into_iter()
        .enumerate()
        .find_map(|(at, scalar)| is(at + 1).then_some(scalar))
}

/// Whether `object` is a numpy scalar.
pub fn is_numpy_scalar(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: a valid object's type.
    unsafe { scalar(ffi::Py_TYPE(object.as_ptr())).is_some() }
}

/// The name of a numpy dtype, or of that of a numpy scalar's class.
///
/// Elements in a foreign byte order have none.
#[cold]
pub(super) fn dtype_name(object: &Bound<'_, PyAny>) -> Option<String> {
    if !loaded() {
        return None;
    }
    let dtype_class = module(object.py())?.getattr("dtype").ok()?;
    let dtype = if let Ok(class) = object.cast::<PyType>() {
        let generic = TYPES[0].load(Ordering::Relaxed);
        // SAFETY: both are valid types, and the GIL is held.
        let is_scalar = unsafe { ffi::PyType_IsSubtype(class.as_type_ptr(), generic) != 0 };
        if !is_scalar {
            return None;
        }
        dtype_class.call1((class,)).ok()?
    } else if object.is_instance(&dtype_class).unwrap_or(false) {
        object.clone()
    } else {
        return None;
    };
    let is_native = dtype.getattr("isnative").ok()?.is_truthy().ok()?;
    if is_native { dtype.getattr("name").ok()?.extract().ok() } else { None }
}

/// numpy, if it is imported.
fn module(py: Python<'_>) -> Option<Bound<'_, PyAny>> {
    // SAFETY: the GIL is held; the modules' dictionary is borrowed.
    unsafe {
        let modules = ffi::PyImport_GetModuleDict();
        let numpy: *mut PyObject = ffi::PyDict_GetItemString(modules, c"numpy".as_ptr());
        Bound::from_borrowed_ptr_or_opt(py, numpy)
    }
}

/// Whether numpy is imported; looks its types up the first time that it is.
fn loaded() -> bool {
    if !TYPES[0].load(Ordering::Acquire).is_null() {
        return true;
    }
    // SAFETY: callers hold the GIL.
    let py = unsafe { Python::assume_attached() };
    find(py).is_some()
}

#[cold]
fn find(py: Python<'_>) -> Option<()> {
    let numpy = module(py)?;
    let mut types = Vec::with_capacity(NAMES.len());
    for name in NAMES {
        types.push(numpy.getattr(name).ok()?.cast_into::<PyType>().ok()?);
    }
    // The first one is set last: it says that all are there.
    for (slot, class) in TYPES.iter().zip(types).rev() {
        slot.store(class.unbind().into_ptr().cast(), Ordering::Release);
    }
    Some(())
}
