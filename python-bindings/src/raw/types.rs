//! Classes: known by address, and made from slots.

use std::ffi::{CStr, CString, c_int, c_uint, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::ffi::{self, PyMethodDef, PyType_Slot, PyType_Spec, PyTypeObject};
use pyo3::prelude::*;
use pyo3::type_object::{PyTypeCheck, PyTypeInfo};
use pyo3::types::{PyModule, PyString, PyType};

/// A class that is known by address once it is set, and lives as long as the process.
pub struct Class(AtomicPtr<PyTypeObject>);

impl Class {
    /// No class yet.
    pub(crate) const fn new() -> Class {
        Class(AtomicPtr::new(ptr::null_mut()))
    }

    /// The class; null before it is set.
    #[inline(always)]
    pub fn get(&self) -> *mut PyTypeObject {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether the class is set, and with it everything that was done before.
    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        !self.0.load(Ordering::Acquire).is_null()
    }

    /// Whether `object` is an instance of exactly this class.
    #[inline(always)]
    pub fn is_exact(&self, object: &Bound<'_, PyAny>) -> bool {
        object.get_type_ptr() == self.get()
    }

    /// Whether `object` is an instance of this class or of one derived from it.
    #[inline]
    pub(crate) fn is_class_of(&self, object: &Bound<'_, PyAny>) -> bool {
        // SAFETY: an object's class is valid as long as the object. This class is valid, or null,
        // which is no class's base: addresses are compared.
        unsafe { ffi::PyType_IsSubtype(object.get_type_ptr(), self.get()) != 0 }
    }

    /// Whether `class` is this class or derived from it.
    pub(crate) fn is_base_of(&self, class: &Bound<'_, PyType>) -> bool {
        // SAFETY: `class` is a class; this one is valid or null, as above.
        unsafe { ffi::PyType_IsSubtype(class.as_type_ptr(), self.get()) != 0 }
    }

    /// Remembers `class` for the rest of the process.
    pub fn set(&self, class: &Bound<'_, PyType>) {
        self.0.store(class.clone().unbind().into_ptr().cast(), Ordering::Release);
    }

    /// The class as an object.
    ///
    /// # Panics
    ///
    /// Before it is set.
    pub fn bind<'py>(&self, py: Python<'py>) -> Bound<'py, PyType> {
        // SAFETY: `set` stored a class with a reference that is never given back; of a null
        // pointer PyO3 makes a panic.
        unsafe { Bound::from_borrowed_ptr(py, self.get().cast()).cast_into_unchecked() }
    }
}

/// `object` as an instance of exactly the class `T`. Unlike PyO3's `cast_exact`, it makes no
/// error of others, which would count a reference to the class.
#[inline(always)]
pub(crate) fn exact<'a, 'py, T: PyTypeInfo>(
    object: &'a Bound<'py, PyAny>,
) -> Option<&'a Bound<'py, T>> {
    // SAFETY: the class of the object was just compared.
    object.is_exact_instance_of::<T>().then(|| unsafe { object.cast_unchecked() })
}

/// `object` as an instance of the class `T` or of one derived from it, as [`exact`] does it.
#[inline(always)]
pub(crate) fn instance<'a, 'py, T: PyTypeCheck>(
    object: &'a Bound<'py, PyAny>,
) -> Option<&'a Bound<'py, T>> {
    // SAFETY: it was just found to be an instance.
    T::type_check(object).then(|| unsafe { object.cast_unchecked() })
}

/// Whether a class was made at run time, and not by the interpreter or in C.
pub(crate) fn is_heap(class: &Bound<'_, PyType>) -> bool {
    flags(class) & ffi::Py_TPFLAGS_HEAPTYPE != 0
}

pub(super) fn flags(class: &Bound<'_, PyType>) -> std::ffi::c_ulong {
    // SAFETY: a class, as its type says.
    unsafe { ffi::PyType_GetFlags(class.as_type_ptr()) }
}

/// What a class is made of.
pub(crate) struct Spec {
    /// The module and the class: `opwright._C.TensorBase`.
    pub(crate) name: CString,
    /// How many bytes an instance has; as many as one of the base if 0.
    pub(crate) size: usize,
    /// `Py_TPFLAGS_BASETYPE` and the like, beside the usual ones.
    pub(crate) flags: std::ffi::c_ulong,
    /// What the class does, without an end.
    pub(crate) slots: Vec<PyType_Slot>,
}

impl Spec {
    /// A slot: a function, or the first entry of a table.
    pub(crate) fn slot(id: c_int, content: *const c_void) -> PyType_Slot {
        PyType_Slot { slot: id, pfunc: content.cast_mut() }
    }

    /// Makes the class.
    ///
    /// # Errors
    ///
    /// Whatever the interpreter raises.
    ///
    /// # Safety
    ///
    /// What stands in each slot is what the interpreter expects of its id, is never freed, and
    /// copes with every instance of the class, which has `size` bytes.
    pub(crate) unsafe fn make<'py>(
        mut self,
        py: Python<'py>,
        module: Option<&Bound<'py, PyModule>>,
        base: Option<&Bound<'py, PyType>>,
    ) -> PyResult<Bound<'py, PyType>> {
        self.slots.push(Spec::slot(0, ptr::null()));
        let mut spec = PyType_Spec {
            // Older interpreters keep the pointer.
            name: Box::leak(self.name.into_boxed_c_str()).as_ptr(),
            basicsize: self.size as c_int,
            itemsize: 0,
            flags: (ffi::Py_TPFLAGS_DEFAULT | self.flags) as c_uint,
            slots: self.slots.as_mut_ptr(),
        };
        let module = module.map_or(ptr::null_mut(), Bound::as_ptr);
        let base = base.map_or(ptr::null_mut(), Bound::as_ptr);
        // SAFETY: the caller vouches for the slots, which an empty one ends; the module and the
        // base are objects or null; what is returned is a new class, or null with an exception.
        unsafe {
            let class = ffi::PyType_FromModuleAndSpec(module, &raw mut spec, base);
            Ok(Bound::from_owned_ptr_or_err(py, class)?.cast_into_unchecked())
        }
    }
}

/// The entries of a table of functions, with their names, up to the empty one that ends it.
///
/// # Safety
///
/// The table is ended by an entry without a name, and is never freed, nor are the names in it.
pub(crate) unsafe fn method_entries(
    table: *mut PyMethodDef,
) -> impl Iterator<Item = (&'static CStr, &'static PyMethodDef)> {
    (0..).map_while(move |at| {
        // SAFETY: all entries before this one have a name, so this is one of the table, which the
        // caller says is never freed; so are names, which end with a null byte.
        unsafe {
            let entry = &*table.add(at);
            (!entry.ml_name.is_null()).then(|| (CStr::from_ptr(entry.ml_name), entry))
        }
    })
}

/// A function of a module, bound to nothing: its `__self__` is `None`.
///
/// # Errors
///
/// `MemoryError`.
///
/// # Safety
///
/// The function of the entry is what its flags say, its name and its documentation end with a null
/// byte and are never freed, and it copes with a null receiver.
pub(crate) unsafe fn function<'py>(
    module: &Bound<'py, PyString>,
    entry: &'static PyMethodDef,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the caller vouches for the entry, which the interpreter only reads.
    unsafe {
        let entry = ptr::from_ref(entry).cast_mut();
        let function = ffi::PyCFunction_NewEx(entry, ptr::null_mut(), module.as_ptr());
        Bound::from_owned_ptr_or_err(module.py(), function)
    }
}
