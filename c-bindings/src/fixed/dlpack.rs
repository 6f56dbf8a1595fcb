//! Tensors of other libraries, and ours for them.

use opwright_runtime as rt;
use opwright_runtime::ensure;
use opwright_runtime::tensor::dlpack::{Export, Managed, ManagedForm, Taken, Versioned};

use crate::call::run;
use crate::error::Status;
use crate::handle::Tensor;
use crate::ready::ready;

/// # Safety
///
/// The handle is NULL or not freed, the result NULL or a place to write to.
unsafe fn export<T: ManagedForm>(
    words: &'static str,
    tensor: *const Tensor,
    result: *mut *mut T,
) -> Status {
    run(words, &mut |c| unsafe {
        // SAFETY: the caller's.
        let tensor: &rt::Tensor = c.object(tensor, 1)?;
        let is_recorded = tensor.requires_grad();
        ensure!(!is_recorded, Runtime, "others cannot record gradients: detach the tensor first");
        let export = Export::<T>::of(tensor.clone())?;
        if !result.is_null() {
            result.write(export.into_seen());
        }
        Ok(())
    })
}

pub unsafe fn tensor_to_dlpack(tensor: *const Tensor, result: *mut *mut Versioned) -> Status {
    // SAFETY: as the header says.
    unsafe { export("tensor_to_dlpack self", tensor, result) }
}

pub unsafe fn tensor_to_dlpack_unversioned(
    tensor: *const Tensor,
    result: *mut *mut Managed,
) -> Status {
    // SAFETY: as the header says.
    unsafe { export("tensor_to_dlpack_unversioned self", tensor, result) }
}

/// # Safety
///
/// It is NULL or a structure of the protocol that nobody else uses, the result NULL or a place to
/// write to.
unsafe fn import<T>(
    words: &'static str,
    managed: *mut T,
    taken: fn(*mut T) -> Taken,
    result: *mut *mut Tensor,
) -> Status {
    run(words, &mut |c| {
        if managed.is_null() {
            return Err(c.refused(1, "is NULL, expected a structure of DLPack"));
        }
        // SAFETY: it is such a structure, and the caller's alone.
        let made = unsafe { taken(managed).tensor() };
        let (tensor, _) = made.map_err(|(error, taken)| {
            taken.leave();
            error
        })?;
        // SAFETY: the caller's.
        unsafe { ready(result, tensor) }?.write();
        Ok(())
    })
}

pub unsafe fn tensor_from_dlpack(managed: *mut Versioned, result: *mut *mut Tensor) -> Status {
    // SAFETY: as the header says.
    unsafe { import("tensor_from_dlpack managed", managed, Taken::Versioned, result) }
}

pub unsafe fn tensor_from_dlpack_unversioned(
    managed: *mut Managed,
    result: *mut *mut Tensor,
) -> Status {
    // SAFETY: as the header says.
    unsafe { import("tensor_from_dlpack_unversioned managed", managed, Taken::Managed, result) }
}
