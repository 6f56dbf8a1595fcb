//! Lists and tuples: their elements, and new ones.

use std::ptr;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, Py_ssize_t};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice, PyTuple, PyType};

use super::types::flags;

/// A list or a tuple. A list can change while it is read, so its length is
/// looked up for each element.
#[derive(Clone, Copy)]
pub struct Sequence<'a, 'py> {
    object: Borrowed<'a, 'py, PyAny>,
    is_list: bool,
}

impl<'a, 'py> Sequence<'a, 'py> {
    /// `object` as a sequence, if it is a list or a tuple, or derived from one.
    #[inline]
    pub fn of(object: Borrowed<'a, 'py, PyAny>) -> Option<Sequence<'a, 'py>> {
        let class = object.get_type_ptr();
        let is_list = if class == &raw mut ffi::PyTuple_Type {
            false
        } else if class == &raw mut ffi::PyList_Type || object.is_instance_of::<PyList>() {
            true
        } else if object.is_instance_of::<PyTuple>() {
            false
        } else {
            return None;
        };
        Some(Sequence { object, is_list })
    }

    /// How many elements there are now.
    pub fn len(self) -> usize {
        // SAFETY: a list where it says so, else a tuple: `of` looked.
        let len = unsafe {
            if self.is_list {
                ffi::PyList_Size(self.object.as_ptr())
            } else {
                ffi::PyTuple_Size(self.object.as_ptr())
            }
        };
        len.max(0) as usize
    }

    /// Whether there are none now.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The element at `at`, if there is one now.
    pub fn get(self, at: usize) -> Option<Bound<'py, PyAny>> {
        // SAFETY: counted before anything else runs.
        unsafe { self.peek(at) }.map(|it| it.to_owned())
    }

    /// The elements, one after the other.
    pub fn iter(self) -> impl Iterator<Item = Bound<'py, PyAny>> {
        (0..).map_while(move |at| self.get(at))
    }

    /// The elements without references of their own, which take longer to count than most
    /// elements to be looked at.
    ///
    /// # Safety
    ///
    /// While an element is used, nothing takes it out of a list: no code of Python runs but with a
    /// reference to the element.
    pub unsafe fn peek_each(self) -> impl Iterator<Item = Borrowed<'a, 'py, PyAny>> {
        // SAFETY: the caller vouches that the element stays as long as it is used.
        (0..).map_while(move |at| unsafe { self.peek(at) })
    }

    /// # Safety
    ///
    /// As for [`peek_each`](Sequence::peek_each).
    #[inline]
    unsafe fn peek(self, at: usize) -> Option<Borrowed<'a, 'py, PyAny>> {
        if at >= self.len() {
            return None;
        }
        let at = at as Py_ssize_t;
        // SAFETY: a list or tuple as `is_list` says, with more than `at` elements, which are never
        // null; the caller vouches that the element stays.
        unsafe {
            let element = if self.is_list {
                ffi::PyList_GetItem(self.object.as_ptr(), at)
            } else {
                ffi::PyTuple_GetItem(self.object.as_ptr(), at)
            };
            Borrowed::from_ptr_or_opt(self.object.py(), element)
        }
    }
}

/// How many elements a tuple has.
#[inline(always)]
pub(crate) fn tuple_len(tuple: &Bound<'_, PyTuple>) -> usize {
    // SAFETY: a tuple, as its type says, has a size.
    unsafe { ffi::Py_SIZE(tuple.as_ptr()) as usize }
}

/// An element of a tuple, which keeps it: unlike lists, tuples never change.
#[inline(always)]
pub(crate) fn tuple_get<'a, 'py>(
    tuple: Borrowed<'a, 'py, PyTuple>,
    at: usize,
) -> Option<Borrowed<'a, 'py, PyAny>> {
    if at >= tuple_len(&tuple) {
        return None;
    }
    // SAFETY: a tuple with more than `at` elements, which it keeps; null is no element yet.
    unsafe {
        let element = ffi::PyTuple_GetItem(tuple.as_ptr(), at as Py_ssize_t);
        Borrowed::from_ptr_or_opt(tuple.py(), element)
    }
}

/// Whether an object says that it has elements by index.
pub(crate) fn is_sequence(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: any object can be asked.
    unsafe { ffi::PySequence_Check(object.as_ptr()) != 0 }
}

/// A tuple of objects; unlike PyO3's, one that does not fit into memory is an exception.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn tuple<'py>(
    py: Python<'py>,
    elements: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    // SAFETY: the tuple is new, and gets as many elements as it has places; each place takes over
    // the reference to its element.
    unsafe {
        let tuple = ffi::PyTuple_New(elements.len() as Py_ssize_t);
        let tuple = Bound::from_owned_ptr_or_err(py, tuple)?;
        for (at, element) in elements.into_iter().enumerate() {
            ffi::PyTuple_SetItem(tuple.as_ptr(), at as Py_ssize_t, element.into_ptr());
        }
        Ok(tuple.cast_into_unchecked())
    }
}

/// The same as a list.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn list<'py>(
    py: Python<'py>,
    elements: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    // SAFETY: as for the tuple.
    unsafe {
        let list = ffi::PyList_New(elements.len() as Py_ssize_t);
        let list = Bound::from_owned_ptr_or_err(py, list)?;
        for (at, element) in elements.into_iter().enumerate() {
            ffi::PyList_SetItem(list.as_ptr(), at as Py_ssize_t, element.into_ptr());
        }
        Ok(list.cast_into_unchecked())
    }
}

/// An instance of a class derived from `tuple`, whose own code does not run.
///
/// # Errors
///
/// `TypeError` for another class, `MemoryError`, and what `elements` gives.
///
/// # Safety
///
/// What instances of the class hold beside their elements may be zero, as attributes may. There are
/// `count` elements, unless there is an error, and to make them runs no code of Python.
#[inline]
pub(crate) unsafe fn tuple_instance<'py>(
    class: &Bound<'py, PyType>,
    count: usize,
    elements: impl Iterator<Item = PyResult<Bound<'py, PyAny>>>,
) -> PyResult<Bound<'py, PyAny>> {
    check_tuple_class(class)?;
    // SAFETY: instances of the class are tuples, with room for as many elements as are asked for,
    // all null, and the caller vouches for the rest; nothing runs while they are set, which takes
    // over the reference to each.
    unsafe {
        let made = ffi::PyType_GenericAlloc(class.as_type_ptr(), count as Py_ssize_t);
        let made = Bound::from_owned_ptr_or_err(class.py(), made)?;
        for (at, element) in elements.enumerate() {
            ffi::PyTuple_SetItem(made.as_ptr(), at as Py_ssize_t, element?.into_ptr());
        }
        Ok(made)
    }
}

/// What `tuple.__new__(class, elements)` returns.
///
/// # Errors
///
/// `TypeError` for a class that is not derived from `tuple`, `MemoryError`.
///
/// # Safety
///
/// As for [`tuple_instance`].
pub(crate) unsafe fn tuple_new<'py>(
    class: &Bound<'py, PyType>,
    elements: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    check_tuple_class(class)?;
    let arguments = PyTuple::new(class.py(), [elements])?;
    // SAFETY: the slot of a static class, of the type that its id says; the class is derived from
    // that one, and the arguments are those of `tuple`.
    unsafe {
        let new = ffi::PyType_GetSlot(&raw mut ffi::PyTuple_Type, ffi::Py_tp_new);
        let new: ffi::newfunc = std::mem::transmute(new);
        let made = new(class.as_type_ptr(), arguments.as_ptr(), ptr::null_mut());
        Bound::from_owned_ptr_or_err(class.py(), made)
    }
}

fn check_tuple_class(class: &Bound<'_, PyType>) -> PyResult<()> {
    let is_derived = flags(class) & ffi::Py_TPFLAGS_TUPLE_SUBCLASS != 0;
    if is_derived { Ok(()) } else { Err(PyTypeError::new_err("expected a class of tuples")) }
}

/// `tuple[key]` as tuples have it, whatever a derived class makes of it.
///
/// # Errors
///
/// `IndexError` and `TypeError`, and whatever `__index__` of the key raises.
pub(crate) fn tuple_item<'py>(
    tuple: &Bound<'py, PyTuple>,
    key: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the slot of a static class, of the type that its id says, for an instance.
    unsafe {
        let item = ffi::PyType_GetSlot(&raw mut ffi::PyTuple_Type, ffi::Py_mp_subscript);
        let item: ffi::binaryfunc = std::mem::transmute(item);
        Bound::from_owned_ptr_or_err(tuple.py(), item(tuple.as_ptr(), key.as_ptr()))
    }
}

/// Reads the bounds and the step of a slice to where they are wanted.
///
/// # Errors
///
/// Whatever `__index__` of one raises.
#[inline(always)]
pub(crate) fn slice_into(
    slice: &Bound<'_, PySlice>,
    start: &mut Py_ssize_t,
    end: &mut Py_ssize_t,
    step: &mut Py_ssize_t,
) -> PyResult<()> {
    // SAFETY: a slice, as its type says, and three places to write to.
    let status = unsafe { ffi::PySlice_Unpack(slice.as_ptr(), start, end, step) };
    if status < 0 { Err(PyErr::fetch(slice.py())) } else { Ok(()) }
}
