//! Elements of storages: one, a slice, all of them.

use opwright_runtime::tensor::{Overlap, overlaps};
use opwright_runtime::{Error, warning};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PySlice};

use super::object::{ByteRange, PyStorage};
use crate::object::gil::detached;
use crate::object::{Convert, Failure, as_int, as_scalar, type_name};
use crate::raw;

/// What an index is about: some elements, from a place on.
enum Chosen {
    One(usize),
    Slice { first: usize, count: usize },
}

fn chosen(storage: &PyStorage, key: &Bound<'_, PyAny>) -> Result<Chosen, Failure> {
    if let Ok(slice) = key.cast::<PySlice>() {
        let it = slice.indices(storage.len() as isize)?;
        if it.step != 1 {
            let text = format_args!("slices of storages have step 1, not {}", it.step);
            return Err(Error::runtime(text).into());
        }
        // Its own code may have resized the storage, which a slice bears.
        return Ok(Chosen::Slice { first: it.start as usize, count: it.slicelength });
    }
    if !raw::is_index(key) {
        let text =
            format!("storages are indexed by integers and slices, not by {}", type_name(key));
        return Err(PyTypeError::new_err(text).into());
    }
    let index = match as_int(key) {
        Ok(index) => index,
        Err(_) if key.is_instance_of::<PyInt>() => return Err(out_of_range(key, storage.len())),
        Err(failure) => return Err(failure),
    };
    let count = storage.len() as i64;
    let wrapped = if index < 0 { index.checked_add(count) } else { Some(index) };
    match wrapped.filter(|it| (0..count).contains(it)) {
        Some(place) => Ok(Chosen::One(place as usize)),
        None => Err(out_of_range(index, storage.len())),
    }
}

#[cold]
fn out_of_range(index: impl std::fmt::Display, count: usize) -> Failure {
    let text = format_args!("index {index} is out of range for a storage of {count} elements");
    Error::out_of_range(text).into()
}

/// `storage[key]`: a number, or a storage over the same memory.
pub(super) fn get<'py>(
    storage: &PyStorage,
    py: Python<'py>,
    key: &Bound<'py, PyAny>,
) -> Result<Bound<'py, PyAny>, Failure> {
    match chosen(storage, key)? {
        Chosen::One(place) => storage.tensor_of(place, 1)?.to_scalar()?.object(py),
        Chosen::Slice { first, count } => {
            let size = storage.dtype().size();
            let start = storage.range().start + first * size;
            let part = ByteRange { start, bytes: count * size };
            Ok(storage.part(storage.elements(), Some(part)).object(py)?)
        }
    }
}

/// `storage[key] = value`.
pub(super) fn set(
    storage: &PyStorage,
    key: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
) -> Result<(), Failure> {
    // The number first: its code may resize the storage.
    let number = as_scalar(value)?;
    let chosen = chosen(storage, key)?;
    if storage.is_meta() {
        return Ok(());
    }
    let mut tensor = match chosen {
        Chosen::One(place) => storage.tensor_of(place, 1)?,
        Chosen::Slice { first, count } => storage.tensor_of(first, count)?,
    };
    Ok(detached(key.py(), tensor.numel(), || tensor.fill(number))?)
}

/// Writes a number to all elements.
pub(super) fn fill(storage: &PyStorage, value: &Bound<'_, PyAny>) -> Result<(), Failure> {
    let number = as_scalar(value)?;
    if storage.is_meta() {
        return Ok(());
    }
    let mut tensor = storage.tensor()?;
    Ok(detached(value.py(), tensor.numel(), || tensor.fill(number))?)
}

/// Writes the elements of another storage, converted.
pub(super) fn copy(storage: &PyStorage, source: &Bound<'_, PyAny>) -> Result<(), Failure> {
    let Ok(other) = source.cast::<PyStorage>() else {
        let text = format!("a storage is copied from another one, not from {}", type_name(source));
        return Err(PyTypeError::new_err(text).into());
    };
    let (to, from) = (storage.len(), other.get().len());
    if to != from {
        let text = format_args!(
            "a storage of {from} elements cannot be copied to one of {to}: the sizes must be equal"
        );
        return Err(Error::runtime(text).into());
    }
    if storage.is_meta() {
        return Ok(());
    }
    let (mut target, source) = (storage.tensor()?, other.get().tensor()?);
    let copy = || {
        warning::check_cast(source.dtype(), target.dtype());
        match overlaps(&target, &source) {
            Overlap::Partial => target.copy_from(&source.copy()?),
            Overlap::No | Overlap::Full => target.copy_from(&source),
        }
    };
    Ok(detached(other.py(), source.numel(), copy)?)
}
