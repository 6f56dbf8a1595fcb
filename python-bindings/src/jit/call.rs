//! Calls of dispatchers: arguments are bound, an entry for their types is found, and it runs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::Ordering;

use opwright_jit::types::Ty;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smallvec::SmallVec;

use super::arrays::Arguments;
use super::dispatcher::Dispatcher;
use super::entries::{EntryReadGuard, find};
use super::entry::Entry;
use super::execute::Words;
use super::registrations::generation;
use super::{errors, typeof_};
use crate::call::hooks;
use crate::object::failure::throw;
use crate::object::trampoline::unwound;
use crate::raw::{self, Lent, Names, New, Plain as Raw, entry};

/// How many entries are compared with arguments before these are asked for their types.
const COMPARED: usize = 8;

entry! {
    /// Calls a dispatcher with arguments as the interpreter passes them.
    pub(super) fn called(
        py,
        dispatcher: Lent<Dispatcher>,
        args: Raw<*const *mut PyObject>,
        count: Raw<usize>,
        names: Raw<*mut PyObject>
    ) -> New {
        // SAFETY: the bit that says that the place before the arguments may be used is no part of
        // their number; the interpreter keeps what it passes until the call returns.
        let (count, (args, names)) = unsafe {
            let count = count & !(1 << (usize::BITS - 1));
            (count, raw::arguments(py, args, count as ffi::Py_ssize_t, names))
        };
        let call = || Dispatcher::call(&dispatcher, &args[..count], &args[count..], names);
        let called = catch_unwind(AssertUnwindSafe(call));
        match called.unwrap_or_else(|payload| Err(unwound("a compiled function", payload))) {
            Ok(result) => Some(result),
            Err(error) => match of_layer(&dispatcher, &args[..count], &args[count..], names, error) {
                Ok(result) => Some(result),
                Err(error) => {
                    throw(|_| error);
                    None
                }
            },
        }
    }
}

/// The result of a call that was refused, if a layer above has its objects among the arguments; else
/// why it was.
#[cold]
pub(super) fn of_layer<'py>(
    dispatcher: &Bound<'py, Dispatcher>,
    positional: &[Bound<'py, PyAny>],
    keywords: &[Bound<'py, PyAny>],
    names: Names<'_, 'py>,
    refused: PyErr,
) -> PyResult<Bound<'py, PyAny>> {
    let py = dispatcher.py();
    if !refused.is_instance_of::<PyTypeError>(py) {
        return Err(refused);
    }
    let given = PyDict::new(py);
    for (at, value) in keywords.iter().enumerate() {
        given.set_item(names.text(at), value)?;
    }
    let args = PyTuple::new(py, positional)?;
    hooks::compiled(dispatcher.as_any(), &args, &given).unwrap_or(Err(refused))
}

impl Dispatcher {
    /// Calls it.
    ///
    /// # Errors
    ///
    /// What the function raises, and why it is not called.
    pub(super) fn call<'py>(
        slf: &Bound<'py, Dispatcher>,
        positional: &[Bound<'py, PyAny>],
        keywords: &[Bound<'py, PyAny>],
        names: Names<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let own = slf.get();
        if keywords.is_empty() && own.signature.is_complete(positional.len()) {
            return Dispatcher::run(slf, positional);
        }
        let function = own.function.bind(slf.py());
        let bound = own.signature.bind(function, positional, keywords, names)?;
        Dispatcher::run(slf, &bound)
    }

    /// Runs what is compiled for the types of arguments: mostly what was called last, else one of
    /// the newest, else what there is for the types when they are asked for.
    fn run<'py>(
        slf: &Bound<'py, Dispatcher>,
        args: &[Bound<'py, PyAny>],
    ) -> PyResult<Bound<'py, PyAny>> {
        let own = slf.get();
        let entries = own.entries.read(slf.py());
        let mut words = Words::new();
        let mut arguments = Arguments::default();
        let now = generation();
        let last = entries.last();
        if let Some(entry) = last
            && entry.generation == now
            && entry.read(args, &mut words, &mut arguments)?
        {
            return entry.run(slf, args, &mut words, &arguments);
        }
        let newest = entries.list().iter().take(COMPARED).filter(|it| it.generation == now);
        for entry in newest.filter(|it| !last.is_some_and(|last| ptr::eq(&raw const ***it, last))) {
            if entry.read(args, &mut words, &mut arguments)? {
                entries.remember(entry);
                return entry.run(slf, args, &mut words, &arguments);
            }
        }
        let entry = own.typed(&entries, slf.py(), args)?;
        entry.unbox(args, &mut words, &mut arguments)?;
        entry.run(slf, args, &mut words, &arguments)
    }

    /// What is compiled for the types of arguments, which are asked for.
    #[cold]
    fn typed<'r>(
        &self,
        entries: &'r EntryReadGuard<'_>,
        py: Python<'_>,
        args: &[Bound<'_, PyAny>],
    ) -> PyResult<&'r Entry> {
        let mut tys = SmallVec::<[Ty; 8]>::new();
        for (at, arg) in args.iter().enumerate() {
            let ty = typeof_::typeof_(arg)?.ok_or_else(|| untyped(py, at, arg))?;
            tys.push(ty);
        }
        let entry = match find(entries, &tys) {
            Some(found) => found,
            None => {
                self.misses.fetch_add(1, Ordering::Relaxed);
                self.new_entry(entries, py, &tys)?
            }
        };
        entries.remember(entry);
        Ok(entry)
    }
}

#[cold]
fn untyped(py: Python<'_>, at: usize, arg: &Bound<'_, PyAny>) -> PyErr {
    let class = crate::object::type_name(arg);
    errors::typing_error(
        py,
        &format!(
            "cannot type argument {at} (an object of class {class}): register it with typeof_impl or \
             typeof_hook"
        ),
    )
}
