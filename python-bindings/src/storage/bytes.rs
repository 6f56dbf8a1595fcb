//! Storages as bytes: in files, in buffers, in pickles.

use std::path::Path;

use opwright_runtime::{DType, Error, Storage};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyTuple, PyType};

use super::classes::StorageElements;
use super::construct::elements_of;
use super::object::{ByteRange, PyStorage, canonical};
use crate::interop::export::bytes_of;
use crate::interop::import;
use crate::object::gil::detached;
use crate::object::{self, Failure, operators, package};

/// As an object of the class that was asked.
fn made<'py>(class: &Bound<'py, PyType>, storage: PyStorage) -> Result<Bound<'py, PyAny>, Failure> {
    let is_public = class.is(super::classes::public(class.py(), storage.elements()));
    Ok(if is_public { storage.object(class.py())? } else { storage.object_of(class)? })
}

fn size_of(elements: StorageElements) -> usize {
    elements.map_or(1, DType::size)
}

/// A storage over a file.
pub(super) fn from_file<'py>(
    class: &Bound<'py, PyType>,
    path: &Path,
    shared: bool,
    count: i64,
) -> Result<Bound<'py, PyAny>, Failure> {
    let elements = elements_of(class)?;
    let size = size_of(elements);
    let negative = || Error::runtime(format_args!("a file has no {count} elements"));
    let count = usize::try_from(count).map_err(|_| negative())?;
    let bytes = count.checked_mul(size).filter(|it| isize::try_from(*it).is_ok());
    let bytes = bytes.ok_or_else(|| {
        Error::memory(format_args!("not enough memory: a file cannot have {count} elements"))
    })?;
    let bytes = if count == 0 { None } else { Some(bytes) };
    let storage = Storage::map_file(path, shared, bytes)?;
    if storage.bytes() % size != 0 {
        let text = format_args!(
            "the {} bytes of `{}` are no whole number of elements of {size} bytes; say how many \
             there are, as `size`",
            storage.bytes(),
            path.display()
        );
        return Err(Error::runtime(text).into());
    }
    if elements == Some(DType::Bool) {
        check_truth_values(class.py(), &storage, path)?;
    }
    made(class, PyStorage::whole(storage, elements))
}

/// Fails if a file of truth values has other bytes than 0 and 1.
fn check_truth_values(py: Python<'_>, storage: &Storage, path: &Path) -> Result<(), Failure> {
    let bytes = PyStorage::whole(storage.clone(), None).tensor()?;
    let largest = detached(py, bytes.numel(), || bytes.to_vec::<u8>())?.into_iter().max();
    match largest {
        Some(other @ 2..) => Err(Error::runtime(format_args!(
            "`{}` has a byte {other}, and truth values are 0 or 1; map it as bytes",
            path.display()
        ))
        .into()),
        _ => Ok(()),
    }
}

/// A storage with a copy of the bytes of an object.
pub(super) fn from_buffer<'py>(
    class: &Bound<'py, PyType>,
    buffer: &Bound<'py, PyAny>,
    byte_order: Option<&str>,
    (count, offset): (i64, i64),
) -> Result<Bound<'py, PyAny>, Failure> {
    let elements = elements_of(class)?;
    let dtype = elements.unwrap_or(DType::UInt8);
    let is_swapped = match (byte_order, dtype.size()) {
        (None, 1) => false,
        (None, _) => {
            let text = "numbers of several bytes need the argument 'byte_order': 'native', \
                        'little' or 'big'";
            return Err(PyTypeError::new_err(text).into());
        }
        (Some("native"), _) => false,
        (Some("little"), _) => cfg!(target_endian = "big"),
        (Some("big"), _) => cfg!(target_endian = "little"),
        (Some(other), _) => {
            let text =
                format!("argument 'byte_order' must be 'native', 'little' or 'big', not {other:?}");
            return Err(PyValueError::new_err(text).into());
        }
    };
    let size = dtype.size() as i64;
    let wanted = if count < 0 { -1 } else { count.saturating_mul(size) };
    let bytes = import::bytes_as(buffer, DType::UInt8, wanted, offset)?;
    if bytes.numel() as i64 % size != 0 {
        let text = format!("{} bytes are no whole number of {dtype} elements", bytes.numel());
        return Err(PyValueError::new_err(text).into());
    }
    let copied =
        detached(class.py(), bytes.numel(), || operators::of_bytes(&bytes, dtype, is_swapped))?;
    made(class, PyStorage::of(&copied, elements)?)
}

/// What makes a storage again.
pub(super) fn reduced<'py>(
    object: &Bound<'py, PyStorage>,
    protocol: i64,
) -> Result<Bound<'py, PyTuple>, Failure> {
    let (py, this) = (object.py(), object.get());
    let part = this.slice();
    let state = object.call_method0("__getstate__")?;
    let class = object.get_type();
    if this.is_meta() {
        // A part of one is as good as a whole one of that size.
        let on_meta = [("device", "meta")].into_py_dict(py)?;
        let make = py.import("functools")?.getattr("partial")?.call((class,), Some(&on_meta))?;
        return Ok((make, (this.len(),), state).into_pyobject(py)?);
    }
    if this.elements().is_some() || part.is_some() {
        let make = package::native(py)?.getattr("_rebuild_storage")?;
        let memory = canonical(py, this.storage().clone())?;
        let (start, bytes) = part.map_or((0, None), |it| (it.start, Some(it.bytes)));
        return Ok((make, (class, memory, start, bytes), state).into_pyobject(py)?);
    }
    let tensor = this.tensor()?;
    let data = if protocol >= 5 {
        let tensor = object::wrap(py, tensor)?;
        py.import("pickle")?.call_method1("PickleBuffer", (tensor,))?
    } else {
        bytes_of(py, &tensor)?.into_any()
    };
    Ok((class, (data,), state).into_pyobject(py)?)
}

/// What `pickle` calls to make a storage of elements again, or a slice.
#[pyfunction(name = "_rebuild_storage", signature = (cls, memory, start=0, bytes=None))]
pub(super) fn rebuild_storage<'py>(
    cls: &Bound<'py, PyType>,
    memory: &Bound<'py, PyStorage>,
    start: usize,
    bytes: Option<usize>,
) -> Result<Bound<'py, PyAny>, Failure> {
    let elements = elements_of(cls)?;
    let memory = memory.get();
    let part = bytes.map(|bytes| ByteRange { start, bytes });
    let (end, total) = (start.checked_add(bytes.unwrap_or(0)), memory.storage().bytes());
    if end.is_none_or(|it| it > total) || !start.is_multiple_of(size_of(elements)) {
        let text = format!("no slice of {total} bytes begins at {start}");
        return Err(PyValueError::new_err(text).into());
    }
    made(cls, memory.part(elements, part))
}

/// A storage with memory of its own: the memo knows that of what shares it.
pub(super) fn deep_copied<'py>(
    object: &Bound<'py, PyStorage>,
    memo: &Bound<'py, PyAny>,
) -> Result<Bound<'py, PyAny>, Failure> {
    let (py, this) = (object.py(), object.get());
    let class = object.get_type();
    if this.is_meta() {
        return made(&class, this.converted(py, this.elements())?);
    }
    if this.elements().is_none() && !this.is_slice() {
        let tensor = this.tensor()?;
        let copy = detached(py, tensor.numel(), || tensor.copy())?;
        return made(&class, PyStorage::of(&copy, None)?);
    }
    let memory = canonical(py, this.storage().clone())?;
    let copy = py.import("copy")?.call_method1("deepcopy", (memory, memo))?;
    let copy = copy.cast::<PyStorage>()?.get().part(this.elements(), this.slice());
    made(&class, copy)
}
