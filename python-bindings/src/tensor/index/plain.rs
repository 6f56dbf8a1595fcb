//! Keys of integers, slices, `...` and `None`, as most are: what they pick out is
//! found in one pass, without a list of items.
//!
//! Whatever is something else, or wrong, is left to [`Plan`](super::plan::Plan),
//! which says what is wrong with it.

use opwright_runtime::tensor::Pick;
use opwright_runtime::{Tensor, view};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PySlice;

use super::item::Range;
use crate::args::exact_int;
use crate::failure::Failure;
use crate::tensor::object;

/// Calls `take` with what a key picks out of a tensor; `None` for keys that are left to the plan.
///
/// # Errors
///
/// Those of slices and of `take`.
///
/// # Safety
///
/// `object` is a valid tensor, and `take` runs no code of Python.
#[inline(always)]
pub(super) unsafe fn with_pick<R>(
    object: *mut PyObject,
    key: &Bound<'_, PyAny>,
    take: impl Fn(&mut Pick<'_>) -> Result<R, Failure>,
) -> Result<Option<R>, Failure> {
    // SAFETY: by the caller's promise a tensor, whose handle nobody replaces while integers are
    // read. What a slice runs may do so, hence slices are read before.
    unsafe {
        let items = Items::of(key);
        let mut pick = Pick::new(object::peek(object));
        if at_integers(&mut pick, items).is_some() {
            return take(&mut pick).map(Some);
        }
        let mut ranges = Ranges::default();
        ranges.read(items)?;
        let mut pick = Pick::new(object::peek(object));
        if walk(&mut pick, items, &ranges).is_some() {
            return take(&mut pick).map(Some);
        }
        Ok(None)
    }
}

/// The view that a key picks out of a tensor; `None` for keys that are left to the plan.
///
/// # Errors
///
/// Those of slices, and `IndexError`.
///
/// # Safety
///
/// `object` is a valid tensor.
#[inline(always)]
pub(super) unsafe fn view(
    object: *mut PyObject,
    key: &Bound<'_, PyAny>,
) -> Result<Option<Tensor>, Failure> {
    // SAFETY: by the caller's promise a tensor, which is looked at after a slice was read.
    unsafe {
        // The most frequent of all keys.
        if let Some(index) = exact_int(key) {
            let tensor = object::peek(object);
            return Ok(if tensor.ndim() > 0 {
                Some(view::select(tensor, 0, index)?)
            } else {
                None
            });
        }
        if let Ok(slice) = key.cast_exact::<PySlice>() {
            let range = Range::read(slice)?;
            let (start, end, step) = range.bounds();
            let tensor = object::peek(object);
            return Ok(match tensor.ndim() {
                0 => None,
                _ => Some(view::slice(tensor, 0, start, end, step)?),
            });
        }
        view_of_several(object, key)
    }
}

// Apart, so that the most frequent keys need not make room for the work on others.
#[inline(never)]
unsafe fn view_of_several(
    object: *mut PyObject,
    key: &Bound<'_, PyAny>,
) -> Result<Option<Tensor>, Failure> {
    // SAFETY: the promise of `view`'s caller; making a view runs no code.
    unsafe { with_pick(object, key, |it| Ok(it.view()?)) }
}

/// The items of a key, which is a tuple of them or one itself.
#[derive(Clone, Copy)]
struct Items<'a, 'py> {
    key: &'a Bound<'py, PyAny>,
    is_tuple: bool,
    count: usize,
}

impl<'a, 'py> Items<'a, 'py> {
    #[inline(always)]
    fn of(key: &'a Bound<'py, PyAny>) -> Items<'a, 'py> {
        // SAFETY: a valid object, whose size is looked at if it is a tuple.
        unsafe {
            let is_tuple = ffi::Py_TYPE(key.as_ptr()) == &raw mut ffi::PyTuple_Type;
            let count = if is_tuple { ffi::Py_SIZE(key.as_ptr()) as usize } else { 1 };
            Items { key, is_tuple, count }
        }
    }

    /// The items from a position on.
    #[inline(always)]
    fn from(self, position: usize) -> impl Iterator<Item = Borrowed<'a, 'py, PyAny>> {
        (position..self.count).map(move |at| {
            if !self.is_tuple {
                return self.key.as_borrowed();
            }
            // SAFETY: a tuple, which never changes, has so many items and keeps them.
            unsafe {
                let item = ffi::PyTuple_GetItem(self.key.as_ptr(), at as ffi::Py_ssize_t);
                Borrowed::from_ptr(self.key.py(), item)
            }
        })
    }

    /// How many dimensions the items from a position on use up; `None` if there is
    /// an ellipsis among them, or one that is not plain.
    fn dims(self, position: usize) -> Option<usize> {
        let mut dims = 0;
        for item in self.from(position) {
            if exact_int(&item).is_some() || item.is_exact_instance_of::<PySlice>() {
                dims += 1;
            } else if !item.is_none() {
                return None;
            }
        }
        Some(dims)
    }
}

/// The slices of a key, in their order.
#[derive(Default)]
struct Ranges {
    ranges: [Range; MOST_RANGES],
    count: usize,
}

/// Keys with more slices are left to the plan.
const MOST_RANGES: usize = 4;

impl Ranges {
    #[inline(always)]
    fn read(&mut self, items: Items<'_, '_>) -> Result<(), Failure> {
        for item in items.from(0) {
            if let Ok(slice) = item.cast_exact::<PySlice>()
                && let Some(place) = self.ranges.get_mut(self.count)
            {
                place.read_in_place(&slice)?;
                self.count += 1;
            }
        }
        Ok(())
    }
}

/// Goes along integers.
#[inline(always)]
fn at_integers(pick: &mut Pick<'_>, items: Items<'_, '_>) -> Option<()> {
    for item in items.from(0) {
        pick.select(exact_int(&item)?).ok()?;
    }
    Some(())
}

/// Goes along items of any kind, unless one is not plain or does not fit.
#[inline(always)]
fn walk(pick: &mut Pick<'_>, items: Items<'_, '_>, ranges: &Ranges) -> Option<()> {
    let mut ranges = ranges.ranges[..ranges.count].iter();
    for (position, item) in items.from(0).enumerate() {
        if let Some(index) = exact_int(&item) {
            pick.select(index).ok()?;
        } else if item.is_exact_instance_of::<PySlice>() {
            let (start, end, step) = ranges.next()?.bounds();
            pick.slice(start, end, step).ok()?;
        } else if item.is_none() {
            pick.insert();
        } else if is_ellipsis(&item) {
            let behind = items.dims(position + 1)?;
            pick.keep(pick.left().checked_sub(behind)?).ok()?;
        } else {
            return None;
        }
    }
    Some(())
}

#[inline(always)]
fn is_ellipsis(item: &Bound<'_, PyAny>) -> bool {
    // SAFETY: compared with an object that always exists.
    item.as_ptr() == unsafe { ffi::Py_Ellipsis() }
}
