//! Fallible allocation of lists as long as the data: what a kernel holds beside its tensors.
//!
//! The collections of Rust end the process where memory does not suffice. What
//! stands here fails with an error of kind `Memory` instead, a `MemoryError` in
//! Python; kernels use it for every list whose length depends on elements,
//! sizes or arguments. A handful of bytes is taken for granted.
//!
//! ```
//! use opwright_runtime::{ErrorKind, Result, buffer};
//!
//! fn squares(count: usize) -> Result<Vec<f64>> {
//!     buffer::collected((0..count).map(|it| (it * it) as f64))
//! }
//!
//! assert_eq!(squares(3)?, [0.0, 1.0, 4.0]);
//! assert_eq!(squares(1 << 60).unwrap_err().kind(), ErrorKind::Memory);
//! # Ok::<(), opwright_runtime::Error>(())
//! ```

use std::alloc::{Layout, alloc, dealloc};
use std::hint::black_box;

use ndarray::{ArrayView, ArrayView1, CowArray, Dimension, IntoDimension};
use smallvec::{Array, SmallVec};

use crate::tensor::clear_buffer_cache;
use crate::{Error, Result, reserve};

/// An empty list with room for so many items.
///
/// # Errors
///
/// `Memory` if there is not enough.
#[inline]
pub fn with_capacity<T>(count: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    if list.try_reserve_exact(count).is_err() {
        retried(|| list.try_reserve_exact(count).is_ok(), || no_room::<T>(count))?;
    }
    Ok(list)
}

/// A list of so many equal items.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub fn filled<T: Clone>(count: usize, value: T) -> Result<Vec<T>> {
    let mut list = with_capacity(count)?;
    list.resize(count, value);
    Ok(list)
}

/// The items of a slice once more.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub fn copied<T: Clone>(items: &[T]) -> Result<Vec<T>> {
    let mut list = with_capacity(items.len())?;
    list.extend_from_slice(items);
    Ok(list)
}

/// A list of what an iterator returns.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub fn collected<T>(items: impl IntoIterator<Item = T>) -> Result<Vec<T>> {
    let mut list = Vec::new();
    extend(&mut list, items)?;
    Ok(list)
}

/// The same where most lists are short: one as long as the array needs no allocation.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub fn short<A: Array>(items: impl IntoIterator<Item = A::Item>) -> Result<SmallVec<A>> {
    let items = items.into_iter();
    let mut list = SmallVec::new();
    match list.try_reserve(items.size_hint().0) {
        Ok(()) => list.extend(items),
        Err(_) => return Err(no_room::<A::Item>(items.size_hint().0)),
    }
    Ok(list)
}

/// A list of what an iterator returns, if all of it is well.
///
/// # Errors
///
/// The first error of an item; `Memory` if there is not enough.
pub fn try_collected<T, E: From<Error>>(
    items: impl IntoIterator<Item = Result<T, E>>,
) -> Result<Vec<T>, E> {
    let items = items.into_iter();
    let mut list = with_capacity(items.size_hint().0)?;
    for item in items {
        push(&mut list, item?)?;
    }
    Ok(list)
}

/// Appends an item.
///
/// # Errors
///
/// `Memory` if there is not enough; the list stays as it was.
#[inline]
pub fn push<T>(list: &mut Vec<T>, item: T) -> Result<()> {
    reserve(list, 1)?;
    list.push(item);
    Ok(())
}

/// Appends what an iterator returns.
///
/// # Errors
///
/// `Memory` if there is not enough; the list then has some of it.
pub fn extend<T>(list: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Result<()> {
    let items = items.into_iter();
    let (least, most) = items.size_hint();
    reserve(list, least)?;
    if most == Some(least) {
        list.extend(items);
        return Ok(());
    }
    for item in items {
        push(list, item)?;
    }
    Ok(())
}

/// Makes room for so many more items.
///
/// # Errors
///
/// `Memory` if there is not enough.
#[inline]
pub fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<()> {
    if list.try_reserve(more).is_err() {
        let count = list.len().saturating_add(more);
        retried(|| list.try_reserve(more).is_ok(), || no_room::<T>(count))?;
    }
    Ok(())
}

/// Tries once more without what is kept for the next large results.
#[cold]
fn retried(mut find: impl FnMut() -> bool, error: impl FnOnce() -> Error) -> Result<()> {
    clear_buffer_cache();
    if find() { Ok(()) } else { Err(error()) }
}

/// An array of a shape, from its elements in row-major order.
///
/// # Errors
///
/// `Memory` if there is not enough; `Runtime` if there are fewer elements than
/// the shape holds, or more.
pub fn array<T, D: Dimension>(
    shape: impl IntoDimension<Dim = D>,
    elements: impl IntoIterator<Item = T>,
) -> Result<ndarray::Array<T, D>> {
    let shape = shape.into_dimension();
    let count = shape.slice().iter().fold(1, |all: usize, &size| all.saturating_mul(size));
    let mut list = with_capacity(count)?;
    list.extend(elements);
    ndarray::Array::from_shape_vec(shape, list).map_err(Error::runtime)
}

/// The elements of a view in an array of their own, in row-major order.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub fn owned<T: Clone, D: Dimension>(view: &ArrayView<'_, T, D>) -> Result<ndarray::Array<T, D>> {
    match view.as_slice() {
        Some(items) => {
            ndarray::Array::from_shape_vec(view.raw_dim(), copied(items)?).map_err(Error::runtime)
        }
        None => array(view.raw_dim(), view.iter().cloned()),
    }
}

/// The elements of a lane in a list of their own.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub fn lane<T: Copy>(view: &ArrayView1<'_, T>) -> Result<Vec<T>> {
    match view.as_slice() {
        Some(items) => copied(items),
        None => {
            let (first, step) = (view.as_ptr(), view.strides()[0]);
            let mut list = with_capacity(view.len())?;
            // SAFETY: the view has an element of each of these indices.
            let element = |at| unsafe { first.wrapping_offset(at as isize * step).read() };
            list.extend((0..view.len()).map(element));
            Ok(list)
        }
    }
}

/// The elements of a view in row-major order; they are copied if they are not
/// neighbours in that order.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub fn standard<T: Clone, D: Dimension>(view: ArrayView<'_, T, D>) -> Result<CowArray<'_, T, D>> {
    if view.is_standard_layout() { Ok(view.into()) } else { owned(&view).map(CowArray::from) }
}

/// Fails unless so many bytes can be had.
///
/// For what a library is about to allocate on its own, without a way to fail.
/// Another thread may take the memory in between; that cannot be helped.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub fn check_room(bytes: usize) -> Result<()> {
    reserve::check()?;
    /// So much is taken for granted.
    const LITTLE: usize = 1 << 16;
    if bytes < LITTLE {
        return Ok(());
    }
    let Ok(layout) = Layout::from_size_align(bytes, align_of::<u128>()) else {
        return Err(no_room::<u8>(bytes));
    };
    // SAFETY: the size is not zero. Nobody writes to the block, and it is freed
    // as it was allocated.
    let is_there = || unsafe {
        // The compiler may leave out an allocation that nobody uses.
        let block = black_box(alloc(layout));
        if !block.is_null() {
            dealloc(block, layout);
        }
        !block.is_null()
    };
    if is_there() { Ok(()) } else { retried(is_there, || no_room::<u8>(bytes)) }
}

#[cold]
fn no_room<T>(count: usize) -> Error {
    let bytes = count.saturating_mul(size_of::<T>());
    Error::memory(format_args!("not enough memory: tried to allocate {bytes} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[track_caller]
    fn check_refused<T>(result: Result<T>) {
        assert_eq!(result.err().map(|it| it.kind()), Some(ErrorKind::Memory));
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        check_refused(with_capacity::<u64>(1 << 61));
        check_refused(with_capacity::<u64>(1 << 59));
        check_refused(filled(1 << 60, 0_u8));
        check_refused(collected(0..1_u64 << 60));
        check_refused(try_collected((0..1_u64 << 60).map(Ok::<_, Error>)));
        check_refused(extend(&mut vec![1_u64], 0..u64::MAX));
        check_refused(array((1 << 40, 1 << 40), std::iter::repeat(0_u8)));
        check_refused(check_room(1 << 60));
        check_refused(check_room(usize::MAX));
    }

    #[test]
    fn what_fits_is_there() -> Result<()> {
        assert_eq!(filled(3, 7)?, [7, 7, 7]);
        assert_eq!(copied(&[1, 2])?, [1, 2]);
        assert_eq!(collected((0..9).filter(|it| it % 3 == 0))?, [0, 3, 6]);
        assert_eq!(try_collected([Ok::<_, Error>(1), Ok(2)])?, [1, 2]);
        assert!(try_collected([Ok(1), Err(Error::value("no"))]).is_err());
        let square = array((2, 2), 0..4)?;
        assert_eq!(owned(&square.t())?, ndarray::array![[0, 2], [1, 3]]);
        assert_eq!(owned(&square.view())?, square);
        assert!(array((2, 2), 0..3).is_err());
        check_room(1 << 20)
    }
}
