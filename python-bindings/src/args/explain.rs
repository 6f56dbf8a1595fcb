//! Calls in words: why none of the overloads fits, or which one does.

use opwright_runtime::resolve::{Accepts, Function, account, explain};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::describe::Arguments;
use super::{Call, Vectorcall, classify};

/// The exception of a call that no overload fits.
///
/// # Safety
///
/// As for [`mismatch_text`].
#[cold]
pub unsafe fn mismatch(
    py: Python<'_>,
    function: &'static Function,
    passed: &Vectorcall<'_>,
    given: &[*mut PyObject],
) -> PyErr {
    // SAFETY: the caller's promise.
    PyTypeError::new_err(unsafe { mismatch_text(py, function, passed, given) })
}

/// Why no overload fits a call. The arguments are called what those are that
/// were `given`, for some of which others may stand.
///
/// # Safety
///
/// As for [`Call::new`]; `given` are as many valid objects.
#[cold]
pub unsafe fn mismatch_text(
    py: Python<'_>,
    function: &'static Function,
    passed: &Vectorcall<'_>,
    given: &[*mut PyObject],
) -> String {
    let Vectorcall { args, positional, names, .. } = *passed;
    // SAFETY: valid arguments by the caller's promise.
    let accepts = unsafe { classified(args) };
    explain(function, positional, &accepts, &names, &Arguments { py, args, given, names })
}

impl Call<'_, '_> {
    /// Which overload was picked, with what, and why the others were not.
    pub fn account(&self) -> String {
        // SAFETY: the promise of `new`.
        let accepts = unsafe { classified(self.passed.args) };
        let Vectorcall { args, names, .. } = *self.passed;
        let describe = Arguments { py: self.py, args, given: args, names };
        let (function, binding) = (self.function, &self.binding);
        account(function, binding, self.passed.positional, &accepts, &self.passed.names, &describe)
    }
}

/// Looks at every argument.
unsafe fn classified(args: &[*mut PyObject]) -> SmallVec<[Accepts; 8]> {
    // SAFETY: callers pass valid objects.
    args.iter().map(|&it| unsafe { classify(it) }).collect()
}
