//! Scopes of threads.

use crate::call::guarded;
use crate::handle::Tensor;
use crate::scope;

pub unsafe fn scope_begin() {
    guarded((), scope::begin);
}

pub unsafe fn scope_keep(tensor: *mut Tensor) {
    guarded((), || scope::keep(tensor.addr()));
}

pub unsafe fn scope_end() -> i64 {
    guarded(0, scope::end)
}
