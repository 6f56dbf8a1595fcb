//! Keys of integers, slices, `...` and `None`, as most are: what they pick out is
//! found without a list of items.
//!
//! Whatever is something else, or wrong, is left to [`Plan`](super::plan::Plan),
//! which says what is wrong with it.

use opwright_runtime::Tensor;
use opwright_runtime::tensor::Pick;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};
use smallvec::SmallVec;

use super::item::Range;
use crate::args::exact_int;
use crate::failure::Failure;
use crate::tensor::object;

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
    // SAFETY: by the caller's promise a tensor; nothing runs while what is picked is used.
    unsafe {
        // The most frequent of all keys.
        if let Some(index) = exact_int(key) {
            let tensor = object::peek(object);
            return Ok(if tensor.ndim() > 0 { Some(tensor.at_index(0, index)?) } else { None });
        }
        if let Ok(slice) = key.cast_exact::<PySlice>() {
            let Range { start, end, step } = Range::read(slice)?;
            let tensor = object::peek(object);
            let has_dim = tensor.ndim() > 0;
            return Ok(if has_dim {
                Some(tensor.stepped_range_of(0, start, end, step)?)
            } else {
                None
            });
        }
        Ok(match pick(object, key)? {
            Some(pick) => Some(pick.view()?),
            None => None,
        })
    }
}

/// What a key picks out of a tensor; `None` for keys that are left to the plan.
///
/// # Errors
///
/// Those of slices.
///
/// # Safety
///
/// `object` is a valid tensor, and no code of Python runs while the result is used.
#[inline(always)]
pub(super) unsafe fn pick<'a>(
    object: *mut PyObject,
    key: &Bound<'_, PyAny>,
) -> Result<Option<Pick<'a>>, Failure> {
    // SAFETY: by the caller's promise a tensor, a valid key, and a tuple where it is cast to one.
    // Looking at an integer runs no code; a slice may run some that replaces the handle, so it is
    // read first.
    unsafe {
        if ffi::Py_TYPE(key.as_ptr()) == &raw mut ffi::PyTuple_Type {
            let tuple = key.cast_unchecked();
            return match element(object::peek(object), tuple) {
                Some(pick) => Ok(Some(pick)),
                None => several(object, tuple),
            };
        }
        match kind(key) {
            Some(Kind::At) => Ok(exact_int(key).and_then(|it| one(object::peek(object), it))),
            Some(Kind::Range) => {
                let range = Range::read(key.cast_unchecked())?;
                Ok(some(object::peek(object), range))
            }
            Some(Kind::Ellipsis | Kind::NewDim) => several(object, &PyTuple::new(key.py(), [key])?),
            None => Ok(None),
        }
    }
}

/// One index of the first dimension.
#[inline(always)]
fn one(tensor: &Tensor, index: i64) -> Option<Pick<'_>> {
    let mut pick = Pick::new(tensor);
    pick.select(index).ok()?;
    Some(pick)
}

/// Some indices of the first dimension.
#[inline(always)]
fn some(tensor: &Tensor, range: Range) -> Option<Pick<'_>> {
    let mut pick = Pick::new(tensor);
    pick.slice(range.start, range.end, range.step).ok()?;
    Some(pick)
}

/// One index of each of the first dimensions.
#[inline(always)]
fn element<'a>(tensor: &'a Tensor, tuple: &Bound<'_, PyTuple>) -> Option<Pick<'a>> {
    let mut pick = Pick::new(tensor);
    for item in tuple.iter_borrowed() {
        pick.select(exact_int(&item)?).ok()?;
    }
    Some(pick)
}

/// What several items pick out, in two passes: the slices are read before the tensor is looked at.
///
/// # Safety
///
/// As for [`pick`].
unsafe fn several<'a>(
    object: *mut PyObject,
    tuple: &Bound<'_, PyTuple>,
) -> Result<Option<Pick<'a>>, Failure> {
    let Some(kinds) = kinds(tuple) else { return Ok(None) };
    let mut ranges: SmallVec<[Range; 4]> = SmallVec::new();
    for (&kind, item) in kinds.iter().zip(tuple.iter_borrowed()) {
        if kind == Kind::Range {
            // SAFETY: of that very class, as the kind says.
            let slice = unsafe { item.cast_unchecked::<PySlice>() };
            ranges.push(Range::read(&slice)?);
        }
    }
    // SAFETY: by the caller's promise a tensor.
    let tensor = unsafe { object::peek(object) };
    Ok(walk(tensor, tuple, &kinds, &ranges))
}

fn walk<'a>(
    tensor: &'a Tensor,
    tuple: &Bound<'_, PyTuple>,
    kinds: &[Kind],
    ranges: &[Range],
) -> Option<Pick<'a>> {
    let used = kinds.iter().filter(|it| matches!(it, Kind::At | Kind::Range)).count();
    let left = tensor.ndim().checked_sub(used)?;
    let mut ranges = ranges.iter();
    let mut pick = Pick::new(tensor);
    for (kind, item) in kinds.iter().zip(tuple.iter_borrowed()) {
        match kind {
            Kind::At => pick.select(exact_int(&item)?).ok()?,
            Kind::Range => {
                let Range { start, end, step } = *ranges.next()?;
                pick.slice(start, end, step).ok()?;
            }
            Kind::Ellipsis => pick.keep(left).ok()?,
            Kind::NewDim => pick.insert(),
        }
    }
    Some(pick)
}

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    At,
    Range,
    Ellipsis,
    NewDim,
}

/// The kinds of the items; `None` if one is of no kind, or if there is a second ellipsis.
fn kinds(tuple: &Bound<'_, PyTuple>) -> Option<SmallVec<[Kind; 16]>> {
    let kinds: Option<SmallVec<[Kind; 16]>> = tuple.iter_borrowed().map(|it| kind(&it)).collect();
    let kinds = kinds?;
    let ellipses = kinds.iter().filter(|&&it| it == Kind::Ellipsis).count();
    (ellipses < 2).then_some(kinds)
}

#[inline]
fn kind(item: &Bound<'_, PyAny>) -> Option<Kind> {
    let object = item.as_ptr();
    // SAFETY: a valid object, compared with those that always exist.
    unsafe {
        let class = ffi::Py_TYPE(object);
        if class == &raw mut ffi::PyLong_Type {
            Some(Kind::At)
        } else if class == &raw mut ffi::PySlice_Type {
            Some(Kind::Range)
        } else if object == ffi::Py_None() {
            Some(Kind::NewDim)
        } else if object == ffi::Py_Ellipsis() {
            Some(Kind::Ellipsis)
        } else {
            None
        }
    }
}
