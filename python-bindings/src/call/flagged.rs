//! Functions with a parameter `inplace`, which says whether a call goes to the function of the same
//! name, or to what this does in place.

use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{Py_ssize_t, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::shim;
use super::target::Target;
use crate::args::Vectorcall;
use crate::object;
use crate::object::failure::{renamed, throw};
use crate::raw::{self, Names, NewReference};

/// Two functions, and the parameter that chooses among them.
pub struct Flagged {
    /// The function that returns a new tensor; the other one has its name in messages.
    pub plain: &'static Target,
    /// What does the same in place.
    pub in_place: &'static Target,
    /// The place of `inplace` among the positional parameters.
    pub at: usize,
}

/// The parameter.
const FLAG: &str = "inplace";

/// Calls one of the two.
///
/// # Safety
///
/// As [`shim::run`].
#[inline(never)]
pub unsafe fn run_flagged(
    flagged: &'static Flagged,
    receiver: *mut PyObject,
    args: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    if names.is_null() && count as usize <= flagged.at {
        // SAFETY: these are the arguments of such a function, for this target.
        return unsafe { shim::run(flagged.plain, receiver, args, count, names) };
    }
    // SAFETY: the interpreter calls with the GIL held, and keeps what it passes until the call
    // returns.
    let (py, (args, names)) = unsafe {
        let py = Python::assume_attached();
        (py, raw::arguments(py, args, count, names))
    };
    let passed = &Vectorcall { receiver: None, args, positional: count as usize, names };
    match flagged.call(py, passed) {
        Ok(result) => NewReference::or_null(Some(result.into())),
        Err(error) => {
            throw(|_| error);
            NewReference::or_null(None)
        }
    }
}

impl Flagged {
    fn call<'py>(
        &self,
        py: Python<'py>,
        passed: &Vectorcall<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let name = self.plain.function.name;
        let named = passed.names.position(FLAG).map(|it| passed.positional + it);
        let flag = match ((passed.positional > self.at).then_some(self.at), named) {
            (Some(_), Some(_)) => {
                let text = format!("{name}() got multiple values for argument '{FLAG}'");
                return Err(PyTypeError::new_err(text));
            }
            (Some(at), None) | (None, Some(at)) => at,
            (None, None) => return shim::call(py, self.plain, passed),
        };
        if !is_set(name, &passed.args[flag])? {
            return without(py, passed, &[flag], |it| shim::call(py, self.plain, it));
        }
        let out = passed.names.position("out").map(|it| passed.positional + it);
        if out.is_some_and(|it| !passed.args[it].is_none()) {
            return Err(PyTypeError::new_err(format!(
                "{name}(): '{FLAG}' does not go with 'out': the result is written to the input"
            )));
        }
        let left_out: Vec<usize> = [flag].into_iter().chain(out).collect();
        without(py, passed, &left_out, |it| shim::call(py, self.in_place, it))
            .map_err(|it| renamed(py, it, self.in_place.function.name, name))
    }
}

/// The truth of the flag, which tensors have none of.
fn is_set(name: &str, flag: &Bound<'_, PyAny>) -> PyResult<bool> {
    if object::is_tensor(flag) || !flag.hasattr("__bool__")? {
        let kind = flag.get_type().name()?;
        let text = format!("{name}(): argument '{FLAG}' must be bool, not {kind}");
        return Err(PyTypeError::new_err(text));
    }
    flag.is_truthy()
}

/// Calls with the arguments but those at some places.
fn without<'py>(
    py: Python<'py>,
    passed: &Vectorcall<'_, 'py>,
    places: &[usize],
    call: impl FnOnce(&Vectorcall<'_, 'py>) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let kept: Vec<usize> = (0..passed.args.len()).filter(|it| !places.contains(it)).collect();
    let args: Vec<Bound<'py, PyAny>> = kept.iter().map(|&it| passed.args[it].clone()).collect();
    let positional = kept.iter().filter(|&&it| it < passed.positional).count();
    let names = kept[positional..].iter().map(|it| passed.names.text(it - passed.positional));
    let names = PyTuple::new(py, names.collect::<Vec<_>>())?;
    let names = Names::new(names.as_borrowed());
    call(&Vectorcall { receiver: None, args: &args, positional, names })
}
