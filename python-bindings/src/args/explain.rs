//! Messages of overload resolution: why none of the overloads fits, or which one does.

use opwright_runtime::resolve::{Accepts, OverloadSet, account, explain};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::call::Call;
use super::classify::classify;
use super::describe::CallArguments;
use super::vectorcall::Vectorcall;
use crate::object::failure::shown_name;

/// The exception of a call that no overload fits.
#[cold]
pub fn mismatch<'py>(
    function: &'static OverloadSet,
    passed: &Vectorcall<'_, 'py>,
    given: &[Bound<'py, PyAny>],
) -> PyErr {
    PyTypeError::new_err(mismatch_text(function, passed, given))
}

/// Why no overload fits a call. The arguments are called what those are that
/// were `given`, for some of which others may stand.
#[cold]
pub fn mismatch_text<'py>(
    function: &'static OverloadSet,
    passed: &Vectorcall<'_, 'py>,
    given: &[Bound<'py, PyAny>],
) -> String {
    let Vectorcall { args, positional, names, .. } = *passed;
    let accepts = classified(args);
    let describe = CallArguments { args, given, names };
    let text = explain(function, positional, &accepts, &names, &describe);
    let shown = shown_name(function.name);
    if shown == function.name { text } else { text.replace(function.name, shown) }
}

impl Call<'_, '_> {
    /// Which overload was picked, with what, and why the others were not; `notes` are said of the one
    /// that was.
    pub fn account(&self, notes: &[String]) -> String {
        let Vectorcall { args, positional, names, .. } = *self.passed;
        let accepts = classified(args);
        let describe = CallArguments { args, given: args, names };
        account(self.function, &self.binding, positional, &accepts, &names, &describe, notes)
    }
}

/// Looks at every argument.
fn classified(args: &[Bound<'_, PyAny>]) -> SmallVec<[Accepts; 8]> {
    args.iter().map(|it| classify(it.as_borrowed())).collect()
}
