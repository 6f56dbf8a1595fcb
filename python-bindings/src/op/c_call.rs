//! `ow_call`: the operators of the module by their names for callers in C, those among them that were
//! defined in Python.
//!
//! ```text
//! typedef struct ow_value {
//!     int32_t kind; /* 0 none, 1 bool, 2 int64, 3 double, 4 complex, 5 text, 6 tensor, 7 list */
//!     size_t len;
//!     union {
//!         bool truth;
//!         int64_t integer;
//!         double real[2];
//!         const char *text;
//!         DLManagedTensorVersioned *tensor;
//!         const struct ow_value *items;
//!     } as;
//! } ow_value;
//!
//! int32_t ow_call(const char *name, const ow_value *args, size_t args_len, ow_value *results,
//!                 size_t results_len, char *message, size_t message_len);
//! ```
//!
//! It is told by its number why a call failed, as `ow_error_kind` of libraries for C has it.

use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use opwright_runtime::interrupt::Payload;
use opwright_runtime::op::{self, Operator, Param, Value};
use opwright_runtime::{Error, ErrorKind, Result, ensure, reserve};

use super::c_value::{self, CValue, fitted, is_returned};
use super::operator;
use crate::call::tables::of_module;
use crate::object::{failure, gil, signals};

/// The number of what is no error of the runtime.
const PANIC: i32 = ErrorKind::PANIC.1;

/// Calls an operator by its name, `my::name` or `add.Tensor`, with a value for each of its parameters;
/// those at the end that have defaults may be missing. Returns 0 and writes the results, or the kind of
/// an error, whose message it writes, cut to its room.
///
/// Tensors among the arguments are taken over, whatever comes of the call; those among the results are the
/// caller's, who calls their deleter once. It may be called by any thread, with the interpreter's lock or
/// without: it is taken where code of Python runs.
///
/// # Safety
///
/// The name ends with a NUL; there are as many arguments, each as its kind says, as much room for results
/// and as much for the message as is said. Nobody else uses these meanwhile.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ow_call(
    name: *const c_char,
    args: *const CValue,
    args_len: usize,
    results: *mut CValue,
    results_len: usize,
    message: *mut c_char,
    message_len: usize,
) -> i32 {
    // SAFETY: the caller says so.
    let (args, results) =
        unsafe { (read(args, args_len), room(results, results_len, CValue::NONE)) };
    // SAFETY: the caller says so.
    let run = || unsafe { called(name, args, results) };
    let (kind, text) = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => (0, String::new()),
        Ok(Err(error)) => {
            failure::forget(&error);
            (error.kind().number(), error.to_string())
        }
        Err(payload) => unwound(payload),
    };
    // SAFETY: the caller says that there is so much room.
    write_text(unsafe { room(message.cast::<u8>(), message_len, 0) }, &text);
    kind
}

/// # Safety
///
/// The name ends with a NUL, and each argument is as its kind says.
unsafe fn called(name: *const c_char, args: &[CValue], results: &mut [CValue]) -> Result<()> {
    // SAFETY: the caller says so. All are read, so that all tensors are taken over.
    let values: Vec<_> = args.iter().map(|it| unsafe { it.read() }).collect();
    // SAFETY: the caller says so.
    let name = unsafe { c_value::text(name) }?;
    let row = find(name)?;
    let run = || {
        reserve::check()?;
        let mut values = bound(row, values.into_iter().collect::<Result<_>>()?)?;
        check_results(row, results.len())?;
        write(results, (row.call)(&mut values)?)
    };
    run().map_err(|it: Error| if it.op().is_some() { it } else { it.in_overload(row.name) })
}

/// The row of a name.
fn find(name: &str) -> Result<&'static Operator> {
    // Where the interpreter is gone, so are its objects.
    ensure!(gil::attached(|_| ()).is_some(), Runtime, "{name}: the interpreter is gone");
    let tables = of_module().map_or(&[][..], |it| it.operators.tables());
    let found = operator::find_defined(name);
    let found = found.or_else(|| tables.iter().find_map(|it| op::find(it, name)));
    found.ok_or_else(|| Error::value(format_args!("there is no operator `{name}`")))
}

/// A value for each parameter.
fn bound(row: &Operator, given: Vec<Value>) -> Result<Vec<Value>> {
    let (most, count) = (row.params.len(), given.len());
    ensure!(count <= most, Type, "takes at most {most} arguments, not {count}: {}", row.schema);
    let mut given = given.into_iter();
    row.params.iter().map(|param| argument(row, param, given.next())).collect()
}

fn argument(row: &Operator, param: &Param, given: Option<Value>) -> Result<Value> {
    let name = param.slot.name;
    let Some(value) = given else {
        let default = param.default.map(|it| it.value());
        let missing = || Error::wrong_type(format_args!("misses '{name}': {}", row.schema));
        return default.ok_or_else(missing);
    };
    let ty = &param.slot.ty;
    let wrong =
        || Error::wrong_type(format_args!("argument '{name}' must be {ty}: {}", row.schema));
    fitted(value, ty).ok_or_else(wrong)
}

/// Refuses a call before it is made whose results the caller could not have.
fn check_results(row: &Operator, room: usize) -> Result<()> {
    let of_c = row.results.iter().all(|it| is_returned(&it.ty));
    ensure!(of_c, NotImplemented, "returns what C has no value of: {}", row.schema);
    let count = row.results.iter().filter(|it| !it.writes).count();
    ensure!(count <= room, Value, "returns {count} results, and there is room for {room}");
    Ok(())
}

/// Writes what a call returned: all of it, or nothing.
fn write(results: &mut [CValue], returned: op::Results) -> Result<()> {
    for (at, value) in returned.into_iter().enumerate().take(results.len()) {
        match CValue::of(value) {
            Ok(value) => results[at] = value,
            Err(error) => {
                results.iter_mut().for_each(CValue::drop_tensor);
                return Err(error);
            }
        }
    }
    Ok(())
}

/// What a call unwound with: an exception that is no error, or a panic.
#[cold]
fn unwound(payload: Payload) -> (i32, String) {
    match signals::exception(payload) {
        Ok(raised) => (ErrorKind::Runtime.number(), raised.to_string()),
        Err(payload) => {
            let text = payload.downcast_ref::<&str>().map(|it| (*it).to_owned());
            let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
            (PANIC, format!("panicked: {}", text.unwrap_or_default()))
        }
    }
}

/// A text with a NUL, cut where a character ends.
fn write_text(to: &mut [u8], text: &str) {
    let Some(most) = to.len().checked_sub(1) else { return };
    let mut len = text.len().min(most);
    while !text.is_char_boundary(len) {
        len -= 1;
    }
    to[..len].copy_from_slice(&text.as_bytes()[..len]);
    to[len] = 0;
}

/// # Safety
///
/// There are so many, or it is NULL.
unsafe fn read<'a, T>(from: *const T, len: usize) -> &'a [T] {
    match from.is_null() {
        true => &[],
        // SAFETY: the caller says so.
        false => unsafe { slice::from_raw_parts(from, len) },
    }
}

/// Room for results, which are blank before somebody writes them.
///
/// # Safety
///
/// There is room for so many, which nobody else uses, or it is NULL.
unsafe fn room<'a, T: Copy>(to: *mut T, len: usize, blank: T) -> &'a mut [T] {
    if to.is_null() {
        return &mut [];
    }
    for at in 0..len {
        // SAFETY: the caller says that there is room for it.
        unsafe { to.add(at).write(blank) };
    }
    // SAFETY: all of them have just been written.
    unsafe { slice::from_raw_parts_mut(to, len) }
}
