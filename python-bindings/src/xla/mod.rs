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
use std::ffi::{CString, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use opwright_runtime::lock::Lock;
use opwright_runtime::{Result, Tensor, reserve};
use pyo3::exceptions::{
    PyIndexError, PyNotImplementedError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule};

use self::arguments::OperatorCall;
use self::floating_point::DefaultEnvironment;
use self::frame::{CallFrame, ErrorCode};
use self::prepared::PreparedCall;
use crate::graph::function::PyFunction;
use crate::object::failure::{self, raise};
use crate::object::{callbacks, gil, signals, wrap};
use crate::op::PyOverload;

/// The address of what programs call, for an XLA whose interface has this minor number. Calls that are
/// not prepared go to a function, which takes the two texts, tensors over the arguments, and those over
/// the memory of results, which it writes.
#[pyfunction(name = "_xla_handler")]
fn handler_for(unprepared: Py<PyAny>, minor: c_int) -> usize {
    MINOR.store(minor, Ordering::Relaxed);
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

/// That of the interface that XLA has.
static MINOR: AtomicI32 = AtomicI32::new(0);

thread_local! {
    /// The call that the function in Python is in.
    static UNDER_WAY: Cell<*const CallFrame> = const { Cell::new(ptr::null()) };
}

/// # Safety
///
/// The frame is one of XLA, of a call whose attributes are two texts.
unsafe extern "C" fn handler(frame: *const CallFrame) -> *mut c_void {
    // SAFETY: XLA leaves the frame as it is until this returns.
    let frame = unsafe { &*frame };
    // SAFETY: the frame is one of XLA.
    if unsafe { frame.is_answered(MINOR.load(Ordering::Relaxed)) } {
        return ptr::null_mut();
    }
    let _environment = DefaultEnvironment::enter();
    // SAFETY: the frame is one of XLA, and of our own calls, which have two texts.
    let run = || unsafe { is_done(frame) };
    // What a prepared call unwinds with, it does in Python, too.
    if catch_unwind(AssertUnwindSafe(run)).unwrap_or(false) {
        return ptr::null_mut();
    }
    // SAFETY: as it is for a prepared call, the frame is one of our own calls.
    let run = |py: Python<'_>| unsafe { unprepared(py, frame) }.map_err(|it| described(py, &it));
    let (message, code) = match gil::attached(run) {
        Some(Ok(())) => return ptr::null_mut(),
        Some(Err(raised)) => raised,
        None => (c"the interpreter is gone".into(), ErrorCode::Internal),
    };
    // SAFETY: the frame is one of XLA.
    unsafe { frame.error(&message, code) }
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

/// Makes a call in Python.
///
/// # Safety
///
/// As for [`is_done`].
unsafe fn unprepared(py: Python<'_>, frame: &CallFrame) -> PyResult<()> {
    let function = UNPREPARED.lock().as_ref().map(|it| it.clone_ref(py));
    // SAFETY: attributes of our own calls are texts.
    let (Some(function), Some([call, out])) = (function, unsafe { frame.texts() }) else {
        return Err(PyTypeError::new_err("a program calls with other attributes than ours"));
    };
    // SAFETY: the frame waits until the function has returned, which keeps none of them; hooks get
    // copies.
    let (inputs, outputs) = unsafe { (frame.arguments(), frame.results()) };
    let (Some(inputs), Some(outputs)) = (inputs, outputs) else {
        return Err(PyTypeError::new_err(
            "a program has an array of a dtype that tensors have not",
        ));
    };
    let input = |tensor: Tensor| {
        let tensor = if callbacks::may_run() { tensor.copy().map_err(raise)? } else { tensor };
        wrap(py, tensor)
    };
    let arguments = (
        String::from_utf8_lossy(call),
        String::from_utf8_lossy(out),
        inputs.into_iter().map(input).collect::<PyResult<Vec<_>>>()?,
        outputs.into_iter().map(|it| wrap(py, it)).collect::<PyResult<Vec<_>>>()?,
    );
    let before = UNDER_WAY.replace(frame);
    let run = || function.bind(py).call1(arguments).map(drop);
    let done = catch_unwind(AssertUnwindSafe(run));
    UNDER_WAY.set(before);
    done.unwrap_or_else(|payload| {
        let raised = signals::exception(payload);
        Err(raised.unwrap_or_else(|_| PyRuntimeError::new_err("a call of an operator panicked")))
    })
}

/// The text of an exception, with its class, and what XLA calls its kind.
fn described(py: Python<'_>, raised: &PyErr) -> (CString, ErrorCode) {
    let code = if raised.is_instance_of::<PyNotImplementedError>(py) {
        ErrorCode::Unimplemented
    } else if raised.is_instance_of::<PyValueError>(py)
        || raised.is_instance_of::<PyTypeError>(py)
        || raised.is_instance_of::<PyIndexError>(py)
        || raised.is_instance_of::<PyRuntimeError>(py)
        || raised.is_instance_of::<PyOverflowError>(py)
    {
        ErrorCode::InvalidArgument
    } else {
        ErrorCode::Internal
    };
    let text = raised.to_string().replace('\0', " ");
    (CString::new(text).unwrap_or_default(), code)
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
