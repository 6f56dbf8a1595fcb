//! Sequence protocol: `len`, `iter`, `reversed`, `tolist`.

use std::cell::Cell;
use std::ffi::c_void;
use std::slice;

use opwright_runtime::{Tensor, autograd, reserve};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, Py_ssize_t};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::object::nested_list::nested_list;
use crate::object::trampoline::{trampoline, with_python};
use crate::object::{self, Convert, Failure, Object, operators};
use crate::raw::method::{self, Methods, Slot};
use crate::raw::{ClassOf, Instance, InstanceValue, Lent, New, Spec, Unused, entry};

/// `len` and `iter`.
pub(super) static SLOTS: [Slot; 2] = [
    Slot { id: ffi::Py_mp_length, function: length as *const c_void },
    Slot { id: ffi::Py_tp_iter, function: forwards as *const c_void },
];

/// The entries of the table of methods.
pub(super) static ENTRIES: Methods<2> = Methods([
    method::alone(
        c"__reversed__",
        backwards,
        c"__reversed__($self, /)\n--\n\nThe rows, the last one first.",
    ),
    method::alone(
        c"tolist",
        tolist,
        c"tolist($self, /)\n--\n\n\
          The elements as Python numbers, in lists within lists; a number if there are no \
          dimensions.",
    ),
]);

entry! {
    fn tolist(py, tensor: Lent<Object>, _none: Unused) -> New {
        with_python("tolist", tensor, |tensor| {
            // Python code that runs meanwhile could write to shared memory.
            nested_list(py, &operators::detach(&tensor)?)
        })
    }

    fn length(_py, tensor: Lent<Object>) -> Py_ssize_t {
        trampoline("len", -1, || match object::peek(tensor).shape().first() {
            Some(&length) => Ok(length as Py_ssize_t),
            None => Err(PyTypeError::new_err("len() of a 0-d tensor").into()),
        })
    }

    fn forwards(py, tensor: Lent<Object>) -> New {
        trampoline("iter", None, || rows(py, object::peek(tensor).clone(), false).map(Some))
    }

    fn backwards(py, tensor: Lent<Object>, _none: Unused) -> New {
        with_python("reversed", tensor, |tensor| rows(py, tensor, true))
    }
}

fn rows(py: Python<'_>, tensor: Tensor, reverse: bool) -> Result<Bound<'_, PyAny>, Failure> {
    let Some(&length) = tensor.shape().first() else {
        return Err(PyTypeError::new_err("iteration over a 0-d tensor").into());
    };
    let next = Cell::new(if reverse { length - 1 } else { 0 });
    // What is recorded is recorded as one call.
    let made =
        if operators::has_layers(&tensor) { operators::unbind(&tensor, 0)? } else { Vec::new() };
    autograd::one_of_many(&made);
    let rows = RowIterator { tensor, made, next, reverse };
    Ok(iterator(py)?.instance(py, rows)?.into_any())
}

/// The rows of a tensor that are left: what an iterator holds.
struct RowIterator {
    tensor: Tensor,
    /// All rows, if they were made at the start.
    made: Vec<Tensor>,
    next: Cell<i64>,
    reverse: bool,
}

impl RowIterator {
    fn left(&self) -> i64 {
        let next = self.next.get();
        if self.reverse { next + 1 } else { self.tensor.shape()[0] - next }
    }

    /// The index of the next row.
    #[inline]
    fn next(&self) -> Option<i64> {
        if self.left() <= 0 {
            return None;
        }
        let index = self.next.get();
        self.next.set(index + if self.reverse { -1 } else { 1 });
        Some(index)
    }
}

impl InstanceValue for RowIterator {
    fn release(self, _py: Python<'_>) {}
}

/// The class of iterators. It is no class of PyO3, whose way to a method takes longer than a row.
fn iterator(py: Python<'_>) -> PyResult<&'static ClassOf<RowIterator>> {
    static CLASS: PyOnceLock<ClassOf<RowIterator>> = PyOnceLock::new();
    CLASS.get_or_try_init(py, || {
        let slots = vec![
            Spec::slot(ffi::Py_tp_iter, ffi::PyObject_SelfIter as *const c_void),
            Spec::slot(ffi::Py_tp_iternext, next_row as *const c_void),
            Spec::slot(ffi::Py_tp_methods, (&raw const ITERATOR_ENTRIES).cast()),
        ];
        // SAFETY: the functions are of the types that the ids say, for instances that hold `Rows`;
        // the table of methods is static.
        unsafe {
            let name = c"opwright._C.TensorIterator".to_owned();
            ClassOf::new(py, name, ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION, slots)
        }
    })
}

static ITERATOR_ENTRIES: Methods<2> = Methods([
    method::alone(
        c"__length_hint__",
        left,
        c"__length_hint__($self, /)\n--\n\nHow many rows are left.",
    ),
    Methods::<2>::END,
]);

entry! {
    fn next_row(py, iterator: Lent<Instance<RowIterator>>) -> New {
        trampoline("next", None, || {
            reserve::check()?;
            let rows = Instance::value(iterator);
            let Some(index) = rows.next() else { return Ok(None) };
            match rows.made.get(index as usize) {
                Some(row) => row.clone().object(py).map(Some),
                None => {
                    let row = operators::select(&rows.tensor, 0, index)?;
                    autograd::one_of_many(slice::from_ref(&row));
                    row.object(py).map(Some)
                }
            }
        })
    }

    fn left(py, iterator: Lent<Instance<RowIterator>>, _none: Unused) -> New {
        trampoline("__length_hint__", None, || {
            Instance::value(iterator).left().max(0).object(py).map(Some)
        })
    }
}
