//! Arrays of numpy, read where they lie.
//!
//! An array's address, extents and strides are fields of its object, whose order is part of numpy's
//! binary interface: extension modules that were compiled for it read them there. So no buffer has
//! to be asked for, which would take longer than most calls.

use std::ffi::c_int;

use opwright_jit::memory;
use opwright_jit::types::{Array, Kind, Layout, Ty};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::raw;

/// The fields of an array that are read.
#[repr(C)]
struct Fields {
    head: PyObject,
    data: *mut u8,
    ndim: c_int,
    shape: *const isize,
    strides: *const isize,
    base: *mut PyObject,
    dtype: *mut PyObject,
    flags: c_int,
}

const C_CONTIGUOUS: c_int = 0x1;
const F_CONTIGUOUS: c_int = 0x2;
const ALIGNED: c_int = 0x100;
const WRITEABLE: c_int = 0x400;

/// What is known of numpy once it is imported.
struct Numpy {
    array: Py<PyType>,
    memmap: Option<Py<PyType>>,
    /// The objects of dtypes, which numpy keeps for ever.
    dtypes: Vec<(usize, Ty)>,
}

static NUMPY: PyOnceLock<Numpy> = PyOnceLock::new();

fn numpy(py: Python<'_>) -> PyResult<Option<&Numpy>> {
    if let Some(known) = NUMPY.get(py) {
        return Ok(Some(known));
    }
    let Some(module) = raw::imported(py, c"numpy") else { return Ok(None) };
    let mut dtypes = Vec::new();
    for name in memory::dtype_names() {
        let dtype = module.getattr("dtype")?.call1((name,))?;
        if let Some(ty) = Ty::of_name(name) {
            dtypes.push((dtype.as_ptr().addr(), ty));
        }
    }
    let class = |name: &str| module.getattr(name)?.cast_into::<PyType>().map_err(PyErr::from);
    let known = Numpy {
        array: class("ndarray")?.unbind(),
        memmap: class("memmap").ok().map(Bound::unbind),
        dtypes,
    };
    Ok(Some(NUMPY.get_or_init(py, || known)))
}

/// An array as a program sees it.
pub(super) struct View {
    /// Its type.
    pub(super) ty: Ty,
    /// Its address, then its extents, then its strides in bytes.
    pub(super) words: smallvec::SmallVec<[u64; 8]>,
}

/// An object as an array of numpy, if it is one; the error says why its elements are not compiled.
pub(super) fn view(object: &Bound<'_, PyAny>) -> PyResult<Option<View>> {
    let Some(numpy) = numpy(object.py())? else { return Ok(None) };
    let class = object.get_type_ptr().cast::<PyObject>();
    let is_array = class == numpy.array.as_ptr()
        || numpy.memmap.as_ref().is_some_and(|it| it.as_ptr() == class);
    if !is_array {
        return Ok(None);
    }
    // SAFETY: an object of the class itself, or of one that adds fields behind: it begins with these,
    // as all code that was compiled for numpy assumes; the GIL keeps them as they are.
    let fields = unsafe { &*object.as_ptr().cast::<Fields>() };
    let known = numpy.dtypes.iter().find(|(address, _)| *address == fields.dtype.addr());
    let dtype = match known {
        Some((_, ty)) => *ty,
        None => match other_dtype(object)? {
            Some(ty) => ty,
            None => return Ok(None),
        },
    };
    if fields.flags & ALIGNED == 0 {
        return Ok(None);
    }
    let ndim = usize::try_from(fields.ndim).unwrap_or(0);
    let layout = if fields.flags & C_CONTIGUOUS != 0 {
        Layout::C
    } else if fields.flags & F_CONTIGUOUS != 0 {
        Layout::F
    } else {
        Layout::Any
    };
    let is_readonly = fields.flags & WRITEABLE == 0;
    let ty = Ty::new(Kind::Array(Array { dtype, ndim, layout, is_readonly }));
    let mut words = smallvec::SmallVec::new();
    words.push(fields.data.expose_provenance() as u64);
    for list in [fields.shape, fields.strides] {
        // SAFETY: an array has as many extents and strides as dimensions.
        words.extend((0..ndim).map(|at| unsafe { list.add(at).read() } as u64));
    }
    Ok(Some(View { ty, words }))
}

/// The type of elements of a dtype that is equal to one of numpy's own, but another object.
#[cold]
fn other_dtype(object: &Bound<'_, PyAny>) -> PyResult<Option<Ty>> {
    let dtype = object.getattr("dtype")?;
    if !dtype.getattr("isnative")?.is_truthy()? {
        return Ok(None);
    }
    let name: String = dtype.getattr("name")?.extract()?;
    let module = object.py().import("numpy")?;
    let Some(ty) = Ty::of_name(&name) else { return Ok(None) };
    let own = module.getattr("dtype")?.call1((name,))?;
    Ok(if own.eq(dtype)? { Some(ty) } else { None })
}
