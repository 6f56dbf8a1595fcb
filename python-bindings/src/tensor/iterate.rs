//! A tensor as a collection of its rows: `len`, `iter`, `reversed`.

use std::ffi::{c_int, c_uint, c_void};
use std::mem::ManuallyDrop;
use std::ptr;

use opwright_runtime::{Tensor, view};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, Py_ssize_t, PyObject, PyType_Slot, PyType_Spec};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use super::guard::{guard, with_python};
use super::object;
use crate::failure::Failure;
use crate::method;
use crate::tables::{Methods, Slot};
use crate::wrap::Wrap;

/// `len` and `iter`.
pub(super) static SLOTS: [Slot; 2] = [
    Slot { id: ffi::Py_mp_length, function: length as *const c_void },
    Slot { id: ffi::Py_tp_iter, function: forwards as *const c_void },
];

/// The entries of the table of methods.
pub(super) static ENTRIES: Methods<1> = Methods([method::alone(
    c"__reversed__",
    backwards,
    c"__reversed__($self, /)\n--\n\nThe rows, the last one first.",
)]);

unsafe extern "C" fn length(object: *mut PyObject) -> Py_ssize_t {
    // SAFETY: called by the interpreter for an instance of the class.
    unsafe {
        guard("len", -1, |_| match object::peek(object).shape().first() {
            Some(&length) => Ok(length as Py_ssize_t),
            None => Err(PyTypeError::new_err("len() of a 0-d tensor").into()),
        })
    }
}

unsafe extern "C" fn forwards(object: *mut PyObject) -> *mut PyObject {
    // SAFETY: called by the interpreter for an instance of the class.
    unsafe { guard("iter", ptr::null_mut(), |py| rows(py, object::peek(object).clone(), false)) }
}

unsafe extern "C" fn backwards(object: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: called by the interpreter for an instance of the class.
    unsafe {
        with_python("reversed", object, |py, tensor| {
            let rows = rows(py, tensor, true)?;
            Ok(Bound::from_owned_ptr(py, rows).unbind())
        })
    }
}

fn rows(py: Python<'_>, tensor: Tensor, reverse: bool) -> Result<*mut PyObject, Failure> {
    let Some(&length) = tensor.shape().first() else {
        return Err(PyTypeError::new_err("iteration over a 0-d tensor").into());
    };
    let rows = Rows { tensor, next: if reverse { length - 1 } else { 0 }, reverse };
    let class = iterator(py)?.as_type_ptr();
    // SAFETY: instances of the class begin with an `Iterator`, which is not set yet.
    unsafe {
        let object = ffi::PyType_GenericAlloc(class, 0);
        if object.is_null() {
            return Err(PyErr::fetch(py).into());
        }
        (&raw mut (*object.cast::<Iterator>()).rows).write(ManuallyDrop::new(rows));
        (&raw mut (*object.cast::<Iterator>()).given).write([ptr::null_mut(); 2]);
        Ok(object)
    }
}

/// The rows of a tensor that are left.
struct Rows {
    tensor: Tensor,
    next: i64,
    reverse: bool,
}

impl Rows {
    fn left(&self) -> i64 {
        if self.reverse { self.next + 1 } else { self.tensor.shape()[0] - self.next }
    }

    /// The index of the next row.
    #[inline]
    fn next(&mut self) -> Option<i64> {
        if self.left() <= 0 {
            return None;
        }
        let index = self.next;
        self.next += if self.reverse { -1 } else { 1 };
        Some(index)
    }
}

/// What an instance of the class of iterators holds.
#[repr(C)]
struct Iterator {
    base: PyObject,
    rows: ManuallyDrop<Rows>,
    /// The two elements that were given last, of a tensor with one dimension. A loop has let go of
    /// the earlier one, which then becomes the next.
    given: [*mut PyObject; 2],
}

/// The class of iterators. It is no class of PyO3, whose way to a method takes longer than a row.
fn iterator<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.get_or_try_init(py, || make_iterator(py)).map(|it| it.bind(py))
}

fn make_iterator(py: Python<'_>) -> PyResult<Py<PyType>> {
    let slot = |slot, pfunc: *const c_void| PyType_Slot { slot, pfunc: pfunc.cast_mut() };
    let mut slots = [
        slot(ffi::Py_tp_iter, ffi::PyObject_SelfIter as *const c_void),
        slot(ffi::Py_tp_iternext, next_row as *const c_void),
        slot(ffi::Py_tp_dealloc, dealloc as *const c_void),
        slot(ffi::Py_tp_methods, (&raw const ITERATOR_ENTRIES).cast()),
        slot(0, ptr::null()),
    ];
    let mut spec = PyType_Spec {
        name: c"opwright._C.TensorIterator".as_ptr(),
        basicsize: size_of::<Iterator>() as c_int,
        itemsize: 0,
        flags: (ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION) as c_uint,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the slots are functions of the types that the interpreter expects, ended by an
    // empty one; the name and the methods are static.
    let class = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpec(&raw mut spec))? };
    Ok(class.cast_into::<PyType>()?.unbind())
}

static ITERATOR_ENTRIES: Methods<2> = Methods([
    method::alone(
        c"__length_hint__",
        left,
        c"__length_hint__($self, /)\n--\n\nHow many rows are left.",
    ),
    Methods::<2>::END,
]);

/// The rows of an iterator, which nobody else uses: its methods run no code of Python.
///
/// # Safety
///
/// `object` is an instance of the class of iterators, and the GIL is held.
unsafe fn rows_of<'a>(object: *mut PyObject) -> &'a mut Rows {
    // SAFETY: by the caller's promise the object begins with an `Iterator`, set when it was made.
    unsafe { &mut (*object.cast::<Iterator>()).rows }
}

unsafe extern "C" fn next_row(object: *mut PyObject) -> *mut PyObject {
    // SAFETY: called by the interpreter for an instance of the class.
    unsafe {
        guard("next", ptr::null_mut(), |py| {
            let rows = rows_of(object);
            let Some(index) = rows.next() else { return Ok(ptr::null_mut()) };
            if rows.tensor.ndim() > 1 {
                return view::select(&rows.tensor, 0, index)?.wrap(py);
            }
            element(py, object, index)
        })
    }
}

/// An element of a tensor with one dimension, a new reference.
///
/// # Safety
///
/// As for [`rows_of`].
unsafe fn element(
    py: Python<'_>,
    iterator: *mut PyObject,
    index: i64,
) -> Result<*mut PyObject, Failure> {
    // SAFETY: by the caller's promise an iterator, which holds a reference to each object that it
    // gave last; making an object may run code of Python, so fields are read anew behind it.
    unsafe {
        let line = &rows_of(iterator).tensor;
        let given = &raw mut (*iterator.cast::<Iterator>()).given;
        let [earlier, later] = *given;
        if !earlier.is_null()
            && object::is_let_go(earlier)
            && object::move_within(earlier, line, index)
        {
            *given = [later, earlier];
            ffi::Py_INCREF(earlier);
            return Ok(earlier);
        }
        let made = view::select(line, 0, index)?.wrap(py)?;
        ffi::Py_INCREF(made);
        let [earlier, later] = *given;
        *given = [later, made];
        ffi::Py_XDECREF(earlier);
        Ok(made)
    }
}

unsafe extern "C" fn left(object: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: called by the interpreter for an instance of the class.
    unsafe {
        guard("__length_hint__", ptr::null_mut(), |py| rows_of(object).left().max(0).wrap(py))
    }
}

unsafe extern "C" fn dealloc(object: *mut PyObject) {
    // SAFETY: called by the interpreter, once, on an instance that nobody holds; its memory is
    // freed as its class says, which it holds a reference to.
    unsafe {
        ManuallyDrop::drop(&mut (*object.cast::<Iterator>()).rows);
        for given in (*object.cast::<Iterator>()).given {
            ffi::Py_XDECREF(given);
        }
        let class = ffi::Py_TYPE(object);
        let free = ffi::PyType_GetSlot(class, ffi::Py_tp_free);
        let free: ffi::freefunc = std::mem::transmute(free);
        free(object.cast());
        ffi::Py_DECREF(class.cast());
    }
}
