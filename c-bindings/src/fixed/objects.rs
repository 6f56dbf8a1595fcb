//! Generators and storages.

use std::ffi::c_void;
use std::ptr;

use opwright_runtime as rt;

use super::guarded;
use crate::call::run;
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
        if let Some(generator) = generator.as_ref() {
            generator.0.manual_seed(seed);
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

pub unsafe fn storage_bytes(storage: *const Storage) -> usize {
    // SAFETY: it is NULL or a handle.
    unsafe { storage.as_ref() }.map_or(0, |it| it.0.bytes())
}

pub unsafe fn storage_data(storage: *const Storage) -> *mut c_void {
    // SAFETY: it is NULL or a handle.
    let storage = unsafe { storage.as_ref() };
    guarded(ptr::null_mut(), || storage.map_or(ptr::null_mut(), |it| it.0.ready_ptr().cast()))
}
