//! Objects that nobody holds any more, kept for the next results.
//!
//! Most tensors are results that die young. Asking the interpreter for the
//! memory of each and giving it back takes longer than a small sum.

use std::cell::{Cell, UnsafeCell};
use std::ptr;

use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// How many objects are kept: more than expressions have intermediate results.
const MOST: usize = 64;

/// Objects without a tensor.
struct Spare {
    /// The class that they are for; null if none are kept.
    class: Cell<*mut PyTypeObject>,
    count: Cell<usize>,
    objects: UnsafeCell<[*mut PyObject; MOST]>,
}

// SAFETY: every function here is called with the GIL held.
unsafe impl Sync for Spare {}

static SPARE: Spare = Spare {
    class: Cell::new(ptr::null_mut()),
    count: Cell::new(0),
    objects: UnsafeCell::new([ptr::null_mut(); MOST]),
};

/// From now on objects of `class` are kept, unless the garbage collector tracks
/// them or the environment says that nothing is to be kept.
pub(super) fn serve(class: &Bound<'_, PyType>) {
    let none = ptr::null_mut();
    while let Some(object) = pop() {
        // SAFETY: the memory of an object that nobody holds, from the allocator of objects.
        unsafe { ffi::PyObject_Free(object.cast()) };
    }
    // SAFETY: a valid class.
    let flags = unsafe { ffi::PyType_GetFlags(class.as_type_ptr()) };
    let suits = flags & ffi::Py_TPFLAGS_HAVE_GC == 0 && opwright_runtime::spare::is_kept();
    SPARE.class.set(if suits { class.as_type_ptr() } else { none });
}

/// A new object of `class` whose tensor is not set yet; null if none was kept.
///
/// # Safety
///
/// The GIL is held.
#[inline]
pub(super) unsafe fn take(class: *mut PyTypeObject) -> *mut PyObject {
    if SPARE.class.get() != class {
        return ptr::null_mut();
    }
    match pop() {
        // SAFETY: memory of an object of this class, which nobody holds.
        Some(object) => unsafe { ffi::PyObject_Init(object, class) },
        None => ptr::null_mut(),
    }
}

/// Keeps the memory of an object, or says that it should be freed.
///
/// # Safety
///
/// Nobody holds `object`, its tensor is gone, it has no weak references, and
/// the GIL is held.
#[inline]
pub(super) unsafe fn keep(object: *mut PyObject) -> bool {
    let count = SPARE.count.get();
    // SAFETY: the class of an object stays until its memory is freed.
    if unsafe { ffi::Py_TYPE(object) } != SPARE.class.get() || count == MOST {
        return false;
    }
    // SAFETY: there is room, and nobody else looks while the GIL is held.
    unsafe { *(*SPARE.objects.get()).get_unchecked_mut(count) = object };
    SPARE.count.set(count + 1);
    true
}

#[inline]
fn pop() -> Option<*mut PyObject> {
    let last = SPARE.count.get().checked_sub(1)?;
    SPARE.count.set(last);
    // SAFETY: there are so many, and nobody else looks while the GIL is held.
    Some(unsafe { *(*SPARE.objects.get()).get_unchecked(last) })
}
