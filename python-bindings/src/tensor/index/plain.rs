//! Keys of integers, slices, `...` and `None`, as most are: what they pick out
//! is found without a list of items.

use opwright_runtime::Tensor;
use opwright_runtime::tensor::Pick;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};

use super::item::{Range, integer};
use super::plan::too_many;
use crate::args::exact_int;
use crate::failure::Failure;
use crate::tensor::object;

/// Calls `take` with what a key picks out of a tensor; returns `None` for keys
/// with other items.
///
/// # Errors
///
/// As for [`super::plan::Plan::new`], and those of `take`.
///
/// # Safety
///
/// `object` is a valid tensor.
#[inline]
pub(super) unsafe fn with_pick<R>(
    object: *mut PyObject,
    key: &Bound<'_, PyAny>,
    take: impl FnOnce(Pick<'_>) -> Result<R, Failure>,
) -> Result<Option<R>, Failure> {
    let Some(kinds) = Kinds::of(key) else { return Ok(None) };
    // SAFETY: by the caller's promise a tensor. Slices may run code that replaces its handle,
    // which therefore is counted; other items run none.
    let tensor = unsafe { object::peek(object) };
    if kinds.has_slices {
        let tensor = tensor.clone();
        return take(kinds.pick(&tensor, key)?).map(Some);
    }
    take(kinds.pick(tensor, key)?).map(Some)
}

/// What is known of the items of a key by their classes.
#[derive(Default)]
struct Kinds {
    /// How many dimensions they use up.
    dims: usize,
    has_slices: bool,
    has_ellipsis: bool,
}

impl Kinds {
    /// Looks at the items; nothing if one is of another class, or if there is a second ellipsis.
    #[inline]
    fn of(key: &Bound<'_, PyAny>) -> Option<Kinds> {
        let mut kinds = Kinds::default();
        match key.cast::<PyTuple>() {
            Ok(items) => {
                for index in 0..items.len() {
                    kinds.note(&*items.get_borrowed_item(index).ok()?)?;
                }
            }
            Err(_) => kinds.note(key)?,
        }
        Some(kinds)
    }

    #[inline]
    fn note(&mut self, item: &Bound<'_, PyAny>) -> Option<()> {
        match Kind::of(item)? {
            Kind::Integer => self.dims += 1,
            Kind::Slice => {
                self.dims += 1;
                self.has_slices = true;
            }
            Kind::Ellipsis if self.has_ellipsis => return None,
            Kind::Ellipsis => self.has_ellipsis = true,
            Kind::NewDim => {}
        }
        Some(())
    }

    #[inline]
    fn pick<'a>(self, tensor: &'a Tensor, key: &Bound<'_, PyAny>) -> Result<Pick<'a>, Failure> {
        let left = tensor.ndim().checked_sub(self.dims);
        let left = left.ok_or_else(|| too_many(tensor, self.dims))?;
        let mut pick = Pick::new(tensor);
        match key.cast::<PyTuple>() {
            Ok(items) => {
                for index in 0..items.len() {
                    apply(&mut pick, &*items.get_borrowed_item(index)?, index, left)?;
                }
            }
            Err(_) => apply(&mut pick, key, 0, left)?,
        }
        Ok(pick)
    }
}

/// Goes on by one item; `left` dimensions have none.
#[inline]
fn apply(
    pick: &mut Pick<'_>,
    item: &Bound<'_, PyAny>,
    position: usize,
    left: usize,
) -> Result<(), Failure> {
    if let Some(index) = exact_int(item) {
        return Ok(pick.select(index)?);
    }
    match item.cast::<PySlice>() {
        Ok(slice) => {
            let Range { start, end, step } = Range::read(slice)?;
            pick.slice(start, end, step)?;
        }
        Err(_) if item.is_none() => pick.insert(),
        // SAFETY: a static object.
        Err(_) if item.as_ptr() == unsafe { ffi::Py_Ellipsis() } => pick.keep(left)?,
        // An integer of more than 64 bits, which no dimension has.
        Err(_) => drop(integer(item, position)?),
    }
    Ok(())
}

/// The classes of plain items.
enum Kind {
    Integer,
    Slice,
    Ellipsis,
    NewDim,
}

impl Kind {
    /// The class of an item, if it is plain.
    #[inline]
    fn of(item: &Bound<'_, PyAny>) -> Option<Kind> {
        let object = item.as_ptr();
        // SAFETY: a valid object, compared with static ones.
        unsafe {
            let class = ffi::Py_TYPE(object);
            if class == &raw mut ffi::PyLong_Type {
                Some(Kind::Integer)
            } else if class == &raw mut ffi::PySlice_Type {
                Some(Kind::Slice)
            } else if object == ffi::Py_None() {
                Some(Kind::NewDim)
            } else if object == ffi::Py_Ellipsis() {
                Some(Kind::Ellipsis)
            } else {
                None
            }
        }
    }
}
