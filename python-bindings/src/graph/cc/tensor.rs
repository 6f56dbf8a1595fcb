//! Tensors as blocks see them.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::slice;

use opwright_graph::cc::{CTensor, HostTable};
use opwright_runtime::{DType, Device, Tensor};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;

use crate::object;
use crate::object::failure::exception;

/// What blocks are given.
pub(super) static HOST: HostTable = HostTable { tensor, empty };

/// How many dimensions `CTensor` has room for.
const MOST_DIMENSIONS: usize = 64;

unsafe extern "C" fn tensor(
    given: *mut c_void,
    dtype: *const c_char,
    ndim: c_int,
    extents: *const i64,
    out: *mut CTensor,
) -> c_int {
    Python::attach(|py| {
        // SAFETY: a block passes an object that it borrows, the name of a dtype, so many extents
        // and a structure to write to.
        let (given, name, extents, out) = unsafe {
            let given = Bound::from_borrowed_ptr(py, given.cast::<PyObject>());
            let extents = slice::from_raw_parts(extents, ndim as usize);
            (given, CStr::from_ptr(dtype), extents, &mut *out)
        };
        told(py, read(&given, name, extents, out))
    })
}

unsafe extern "C" fn empty(
    dtype: *const c_char,
    ndim: c_int,
    shape: *const i64,
    out: *mut CTensor,
) -> c_int {
    Python::attach(|py| {
        let Ok(ndim) = usize::try_from(ndim) else {
            return told(py, Err(PyValueError::new_err("a tensor has no negative rank")));
        };
        // SAFETY: a block passes so many extents, if any, the name of a dtype, and a structure to
        // write to.
        let (shape, name, out) = unsafe {
            let shape = if ndim == 0 { &[] } else { slice::from_raw_parts(shape, ndim) };
            (shape, CStr::from_ptr(dtype), &mut *out)
        };
        let mut made = || {
            let of = name.to_str().ok().and_then(DType::from_name);
            let of = of.ok_or_else(|| PyTypeError::new_err(format!("{name:?} is no dtype")))?;
            let tensor = Tensor::zeroed(shape, of, Device::Cpu).map_err(|it| exception(&it))?;
            let object = object::wrap(py, tensor.clone())?;
            fill(&tensor, &object, name, out)
        };
        told(py, made())
    })
}

fn told(py: Python<'_>, done: PyResult<()>) -> c_int {
    match done {
        Ok(()) => 0,
        Err(error) => {
            error.restore(py);
            -1
        }
    }
}

fn read(given: &Bound<'_, PyAny>, name: &CStr, extents: &[i64], out: &mut CTensor) -> PyResult<()> {
    let Some(tensor) = object::tensor_of(given) else {
        let class = given.get_type().name()?;
        return Err(PyTypeError::new_err(format!("expected a tensor, not {class}")));
    };
    let shape = tensor.shape();
    let fits = shape.len() == extents.len()
        && shape.iter().zip(extents).all(|(it, known)| *known < 0 || it == known);
    if tensor.dtype().name().as_bytes() != name.to_bytes() || !fits {
        return Err(PyTypeError::new_err(format!(
            "expected a tensor of {}, with the shape {extents:?} where -1 is any extent; this one \
             is of {}, with the shape {shape:?}",
            name.to_string_lossy(),
            tensor.dtype().name(),
        )));
    }
    fill(tensor, given, name, out)
}

fn fill(
    tensor: &Tensor,
    object: &Bound<'_, PyAny>,
    name: &CStr,
    out: &mut CTensor,
) -> PyResult<()> {
    let shape = tensor.shape();
    if shape.len() > MOST_DIMENSIONS {
        return Err(PyValueError::new_err("blocks of C take at most 64 dimensions"));
    }
    if tensor.data_ptr().is_null() && tensor.numel() > 0 {
        return Err(PyTypeError::new_err("a tensor on the meta device has no elements"));
    }
    let size = tensor.dtype().size() as i64;
    out.data = tensor.data_ptr().cast();
    out.dtype = name.as_ptr();
    out.ndim = shape.len() as c_int;
    out.shape[..shape.len()].copy_from_slice(shape);
    for (at, stride) in tensor.strides().iter().enumerate() {
        out.strides[at] = stride * size;
    }
    out.owner = object.clone().into_ptr().cast();
    Ok(())
}
