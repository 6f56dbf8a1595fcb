//! Shims of generated functions, which the interpreter calls: they bind, run the generated body, and
//! turn failures and panics into exceptions.
//!
//! A generated shim is a `Body`: it reads the arguments of the overload that
//! was bound, runs it, and wraps its result. Everything else is here, once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use opwright_runtime::op::Operator;
use opwright_runtime::reserve;
use opwright_runtime::resolve::OverloadSet;
use pyo3::ffi::{Py_ssize_t, PyObject};
use pyo3::prelude::*;

use super::hooks::{self, Overloaded};
use super::target::Callee;
pub use super::target::{Alias, Body, Target};
use super::{overrides, tables};
use crate::args::{self, Arrays, Call, Vectorcall};
use crate::interop::numpy;
use crate::object::failure::{renamed, throw};
use crate::object::trampoline::unwound;
use crate::object::{self, Failure, Object};
use crate::raw::{self, Lent, NewReference, Plain, passed_on};

impl Callee for &Target {
    #[inline(always)]
    fn function(self) -> &'static OverloadSet {
        self.function
    }

    #[inline(always)]
    fn body(self, call: &mut Call<'_, '_>) -> Result<NewReference, Failure> {
        (self.body)(call)
    }

    fn row(self, overload: usize) -> Option<&'static Operator> {
        let [base, out] = self.schemas.get(overload)?;
        let schema = base.or(*out)?;
        let name = schema.split_once('(').map_or(schema, |(name, _)| name);
        tables::of_module()?.operators.find(name)
    }

    fn object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        overrides::function_object(py, self)
    }
}

/// A function or method that takes arguments.
///
/// # Safety
///
/// Called with the arguments of a `METH_FASTCALL | METH_KEYWORDS` function:
/// `count` positional arguments at `args`, then those of `names`. `receiver`
/// is a tensor if the target is a method.
// Not in each of thousands of entries.
#[inline(never)]
pub unsafe fn run(
    target: &Target,
    receiver: *mut PyObject,
    args: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the interpreter calls with the GIL held, and keeps what it passes until the call
    // returns; a method is in the table of the tensor class alone.
    let (py, receiver, (args, names)) = unsafe {
        let py = Python::assume_attached();
        let receiver = if target.method { Some(raw::lent(py, receiver)) } else { None };
        (py, receiver, raw::arguments(py, args, count, names))
    };
    let passed = &Vectorcall { receiver, args, positional: count as usize, names };
    NewReference::or_null(attempt(py, target, passed, || with_arrays(py, target, passed)))
}

/// The same under another name, which messages say.
///
/// # Safety
///
/// As [`run`].
#[inline(never)]
pub unsafe fn run_as(
    alias: &Alias,
    receiver: *mut PyObject,
    args: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the caller's arguments are those of such a function, for this target.
    let result = unsafe { run(alias.target, receiver, args, count, names) };
    if result.is_null() {
        throw(|py| renamed(py, PyErr::fetch(py), alias.target.function.name, alias.name));
    }
    result
}

/// The same, but `otherwise` is done if no overload fits the arguments as they are.
#[inline(always)]
pub(crate) fn run_or<'py>(
    py: Python<'py>,
    target: &Target,
    passed: &Vectorcall<'_, 'py>,
    otherwise: impl FnOnce() -> Option<NewReference>,
) -> Option<NewReference> {
    attempt(py, target, passed, otherwise)
}

/// The same for an object that is called.
#[cfg(feature = "jit")]
#[inline]
pub(crate) fn run_object<'py>(
    py: Python<'py>,
    callee: impl Callee,
    passed: &Vectorcall<'_, 'py>,
) -> Option<NewReference> {
    attempt(py, callee, passed, || with_arrays(py, callee, passed))
}

/// The same for our own code.
///
/// # Errors
///
/// Whatever the call raises.
#[cold]
pub(crate) fn call<'py>(
    py: Python<'py>,
    callee: impl Callee,
    passed: &Vectorcall<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    match attempt(py, callee, passed, || with_arrays(py, callee, passed)) {
        Some(result) => Ok(result.into_bound(py)),
        None => Err(PyErr::fetch(py)),
    }
}

/// A call that no overload fits as it is: once more with tensors in the places
/// of arrays, or the exception that says why none fits.
#[cold]
fn with_arrays<'py>(
    py: Python<'py>,
    callee: impl Callee,
    passed: &Vectorcall<'_, 'py>,
) -> Option<NewReference> {
    let function = callee.function();
    let given = passed.args;
    let arrays = match Arrays::convert(function.name, given, passed.positional, &passed.names) {
        Ok(Some(arrays)) => arrays,
        Ok(None) => return overloaded(py, callee, passed, given),
        Err(failure) => return raise(function, failure),
    };
    let passed = &Vectorcall { args: arrays.args(), ..*passed };
    let result = attempt(py, callee, passed, || overloaded(py, callee, passed, given));
    match arrays.result(result?.into_bound(py)) {
        Ok(object) => Some(object.into()),
        Err(failure) => raise(function, failure),
    }
}

/// A call of a function that no signature fits: what an overload that was registered for these
/// types returns, or the exception, which says why the overloads declined.
#[cold]
fn overloaded<'py>(
    py: Python<'py>,
    callee: impl Callee,
    passed: &Vectorcall<'_, 'py>,
    given: &[Bound<'py, PyAny>],
) -> Option<NewReference> {
    let function = callee.function();
    if passed.receiver.is_some() || !hooks::has_overloads(py) {
        return refuse(function, passed, given);
    }
    let asked = callee.object(py).and_then(|it| hooks::overloaded(&it, passed, given));
    match asked {
        Ok(Overloaded::Returned(object)) => Some(object.into()),
        Ok(Overloaded::Declined(notes)) => {
            throw(|py| noted(py, args::mismatch(function, passed, given), &notes));
            None
        }
        Err(error) => raise(function, error.into()),
    }
}

/// The exception with a note for each overload that declined.
#[cold]
fn noted(py: Python<'_>, error: PyErr, notes: &[String]) -> PyErr {
    for note in notes {
        // Without memory for a note, the exception is as good.
        let _ = error.value(py).call_method1("add_note", (note,));
    }
    error
}

/// Raises what says why no overload fits.
#[cold]
fn refuse<'py>(
    function: &'static OverloadSet,
    passed: &Vectorcall<'_, 'py>,
    given: &[Bound<'py, PyAny>],
) -> Option<NewReference> {
    // A method of an operator of the language leaves other operands to their own class.
    if function.name.starts_with("__") && passed.positional == 1 && passed.args.len() == 1 {
        return passed.args.first().and_then(|it| not_implemented(it.py()));
    }
    throw(|_| args::mismatch(function, passed, given));
    None
}

/// A method without parameters (`METH_NOARGS`).
///
/// # Safety
///
/// `receiver` is a tensor, and the GIL is held.
#[inline]
pub unsafe fn run_alone(
    target: &Target,
    receiver: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: no arguments, and a receiver that the interpreter found the method of.
    unsafe { run(target, receiver, ptr::null(), 0, ptr::null_mut()) }
}

/// The same under another name, which messages say.
///
/// # Safety
///
/// As [`run_alone`].
#[inline]
pub unsafe fn run_alone_as(
    alias: &Alias,
    receiver: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: no arguments, and a receiver that the interpreter found the method of.
    unsafe { run_as(alias, receiver, ptr::null(), 0, ptr::null_mut()) }
}

passed_on! {
    /// A unary operator.
    pub fn unary(py, target: &Target; operand: Lent<PyAny>) -> Option<NewReference> {
        operate_on_one(py, target, operand)
    }

    /// A binary operator: `NotImplemented` if no overload takes the operands.
    pub fn binary(py, target: &Target; left: Lent<PyAny>, right: Lent<PyAny>) -> Option<NewReference> {
        operate_on_two(py, target, left, right)
    }

    /// A power: as [`binary`], and `NotImplemented` with a modulus, which no tensor takes.
    pub fn ternary(
        py,
        target: &Target;
        left: Lent<PyAny>,
        right: Lent<PyAny>,
        modulus: Lent<PyAny>
    ) -> Option<NewReference> {
        if modulus.is_none() { operate_on_two(py, target, left, right) } else { not_implemented(py) }
    }

    /// A comparison. `targets` are those of `<`, `<=`, `==`, `!=`, `>`, `>=`.
    pub fn compare(
        py,
        targets: &[Option<Target>; 6];
        left: Lent<PyAny>,
        right: Lent<PyAny>,
        operator: Plain<i32>
    ) -> Option<NewReference> {
        match targets.get(operator as usize).and_then(Option::as_ref) {
            Some(target) => operate_on_two(py, target, left, right),
            None => not_implemented(py),
        }
    }
}

fn not_implemented(py: Python<'_>) -> Option<NewReference> {
    Some(py.NotImplemented().into_bound(py).into())
}

fn operate_on_one<'py>(
    py: Python<'py>,
    target: &Target,
    operand: Borrowed<'_, 'py, PyAny>,
) -> Option<NewReference> {
    let operands = &[operand];
    let receiver = if target.method { object::known(operand) } else { None };
    let args = if target.method { &[] } else { raw::as_bound(operands) };
    let passed = &Vectorcall::positional(receiver, args);
    attempt(py, target, passed, || match hooks::operands(args) {
        Ok(Some(converted)) => {
            let passed = &Vectorcall::positional(receiver, &converted);
            attempt(py, target, passed, || refuse(target.function, passed, args))
        }
        Ok(None) => refuse(target.function, passed, args),
        Err(error) => raise(target.function, error.into()),
    })
}

fn operate_on_two<'py>(
    py: Python<'py>,
    target: &Target,
    left: Borrowed<'_, 'py, PyAny>,
    right: Borrowed<'_, 'py, PyAny>,
) -> Option<NewReference> {
    if !target.method {
        return operate(py, target, None, &[left, right]);
    }
    match object::known(left) {
        Some(receiver) => operate(py, target, Some(receiver), &[right]),
        None => not_implemented(py),
    }
}

fn operate<'py>(
    py: Python<'py>,
    target: &Target,
    receiver: Option<Borrowed<'_, 'py, Object>>,
    operands: &[Borrowed<'_, 'py, PyAny>],
) -> Option<NewReference> {
    let passed = &Vectorcall::positional(receiver, raw::as_bound(operands));
    attempt(py, target, passed, || operate_on_others(py, target, passed))
}

/// Operands that are numpy arrays or variables of numbers count as tensors, which no function says
/// of its arguments; others are left to their own class.
#[cold]
fn operate_on_others<'py>(
    py: Python<'py>,
    target: &Target,
    passed: &Vectorcall<'_, 'py>,
) -> Option<NewReference> {
    match tensors_for(passed.args) {
        Ok(Some(converted)) => {
            let passed = &Vectorcall::positional(passed.receiver, &converted);
            attempt(py, target, passed, || not_implemented(py))
        }
        Ok(None) => not_implemented(py),
        Err(failure) => raise(target.function, failure),
    }
}

/// The operands with tensors in the places of those that count as such; nothing if there is none.
fn tensors_for<'py>(
    operands: &[Bound<'py, PyAny>],
) -> Result<Option<Vec<Bound<'py, PyAny>>>, Failure> {
    let arrays = numpy::operands(operands)?;
    let numbers = hooks::operands(arrays.as_deref().unwrap_or(operands))?;
    Ok(numbers.or(arrays))
}

/// Binds and runs; a panic becomes an exception, and `otherwise` is done if no overload fits.
///
/// The compiler makes one for each use, and joins it with what is around.
#[inline(always)]
fn attempt<'py>(
    py: Python<'py>,
    callee: impl Callee,
    passed: &Vectorcall<'_, 'py>,
    otherwise: impl FnOnce() -> Option<NewReference>,
) -> Option<NewReference> {
    let function = callee.function();
    let guarded = catch_unwind(AssertUnwindSafe(|| {
        reserve::check()?;
        let mut call = Call::new(py, function, passed);
        if !call.bind_tensors() {
            call.bind()?;
            if function.signatures[call.overload()].deprecated {
                warn(&call, function)?;
            }
            if call.is_overridden() {
                return taken_over(&call, callee);
            }
        }
        callee.body(&mut call)
    }));
    match guarded {
        Ok(Ok(object)) => Some(object),
        Ok(Err(Failure::Mismatch)) => otherwise(),
        Ok(Err(failure)) => raise(function, failure),
        Err(payload) => raise(function, unwound(function.name, payload).into()),
    }
}

/// A call that an argument takes over.
#[cold]
fn taken_over(call: &Call<'_, '_>, callee: impl Callee) -> Result<NewReference, Failure> {
    let py = call.py();
    overrides::dispatch(call, callee, &|passed| self::call(py, callee, passed))
}

#[cold]
fn warn(call: &Call<'_, '_>, function: &OverloadSet) -> Result<(), Failure> {
    let used = function.signatures[call.overload()].text;
    let instead = function.signatures.iter().find(|it| !it.deprecated).map_or("", |it| it.text);
    let text = format!("this signature is deprecated: {used}\nuse instead: {instead}");
    let text = std::ffi::CString::new(text).unwrap_or_default();
    let category = call.py().get_type::<pyo3::exceptions::PyUserWarning>();
    PyErr::warn(call.py(), &category, &text, 1)?;
    Ok(())
}

#[cold]
fn raise(function: &'static OverloadSet, failure: Failure) -> Option<NewReference> {
    throw(|_| failure.raised(function.name));
    None
}
