//! Method tables (`PyMethodDef`) and type slots: their entries, and a table that an empty entry ends.

use std::ffi::{CStr, c_int, c_void};

use pyo3::ffi::{
    METH_FASTCALL, METH_KEYWORDS, METH_NOARGS, METH_O, PyCFunction, PyCFunctionFastWithKeywords,
    PyMethodDef, PyMethodDefPointer,
};
use pyo3::prelude::*;
use pyo3::types::PyModule;

use super::types::{function, method_entries};

/// A function that takes arguments.
pub const fn with_arguments(
    name: &'static CStr,
    function: PyCFunctionFastWithKeywords,
    doc: &'static CStr,
) -> PyMethodDef {
    PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: PyMethodDefPointer { PyCFunctionFastWithKeywords: function },
        ml_flags: METH_FASTCALL | METH_KEYWORDS,
        ml_doc: doc.as_ptr(),
    }
}

/// A function that takes none.
pub const fn alone(name: &'static CStr, function: PyCFunction, doc: &'static CStr) -> PyMethodDef {
    PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: PyMethodDefPointer { PyCFunction: function },
        ml_flags: METH_NOARGS,
        ml_doc: doc.as_ptr(),
    }
}

/// A function that takes one, by position.
pub(crate) const fn with_one(
    name: &'static CStr,
    function: PyCFunction,
    doc: &'static CStr,
) -> PyMethodDef {
    PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: PyMethodDefPointer { PyCFunction: function },
        ml_flags: METH_O,
        ml_doc: doc.as_ptr(),
    }
}

/// A table of functions or methods, ended by an empty entry.
#[repr(transparent)]
pub struct Methods<const N: usize>(pub [PyMethodDef; N]);

// SAFETY: the tables are constant, and the interpreter only reads them.
unsafe impl<const N: usize> Sync for Methods<N> {}

impl<const N: usize> Methods<N> {
    /// The entry that ends a table.
    pub const END: PyMethodDef = PyMethodDef::zeroed();

    /// The first entry, as the interpreter takes it.
    ///
    /// # Panics
    ///
    /// If no empty entry ends the table.
    pub const fn first(&'static self) -> MethodTable {
        assert!(self.0[N - 1].ml_name.is_null(), "an empty entry ends a table");
        MethodTable(&raw const self.0 as *mut PyMethodDef)
    }
}

/// The first entry of a table that is ended by an empty entry.
#[derive(Clone, Copy)]
pub struct MethodTable(pub(crate) *mut PyMethodDef);

impl MethodTable {
    /// The entries with their names, without the empty one.
    pub(crate) fn entries(
        &self,
    ) -> impl Iterator<Item = (&'static CStr, &'static PyMethodDef)> + use<> {
        // SAFETY: what `Methods::first` points to is static and, as it looked, ended by an empty
        // entry; tables that are put together at run time are leaked with one at their end.
        unsafe { method_entries(self.0) }
    }

    /// Adds functions that are not bound to the module, as static methods are not to their class:
    /// their `__self__` is `None`.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub(crate) fn add_to(&self, module: &Bound<'_, PyModule>) -> PyResult<()> {
        let home = module.name()?;
        for (name, entry) in self.entries() {
            // SAFETY: `alone` and `with_arguments` make entries, with the flags of their functions,
            // which cope with the receiver of a function of a module: none.
            let function = unsafe { function(&home, entry)? };
            module.setattr(&*name.to_string_lossy(), function)?;
        }
        Ok(())
    }
}

// SAFETY: it points to a table that nobody writes to any more.
unsafe impl Sync for MethodTable {}
// SAFETY: the table is as good in any thread, since it is never freed.
unsafe impl Send for MethodTable {}

/// A slot of the tensor class: an operator of the language.
#[derive(Clone, Copy)]
pub struct Slot {
    /// `Py_nb_add` and so on.
    pub id: c_int,
    /// A function of the slot's type.
    pub function: *const c_void,
}

// SAFETY: the address of a function or of a static table, which nobody writes to.
unsafe impl Sync for Slot {}
