//! Instances of classes that are made from slots.

use std::ffi::{CString, c_ulong, c_void};
use std::marker::PhantomData;
use std::mem::{self, ManuallyDrop};

use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject, PyType_Slot, PyTypeObject};
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::types::Spec;

/// An instance that holds a value behind what the interpreter keeps of every object.
#[repr(C)]
pub(crate) struct Instance<T> {
    base: PyObject,
    value: ManuallyDrop<T>,
}

/// A class whose instances hold a `T`.
pub(crate) struct ClassOf<T>(Py<PyType>, PhantomData<fn() -> T>);

impl<T: InstanceValue> ClassOf<T> {
    /// Makes the class.
    ///
    /// # Errors
    ///
    /// Whatever the interpreter raises.
    ///
    /// # Safety
    ///
    /// What stands in each slot is what the interpreter expects of its id, is never freed, and copes
    /// with instances that hold a `T`; if one makes instances, these methods do it.
    pub(crate) unsafe fn new(
        py: Python<'_>,
        name: CString,
        flags: c_ulong,
        mut slots: Vec<PyType_Slot>,
    ) -> PyResult<ClassOf<T>> {
        slots.push(Spec::slot(ffi::Py_tp_dealloc, Instance::<T>::dealloc as *const c_void));
        let spec = Spec { name, size: Instance::<T>::SIZE, flags, slots };
        // SAFETY: the caller vouches for its slots, and this one frees instances of that size.
        Ok(ClassOf(unsafe { spec.make(py, None, None)? }.unbind(), PhantomData))
    }

    /// The class itself.
    pub(crate) fn class<'py>(&self, py: Python<'py>) -> &Bound<'py, PyType> {
        self.0.bind(py)
    }

    /// A new instance.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub(crate) fn instance<'py>(
        &self,
        py: Python<'py>,
        value: T,
    ) -> PyResult<Bound<'py, Instance<T>>> {
        // SAFETY: `new` made the class for this `T`.
        unsafe { Instance::new(self.class(py), value) }
    }

    /// A new instance of a class that is this one or derived from it.
    ///
    /// # Errors
    ///
    /// `TypeError` for another class, `MemoryError`.
    pub(crate) fn derived<'py>(
        &self,
        class: &Bound<'py, PyType>,
        value: T,
    ) -> PyResult<Bound<'py, Instance<T>>> {
        let own = self.class(class.py());
        if !class.is_subclass(own)? {
            return Err(PyTypeError::new_err(format!("expected a class derived from {own}")));
        }
        // SAFETY: instances of derived classes begin with one of this class, which `new` made for
        // this `T`, and are freed as that.
        unsafe { Instance::new(class, value) }
    }

    /// An object of exactly this class as its instance.
    #[inline]
    pub(crate) fn cast<'a, 'py>(
        &self,
        object: &'a Bound<'py, PyAny>,
    ) -> Option<&'a Bound<'py, Instance<T>>> {
        let is_own = object.get_type_ptr() == self.0.as_ptr().cast();
        // SAFETY: instances of exactly this class hold a `T`, as `new` says.
        is_own.then(|| unsafe { object.cast_unchecked() })
    }
}

/// A value of an instance.
pub(crate) trait InstanceValue: Sized {
    /// Gives back the references that it holds.
    fn release(self, py: Python<'_>);
}

impl<T: InstanceValue> Instance<T> {
    /// How large an instance is.
    pub(crate) const SIZE: usize = size_of::<Instance<T>>();

    /// A new instance.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    ///
    /// # Safety
    ///
    /// Instances of `class` have [`SIZE`](Instance::SIZE) bytes and are freed by
    /// [`dealloc`](Instance::dealloc), both for this `T`.
    pub(crate) unsafe fn new<'py>(
        class: &Bound<'py, PyType>,
        value: T,
    ) -> PyResult<Bound<'py, Instance<T>>> {
        // SAFETY: what is allocated has room for the value, which is not set yet.
        unsafe {
            let object = ffi::PyType_GenericAlloc(class.as_type_ptr(), 0);
            let object = Bound::from_owned_ptr_or_err(class.py(), object)?;
            let this = object.as_ptr().cast::<Instance<T>>();
            (&raw mut (*this).value).write(ManuallyDrop::new(value));
            Ok(object.cast_into_unchecked())
        }
    }

    /// The value of an instance.
    #[inline]
    pub(crate) fn value<'a>(object: Borrowed<'a, '_, Instance<T>>) -> &'a T {
        // SAFETY: the type says that it is an instance, which `new` gave a value; it is only ever
        // lent for reading, and freed when nobody has the object.
        unsafe { &(*object.as_ptr().cast::<Instance<T>>()).value }
    }

    /// Frees an instance.
    ///
    /// # Safety
    ///
    /// Called by the interpreter as the slot of the class, on an instance that nobody holds.
    pub(crate) unsafe extern "C" fn dealloc(object: *mut PyObject) {
        // SAFETY: an instance that has its value still, as it is freed once; its class is freed
        // behind it, to which each instance holds a reference.
        unsafe {
            let value = ManuallyDrop::take(&mut (*object.cast::<Instance<T>>()).value);
            value.release(Python::assume_attached());
            let class = ffi::Py_TYPE(object);
            free(object, class);
            ffi::Py_DECREF(class.cast());
        }
    }
}

/// Gives back the memory of an instance of `class`, as that says.
///
/// # Safety
///
/// Nobody uses the object any more, which was allocated for the class.
#[inline]
pub(crate) unsafe fn free(object: *mut PyObject, class: *mut PyTypeObject) {
    // SAFETY: each class has such a slot, of the type that its id says, for its instances.
    unsafe {
        let free = ffi::PyType_GetSlot(class, ffi::Py_tp_free);
        let free: ffi::freefunc = mem::transmute(free);
        free(object.cast());
    }
}
