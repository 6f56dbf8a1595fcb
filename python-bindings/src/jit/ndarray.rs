//! Arrays of numpy, read where they lie.
//!
//! An array's address, extents and strides are fields of its object, whose order is part of numpy's
//! binary interface: extension modules that were compiled for it read them there. So no buffer has
//! to be asked for, which would take longer than most calls.

use std::ffi::c_int;

use opwright_jit::memory;
use opwright_jit::types::{Array, ArrayLayout, Ty, TyKind};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use super::fields::Fields;
use crate::raw;

/// The fields of an array that are read.
#[repr(C)]
struct ArrayObject {
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
    /// The classes of their scalars, which it keeps, too.
    scalars: Vec<Option<ScalarClass>>,
}

/// A class of scalars.
struct ScalarClass {
    class: usize,
    fields: Fields,
}

static NUMPY: PyOnceLock<Numpy> = PyOnceLock::new();

fn numpy(py: Python<'_>) -> PyResult<Option<&Numpy>> {
    if let Some(known) = NUMPY.get(py) {
        return Ok(Some(known));
    }
    let Some(module) = raw::imported(py, c"numpy") else { return Ok(None) };
    let mut dtypes = Vec::new();
    let mut scalars = Vec::new();
    for name in memory::dtype_names() {
        let dtype = module.getattr("dtype")?.call1((name,))?;
        if let Some(ty) = Ty::of_name(name) {
            dtypes.push((dtype.as_ptr().addr(), ty));
            let class = dtype.getattr("type")?.as_ptr().addr();
            scalars.push(Fields::of(ty).map(|fields| ScalarClass { class, fields }));
        }
    }
    let class = |name: &str| module.getattr(name)?.cast_into::<PyType>().map_err(PyErr::from);
    let known = Numpy {
        array: class("ndarray")?.unbind(),
        memmap: class("memmap").ok().map(Bound::unbind),
        dtypes,
        scalars,
    };
    Ok(Some(NUMPY.get_or_init(py, || known)))
}

/// Arrays of a type, as they are recognized.
pub(super) struct Flags {
    /// Which of numpy's dtypes the elements have.
    dtype: usize,
    ndim: c_int,
    /// The flags that are looked at, and what they are.
    asked: c_int,
    expected: c_int,
}

impl Flags {
    /// Those of a type.
    pub(super) fn of(array: &Array) -> Option<Flags> {
        let layout = match array.layout {
            ArrayLayout::C => (C_CONTIGUOUS, C_CONTIGUOUS),
            ArrayLayout::F => (C_CONTIGUOUS | F_CONTIGUOUS, F_CONTIGUOUS),
            ArrayLayout::Any => (C_CONTIGUOUS | F_CONTIGUOUS, 0),
        };
        Some(Flags {
            dtype: position(array.dtype)?,
            ndim: c_int::try_from(array.ndim).ok()?,
            asked: layout.0 | ALIGNED | WRITEABLE,
            expected: layout.1 | ALIGNED | if array.is_readonly { 0 } else { WRITEABLE },
        })
    }

    /// Writes address, extents and strides of an object, if it is such an array.
    #[inline]
    pub(super) fn read(&self, object: &Bound<'_, PyAny>, words: &mut [u64]) -> bool {
        let Some(numpy) = NUMPY.get(object.py()) else { return false };
        if object.get_type_ptr().cast() != numpy.array.as_ptr() {
            return false;
        }
        // SAFETY: an object of the class itself, as in `view`.
        let fields = unsafe { &*object.as_ptr().cast::<ArrayObject>() };
        let is_such = fields.ndim == self.ndim
            && fields.flags & self.asked == self.expected
            && numpy.dtypes.get(self.dtype).is_some_and(|it| it.0 == fields.dtype.addr());
        let Some((address, rest)) = words.split_first_mut() else { return false };
        if !is_such {
            return false;
        }
        *address = fields.data.expose_provenance() as u64;
        let (shape, strides) = rest.split_at_mut(self.ndim as usize);
        for (list, from) in [(shape, fields.shape), (strides, fields.strides)] {
            for (at, word) in list[..self.ndim as usize].iter_mut().enumerate() {
                // SAFETY: an array has as many extents and strides as dimensions.
                *word = unsafe { from.add(at).read() } as u64;
            }
        }
        true
    }
}

/// Sees to it that the classes of scalars are known, which somebody has an object of.
pub(super) fn look(py: Python<'_>) -> PyResult<()> {
    numpy(py).map(drop)
}

/// Which of the dtypes a type is.
fn position(ty: Ty) -> Option<usize> {
    let name = ty.to_string();
    memory::dtype_names().filter(|it| Ty::of_name(it).is_some()).position(|it| it == name)
}

/// Where numpy has the class of scalars of a type.
pub(super) struct NumpyScalar(Option<usize>);

impl NumpyScalar {
    /// That of a type.
    pub(super) fn of(ty: Ty) -> NumpyScalar {
        NumpyScalar(position(ty))
    }

    /// Writes the words of an object, if it is such a scalar.
    pub(super) fn read(&self, object: &Bound<'_, PyAny>, words: &mut [u64]) -> bool {
        let Some(numpy) = NUMPY.get(object.py()) else { return false };
        let Some(Some(known)) = self.0.and_then(|it| numpy.scalars.get(it)) else { return false };
        let is_such = object.get_type_ptr().addr() == known.class;
        if is_such {
            // SAFETY: an object of the class, whose number follows its head: extension modules that
            // were compiled for numpy rely upon that.
            unsafe { known.fields.read(object.as_ptr().add(1).cast(), words) };
        }
        is_such
    }
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
    let fields = unsafe { &*object.as_ptr().cast::<ArrayObject>() };
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
        ArrayLayout::C
    } else if fields.flags & F_CONTIGUOUS != 0 {
        ArrayLayout::F
    } else {
        ArrayLayout::Any
    };
    let is_readonly = fields.flags & WRITEABLE == 0;
    let ty = Ty::new(TyKind::Array(Array { dtype, ndim, layout, is_readonly }));
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
