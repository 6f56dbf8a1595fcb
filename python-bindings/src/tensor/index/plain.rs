//! Keys of integers, slices, `...` and `None`, as most are: what they pick out is
//! found in one pass, without a list of items.
//!
//! Whatever is something else, or wrong, is left to [`Plan`](super::plan::Plan),
//! which says what is wrong with it.

use opwright_runtime::tensor::Pick;
use opwright_runtime::{Tensor, view};
use pyo3::prelude::*;
use pyo3::types::{PyEllipsis, PySlice, PyTuple};

use super::item::Range;
use crate::args::exact_int;
use crate::failure::Failure;
use crate::raw;
use crate::tensor::object::{self, Object};

/// Calls `take` with what a key picks out of a tensor; `None` for keys that are left to the plan.
///
/// # Errors
///
/// Those of slices and of `take`, which runs no code of Python.
#[inline(always)]
pub(super) fn with_pick<R>(
    object: Borrowed<'_, '_, Object>,
    key: &Bound<'_, PyAny>,
    take: impl Fn(&mut Pick<'_>) -> Result<R, Failure>,
) -> Result<Option<R>, Failure> {
    // Nobody replaces the tensor's handle while integers are read. What a slice runs may do so,
    // hence slices are read before.
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

/// The view that a key picks out of a tensor; `None` for keys that are left to the plan.
///
/// # Errors
///
/// Those of slices, and `IndexError`.
#[inline(always)]
pub(super) fn view(
    object: Borrowed<'_, '_, Object>,
    key: &Bound<'_, PyAny>,
) -> Result<Option<Tensor>, Failure> {
    // The most frequent of all keys.
    if let Some(index) = exact_int(key) {
        let tensor = object::peek(object);
        return Ok(if tensor.ndim() > 0 { Some(view::select(tensor, 0, index)?) } else { None });
    }
    if let Ok(slice) = key.cast_exact::<PySlice>() {
        let range = Range::read(slice)?;
        let (start, end, step) = range.bounds();
        // Looked at after the slice was read, which may have replaced the handle.
        let tensor = object::peek(object);
        return Ok(match tensor.ndim() {
            0 => None,
            _ => Some(view::slice(tensor, 0, start, end, step)?),
        });
    }
    view_of_several(object, key)
}

// Apart, so that the most frequent keys need not make room for the work on others.
#[inline(never)]
fn view_of_several(
    object: Borrowed<'_, '_, Object>,
    key: &Bound<'_, PyAny>,
) -> Result<Option<Tensor>, Failure> {
    with_pick(object, key, |it| Ok(it.view()?))
}

/// The items of a key, which is a tuple of them or one itself.
#[derive(Clone, Copy)]
struct Items<'a, 'py> {
    key: &'a Bound<'py, PyAny>,
    tuple: Option<&'a Bound<'py, PyTuple>>,
    count: usize,
}

impl<'a, 'py> Items<'a, 'py> {
    #[inline(always)]
    fn of(key: &'a Bound<'py, PyAny>) -> Items<'a, 'py> {
        let tuple = raw::exact(key);
        Items { key, tuple, count: tuple.map_or(1, raw::tuple_len) }
    }

    /// The items from a position on.
    #[inline(always)]
    fn from(self, position: usize) -> impl Iterator<Item = Borrowed<'a, 'py, PyAny>> {
        (position..self.count).map_while(move |at| match self.tuple {
            Some(tuple) => raw::tuple_get(tuple.as_borrowed(), at),
            None => Some(self.key.as_borrowed()),
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
    item.is_exact_instance_of::<PyEllipsis>()
}
