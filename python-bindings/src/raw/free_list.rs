//! Free lists: memory of freed objects, kept for the next ones of their class.
//!
//! Most tensors are results that die young. Asking the interpreter for the
//! memory of each and giving it back takes longer than a small sum.

use std::cell::Cell;
use std::ptr;

use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::collector::{free_untracked, is_freed_by};

/// How many objects are kept: more than expressions have intermediate results.
const MOST: usize = 64;

/// Objects without contents.
struct FreeList {
    /// The class that they are for; null if none are kept.
    class: Cell<*mut PyTypeObject>,
    count: Cell<usize>,
    objects: [Cell<*mut PyObject>; MOST],
}

// SAFETY: the functions here are called by constructors and destructors of objects, which hold
// the GIL, so one after the other.
unsafe impl Sync for FreeList {}

static FREE: FreeList = FreeList {
    class: Cell::new(ptr::null_mut()),
    count: Cell::new(0),
    objects: [const { Cell::new(ptr::null_mut()) }; MOST],
};

/// From now on objects of `class`, which `dealloc` frees, are kept, unless the interpreter frees
/// them in its own way or the environment says that nothing is to be kept.
pub(crate) fn serve(class: &Bound<'_, PyType>, dealloc: unsafe extern "C" fn(*mut PyObject)) {
    let none = ptr::null_mut();
    while let Some(object) = pop() {
        // SAFETY: `keep` was given an object that nobody holds and nobody tracks, of our classes.
        unsafe { free_untracked(object) };
    }
    let is_ours = is_freed_by(class, dealloc);
    let suits = is_ours && opwright_runtime::block_cache::is_enabled();
    FREE.class.set(if suits { class.as_type_ptr() } else { none });
}

/// A new object of `class` in which nothing is set yet; null if none was kept.
///
/// # Safety
///
/// The GIL is held.
#[inline]
pub(crate) unsafe fn take(class: *mut PyTypeObject) -> *mut PyObject {
    if FREE.class.get() != class {
        return ptr::null_mut();
    }
    match pop() {
        // SAFETY: `keep` was given the memory of an object of this class, which nobody holds.
        Some(object) => unsafe { ffi::PyObject_Init(object, class) },
        None => ptr::null_mut(),
    }
}

/// Keeps the memory of an object of `class`, or says that it should be freed.
///
/// # Safety
///
/// Nobody holds `object`, what it held is gone, it has no weak references, the
/// garbage collector does not track it, and the GIL is held.
#[inline]
pub(crate) unsafe fn keep(object: *mut PyObject, class: *mut PyTypeObject) -> bool {
    let count = FREE.count.get();
    let Some(place) = FREE.objects.get(count).filter(|_| class == FREE.class.get()) else {
        return false;
    };
    place.set(object);
    FREE.count.set(count + 1);
    true
}

#[inline]
fn pop() -> Option<*mut PyObject> {
    let last = FREE.count.get().checked_sub(1)?;
    FREE.count.set(last);
    FREE.objects.get(last).map(Cell::get)
}
