//! What the interpreter calls: binds, runs the generated body, and turns
//! failures and panics into exceptions.
//!
//! A generated shim is a `Body`: it reads the arguments of the overload that
//! was bound, runs it, and wraps its result. Everything else is here, once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice};

use opwright_runtime::resolve::Function;
use pyo3::ffi::{self, Py_ssize_t, PyObject};
use pyo3::prelude::*;

use crate::args::{self, Arrays, Call, Names, Vectorcall};
use crate::failure::{Failure, throw};
use crate::interop::numpy;
use crate::overrides;
use crate::tensor::guard::unwound;
use crate::tensor::object;

/// The generated part of a function: from a bound call to a new reference.
pub type Body = fn(&mut Call<'_, '_>) -> Result<*mut PyObject, Failure>;

/// A function that an operator of the language can call.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its signatures.
    pub function: &'static Function,
    /// For each signature the schemas of what runs without `out` and with it.
    pub schemas: &'static [[Option<&'static str>; 2]],
    /// Its body.
    pub body: Body,
    /// Whether it is a method, so that the left operand is the receiver.
    pub method: bool,
    /// The submodule of a function, without underscore; empty for the module itself.
    pub module: &'static str,
}

/// A function or method that takes arguments.
///
/// # Safety
///
/// Called with the arguments of a `METH_FASTCALL | METH_KEYWORDS` function:
/// `count` positional arguments at `args`, then those of `names`. `receiver`
/// is a tensor, or null for a function.
// Not in each of thousands of entries.
#[inline(never)]
pub unsafe fn run(
    target: &Target,
    receiver: *mut PyObject,
    args: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the interpreter calls with the GIL held and valid arguments.
    unsafe {
        let py = Python::assume_attached();
        let positional = count as usize;
        let names = Names::new(names);
        let total = positional + opwright_runtime::resolve::Keywords::len(&names);
        let args = if total == 0 { &[] } else { slice::from_raw_parts(args, total) };
        let receiver = if target.method { receiver } else { ptr::null_mut() };
        let passed = &Vectorcall { receiver, args, positional, names };
        attempt(py, target, passed, || with_arrays(py, target, passed))
    }
}

/// A call that no overload fits as it is: once more with tensors in the places
/// of arrays, or the exception that says why none fits.
#[cold]
unsafe fn with_arrays(py: Python<'_>, target: &Target, passed: &Vectorcall<'_>) -> *mut PyObject {
    // SAFETY: the caller's promise; the converted arguments outlive the call.
    unsafe {
        let bound = passed.args.iter().map(|&it| Bound::from_borrowed_ptr(py, it));
        let bound: Vec<Bound<'_, PyAny>> = bound.collect();
        let function = target.function;
        let given = passed.args;
        let arrays = match Arrays::convert(function.name, &bound, passed.positional, &passed.names)
        {
            Ok(Some(arrays)) => arrays,
            Ok(None) => return refuse(function, passed, given),
            Err(failure) => return raise(target.function, failure),
        };
        let args = arrays.pointers();
        let passed = &Vectorcall { args: &args, ..*passed };
        let result = attempt(py, target, passed, || refuse(function, passed, given));
        if result.is_null() {
            return result;
        }
        match arrays.result(Bound::from_owned_ptr(py, result)) {
            Ok(object) => object.into_ptr(),
            Err(failure) => raise(target.function, failure),
        }
    }
}

/// Raises what says why no overload fits.
///
/// # Safety
///
/// The arguments and what was `given` are valid and the GIL is held.
#[cold]
unsafe fn refuse(
    function: &'static Function,
    passed: &Vectorcall<'_>,
    given: &[*mut PyObject],
) -> *mut PyObject {
    // SAFETY: the caller's promise.
    throw(|py| unsafe { args::mismatch(py, function, passed, given) });
    ptr::null_mut()
}

/// A method without parameters (`METH_NOARGS`).
///
/// # Safety
///
/// `receiver` is a valid tensor and the GIL is held.
#[inline]
pub unsafe fn run_alone(target: &Target, receiver: *mut PyObject) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe { run(target, receiver, ptr::null(), 0, ptr::null_mut()) }
}

/// A binary operator: `NotImplemented` if no overload takes the operands.
///
/// # Safety
///
/// The operands are valid and the GIL is held.
pub unsafe fn binary(target: &Target, left: *mut PyObject, right: *mut PyObject) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe {
        if target.method {
            if !object::is_tensor(left) {
                return not_implemented();
            }
            return operate(target, left, &[right]);
        }
        operate(target, ptr::null_mut(), &[left, right])
    }
}

/// A power: as [`binary`], and `NotImplemented` with a modulus, which no tensor takes.
///
/// # Safety
///
/// The operands are valid and the GIL is held.
pub unsafe fn ternary(
    target: &Target,
    left: *mut PyObject,
    right: *mut PyObject,
    modulus: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the caller's promise; `None` always exists.
    unsafe {
        if modulus != ffi::Py_None() {
            return not_implemented();
        }
        binary(target, left, right)
    }
}

/// A unary operator.
///
/// # Safety
///
/// The operand is a valid tensor and the GIL is held.
pub unsafe fn unary(target: &Target, operand: *mut PyObject) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe {
        if target.method {
            return run(target, operand, ptr::null(), 0, ptr::null_mut());
        }
        run(target, ptr::null_mut(), &raw const operand, 1, ptr::null_mut())
    }
}

/// A comparison. `targets` are those of `<`, `<=`, `==`, `!=`, `>`, `>=`.
///
/// # Safety
///
/// The operands are valid, the left one is a tensor, and the GIL is held.
pub unsafe fn compare(
    targets: &[Option<Target>; 6],
    left: *mut PyObject,
    right: *mut PyObject,
    operator: i32,
) -> *mut PyObject {
    match targets.get(operator as usize) {
        // SAFETY: the caller's promise.
        Some(Some(target)) => unsafe { binary(target, left, right) },
        // SAFETY: the GIL is held.
        Some(None) | None => unsafe { not_implemented() },
    }
}

/// `NotImplemented`, a new reference.
///
/// # Safety
///
/// The GIL is held.
pub unsafe fn not_implemented() -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe {
        let object = ffi::Py_NotImplemented();
        ffi::Py_INCREF(object);
        object
    }
}

unsafe fn operate(
    target: &Target,
    receiver: *mut PyObject,
    operands: &[*mut PyObject],
) -> *mut PyObject {
    // SAFETY: the callers' promise.
    unsafe {
        let py = Python::assume_attached();
        let passed = &Vectorcall::positional(receiver, operands);
        attempt(py, target, passed, || operate_on_arrays(py, target, receiver, operands))
    }
}

/// Operands that are numpy arrays count as tensors, which no function says of
/// its arguments; others are left to their own class.
#[cold]
unsafe fn operate_on_arrays(
    py: Python<'_>,
    target: &Target,
    receiver: *mut PyObject,
    operands: &[*mut PyObject],
) -> *mut PyObject {
    // SAFETY: the callers' promise; the converted operands outlive the call.
    unsafe {
        let bound = operands.iter().map(|&it| Bound::from_borrowed_ptr(py, it));
        let bound: Vec<Bound<'_, PyAny>> = bound.collect();
        let converted = match numpy::operands(&bound) {
            Ok(Some(converted)) => converted,
            Ok(None) => return not_implemented(),
            Err(failure) => return raise(target.function, failure),
        };
        let operands: Vec<*mut PyObject> = converted.iter().map(Bound::as_ptr).collect();
        let passed = &Vectorcall::positional(receiver, &operands);
        attempt(py, target, passed, || not_implemented())
    }
}

/// Binds and runs; a panic becomes an exception, and `otherwise` is done if no overload fits.
///
/// The compiler makes one for each use, and joins it with what is around.
#[inline(always)]
unsafe fn attempt<'py>(
    py: Python<'py>,
    target: &Target,
    passed: &Vectorcall<'_>,
    otherwise: impl FnOnce() -> *mut PyObject,
) -> *mut PyObject {
    let guarded = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the callers' promise.
        let mut call = unsafe { Call::new(py, target.function, passed) };
        call.bind()?;
        if target.function.signatures[call.overload()].deprecated {
            warn(&call, target.function)?;
        }
        if call.is_overridden() {
            return overrides::dispatch(&call, target);
        }
        (target.body)(&mut call)
    }));
    match guarded {
        Ok(Ok(object)) => object,
        Ok(Err(Failure::Mismatch)) => otherwise(),
        Ok(Err(failure)) => raise(target.function, failure),
        Err(payload) => raise(target.function, unwound(target.function.name, payload).into()),
    }
}

#[cold]
fn warn(call: &Call<'_, '_>, function: &Function) -> Result<(), Failure> {
    let used = function.signatures[call.overload()].text;
    let instead = function.signatures.iter().find(|it| !it.deprecated).map_or("", |it| it.text);
    let text = format!("this signature is deprecated: {used}\nuse instead: {instead}");
    let text = std::ffi::CString::new(text).unwrap_or_default();
    let category = call.py().get_type::<pyo3::exceptions::PyUserWarning>();
    PyErr::warn(call.py(), &category, &text, 1)?;
    Ok(())
}

#[cold]
fn raise(function: &'static Function, failure: Failure) -> *mut PyObject {
    throw(|_| failure.raised(function.name));
    ptr::null_mut()
}
