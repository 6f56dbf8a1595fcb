//! Storages from sizes, from numbers and from other storages.

use opwright_runtime::{DType, Device, Error, default_dtype};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString, PyTuple, PyType};

use super::classes::{self, StorageElements};
use super::object::{PyStorage, bytes_of, entered, too_many, zeros};
use crate::construct;
use crate::interop::import;
use crate::object::gil::detached;
use crate::object::{Failure, as_int, is_numpy_scalar, type_name};
use crate::raw;
use crate::types::{PyDType, read_device};

/// What the addresses of all elements may have to be multiples of.
const LARGEST_ALIGNMENT: usize = 8;

/// `FloatStorage()`, `FloatStorage(4)`, `FloatStorage([1, 2])`, `FloatStorage(storage)`: a new
/// storage, of zeros or of these elements, converted. `TypedStorage` makes one of the class for
/// `dtype`, or for the default dtype.
///
/// # Errors
///
/// `TypeError` for elements that are no numbers, `RuntimeError` for a negative size, `MemoryError`.
#[pyfunction(name = "__new__", signature = (cls, *args, dtype=None, device=None, **others))]
pub(super) fn new_storage<'py>(
    cls: &Bound<'py, PyType>,
    args: &Bound<'py, PyTuple>,
    dtype: Option<&Bound<'py, PyAny>>,
    device: Option<&Bound<'py, PyAny>>,
    others: Option<&Bound<'py, PyDict>>,
) -> Result<Bound<'py, PyAny>, Failure> {
    if let Some((name, _)) = others.and_then(|it| it.iter().next()) {
        let class = cls.name()?;
        let text = format!("{class}() got an unexpected keyword argument '{name}'");
        return Err(PyTypeError::new_err(text).into());
    }
    let dtype = dtype.map(PyDType::read).transpose()?;
    let is_any = cls.is(classes::any_typed(cls.py()));
    let elements =
        if is_any { Some(dtype.unwrap_or_else(default_dtype)) } else { elements_of(cls)? };
    if let Some(dtype) = dtype.filter(|&it| elements != Some(it)) {
        let text =
            format!("{} has no elements of {dtype}; TypedStorage takes any dtype", cls.name()?);
        return Err(PyTypeError::new_err(text).into());
    }
    let is_meta = device.map_or(Ok(Device::Cpu), read_device)?.is_meta();
    let made = match args.len() {
        0 if is_meta => PyStorage::on_meta(0, elements)?,
        0 => zeros(0, elements)?,
        1 if is_meta => entered(|| on_meta(&args.get_item(0)?, elements))?,
        1 => entered(|| from_argument(&args.get_item(0)?, elements))?,
        count => {
            let text = format!(
                "{}() takes a size, or a sequence of elements, not {count} arguments",
                cls.name()?
            );
            return Err(PyTypeError::new_err(text).into());
        }
    };
    // The class of bytes itself has one object for each memory.
    if is_any || cls.is(classes::public(cls.py(), elements)) {
        return Ok(made.object(cls.py())?);
    }
    Ok(made.object_of(cls)?)
}

/// What the elements of a class of storages are.
pub(super) fn elements_of(class: &Bound<'_, PyType>) -> Result<StorageElements, Failure> {
    classes::elements_of(class).ok_or_else(|| {
        PyTypeError::new_err(
            "this class is what storages have in common; make one of a class such as FloatStorage",
        )
        .into()
    })
}

/// One on the meta device, with room for what the argument is or has.
fn on_meta(argument: &Bound<'_, PyAny>, elements: StorageElements) -> Result<PyStorage, Failure> {
    let count = if is_size(argument) {
        size(argument)?
    } else if let Ok(storage) = argument.cast::<PyStorage>() {
        storage.get().len()
    } else {
        from_argument(argument, elements)?.len()
    };
    PyStorage::on_meta(bytes_of(count, elements.unwrap_or(DType::UInt8))?, elements)
}

fn is_size(argument: &Bound<'_, PyAny>) -> bool {
    argument.is_instance_of::<PyInt>() || is_numpy_scalar(argument)
}

fn from_argument(
    argument: &Bound<'_, PyAny>,
    elements: StorageElements,
) -> Result<PyStorage, Failure> {
    if is_size(argument) {
        return zeros(size(argument)?, elements);
    }
    if let Ok(storage) = argument.cast::<PyStorage>() {
        storage.get().check_readable()?;
        return storage.get().converted(argument.py(), elements);
    }
    match elements {
        None if raw::is_buffer(argument) => over_bytes(argument),
        _ => from_numbers(argument, elements),
    }
}

/// The bytes of an object with a buffer: the memory itself, if it can be written to and any element
/// can begin where it does.
fn over_bytes(buffer: &Bound<'_, PyAny>) -> Result<PyStorage, Failure> {
    let bytes = import::bytes_as(buffer, DType::UInt8, -1, 0)?;
    let is_aligned = bytes.data_ptr().addr().is_multiple_of(LARGEST_ALIGNMENT);
    PyStorage::of(&if is_aligned { bytes } else { bytes.copy()? }, None)
}

fn from_numbers(data: &Bound<'_, PyAny>, elements: StorageElements) -> Result<PyStorage, Failure> {
    if data.is_instance_of::<PyString>() {
        return Err(no_elements(data));
    }
    let dtype = elements.unwrap_or(DType::UInt8);
    let tensor = construct::copy_of(data, Some(dtype), Some(Device::Cpu))?;
    if tensor.ndim() != 1 {
        return Err(no_elements(data));
    }
    // What is made of a view may be a part of its memory, or lie in it in another order.
    let is_whole = tensor.offset() == 0
        && tensor.is_contiguous()
        && tensor.storage().is_some_and(|it| it.bytes() == tensor.numel() * dtype.size());
    PyStorage::of(&if is_whole { tensor } else { tensor.copy()? }, elements)
}

#[cold]
fn no_elements(data: &Bound<'_, PyAny>) -> Failure {
    let text = format!(
        "a storage is made of a size or of a sequence of numbers in one dimension, not of {}",
        type_name(data)
    );
    PyTypeError::new_err(text).into()
}

/// A number of elements.
pub(super) fn size(size: &Bound<'_, PyAny>) -> Result<usize, Failure> {
    let count = match as_int(size) {
        Ok(count) => count,
        Err(failure) if !size.is_instance_of::<PyInt>() => return Err(failure),
        // It does not fit 64 bits.
        Err(_) if size.gt(0)? => return Err(too_many("so many")),
        Err(_) => i64::MIN,
    };
    usize::try_from(count).map_err(|_| {
        Error::runtime(format_args!("the size of a storage must not be negative, not {size}"))
            .into()
    })
}

/// Makes a storage longer or shorter.
pub(super) fn resize(
    storage: &PyStorage,
    py: Python<'_>,
    count: &Bound<'_, PyAny>,
) -> Result<(), Failure> {
    let bytes = bytes_of(size(count)?, storage.dtype())?;
    if storage.is_slice() {
        let text =
            "a slice of a storage cannot be resized; resize the storage, or clone() the slice";
        return Err(Error::runtime(text).into());
    }
    if storage.resize_meta(bytes) {
        return Ok(());
    }
    let memory = storage.storage();
    detached(py, memory.bytes().max(bytes), || memory.resize(bytes))?;
    Ok(())
}

/// `opwright.FloatStorage`, of a class.
pub(super) fn full_name<'py>(class: &Bound<'py, PyType>) -> Result<Bound<'py, PyAny>, Failure> {
    let name = format!("{}.{}", class.module()?, class.qualname()?);
    Ok(PyString::new(class.py(), &name).into_any())
}

/// What elements a caller wants: of a class, of the class of a name, or of a dtype.
pub(super) fn elements_wanted(wanted: &Bound<'_, PyAny>) -> Result<StorageElements, Failure> {
    if let Ok(name) = wanted.cast::<PyString>() {
        let name = name.to_cow()?;
        return classes::named(&name).ok_or_else(|| {
            let text = format!(
                "no class of storages is called `{name}`; one is called `{}.FloatStorage`",
                crate::object::package::name()
            );
            PyValueError::new_err(text).into()
        });
    }
    if let Ok(dtype) = wanted.cast::<PyDType>() {
        return Ok(Some(dtype.get().0));
    }
    let class = wanted.cast::<PyType>().ok().and_then(classes::elements_of);
    class.ok_or_else(|| {
        let text = format!("expected a class of storages or its name, not {}", type_name(wanted));
        PyTypeError::new_err(text).into()
    })
}
