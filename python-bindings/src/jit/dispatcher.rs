//! Dispatchers: functions that are compiled for the types that they are called with.

use std::ptr;
use std::sync::atomic::AtomicU64;
use std::thread::ThreadId;

use opwright_jit::InferOptions;
use opwright_runtime::lock::{Lock, Turn};
use pyo3::prelude::*;

use super::backend::Wanted;
use super::bind::PythonSignature;
use super::entries::Entries;
use crate::raw::Visitor;

/// A function that is compiled when it is called.
#[pyclass(frozen, subclass, weakref, dict, name = "DispatcherBase")]
pub(super) struct Dispatcher {
    pub(super) function: Py<PyAny>,
    /// What the function is called.
    pub(super) name: String,
    pub(super) signature: PythonSignature,
    /// Whether others may run meanwhile, if that is said.
    pub(super) nogil: Option<bool>,
    /// Signatures that were declared, as the package has them.
    pub(super) declared: Option<Py<PyAny>>,
    pub(super) options: InferOptions,
    /// The back end that it asks for.
    pub(super) backend: Option<Wanted>,
    /// Calls that had to be compiled for.
    pub(super) misses: AtomicU64,
    /// What is compiled.
    pub(super) entries: Entries,
    /// Whose turn it is to compile.
    pub(super) compiling: Turn,
    /// The thread that compiles, which an overload may have call this function again.
    pub(super) compiler: Lock<Option<ThreadId>>,
}

impl Dispatcher {
    /// The function that it compiles.
    pub(super) fn function<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.function.bind(py).clone()
    }

    /// Tells the garbage collector what it keeps.
    pub(super) fn traverse(&self, visitor: &mut Visitor) {
        // SAFETY: references of the dispatcher's own, to objects that live.
        unsafe {
            visitor.see(self.function.as_ptr());
            visitor.see(self.declared.as_ref().map_or(ptr::null_mut(), Py::as_ptr));
        }
        self.signature.traverse(visitor);
        self.entries.traverse(visitor);
    }
}
