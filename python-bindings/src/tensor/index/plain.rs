//! Keys of integers, slices, `...` and `None`, as most are: what they pick out
//! is found in a shorter way than that of other keys.

use opwright_runtime::Tensor;
use opwright_runtime::tensor::Pick;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};
use smallvec::SmallVec;

use super::item::{Range, integer};
use super::plan::too_many;
use crate::args::exact_int;
use crate::failure::Failure;
use crate::tensor::object;

/// The view that a key picks out of a tensor; `None` for keys with other items.
///
/// # Errors
///
/// As for [`super::plan::Plan::new`].
///
/// # Safety
///
/// `object` is a valid tensor.
#[inline]
pub(super) unsafe fn view(
    object: *mut PyObject,
    key: &Bound<'_, PyAny>,
) -> Result<Option<Tensor>, Failure> {
    // SAFETY: by the caller's promise a tensor. Looking at an integer runs no code; a slice may run
    // code that replaces the handle, so it is read first.
    unsafe {
        if let Some(index) = exact_int(key) {
            let tensor = object::peek(object);
            if tensor.ndim() > 0 {
                return Ok(Some(tensor.at_index(0, index)?));
            }
        } else if let Ok(slice) = key.cast_exact::<PySlice>() {
            let Range { start, end, step } = Range::read(slice)?;
            let tensor = object::peek(object);
            if tensor.ndim() > 0 {
                return Ok(Some(tensor.stepped_range_of(0, start, end, step)?));
            }
        }
        with_pick(object, key, |it| Ok(it.view()?))
    }
}

/// Calls `take` with what a key picks out of a tensor; returns `None` for keys
/// with other items.
///
/// # Errors
///
/// As for [`super::plan::Plan::new`], and those of `take`.
///
/// # Safety
///
/// `object` is a valid tensor, and `take` runs no code of Python.
#[inline]
pub(super) unsafe fn with_pick<R>(
    object: *mut PyObject,
    key: &Bound<'_, PyAny>,
    take: impl FnOnce(Pick<'_>) -> Result<R, Failure>,
) -> Result<Option<R>, Failure> {
    let Some(items) = Items::read(key)? else { return Ok(None) };
    // SAFETY: by the caller's promise a tensor. Reading slices may have run code that replaced its
    // handle; from here on nothing does.
    let tensor = unsafe { object::peek(object) };
    take(items.pick(tensor)?).map(Some)
}

/// The items of a key.
struct Items {
    list: SmallVec<[Plain; 4]>,
    /// How many dimensions they use up.
    dims: usize,
}

/// One of them.
enum Plain {
    At(i64),
    Range(Range),
    Ellipsis,
    NewDim,
}

impl Items {
    /// Reads a key; nothing if an item is of another class, or if there is a second ellipsis.
    #[inline]
    fn read(key: &Bound<'_, PyAny>) -> Result<Option<Items>, Failure> {
        let mut items = Items { list: SmallVec::new(), dims: 0 };
        // SAFETY: a valid object.
        if unsafe { ffi::Py_TYPE(key.as_ptr()) } != &raw mut ffi::PyTuple_Type {
            return Ok(if items.push(key)? { Some(items) } else { None });
        }
        // SAFETY: it was just compared.
        let tuple = unsafe { key.cast_unchecked::<PyTuple>() };
        for index in 0..tuple.len() {
            let item = tuple.get_borrowed_item(index)?;
            if !items.push(&item)? {
                return Ok(None);
            }
        }
        let ellipses = items.list.iter().filter(|it| matches!(it, Plain::Ellipsis)).count();
        Ok(if ellipses < 2 { Some(items) } else { None })
    }

    /// Appends an item, and says whether it is plain.
    #[inline]
    fn push(&mut self, item: &Bound<'_, PyAny>) -> Result<bool, Failure> {
        let object = item.as_ptr();
        // SAFETY: a valid object, compared with static ones.
        unsafe {
            let class = ffi::Py_TYPE(object);
            if class == &raw mut ffi::PyLong_Type {
                let index = match exact_int(item) {
                    Some(index) => index,
                    None => {
                        integer(item, self.list.len())?;
                        return Ok(false);
                    }
                };
                self.dims += 1;
                self.list.push(Plain::At(index));
            } else if class == &raw mut ffi::PySlice_Type {
                self.dims += 1;
                self.list.push(Plain::Range(Range::read(item.cast_unchecked::<PySlice>())?));
            } else if object == ffi::Py_None() {
                self.list.push(Plain::NewDim);
            } else if object == ffi::Py_Ellipsis() {
                self.list.push(Plain::Ellipsis);
            } else {
                return Ok(false);
            }
        }
        Ok(true)
    }

    #[inline]
    fn pick(self, tensor: &Tensor) -> Result<Pick<'_>, Failure> {
        let left = tensor.ndim().checked_sub(self.dims);
        let left = left.ok_or_else(|| too_many(tensor, self.dims))?;
        let mut pick = Pick::new(tensor);
        for item in &self.list {
            match *item {
                Plain::At(index) => pick.select(index)?,
                Plain::Range(Range { start, end, step }) => pick.slice(start, end, step)?,
                Plain::Ellipsis => pick.keep(left)?,
                Plain::NewDim => pick.insert(),
            }
        }
        Ok(pick)
    }
}
