//! A storage as an object: its memory, what its elements are, and its methods.

use std::collections::HashMap;
use std::ffi::c_int;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use opwright_runtime::lock::Lock;
use opwright_runtime::{DType, Device, Error, Storage, Tensor, warning};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::Py_buffer;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::classes::{self, Elements};
use super::{bytes, construct, element, entered};
use crate::interop::export;
use crate::object::gil::detached;
use crate::object::{Convert, Failure, Reading, package};
use crate::raw::{Filled, ToFill};
use crate::types::{PyDType, PyDevice};

/// Memory that tensors share.
///
/// Two objects are equal if they are the same object; `data_ptr` tells whether they are over the
/// same memory.
#[pyclass(frozen, subclass, weakref, name = "_AnyStorage", module = "opwright._C")]
pub(crate) struct PyStorage {
    storage: Storage,
    elements: Elements,
    part: Option<Part>,
    /// Whether it is the object that stands for all bytes of its memory.
    is_canonical: bool,
    /// The number of bytes of a storage on the meta device, which has no memory.
    meta: Option<Arc<AtomicUsize>>,
}

/// What a slice has of the memory, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) start: usize,
    pub(crate) bytes: usize,
}

/// Hands a storage to the constructor, which nobody else can call.
#[pyclass(frozen)]
struct Handover(Lock<Option<PyStorage>>);

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
    pub(super) fn whole(storage: Storage, elements: Elements) -> PyStorage {
        PyStorage { storage, elements, part: None, is_canonical: false, meta: None }
    }

    /// The memory of a new tensor of one dimension.
    pub(super) fn of(tensor: &Tensor, elements: Elements) -> Result<PyStorage, Failure> {
        let none = || Error::runtime("the elements are not in main memory");
        let storage = tensor.storage().cloned().ok_or_else(none)?;
        Ok(PyStorage::whole(storage, elements))
    }

    /// One on the meta device, of so many bytes.
    pub(super) fn on_meta(bytes: usize, elements: Elements) -> Result<PyStorage, Failure> {
        let mut storage = construct::zeros(0, elements)?;
        storage.meta = Some(Arc::new(AtomicUsize::new(bytes)));
        Ok(storage)
    }

    /// Some of the memory of this one, which holds elements of this kind.
    pub(super) fn part(&self, elements: Elements, part: Option<Part>) -> PyStorage {
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

    pub(crate) fn elements(&self) -> Elements {
        self.elements
    }

    /// The dtype of its elements as tensors have them.
    pub(super) fn dtype(&self) -> DType {
        self.elements.unwrap_or(DType::UInt8)
    }

    /// What there is of it now: the memory may have become smaller.
    pub(crate) fn range(&self) -> Part {
        let total = self.total();
        match self.part {
            None => Part { start: 0, bytes: total },
            Some(Part { start, bytes }) => {
                Part { start: start.min(total), bytes: bytes.min(total.saturating_sub(start)) }
            }
        }
    }

    pub(crate) fn is_slice(&self) -> bool {
        self.part.is_some()
    }

    pub(super) fn slice(&self) -> Option<Part> {
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
        new.call1((class, Bound::new(py, Handover(Lock::new(Some(self))))?))
    }

    /// A copy of its elements as elements of this kind.
    pub(super) fn converted(
        &self,
        py: Python<'_>,
        elements: Elements,
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
    elements: Elements,
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
    elements: Elements,
) -> Result<Bound<'py, PyAny>, Failure> {
    let this = object.get();
    if this.elements == elements {
        return Ok(object.clone().into_any());
    }
    let py = object.py();
    Ok(this.converted(py, elements)?.object(py)?)
}

#[pymethods]
impl PyStorage {
    /// Whether the elements are on a CUDA device: never.
    #[classattr]
    #[pyo3(name = "is_cuda")]
    const IS_CUDA: bool = false;

    /// Whether it is the memory of a sparse tensor: never.
    #[classattr]
    #[pyo3(name = "is_sparse")]
    const IS_SPARSE: bool = false;

    #[new]
    fn new(handover: Option<&Bound<'_, PyAny>>) -> PyResult<PyStorage> {
        let handover = handover.and_then(|it| it.cast::<Handover>().ok());
        let taken = |it: &Bound<'_, Handover>| it.get().0.lock().take();
        handover
            .and_then(taken)
            .ok_or_else(|| PyTypeError::new_err("storages are made by the classes of their dtype"))
    }

    /// Where the elements are.
    #[getter]
    fn device(&self, py: Python<'_>) -> PyResult<Py<PyDevice>> {
        let device = if self.is_meta() { Device::Meta } else { Device::Cpu };
        Ok(PyDevice::object(py, device)?.unbind())
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    /// The number of elements.
    fn size(&self) -> usize {
        self.len()
    }

    /// The number of bytes.
    fn nbytes(&self) -> usize {
        self.len() * self.dtype().size()
    }

    /// The number of bytes of an element.
    fn element_size(&self) -> usize {
        self.dtype().size()
    }

    /// The address of the first element; 0 on the meta device.
    fn data_ptr(&self) -> usize {
        if self.is_meta() {
            return 0;
        }
        self.storage.address() + self.range().start
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        element::get(self, py, key)
    }

    fn __setitem__(&self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> Result<(), Failure> {
        entered(|| element::set(self, key, value))
    }

    /// Writes one number to all elements, and returns the storage.
    fn fill_<'py>(
        slf: Bound<'py, Self>,
        value: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, Self>, Failure> {
        entered(|| element::fill(slf.get(), value))?;
        Ok(slf)
    }

    /// The elements as Python numbers.
    fn tolist<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Failure> {
        entered(|| crate::tensor::listed(py, &self.tensor()?))
    }

    /// A storage of the same class with elements of its own.
    #[pyo3(name = "clone")]
    fn cloned<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Failure> {
        entered(|| Ok(self.converted(py, self.elements)?.object(py)?))
    }

    fn __copy__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Failure> {
        self.cloned(py)
    }

    /// An empty storage of the same class.
    #[pyo3(name = "new")]
    fn empty<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Failure> {
        let empty = match self.is_meta() {
            true => PyStorage::on_meta(0, self.elements),
            false => construct::zeros(0, self.elements),
        };
        Ok(empty?.object(py)?)
    }

    /// Writes the elements of another storage, which has as many, converted; returns the storage.
    #[pyo3(signature = (source, non_blocking=None))]
    fn copy_<'py>(
        slf: Bound<'py, Self>,
        source: &Bound<'py, PyAny>,
        non_blocking: Option<bool>,
    ) -> Result<Bound<'py, Self>, Failure> {
        let _ = non_blocking;
        entered(|| element::copy(slf.get(), source))?;
        Ok(slf)
    }

    /// The storage with elements of a dtype: itself, or a converted copy.
    fn _to<'py>(
        slf: &Bound<'py, Self>,
        dtype: &Bound<'py, PyDType>,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        entered(|| to(slf, Some(dtype.get().0)))
    }

    /// The name of the class; with a class, its name or a dtype, the storage with such elements:
    /// itself, or a converted copy.
    #[pyo3(signature = (dtype=None, non_blocking=false))]
    fn r#type<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
        non_blocking: bool,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        let _ = non_blocking;
        match dtype {
            None => construct::full_name(&slf.get_type()),
            Some(wanted) => entered(|| to(slf, construct::elements_wanted(wanted)?)),
        }
    }

    /// A storage over the same memory: it is in main memory already.
    fn cpu<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Failure> {
        self.check_readable()?;
        Ok(self.part(self.elements, self.part).object(py)?)
    }

    /// There are no CUDA devices.
    #[pyo3(signature = (*_args, **_kwargs))]
    fn cuda(
        &self,
        _args: &Bound<'_, PyTuple>,
        _kwargs: Option<&Bound<'_, PyDict>>,
    ) -> Result<(), Failure> {
        Err(Error::runtime("there are no CUDA devices; storages stay in main memory").into())
    }

    /// Makes the storage longer, by zeros, or shorter, and returns it; tensors over it see that.
    fn resize_<'py>(
        slf: Bound<'py, Self>,
        size: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, Self>, Failure> {
        entered(|| construct::resize(slf.get(), slf.py(), size))?;
        Ok(slf)
    }

    /// Whether the memory may be resized at all.
    fn resizable(&self) -> bool {
        !self.is_slice() && (self.is_meta() || self.storage.is_resizable())
    }

    /// Moves the memory to where processes that are forked from this one share it, and returns the
    /// storage; tensors over it see it there.
    fn share_memory_(slf: Bound<'_, Self>) -> Result<Bound<'_, Self>, Failure> {
        slf.get().check_readable()?;
        let storage = &slf.get().storage;
        entered(|| Ok(detached(slf.py(), storage.bytes(), || storage.share_memory())?))?;
        Ok(slf)
    }

    /// Whether other processes see what is written to it.
    fn is_shared(&self) -> bool {
        self.storage.is_shared()
    }

    /// A storage over the first `size` elements of a file, or over all of it. A shared one writes
    /// to the file, which is made or extended if need be.
    #[classmethod]
    #[pyo3(signature = (filename, shared=false, size=0))]
    fn from_file<'py>(
        cls: &Bound<'py, PyType>,
        filename: PathBuf,
        shared: bool,
        size: i64,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        entered(|| bytes::from_file(cls, &filename, shared, size))
    }

    /// A storage with a copy of the bytes of an object: `count` elements from byte `offset` on, or
    /// all; `byte_order` says how numbers are written there: `"native"`, `"little"` or `"big"`.
    #[classmethod]
    #[pyo3(signature = (buffer, byte_order=None, count=-1, offset=0))]
    fn from_buffer<'py>(
        cls: &Bound<'py, PyType>,
        buffer: &Bound<'py, PyAny>,
        byte_order: Option<&str>,
        count: i64,
        offset: i64,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        entered(|| bytes::from_buffer(cls, buffer, byte_order, (count, offset)))
    }

    /// The bytes, as a storage over the same memory.
    fn untyped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.part(None, self.part).object(py)
    }

    /// A storage with memory of its own, which the caller's memo finds again.
    fn __deepcopy__<'py>(
        slf: &Bound<'py, Self>,
        memo: &Bound<'py, PyAny>,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        entered(|| bytes::deep_copied(slf, memo))
    }

    /// What makes the storage again: the memory, which a pickle has once, and where in it.
    fn __reduce_ex__<'py>(
        slf: &Bound<'py, Self>,
        protocol: i64,
    ) -> Result<Bound<'py, PyTuple>, Failure> {
        entered(|| bytes::reduced(slf, protocol))
    }

    /// Lends the memory to others, who then see each other's writes.
    ///
    /// # Safety
    ///
    /// As the interpreter calls it: with a view to fill in.
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        // SAFETY: the interpreter passes a view to fill in, of which nobody else knows yet.
        let view = unsafe { ToFill::new(view) };
        export::lend(view, slf.as_any(), &slf.get().tensor()?, flags)?;
        Ok(())
    }

    /// Takes back what was lent.
    ///
    /// # Safety
    ///
    /// As the interpreter calls it: with a view that `__getbuffer__` filled in.
    unsafe fn __releasebuffer__(&self, view: *mut Py_buffer) {
        // SAFETY: the interpreter passes each view once that was filled in.
        unsafe { Filled::new(view) }.release();
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let (class, count) = (slf.get_type().name()?, slf.get().len());
        let what = if slf.get().elements.is_some() { "elements" } else { "bytes" };
        let place = if slf.get().is_meta() { " on meta" } else { "" };
        Ok(format!("<{}.{class} of {count} {what}{place}>", package::name()))
    }
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
