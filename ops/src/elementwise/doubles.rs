//! Loops that calculate in `f64`, whatever the elements are: for functions that take so long that the
//! conversion does not count. The function is data, so that all of them share one loop for each type.

use opwright_runtime::iterate::Each;
use opwright_runtime::{Element, Result};

/// A function of each element.
#[inline(never)]
pub(crate) fn unary<T: Element>(each: Each<'_, T, T>, f: fn(f64) -> f64) -> Result<()> {
    each.run_blocks(move |block: &mut [T]| {
        for x in block {
            *x = T::cast_from(f(x.as_f64()));
        }
    })
}

/// A function of an element of each of two tensors.
#[inline(never)]
pub(crate) fn binary<T: Element>(each: Each<'_, (T, T), T>, f: fn(f64, f64) -> f64) -> Result<()> {
    each.run_blocks(move |block: &mut [T], others: &[T]| {
        for (x, y) in block.iter_mut().zip(others) {
            *x = T::cast_from(f(x.as_f64(), y.as_f64()));
        }
    })
}
