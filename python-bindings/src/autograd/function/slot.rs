//! Attributes of an object that hold objects.

use opwright_runtime::lock::{Guard, Lock};
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, Python};

/// An object, or none yet. It is locked for moments only, in which no code of Python runs.
#[derive(Default)]
pub(super) struct ObjectSlot(Lock<Option<Py<PyAny>>>);

impl ObjectSlot {
    fn lock(&self) -> Guard<'_, Option<Py<PyAny>>> {
        self.0.lock()
    }

    pub(super) fn get<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.lock().as_ref().map(|it| it.bind(py).clone())
    }

    pub(super) fn set(&self, value: Option<Bound<'_, PyAny>>) {
        let before = std::mem::replace(&mut *self.lock(), value.map(Bound::unbind));
        // Outside of the lock, as it may run code of Python.
        drop(before);
    }

    pub(super) fn take<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        let taken = self.lock().take();
        taken.map(|it| it.into_bound(py))
    }

    pub(super) fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.0.try_lock() {
            Some(object) => visit.call(&*object),
            None => Ok(()),
        }
    }
}
