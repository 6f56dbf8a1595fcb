//! A storage as an object: its memory, and what its elements are.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use opwright_runtime::lock::Lock;
use opwright_runtime::{DType, Device, Error, Storage, Tensor, warning};
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::classes::{self, StorageElements};
use crate::object::gil::detached;
use crate::object::trampoline::guarded;
use crate::object::{Convert, Failure, Reading};

/// No system has so much memory, and what lies beside it can be counted still.
const MOST_BYTES: usize = isize::MAX as usize / 2;

/// Memory that tensors share.
///
/// Two objects are equal if they are the same object; `data_ptr` tells whether they are over the
/// same memory.
#[pyclass(frozen, subclass, weakref, name = "_AnyStorage", module = "opwright._C")]
pub(crate) struct PyStorage {
    storage: Storage,
    elements: StorageElements,
    part: Option<ByteRange>,
    /// Whether it is the object that stands for all bytes of its memory.
    is_canonical: bool,
    /// The number of bytes of a storage on the meta device, which has no memory.
    meta: Option<Arc<AtomicUsize>>,
}

/// What a slice has of the memory, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct ByteRange {
    pub(crate) start: usize,
    pub(crate) bytes: usize,
}

/// Hands a storage to the constructor, which nobody else can call.
#[pyclass(frozen)]
pub(super) struct StorageHandover(pub(super) Lock<Option<PyStorage>>);

/// The objects that stand for all bytes of a memory, weakly, by the identity of that.
static OBJECTS: Lock<Option<HashMap<usize, Py<PyAny>>>> = Lock::new(None);

/// The object that stands for all bytes of a memory: the same one as long as somebody holds it, so
/// that a pickle has the memory once.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn canonical(py: Python<'_>, storage: Storage) -> PyResult<Bound<'_, PyAny>> {
    let id = storage.id();
    let known = {
        let objects = OBJECTS.lock();
        objects.as_ref().and_then(|it| it.get(&id)).map(|it| it.clone_ref(py))
    };
    if let Some(reference) = known {
        let object = reference.bind(py).call0()?;
        if !object.is_none() {
            return Ok(object);
        }
    }
    let mut value = PyStorage::whole(storage, None);
    value.is_canonical = true;
    let object = value.object_of(&classes::public(py, None))?;
    let reference = py.import("weakref")?.getattr("ref")?.call1((&object,))?;
    let mut objects = OBJECTS.lock();
    let before = objects.get_or_insert_default().insert(id, reference.unbind());
    drop(objects);
    drop(before);
    Ok(object)
}

impl Drop for PyStorage {
    fn drop(&mut self) {
        if !self.is_canonical {
            return;
        }
        let mut objects = OBJECTS.lock();
        let reference = objects.as_mut().and_then(|it| it.remove(&self.storage.id()));
        drop(objects);
        drop(reference);
    }
}

impl PyStorage {
    /// All of a memory.
    pub(super) fn whole(storage: Storage, elements: StorageElements) -> PyStorage {
        PyStorage { storage, elements, part: None, is_canonical: false, meta: None }
    }

    /// The memory of a new tensor of one dimension.
    pub(super) fn of(tensor: &Tensor, elements: StorageElements) -> Result<PyStorage, Failure> {
        let none = || Error::runtime("the elements are not in main memory");
        let storage = tensor.storage().cloned().ok_or_else(none)?;
        Ok(PyStorage::whole(storage, elements))
    }

    /// One on the meta device, of so many bytes.
    pub(super) fn on_meta(bytes: usize, elements: StorageElements) -> Result<PyStorage, Failure> {
        let mut storage = zeros(0, elements)?;
        storage.meta = Some(Arc::new(AtomicUsize::new(bytes)));
        Ok(storage)
    }

    /// Some of the memory of this one, which holds elements of this kind.
    pub(super) fn part(&self, elements: StorageElements, part: Option<ByteRange>) -> PyStorage {
        let (storage, meta) = (self.storage.clone(), self.meta.clone());
        PyStorage { storage, elements, part, is_canonical: false, meta }
    }

    pub(crate) fn storage(&self) -> &Storage {
        &self.storage
    }

    pub(crate) fn is_meta(&self) -> bool {
        self.meta.is_some()
    }

    /// Fails if there is nothing to read.
    pub(super) fn check_readable(&self) -> Result<(), Failure> {
        if !self.is_meta() {
            return Ok(());
        }
        Err(Error::not_implemented("a storage on the meta device has a size and no elements")
            .into())
    }

    /// The bytes of all of its memory.
    fn total(&self) -> usize {
        self.meta.as_ref().map_or_else(|| self.storage.bytes(), |it| it.load(Ordering::Relaxed))
    }

    /// Makes one on the meta device longer or shorter; whether it is one.
    pub(super) fn resize_meta(&self, bytes: usize) -> bool {
        self.meta.as_ref().inspect(|it| it.store(bytes, Ordering::Relaxed)).is_some()
    }

    pub(crate) fn elements(&self) -> StorageElements {
        self.elements
    }

    /// The dtype of its elements as tensors have them.
    pub(super) fn dtype(&self) -> DType {
        self.elements.unwrap_or(DType::UInt8)
    }

    /// What there is of it now: the memory may have become smaller.
    pub(crate) fn range(&self) -> ByteRange {
        let total = self.total();
        match self.part {
            None => ByteRange { start: 0, bytes: total },
            Some(ByteRange { start, bytes }) => {
                ByteRange { start: start.min(total), bytes: bytes.min(total.saturating_sub(start)) }
            }
        }
    }

    pub(crate) fn is_slice(&self) -> bool {
        self.part.is_some()
    }

    pub(super) fn slice(&self) -> Option<ByteRange> {
        self.part
    }

    pub(super) fn len(&self) -> usize {
        self.range().bytes / self.dtype().size()
    }

    /// All elements.
    pub(super) fn tensor(&self) -> Result<Tensor, Failure> {
        self.tensor_of(0, self.len())
    }

    /// So many elements from a place on.
    pub(super) fn tensor_of(&self, first: usize, count: usize) -> Result<Tensor, Failure> {
        self.check_readable()?;
        let (offset, dtype) = (self.offset(self.dtype())? + first as i64, self.dtype());
        Ok(Tensor::over_storage(&self.storage, dtype, &[count as i64], &[1], offset)?)
    }

    /// Its bytes as elements of a dtype.
    pub(crate) fn tensor_as(&self, dtype: DType) -> Result<Tensor, Failure> {
        self.check_readable()?;
        let count = (self.range().bytes / dtype.size()) as i64;
        Ok(Tensor::over_storage(&self.storage, dtype, &[count], &[1], self.offset(dtype)?)?)
    }

    /// Where its first element is in the memory, in elements of a dtype.
    pub(super) fn offset(&self, dtype: DType) -> Result<i64, Failure> {
        let (start, size) = (self.range().start, dtype.size());
        if start % size != 0 {
            let text = format_args!(
                "the slice begins at byte {start}, which is no multiple of {size}; clone() it first"
            );
            return Err(Error::runtime(text).into());
        }
        Ok((start / size) as i64)
    }

    /// As an object of the class for its elements.
    pub(super) fn object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        if self.elements.is_none() && self.part.is_none() && !self.is_meta() {
            return canonical(py, self.storage.clone());
        }
        let class = classes::public(py, self.elements);
        self.object_of(&class)
    }

    /// As an object of a class.
    pub(super) fn object_of<'py>(self, class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>> {
        let py = class.py();
        let new = py.get_type::<PyStorage>().getattr("__new__")?;
        new.call1((class, Bound::new(py, StorageHandover(Lock::new(Some(self))))?))
    }

    /// A copy of its elements as elements of this kind.
    pub(super) fn converted(
        &self,
        py: Python<'_>,
        elements: StorageElements,
    ) -> Result<PyStorage, Failure> {
        let dtype = elements.unwrap_or(DType::UInt8);
        if self.is_meta() {
            return PyStorage::on_meta(self.len().saturating_mul(dtype.size()), elements);
        }
        let tensor = self.tensor()?;
        let convert = || {
            warning::check_cast(tensor.dtype(), dtype);
            if dtype == tensor.dtype() { tensor.copy() } else { tensor.to_dtype(dtype) }
        };
        PyStorage::of(&detached(py, tensor.numel(), convert)?, elements)
    }
}

/// The storage of a tensor on the meta device, with room for all of its elements.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn on_meta<'py>(
    py: Python<'py>,
    tensor: &Tensor,
    elements: StorageElements,
) -> Result<Bound<'py, PyAny>, Failure> {
    let places = tensor.shape().iter().zip(tensor.strides());
    let last = places.fold(0, |all: i64, (&size, &stride)| {
        all.saturating_add((size - 1).saturating_mul(stride))
    });
    let behind = if tensor.numel() == 0 { 0 } else { last.saturating_add(1) };
    let count = usize::try_from(tensor.offset().saturating_add(behind)).unwrap_or(0);
    let bytes = count.saturating_mul(tensor.dtype().size());
    Ok(PyStorage::on_meta(bytes, elements)?.object(py)?)
}

/// The object itself if its elements are of that kind already, else a converted copy.
pub(super) fn to<'py>(
    object: &Bound<'py, PyStorage>,
    elements: StorageElements,
) -> Result<Bound<'py, PyAny>, Failure> {
    let this = object.get();
    if this.elements == elements {
        return Ok(object.clone().into_any());
    }
    let py = object.py();
    Ok(this.converted(py, elements)?.object(py)?)
}

/// A storage of the class for a dtype.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn typed<'py>(
    py: Python<'py>,
    storage: &Storage,
    dtype: DType,
) -> PyResult<Bound<'py, PyAny>> {
    PyStorage::whole(storage.clone(), Some(dtype)).object(py)
}

/// So many elements, all of them zero.
pub(super) fn zeros(count: usize, elements: StorageElements) -> Result<PyStorage, Failure> {
    let dtype = elements.unwrap_or(DType::UInt8);
    bytes_of(count, dtype)?;
    PyStorage::of(&Tensor::zeroed(&[count as i64], dtype, Device::Cpu)?, elements)
}

/// How many bytes so many elements have.
pub(super) fn bytes_of(count: usize, dtype: DType) -> Result<usize, Failure> {
    count.checked_mul(dtype.size()).filter(|it| *it <= MOST_BYTES).ok_or_else(|| too_many(count))
}

#[cold]
pub(super) fn too_many(count: impl std::fmt::Display) -> Failure {
    Error::memory(format_args!("not enough memory: a storage cannot have {count} elements")).into()
}

/// Runs the body of a method. What it unwinds with, such as what a handler of signals or a warning
/// raises, comes out as it is.
pub(super) fn entered<T>(body: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    Ok(guarded("storage", || body().map_err(PyErr::from))?)
}

/// All of a memory; a slice is no value of operators.
#[diagnostic::do_not_recommend]
impl Convert for Storage {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        let this = object.cast::<PyStorage>()?.get();
        this.check_readable()?;
        if this.is_slice() {
            let text = "operators take whole storages, not slices of them; clone() it first";
            return Err(Error::runtime(text).into());
        }
        Ok(this.storage.clone())
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(canonical(py, self)?)
    }
}
