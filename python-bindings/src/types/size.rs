//! `Size`: a tuple of sizes.
//!
//! The class is written in Python. Its native base does what is asked most
//! often, one size or a slice of them, without running code of Python.

use std::ffi::{CString, c_uint, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use opwright_runtime::Tensor;
use pyo3::ffi::{self, PyObject, PyType_Slot, PyType_Spec};
use pyo3::prelude::*;
use pyo3::types::{PyModule, PyTuple, PyType};

use crate::args::{Ints, exact_int};
use crate::classes;
use crate::failure::{Failure, throw};
use crate::wrap::Wrap;

/// Sizes on their way to Python, where they are a `Size`.
pub struct Size(pub Ints);

/// Whether a tuple whose memory was asked for and filled is one in all respects: newer
/// interpreters keep a hash in it, which only their own constructor prepares.
static IS_FILLED: AtomicBool = AtomicBool::new(false);

impl Size {
    /// The shape of a tensor.
    pub fn of(tensor: &Tensor) -> Size {
        Size(Ints::from_slice(tensor.shape()))
    }
}

impl Wrap for Size {
    fn wrap(self, py: Python<'_>) -> Result<*mut PyObject, Failure> {
        if IS_FILLED.load(Ordering::Relaxed) {
            return Ok(filled(py, &self.0)?.into_ptr());
        }
        Ok(constructed(&PyTuple::new(py, self.0)?)?.into_ptr())
    }
}

/// Adds the native base of the class.
pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let mut slots = [
        PyType_Slot { slot: ffi::Py_mp_subscript, pfunc: subscript as *mut c_void },
        PyType_Slot { slot: 0, pfunc: ptr::null_mut() },
    ];
    let name = CString::new(format!("{}._SizeBase", module.name()?))?;
    let mut spec = PyType_Spec {
        // Older interpreters keep the pointer.
        name: Box::leak(name.into_boxed_c_str()).as_ptr(),
        // As large as a tuple.
        basicsize: 0,
        itemsize: 0,
        flags: (ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE) as c_uint,
        slots: slots.as_mut_ptr(),
    };
    let tuple = py.get_type::<PyTuple>();
    // SAFETY: the slot is a function of the type that the interpreter expects,
    // an empty one ends the slots, and the name is never freed.
    let class = unsafe {
        let class = ffi::PyType_FromSpecWithBases(&raw mut spec, tuple.as_ptr());
        Bound::from_owned_ptr_or_err(py, class)?
    };
    module.add("_SizeBase", class)
}

/// Says which class, derived from `tuple`, the package uses for sizes.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn set_class(class: &Bound<'_, PyType>) -> PyResult<()> {
    classes::SIZE.set(class);
    let sizes = [2, 3];
    let is_filled =
        filled(class.py(), &sizes)?.hash()? == PyTuple::new(class.py(), sizes)?.hash()?;
    IS_FILLED.store(is_filled, Ordering::Relaxed);
    Ok(())
}

/// What `Size(sizes)` would be, without running the class's own code: the
/// sizes are known to be integers.
fn constructed<'py>(sizes: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
    let py = sizes.py();
    let arguments = PyTuple::new(py, [sizes])?;
    // SAFETY: the slot of a static type, of that type; the class is derived
    // from it; the arguments are those of `tuple.__new__`.
    unsafe {
        let new = ffi::PyType_GetSlot(&raw mut ffi::PyTuple_Type, ffi::Py_tp_new);
        let new: ffi::newfunc = std::mem::transmute(new);
        let size = new(classes::SIZE.get(), arguments.as_ptr(), ptr::null_mut());
        Bound::from_owned_ptr_or_err(py, size)
    }
}

/// The same without a second tuple, which takes a third of the time.
fn filled<'py>(py: Python<'py>, sizes: &[i64]) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the class is derived from `tuple`, so its instances have room for as many items as
    // are asked for, all null; nobody else has the new one while its items are set, which takes
    // over the reference to each.
    unsafe {
        let size = ffi::PyType_GenericAlloc(classes::SIZE.get(), sizes.len() as isize);
        let size = Bound::from_owned_ptr_or_err(py, size)?;
        for (index, &item) in sizes.iter().enumerate() {
            let item = ffi::PyLong_FromLongLong(item);
            if item.is_null() || ffi::PyTuple_SetItem(size.as_ptr(), index as isize, item) < 0 {
                return Err(PyErr::fetch(py));
            }
        }
        Ok(size)
    }
}

/// `size[key]`: a slice of sizes is a `Size`, too.
unsafe extern "C" fn subscript(object: *mut PyObject, key: *mut PyObject) -> *mut PyObject {
    // SAFETY: called by the interpreter for an instance of the class, which is a tuple; the slot
    // of a static type is of that type.
    unsafe {
        if let Some(item) = item(object, key) {
            return item;
        }
        let of_tuple = ffi::PyType_GetSlot(&raw mut ffi::PyTuple_Type, ffi::Py_mp_subscript);
        let of_tuple: ffi::binaryfunc = std::mem::transmute(of_tuple);
        let part = of_tuple(object, key);
        if part.is_null() || ffi::Py_TYPE(key) != &raw mut ffi::PySlice_Type {
            return part;
        }
        let py = Python::assume_attached();
        let part = Bound::from_owned_ptr(py, part).cast_into_unchecked::<PyTuple>();
        constructed(&part).map_or_else(
            |error| {
                throw(|_| error);
                ptr::null_mut()
            },
            Bound::into_ptr,
        )
    }
}

/// One size, a new reference, for a plain integer within the bounds.
///
/// # Safety
///
/// `object` is a valid tuple, `key` a valid object, and the GIL is held.
#[inline]
unsafe fn item(object: *mut PyObject, key: *mut PyObject) -> Option<*mut PyObject> {
    // SAFETY: by the caller's promise a tuple, whose item is borrowed while nothing else runs.
    unsafe {
        let py = Python::assume_attached();
        let index = exact_int(&Bound::from_borrowed_ptr(py, key))? as isize;
        let count = ffi::PyTuple_Size(object);
        let index = if index < 0 { index + count } else { index };
        if index < 0 || index >= count {
            return None;
        }
        let item = ffi::PyTuple_GetItem(object, index);
        ffi::Py_INCREF(item);
        Some(item)
    }
}
