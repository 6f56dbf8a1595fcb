//! Interpreter state: whether it is the main one, its modules, its recursion limit.

use std::ffi::CStr;

use pyo3::ffi;
use pyo3::prelude::*;

/// Whether the code runs in the main interpreter, and not in one within it.
pub(crate) fn is_main_interpreter(_: Python<'_>) -> bool {
    // SAFETY: who is attached has an interpreter.
    unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) == 0 }
}

/// How many calls within one another Python allows, as `sys.getrecursionlimit()` says.
pub(crate) fn recursion_limit(_: Python<'_>) -> usize {
    // SAFETY: who is attached has an interpreter, of which it reads a number.
    usize::try_from(unsafe { ffi::Py_GetRecursionLimit() }).unwrap_or(0)
}

/// The module of a name, if somebody imported it.
pub(crate) fn imported<'py>(py: Python<'py>, name: &CStr) -> Option<Bound<'py, PyAny>> {
    // SAFETY: the dictionary of modules always exists, and keeps a module alive until there is a
    // reference to it here: nothing runs between.
    unsafe {
        let modules = ffi::PyImport_GetModuleDict();
        let module = ffi::PyDict_GetItemString(modules, name.as_ptr());
        Bound::from_borrowed_ptr_or_opt(py, module)
    }
}
