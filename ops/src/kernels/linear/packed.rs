//! Products of floating and complex matrices by packed kernels, which do not care how
//! their operands lie.

use ndarray::{ArrayView2, ArrayViewMut2};
use opwright_linalg::{Sizes, Strided};
use opwright_runtime::dtype::Number;
use opwright_runtime::{Result, interrupt};

use super::gemm::Product;
use super::slot::Slot;

/// So many inner elements, and a multiple of that, go into one sum: cut there, a product
/// is the same number by number.
const PACKED: usize = 512;

/// So many multiplications take some 50 milliseconds at most.
pub(super) const AT_ONCE: usize = 1 << 28;

/// Fewer rows or columns take as long as this many, which are packed together.
pub(super) const TILE: usize = 16;

/// How many inner elements are multiplied between two checks for an interrupt.
pub(super) fn inner_at_once(rows: usize, columns: usize) -> usize {
    let tile = rows.max(TILE).saturating_mul(columns.max(TILE));
    (AT_ONCE / tile).next_multiple_of(PACKED).max(PACKED)
}

/// Multiplies on the calling thread, so many inner elements at a time.
pub(super) fn gemm<T: Number + opwright_linalg::Number, S: Slot<T>>(
    product: Product<'_, T>,
    mut out: ArrayViewMut2<'_, S>,
    at_once: usize,
) -> Result<()> {
    let Product { alpha, a, b, beta } = product;
    let (rows, columns) = out.dim();
    if S::IS_THERE && beta != <T as Number>::ONE {
        out.iter_mut().for_each(|slot| slot.set(beta.times(slot.get().unwrap_or(beta))));
    }
    let (a_place, b_place) = (strided(&a), strided(&b));
    let steps = (out.strides()[0], out.strides()[1]);
    let place = Strided { first: S::place(out.as_mut_ptr()), steps };
    // Once also without inner elements, for what is new.
    let mut start = 0;
    loop {
        let inner = at_once.min(a.ncols() - start);
        // SAFETY: the shapes fit, as `run` has checked, the pointers and strides are those
        // of views, from the column or row `start` on, and no element of `out` is reached
        // twice. What is added to is there: elements of their own, or those that the first
        // round has written.
        unsafe {
            T::multiply(
                alpha,
                Sizes { rows, inner, columns },
                from(a_place, start, a_place.steps.1),
                from(b_place, start, b_place.steps.0),
                place,
                S::IS_THERE || start > 0,
            )
        }?;
        start += inner;
        if start == a.ncols() {
            return Ok(());
        }
        interrupt::check();
    }
}

/// The same matrix from a row or column on.
fn from<T>(matrix: Strided<*const T>, start: usize, step: isize) -> Strided<*const T> {
    Strided { first: matrix.first.wrapping_offset(start as isize * step), ..matrix }
}

fn strided<T>(matrix: &ArrayView2<'_, T>) -> Strided<*const T> {
    Strided { first: matrix.as_ptr(), steps: (matrix.strides()[0], matrix.strides()[1]) }
}
