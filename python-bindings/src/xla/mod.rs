//! XLA: what compiled programs of JAX call, without the interpreter.
//!
//! A program has texts of what it calls. A call that is new and one that fails go to a function in
//! Python, which prepares what it can for the next time.

mod arguments;
mod floating_point;
mod frame;
mod prepared;
mod results;

use std::cell::Cell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use opwright_runtime::lock::Lock;
use opwright_runtime::{Result, reserve};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule};

use self::arguments::OperatorCall;
use self::floating_point::DefaultEnvironment;
use self::frame::CallFrame;
use self::prepared::PreparedCall;
use crate::graph::function::PyFunction;
use crate::object::{failure, gil};
use crate::op::PyOverload;

/// The address of what programs call. Calls that are not prepared go to a function, which takes the
/// address of their frame, and returns that of an error of XLA, or None.
#[pyfunction(name = "_xla_handler")]
fn handler_for(unprepared: Py<PyAny>) -> usize {
    let before = UNPREPARED.lock().replace(unprepared);
    drop(before);
    (handler as unsafe extern "C" fn(*const CallFrame) -> *mut c_void) as usize
}

/// Prepares calls such as that which the function in Python is in: of an overload, with arguments by
/// the names of its parameters.
#[pyfunction(name = "_prepare_xla_call")]
fn prepare_operator(
    overload: &Bound<'_, PyOverload>,
    arguments: &Bound<'_, PyDict>,
) -> PyResult<()> {
    let call = OperatorCall::new(overload.get().row(), arguments)?;
    prepare(PreparedCall::Operator(call))
}

/// Prepares calls such as that which the function in Python is in: of a compiled graph, which takes
/// what the program passes, and returns all that it wants.
#[pyfunction(name = "_prepare_xla_function")]
fn prepare_function(function: Py<PyFunction>) -> PyResult<()> {
    prepare(PreparedCall::Function(function))
}

fn prepare(call: PreparedCall) -> PyResult<()> {
    let frame = UNDER_WAY.get();
    if frame.is_null() {
        return Err(PyRuntimeError::new_err("no program of XLA waits for a call of this thread"));
    }
    // SAFETY: it is that of a call which waits for the function in Python that this is called by.
    if let Some(key) = unsafe { (*frame).key() } {
        call.keep(key);
    }
    Ok(())
}

static UNPREPARED: Lock<Option<Py<PyAny>>> = Lock::new(None);

thread_local! {
    /// The call that the function in Python is in.
    static UNDER_WAY: Cell<*const CallFrame> = const { Cell::new(ptr::null()) };
}

/// # Safety
///
/// The frame is one of XLA, of a call whose attributes are two texts.
unsafe extern "C" fn handler(frame: *const CallFrame) -> *mut c_void {
    // SAFETY: the caller's.
    let frame = unsafe { &*frame };
    // SAFETY: the caller's.
    let run = || unsafe { is_done(frame) };
    // What a prepared call unwinds with, it does in Python, too.
    if catch_unwind(AssertUnwindSafe(run)).unwrap_or(false) {
        return ptr::null_mut();
    }
    let found = gil::attached(|py| unprepared(py, frame));
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
unsafe fn is_done(frame: &CallFrame) -> bool {
    // SAFETY: the caller's.
    let Some(key) = (unsafe { frame.key() }) else { return false };
    let Some(prepared) = PreparedCall::find(&key) else { return false };
    let _environment = DefaultEnvironment::enter();
    // SAFETY: the caller's; results hold no memory of a call that is over.
    let done = unsafe { run(frame, &prepared) };
    prepared.release();
    match done {
        Ok(true) => true,
        Ok(false) => {
            PreparedCall::refuse(key);
            false
        }
        Err(error) => {
            failure::forget(&error);
            false
        }
    }
}

/// # Safety
///
/// As for [`is_done`].
unsafe fn run(frame: &CallFrame, prepared: &PreparedCall) -> Result<bool> {
    reserve::check()?;
    // SAFETY: the caller's; the tensors are dropped at the end.
    let (inputs, outputs) = unsafe { (frame.arguments(), frame.results()) };
    let (Some(inputs), Some(mut outputs)) = (inputs, outputs) else { return Ok(false) };
    prepared.run(&inputs, &mut outputs)
}

/// The error that Python made of a call, or zero.
fn unprepared(py: Python<'_>, frame: &CallFrame) -> PyResult<usize> {
    let function = UNPREPARED.lock().as_ref().map(|it| it.clone_ref(py));
    let Some(function) = function else { return Ok(0) };
    let before = UNDER_WAY.replace(frame);
    let error = function.bind(py).call1((ptr::from_ref(frame).addr(),));
    UNDER_WAY.set(before);
    Ok(error?.extract::<Option<usize>>()?.unwrap_or(0))
}

/// Adds the functions of which programs' calls are made.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(handler_for, module)?)?;
    module.add_function(wrap_pyfunction!(prepare_operator, module)?)?;
    module.add_function(wrap_pyfunction!(prepare_function, module)?)
}
