//! `Size`: a tuple of sizes.

use std::ptr;

use opwright_runtime::Tensor;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::args::Ints;
use crate::classes;
use crate::failure::Failure;
use crate::wrap::Wrap;

/// Sizes on their way to Python, where they are a `Size`.
pub struct Size(pub Ints);

impl Size {
    /// The shape of a tensor.
    pub fn of(tensor: &Tensor) -> Size {
        Size(Ints::from_slice(tensor.shape()))
    }
}

impl Wrap for Size {
    /// What `Size(sizes)` would be, without running the class's own code: the
    /// sizes are known to be integers.
    fn wrap(self, py: Python<'_>) -> Result<*mut PyObject, Failure> {
        let sizes = PyTuple::new(py, self.0)?;
        let arguments = PyTuple::new(py, [sizes])?;
        // SAFETY: the slot of a static type, of that type; the class is derived
        // from it; the arguments are those of `tuple.__new__`.
        unsafe {
            let new = ffi::PyType_GetSlot(&raw mut ffi::PyTuple_Type, ffi::Py_tp_new);
            let new: ffi::newfunc = std::mem::transmute(new);
            let size = new(classes::SIZE.get(), arguments.as_ptr(), ptr::null_mut());
            Ok(Bound::from_owned_ptr_or_err(py, size)?.into_ptr())
        }
    }
}
