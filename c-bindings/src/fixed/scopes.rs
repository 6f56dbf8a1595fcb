//! Scopes of threads.

use std::ptr;

use super::guarded;
use crate::handle::{self, Tensor};
use crate::scope;

pub unsafe fn scope_begin() {
    guarded((), scope::begin);
}

pub unsafe fn scope_keep(tensor: *mut Tensor) {
    guarded((), || scope::keep(tensor.addr()));
}

pub unsafe fn scope_end() -> i64 {
    guarded(0, || {
        let left = scope::end();
        let count = left.len() as i64;
        for handle in left {
            let handle = ptr::with_exposed_provenance_mut::<Tensor>(handle);
            // SAFETY: a recorded handle was handed out, and freeing it would have taken it out.
            unsafe { handle::free(handle) };
        }
        count
    })
}
