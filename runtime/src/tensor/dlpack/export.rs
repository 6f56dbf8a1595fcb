//! Our tensors for other libraries.

use std::ptr;

use super::structs::{CPU, DataType, Managed, VERSION, Versioned, View};
use crate::{Error, PinnedStorage, Result, Tensor, buffer};

/// What is handed out: the structure that consumers see comes first.
#[repr(C)]
#[expect(missing_debug_implementations, reason = "it holds what nobody shows")]
pub struct Export<T> {
    seen: T,
    _tensor: Tensor,
    /// So that it stays where it is.
    _lent: Option<PinnedStorage>,
    _shape: Vec<i64>,
    _strides: Vec<i64>,
}

// SAFETY: the structure is only read, and what it points to moves with the rest.
unsafe impl<T> Send for Export<T> {}

/// A structure that consumers see.
pub trait ManagedForm: Sized {
    /// One with this view, whose deleter frees the box that it is in.
    fn around(view: View) -> Self;
}

impl ManagedForm for Versioned {
    fn around(view: View) -> Versioned {
        let (context, deleter) = (ptr::null_mut(), Some(delete::<Versioned> as _));
        Versioned { version: VERSION, context, deleter, flags: 0, view }
    }
}

impl ManagedForm for Managed {
    fn around(view: View) -> Managed {
        Managed { view, context: ptr::null_mut(), deleter: Some(delete::<Managed> as _) }
    }
}

impl<T: ManagedForm> Export<T> {
    /// A view of a tensor, which it keeps alive. The deleter frees the box that the caller puts it
    /// into.
    ///
    /// # Errors
    ///
    /// `NotImplemented` for a meta tensor, `Memory`.
    pub fn of(tensor: Tensor) -> Result<Export<T>> {
        if tensor.device().is_meta() {
            return Err(Error::not_implemented("a meta tensor has no memory to share"));
        }
        let lent = tensor.storage().map(|it| it.lend()).transpose()?;
        let mut shape = buffer::copied(tensor.shape())?;
        let mut strides = buffer::copied(tensor.strides())?;
        let view = View {
            data: tensor.data_ptr().cast(),
            device: [CPU, 0],
            ndim: tensor.ndim() as i32,
            dtype: DataType::of(tensor.dtype()),
            shape: shape.as_mut_ptr(),
            strides: strides.as_mut_ptr(),
            byte_offset: 0,
        };
        let seen = T::around(view);
        Ok(Export { seen, _tensor: tensor, _lent: lent, _shape: shape, _strides: strides })
    }

    /// The pointer that consumers have, who call the deleter once.
    pub fn into_seen(self) -> *mut T {
        Box::into_raw(Box::new(self)).cast()
    }
}

/// Frees an export by the pointer that consumers have.
unsafe extern "C" fn delete<T>(seen: *mut T) {
    // SAFETY: what is seen is the first field of an export in a box; whoever has the pointer gives
    // it back once, by the protocol.
    unsafe { drop(Box::from_raw(seen.cast::<Export<T>>())) }
}
