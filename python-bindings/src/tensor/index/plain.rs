//! Keys of integers, slices, `...` and `None`, as most are: what they pick out is
//! found in one pass, without a list of items.
//!
//! Whatever is something else, or wrong, is left to [`Plan`](super::plan::Plan),
//! which says what is wrong with it.

use std::slice;

use opwright_runtime::Tensor;
use opwright_runtime::tensor::Pick;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};

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
    take: impl Fn(Pick<'_>) -> Result<R, Failure>,
) -> Result<Option<R>, Failure> {
    // SAFETY: by the caller's promise a tensor, whose handle nobody replaces while integers are
    // read. What a slice runs may do so, hence slices are read before.
    unsafe {
        if let Some(pick) = at_integers(object::peek(object), key) {
            return take(pick).map(Some);
        }
        let ranges = Ranges::read(key)?;
        match pick(object::peek(object), key, &ranges) {
            Some(pick) => take(pick).map(Some),
            None => Ok(None),
        }
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
            return Ok(if tensor.ndim() > 0 { Some(tensor.at_index(0, index)?) } else { None });
        }
        if let Ok(slice) = key.cast_exact::<PySlice>() {
            let Range { start, end, step } = Range::read(slice)?;
            let tensor = object::peek(object);
            return Ok(match tensor.ndim() {
                0 => None,
                _ => Some(tensor.stepped_range_of(0, start, end, step)?),
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

/// What a key of integers picks out.
#[inline(always)]
fn at_integers<'a>(tensor: &'a Tensor, key: &Bound<'_, PyAny>) -> Option<Pick<'a>> {
    let mut pick = Pick::new(tensor);
    let Some(tuple) = as_tuple(key) else {
        pick.select(exact_int(key)?).ok()?;
        return Some(pick);
    };
    for item in tuple.iter_borrowed() {
        pick.select(exact_int(&item)?).ok()?;
    }
    Some(pick)
}

/// The slices of a key, in their order.
struct Ranges {
    ranges: [Range; MOST_RANGES],
    count: usize,
}

/// Keys with more slices are left to the plan.
const MOST_RANGES: usize = 4;

impl Ranges {
    #[inline(always)]
    fn read(key: &Bound<'_, PyAny>) -> Result<Ranges, Failure> {
        let none = Range { start: 0, end: 0, step: 1 };
        let mut ranges = Ranges { ranges: [none; MOST_RANGES], count: 0 };
        match as_tuple(key) {
            Some(tuple) => tuple.iter_borrowed().try_for_each(|it| ranges.push(&it))?,
            None => ranges.push(key)?,
        }
        Ok(ranges)
    }

    /// Appends an item if it is a slice, and if there is room.
    #[inline(always)]
    fn push(&mut self, item: &Bound<'_, PyAny>) -> Result<(), Failure> {
        if let Ok(slice) = item.cast_exact::<PySlice>()
            && let Some(place) = self.ranges.get_mut(self.count)
        {
            *place = Range::read(slice)?;
            self.count += 1;
        }
        Ok(())
    }
}

/// What a key of any plain items picks out.
#[inline(always)]
fn pick<'a>(tensor: &'a Tensor, key: &Bound<'_, PyAny>, ranges: &Ranges) -> Option<Pick<'a>> {
    let mut pick = Pick::new(tensor);
    let mut ranges = ranges.ranges[..ranges.count].iter();
    let Some(tuple) = as_tuple(key) else {
        extend(&mut pick, key, &mut ranges, || Some(0))?;
        return Some(pick);
    };
    for (position, item) in tuple.iter_borrowed().enumerate() {
        extend(&mut pick, &item, &mut ranges, || dims_behind(tuple, position))?;
    }
    Some(pick)
}

/// Goes on by an item, unless it is not plain or does not fit; `behind` is how many dimensions
/// those behind it use up.
#[inline(always)]
fn extend(
    pick: &mut Pick<'_>,
    item: &Bound<'_, PyAny>,
    ranges: &mut slice::Iter<'_, Range>,
    behind: impl FnOnce() -> Option<usize>,
) -> Option<()> {
    if let Some(index) = exact_int(item) {
        return pick.select(index).ok();
    }
    if item.is_exact_instance_of::<PySlice>() {
        let Range { start, end, step } = *ranges.next()?;
        return pick.slice(start, end, step).ok();
    }
    if item.is_none() {
        pick.insert();
        return Some(());
    }
    if !is_ellipsis(item) {
        return None;
    }
    let rest = pick.left().checked_sub(behind()?)?;
    pick.keep(rest).ok()
}

/// How many dimensions the items behind a position use up; `None` if there is
/// another ellipsis among them, or one that is not plain.
fn dims_behind(tuple: &Bound<'_, PyTuple>, position: usize) -> Option<usize> {
    let mut dims = 0;
    for item in tuple.iter_borrowed().skip(position + 1) {
        if exact_int(&item).is_some() || item.is_exact_instance_of::<PySlice>() {
            dims += 1;
        } else if !item.is_none() {
            return None;
        }
    }
    Some(dims)
}

#[inline(always)]
fn as_tuple<'a, 'py>(key: &'a Bound<'py, PyAny>) -> Option<&'a Bound<'py, PyTuple>> {
    // SAFETY: a valid object, whose class is compared.
    unsafe {
        let is_tuple = ffi::Py_TYPE(key.as_ptr()) == &raw mut ffi::PyTuple_Type;
        is_tuple.then(|| key.cast_unchecked())
    }
}

#[inline(always)]
fn is_ellipsis(item: &Bound<'_, PyAny>) -> bool {
    // SAFETY: compared with an object that always exists.
    item.as_ptr() == unsafe { ffi::Py_Ellipsis() }
}
