//! Tensors over the memory of other libraries.

use std::sync::{Arc, OnceLock};

use super::structs::{CPU, Managed, READ_ONLY, VERSION, Versioned, View};
use crate::geometry::{MAX_DIMS, contiguous_strides, element_count};
use crate::{Error, Result, Tensor, ensure};

/// What was taken over, given back at the end.
#[derive(Debug)]
pub enum Taken {
    /// Without a version.
    Managed(*mut Managed),
    /// With one.
    Versioned(*mut Versioned),
}

// SAFETY: the structures are only read, and their deleters may be called from
// any thread.
unsafe impl Send for Taken {}
// SAFETY: nobody writes to the structures until they are given back.
unsafe impl Sync for Taken {}

impl Drop for Taken {
    fn drop(&mut self) {
        // SAFETY: `tensor` says that this is the only owner of a structure of the protocol.
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
struct SeenStruct<'a> {
    /// The version of the structure: those of another one look different.
    major: u32,
    is_read_only: bool,
    view: &'a View,
}

impl Taken {
    /// A tensor over the memory, and whether that is a copy: of memory that nobody may write to.
    ///
    /// # Errors
    ///
    /// `Runtime` for another version or device, `Type` for elements that no dtype is like, `Value`
    /// if the structure says what cannot be. Then the structure is still the caller's.
    ///
    /// # Safety
    ///
    /// The pointer is a structure of the protocol, and this its only owner.
    pub unsafe fn tensor(self) -> Result<(Tensor, bool), (Error, Taken)> {
        let owner = Arc::new(OnceLock::new());
        match self.over(Arc::clone(&owner)) {
            Ok((copy, true)) => Ok((copy, true)),
            Ok((tensor, false)) => {
                let _ = owner.set(self);
                Ok((tensor, false))
            }
            Err(error) => Err((error, self)),
        }
    }

    /// The same, over memory that is valid as long as the structure, which the owner is to get.
    fn over(&self, owner: Arc<OnceLock<Taken>>) -> Result<(Tensor, bool)> {
        let SeenStruct { major, is_read_only, view } = self.seen();
        ensure!(major == VERSION[0], Runtime, "unknown DLPack version {major}");
        let device = view.device[0];
        ensure!(
            device == CPU,
            Runtime,
            "the memory is on a device of type {device}, not in main memory; copy it there first"
        );
        let tensor = over(view, owner)?;
        Ok((if is_read_only { tensor.copy()? } else { tensor }, is_read_only))
    }

    /// Leaves the structure to whoever had it before.
    pub fn leave(self) {
        std::mem::forget(self);
    }

    fn seen(&self) -> SeenStruct<'_> {
        // SAFETY: `tensor` says that the pointer is such a structure, which stays as it is until it
        // is given back, as it is when this value is dropped.
        unsafe {
            match *self {
                Taken::Managed(it) => {
                    SeenStruct { major: VERSION[0], is_read_only: false, view: &(*it).view }
                }
                Taken::Versioned(it) => SeenStruct {
                    major: (*it).version[0],
                    is_read_only: (*it).flags & READ_ONLY != 0,
                    view: &(*it).view,
                },
            }
        }
    }
}

/// A tensor over a view.
fn over(view: &View, owner: Arc<OnceLock<Taken>>) -> Result<Tensor> {
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
    // until the structure, which the owner gets, is given back.
    unsafe { Tensor::from_foreign(data, &shape, &strides, dtype, Box::new(owner)) }
}

/// # Safety
///
/// There are `count` numbers at `start`, unless that is null or `count` is 0.
unsafe fn dims(start: *const i64, count: usize) -> Option<Vec<i64>> {
    // SAFETY: the caller says that so many numbers are there; none can be read from anywhere.
    let read = || unsafe { (0..count).map(|at| start.add(at).read()).collect() };
    (!start.is_null()).then(read)
}

/// What a structure says cannot be.
#[cold]
fn lie(what: std::fmt::Arguments<'_>) -> Error {
    Error::value(format_args!("the DLPack capsule is broken: {what}"))
}
