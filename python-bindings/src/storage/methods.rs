//! Methods of storages.

use std::ffi::c_int;
use std::path::PathBuf;

use opwright_runtime::{Device, Error};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::Py_buffer;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::object::{PyStorage, StorageHandover, entered, to, zeros};
use super::{bytes, construct, element};
use crate::interop::export;
use crate::object::gil::detached;
use crate::object::nested_list::nested_list;
use crate::object::{Failure, package};
use crate::raw::{Filled, ToFill};
use crate::types::{PyDType, PyDevice};

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
        let handover = handover.and_then(|it| it.cast::<StorageHandover>().ok());
        let taken = |it: &Bound<'_, StorageHandover>| it.get().0.lock().take();
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
        self.storage().address() + self.range().start
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
        entered(|| nested_list(py, &self.tensor()?))
    }

    /// A storage of the same class with elements of its own.
    #[pyo3(name = "clone")]
    fn cloned<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Failure> {
        entered(|| Ok(self.converted(py, self.elements())?.object(py)?))
    }

    fn __copy__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Failure> {
        self.cloned(py)
    }

    /// An empty storage of the same class.
    #[pyo3(name = "new")]
    fn empty<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Failure> {
        let empty = match self.is_meta() {
            true => PyStorage::on_meta(0, self.elements()),
            false => zeros(0, self.elements()),
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
        Ok(self.part(self.elements(), self.slice()).object(py)?)
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
        !self.is_slice() && (self.is_meta() || self.storage().is_resizable())
    }

    /// Moves the memory to where processes that are forked from this one share it, and returns the
    /// storage; tensors over it see it there.
    fn share_memory_(slf: Bound<'_, Self>) -> Result<Bound<'_, Self>, Failure> {
        slf.get().check_readable()?;
        let storage = &slf.get().storage();
        entered(|| Ok(detached(slf.py(), storage.bytes(), || storage.share_memory())?))?;
        Ok(slf)
    }

    /// Whether other processes see what is written to it.
    fn is_shared(&self) -> bool {
        self.storage().is_shared()
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
        self.part(None, self.slice()).object(py)
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
        let what = if slf.get().elements().is_some() { "elements" } else { "bytes" };
        let place = if slf.get().is_meta() { " on meta" } else { "" };
        Ok(format!("<{}.{class} of {count} {what}{place}>", package::name()))
    }
}
