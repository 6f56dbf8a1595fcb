//! The Python classes that the argument parser knows by address.
//!
//! Each is set once, while the module is being imported, and lives as long as
//! the process.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::ffi::{PyObject, PyTypeObject};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// A class that is known by address.
pub struct Class(AtomicPtr<PyTypeObject>);

impl Class {
    const fn new() -> Class {
        Class(AtomicPtr::new(ptr::null_mut()))
    }

    /// The class; null before the module is imported.
    #[inline(always)]
    pub fn get(&self) -> *mut PyTypeObject {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether `object` is an instance of exactly this class.
    ///
    /// # Safety
    ///
    /// `object` is a valid object.
    #[inline(always)]
    pub unsafe fn is_exact(&self, object: *mut PyObject) -> bool {
        // SAFETY: the caller's promise.
        unsafe { pyo3::ffi::Py_TYPE(object) == self.get() }
    }

    /// Remembers `class` for the rest of the process.
    pub fn set(&self, class: &Bound<'_, PyType>) {
        self.0.store(class.clone().unbind().into_ptr().cast(), Ordering::Release);
    }

    /// The class as an object.
    pub fn bind<'py>(&self, py: Python<'py>) -> Bound<'py, PyType> {
        // SAFETY: classes are set before any code that asks for them runs, and never freed.
        unsafe { Bound::from_borrowed_ptr(py, self.get().cast()).cast_into_unchecked() }
    }
}

/// The native base class of tensors.
pub static TENSOR_BASE: Class = Class::new();
/// The class of the tensors that operators return.
pub static TENSOR: Class = Class::new();
/// `Size`.
pub static SIZE: Class = Class::new();
/// `dtype`.
pub static DTYPE: Class = Class::new();
/// `device`.
pub static DEVICE: Class = Class::new();
/// `layout`.
pub static LAYOUT: Class = Class::new();
/// `memory_format`.
pub static MEMORY_FORMAT: Class = Class::new();
/// `Generator`.
pub static GENERATOR: Class = Class::new();
/// `Storage`.
pub static STORAGE: Class = Class::new();
