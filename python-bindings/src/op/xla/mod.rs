//! XLA: operators that compiled programs of JAX call, without the interpreter.
//!
//! A program has texts of what it calls. A call that is new, one that is more than an operator, and
//! one that fails go to a function in Python, which prepares what it can for the next time.

mod floating_point;
mod frame;
mod prepared;

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use opwright_runtime::lock::Lock;
use opwright_runtime::reserve;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule};

use self::floating_point::DefaultEnvironment;
use self::frame::{Called, Frame};
use self::prepared::PreparedCall;
use super::overload::PyOverload;

/// What programs call, as address, and whose calls that are not prepared go to a function: it takes
/// the address of a frame, and returns that of an error of XLA, or None.
#[pyfunction(name = "_xla_handler")]
fn handler_for(unprepared: Py<PyAny>) -> usize {
    let before = UNPREPARED.lock().replace(unprepared);
    drop(before);
    (handler as unsafe extern "C" fn(*const Frame) -> *mut c_void) as usize
}

/// Prepares a call, which programs have these texts of: an overload, with arguments by the names of
/// its parameters.
#[pyfunction(name = "_prepare_xla_call")]
fn prepare(
    call: &[u8],
    out: &[u8],
    overload: &Bound<'_, PyOverload>,
    arguments: &Bound<'_, PyDict>,
) -> PyResult<()> {
    let prepared = PreparedCall::new(overload.get().row(), arguments)?;
    prepared.keep(&Called { call, out });
    Ok(())
}

static UNPREPARED: Lock<Option<Py<PyAny>>> = Lock::new(None);

/// # Safety
///
/// The frame is one of XLA, of a call whose attributes are two texts.
unsafe extern "C" fn handler(frame: *const Frame) -> *mut c_void {
    // SAFETY: the caller's.
    let frame = unsafe { &*frame };
    // SAFETY: the caller's.
    let run = || unsafe { is_done(frame) };
    // What a prepared call unwinds with, it does in Python, too.
    if catch_unwind(AssertUnwindSafe(run)).unwrap_or(false) {
        return ptr::null_mut();
    }
    let found = Python::try_attach(|py| unprepared(py, frame));
    match found {
        Some(Ok(error)) => error as *mut c_void,
        // SAFETY: the caller's.
        Some(Err(_)) => unsafe { frame.error(c"a call of an operator failed") },
        // SAFETY: the caller's.
        None => unsafe { frame.error(c"the interpreter is gone") },
    }
}

/// Makes a call that is prepared. What fails is left to Python, which says why.
///
/// # Safety
///
/// The frame is one of XLA, of a call whose attributes are two texts.
unsafe fn is_done(frame: &Frame) -> bool {
    // SAFETY: the caller's.
    let Some(called) = (unsafe { frame.called() }) else { return false };
    let Some(prepared) = PreparedCall::find(&called) else { return false };
    let _environment = DefaultEnvironment::enter();
    // SAFETY: the caller's; the tensors are dropped below, and results hold no memory of theirs.
    let (inputs, outputs) = unsafe { (frame.arguments(), frame.results()) };
    let (Some(inputs), Some(mut outputs)) = (inputs, outputs) else { return false };
    match reserve::check().and_then(|()| prepared.run(&inputs, &mut outputs)) {
        Ok(true) => true,
        Ok(false) => {
            PreparedCall::forget(&called);
            false
        }
        Err(error) => {
            crate::object::failure::forget(&error);
            false
        }
    }
}

/// The error that Python made of a call, or zero.
fn unprepared(py: Python<'_>, frame: &Frame) -> PyResult<usize> {
    let function = UNPREPARED.lock().as_ref().map(|it| it.clone_ref(py));
    let Some(function) = function else { return Ok(0) };
    let error = function.bind(py).call1((ptr::from_ref(frame).addr(),))?;
    Ok(error.extract::<Option<usize>>()?.unwrap_or(0))
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(handler_for, module)?)?;
    module.add_function(wrap_pyfunction!(prepare, module)?)
}
