//! Fast path of keys of integers, slices, `...` and `None`, as most are: what they pick out is
//! found without a list of items.
//!
//! Whatever is something else, or wrong, is left to [`Plan`](super::plan::Plan),
//! which says what is wrong with it.

use opwright_runtime::Tensor;
use opwright_runtime::fast_path::FastPath;
use pyo3::prelude::*;
use pyo3::types::{PyEllipsis, PySlice, PyTuple};

use super::item::Range;
use super::steps::{Steps, check_index};
use crate::object::{self, Failure, Object, exact_int, operators};
use crate::raw;

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
        let Some(&size) = tensor.shape().first() else { return Ok(None) };
        check_index(index, 0, size)?;
        return Ok(Some(operators::select(tensor, 0, index)?));
    }
    if let Ok(slice) = key.cast_exact::<PySlice>() {
        let range = Range::read(slice)?;
        let (start, end, step) = range.bounds();
        // Looked at after the slice was read, which may have replaced the handle.
        let tensor = object::peek(object);
        return Ok(match tensor.ndim() {
            0 => None,
            _ => Some(operators::slice(tensor, 0, start, end, step)?),
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
    let items = Items::of(key);
    if let Some(view) = at_place(object::peek(object), items) {
        return Ok(Some(view));
    }
    let Some(slices) = items.count_slices() else { return Ok(None) };
    let mut ranges = Ranges::default();
    if slices > 0 {
        ranges.read(items)?;
    }
    // Nobody replaces the tensor's handle from here on. What a slice runs may do so, hence slices
    // are read before.
    Ok(walk(object::peek(object), items, &ranges))
}

/// What integers pick out of the first dimensions, if all items are such, by one operator; `None`
/// if they are not, or if a layer is to see each of them.
#[inline(always)]
fn at_place(tensor: &Tensor, items: Items<'_, '_>) -> Option<Tensor> {
    if !FastPath::IntegerKey.is_on() || operators::has_layers(tensor) {
        return None;
    }
    let (mut shape, mut strides) = (tensor.shape(), tensor.strides());
    let mut offset = tensor.offset();
    for item in items.from(0) {
        let index = exact_int(&item)?;
        let (size, stride) = (*shape.first()?, *strides.first()?);
        if !(-size..size).contains(&index) {
            return None;
        }
        offset += stride * if index < 0 { index + size } else { index };
        (shape, strides) = (&shape[1..], &strides[1..]);
    }
    FastPath::IntegerKey.taken();
    operators::as_strided(tensor, shape, strides, offset).ok()
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

    /// How many slices there are; `None` if an item is not plain, or if they are too many.
    #[inline(always)]
    fn count_slices(self) -> Option<usize> {
        let mut count = 0;
        for item in self.from(0) {
            if exact_int(&item).is_some() {
            } else if item.is_exact_instance_of::<PySlice>() {
                count += 1;
            } else if !item.is_none() && !is_ellipsis(&item) {
                return None;
            }
        }
        (count <= MOST_RANGES).then_some(count)
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

/// Goes along plain items; `None` if one does not fit.
fn walk(tensor: &Tensor, items: Items<'_, '_>, ranges: &Ranges) -> Option<Tensor> {
    let mut steps = Steps::new(tensor);
    let mut ranges = ranges.ranges[..ranges.count].iter();
    for (position, item) in items.from(0).enumerate() {
        if let Some(index) = exact_int(&item) {
            steps.select(index).ok()?;
        } else if item.is_exact_instance_of::<PySlice>() {
            let (start, end, step) = ranges.next()?.bounds();
            steps.slice(start, end, step).ok()?;
        } else if item.is_none() {
            steps.insert().ok()?;
        } else {
            let behind = items.dims(position + 1)?;
            steps.keep(steps.left().checked_sub(behind)?).ok()?;
        }
    }
    steps.view().ok()
}

#[inline(always)]
fn is_ellipsis(item: &Bound<'_, PyAny>) -> bool {
    item.is_exact_instance_of::<PyEllipsis>()
}
