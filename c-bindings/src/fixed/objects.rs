//! Generators and storages.

use std::ffi::c_void;
use std::ptr;

use opwright_runtime as rt;

use crate::call::{guarded, run};
use crate::error::Status;
use crate::handle::{self, Generator, Storage, Tensor};
use crate::ready::ready;

pub unsafe fn generator_new(seed: u64, result: *mut *mut Generator) -> Status {
    run("generator_new seed", &mut |_| unsafe {
        // SAFETY: as the header says.
        ready(result, rt::Generator::new(seed))?.write();
        Ok(())
    })
}

pub unsafe fn generator_free(generator: *mut Generator) {
    // SAFETY: it is NULL or a handle that nobody uses any more.
    guarded((), || unsafe { handle::free(generator) });
}

pub unsafe fn generator_manual_seed(generator: *mut Generator, seed: u64) {
    // SAFETY: it is NULL or a handle.
    guarded((), || unsafe {
        if !generator.is_null() && handle::is_known(generator) {
            (*generator).0.manual_seed(seed);
        }
    });
}

pub unsafe fn tensor_storage(tensor: *const Tensor, result: *mut *mut Storage) -> Status {
    run("tensor_storage self", &mut |c| unsafe {
        // SAFETY: as the header says.
        let tensor: &rt::Tensor = c.object(tensor, 1)?;
        ready(result, tensor.storage().cloned())?.write();
        Ok(())
    })
}

pub unsafe fn storage_free(storage: *mut Storage) {
    // SAFETY: it is NULL or a handle that nobody uses any more.
    guarded((), || unsafe { handle::free(storage) });
}

/// A storage, if there is one.
///
/// # Safety
///
/// The handle is NULL or not freed, or it is looked up whether it is.
unsafe fn known<'a>(storage: *const Storage) -> Option<&'a Storage> {
    let is_known = !storage.is_null() && handle::is_known(storage);
    // SAFETY: it is not NULL, and the caller's promise holds for what is known.
    is_known.then(|| unsafe { &*storage })
}

pub unsafe fn storage_bytes(storage: *const Storage) -> usize {
    // SAFETY: it is NULL or a handle.
    unsafe { known(storage) }.map_or(0, |it| it.0.bytes())
}

pub unsafe fn storage_data(storage: *const Storage) -> *mut c_void {
    // SAFETY: it is NULL or a handle.
    let storage = unsafe { known(storage) };
    guarded(ptr::null_mut(), || storage.map_or(ptr::null_mut(), |it| it.0.ready_ptr().cast()))
}
