//! Tensors over the memory in other libraries' capsules.

use opwright_runtime::geometry::{MAX_DIMS, contiguous_strides, element_count};
use opwright_runtime::{Error, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::structs::{CPU, Managed, NAME, READ_ONLY, VERSION, VERSIONED_NAME, Versioned, View};
use crate::args::type_name;
use crate::failure::Failure;
use crate::raw;

/// What was taken from a capsule, given back at the end.
enum Taken {
    Managed(*mut Managed),
    Versioned(*mut Versioned),
}

// SAFETY: the structures are only read, and their deleters may be called from
// any thread.
unsafe impl Send for Taken {}
// SAFETY: nobody writes to the structures until they are given back.
unsafe impl Sync for Taken {}

impl Drop for Taken {
    fn drop(&mut self) {
        // SAFETY: taken from a capsule, which was given another name, so that this is the only owner.
        unsafe {
            match *self {
                Taken::Managed(it) => {
                    if let Some(delete) = (*it).deleter {
                        delete(it);
                    }
                }
                Taken::Versioned(it) => {
                    if let Some(delete) = (*it).deleter {
                        delete(it);
                    }
                }
            }
        }
    }
}

/// What a structure says.
struct Seen<'a> {
    /// The version of the structure: those of another one look different.
    major: u32,
    is_read_only: bool,
    view: &'a View,
}

/// A tensor over the memory of an object that speaks the protocol; of read-only
/// memory, over a copy.
///
/// # Errors
///
/// `TypeError` for other objects and for elements that we have no dtype for,
/// `BufferError` for memory of another device.
pub(crate) fn tensor(object: &Bound<'_, PyAny>) -> Result<Tensor, Failure> {
    Ok(view(object)?.0)
}

/// The same, and whether it is a copy.
///
/// # Errors
///
/// As for [`tensor`].
pub(crate) fn view(object: &Bound<'_, PyAny>) -> Result<(Tensor, bool), Failure> {
    let taken = take(&capsule_of(object)?)?;
    let Seen { major, is_read_only, view } = taken.seen();
    if major != VERSION[0] {
        return Err(Error::runtime(format_args!("unknown DLPack version {major}")).into());
    }
    if view.device[0] != CPU {
        return Err(Error::runtime(format_args!(
            "the memory is on a device of type {}, not in main memory; copy it there first",
            view.device[0]
        ))
        .into());
    }
    let tensor = over(taken)?;
    Ok((if is_read_only { tensor.copy()? } else { tensor }, is_read_only))
}

fn capsule_of<'py>(object: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>, Failure> {
    let method = object.getattr("__dlpack__").map_err(|_| {
        Error::wrong_type(format_args!(
            "argument 'ext_tensor' must have a method __dlpack__, as {} has not",
            type_name(object)
        ))
    })?;
    let keywords = PyDict::new(object.py());
    keywords.set_item("max_version", (VERSION[0], VERSION[1]))?;
    match method.call((), Some(&keywords)) {
        Ok(capsule) => Ok(capsule),
        // Older libraries do not know the keyword.
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => Ok(method.call0()?),
        Err(error) => Err(error.into()),
    }
}

fn take(capsule: &Bound<'_, PyAny>) -> Result<Taken, Failure> {
    if let Some(it) = raw::take_capsule(capsule, VERSIONED_NAME, c"used_dltensor_versioned") {
        return Ok(Taken::Versioned(it.cast().as_ptr()));
    }
    let managed = raw::take_capsule(capsule, NAME, c"used_dltensor").ok_or_else(|| {
        Error::wrong_type("__dlpack__ did not return a capsule that nobody has taken")
    })?;
    Ok(Taken::Managed(managed.cast().as_ptr()))
}

impl Taken {
    fn seen(&self) -> Seen<'_> {
        // SAFETY: by the protocol a capsule of that name points to such a structure, which stays as
        // it is until it is given back, as it is when this value is dropped.
        unsafe {
            match *self {
                Taken::Managed(it) => {
                    Seen { major: VERSION[0], is_read_only: false, view: &(*it).view }
                }
                Taken::Versioned(it) => Seen {
                    major: (*it).version[0],
                    is_read_only: (*it).flags & READ_ONLY != 0,
                    view: &(*it).view,
                },
            }
        }
    }
}

/// A tensor over a view, which owns what the view belongs to.
fn over(owner: Taken) -> Result<Tensor, Failure> {
    let view = owner.seen().view;
    let dtype = view.dtype.dtype().ok_or_else(|| {
        let (code, bits) = (view.dtype.code, view.dtype.bits);
        Error::wrong_type(format_args!("no dtype is like elements of code {code}, {bits} bits"))
    })?;
    let ndim = usize::try_from(view.ndim).ok().filter(|&it| it <= MAX_DIMS);
    let Some(ndim) = ndim else {
        return Err(lie(format_args!("there are {} dimensions", view.ndim)));
    };
    if ndim > 0 && view.shape.is_null() {
        return Err(lie(format_args!("there is no shape of {ndim} dimensions")));
    }
    // SAFETY: by the protocol shape and strides have as many numbers as there are dimensions, or are
    // not there.
    let (shape, strides) = unsafe { (dims(view.shape, ndim), dims(view.strides, ndim)) };
    let shape = shape.unwrap_or_default();
    if view.data.is_null() && !shape.contains(&0) {
        return Err(lie(format_args!("there are no elements for shape {shape:?}")));
    }
    let strides = if let Some(strides) = strides {
        strides
    } else {
        element_count(&shape)?;
        contiguous_strides(&shape).to_vec()
    };
    let data = view.data.cast::<u8>();
    let offset = isize::try_from(view.byte_offset).ok();
    let Some(start) = offset.and_then(|it| data.addr().checked_add_signed(it)) else {
        return Err(lie(format_args!("the offset is {} bytes", view.byte_offset)));
    };
    let data = data.with_addr(start);
    // SAFETY: the library vouches for shape and strides, and keeps the memory
    // until the structure, which the tensor owns, is given back.
    Ok(unsafe { Tensor::from_foreign(data, &shape, &strides, dtype, Box::new(owner)) }?)
}

/// # Safety
///
/// There are `count` numbers at `start`, unless that is null or `count` is 0.
unsafe fn dims(start: *const i64, count: usize) -> Option<Vec<i64>> {
    // SAFETY: the caller says that so many numbers are there; none can be read from anywhere.
    let read = || unsafe { (0..count).map(|at| start.add(at).read()).collect() };
    (!start.is_null()).then(read)
}

/// What a capsule says cannot be.
#[cold]
fn lie(what: std::fmt::Arguments<'_>) -> Failure {
    Error::value(format_args!("the DLPack capsule is broken: {what}")).into()
}
