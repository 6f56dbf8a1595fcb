//! The elements of a list or tuple, by borrowed reference.

use pyo3::ffi::{self, PyObject};

/// A list or a tuple. A list can change while it is read, so its length is
/// looked up for each element.
#[derive(Clone, Copy)]
pub struct Sequence {
    object: *mut PyObject,
    is_list: bool,
}

impl Sequence {
    /// Looks at `object` as a sequence.
    ///
    /// # Safety
    ///
    /// `object` is a valid list or tuple (or of a subclass) that outlives the
    /// value, and the GIL is held while the value is used.
    pub unsafe fn new(object: *mut PyObject) -> Sequence {
        // SAFETY: the caller's promise.
        Sequence { object, is_list: unsafe { ffi::PyList_Check(object) != 0 } }
    }

    /// How many elements there are now.
    pub fn len(self) -> usize {
        // SAFETY: the promise of `new`.
        let len = unsafe {
            if self.is_list {
                ffi::PyList_Size(self.object)
            } else {
                ffi::PyTuple_Size(self.object)
            }
        };
        len.max(0) as usize
    }

    /// Whether there are none now.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The element at `at`, if there is one now.
    pub fn get(self, at: usize) -> Option<*mut PyObject> {
        if at >= self.len() {
            return None;
        }
        let at = at as ffi::Py_ssize_t;
        // SAFETY: the promise of `new`; the index was checked with the GIL held.
        Some(unsafe {
            if self.is_list {
                ffi::PyList_GetItem(self.object, at)
            } else {
                ffi::PyTuple_GetItem(self.object, at)
            }
        })
    }

    /// The elements, one after the other.
    pub fn iter(self) -> impl Iterator<Item = *mut PyObject> {
        (0..).map_while(move |at| self.get(at))
    }
}
