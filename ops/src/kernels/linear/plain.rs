//! Products of matrices by a plain loop, in the arithmetic of the elements:
//! integers wrap around.

use ndarray::{ArrayViewMut2, Axis, s};
use opwright_runtime::dtype::Number;
use opwright_runtime::{Result, buffer, interrupt};

use super::gemm::Product;
use super::slot::Slot;

/// The columns and the inner indices that are worked on at a time, so that a
/// block of the right matrix stays in cache while all rows of the left one use it.
const COLUMNS: usize = 256;
const INNER: usize = 128;

/// How many rows, or blocks of them, are worked on between two checks for an
/// interrupt.
const ROWS: usize = 64;

/// So many sums need no allocation.
const FEW: usize = 64;

/// Multiplies on the calling thread.
pub(super) fn gemm<T: Number, S: Slot<T>>(
    product: Product<'_, T>,
    mut out: ArrayViewMut2<'_, S>,
) -> Result<()> {
    let Product { a, b, .. } = product;
    let columns = out.axis_chunks_iter_mut(Axis(1), COLUMNS);
    for (mut out, b) in columns.zip(b.axis_chunks_iter(Axis(1), COLUMNS)) {
        let width = out.ncols();
        let mut few = [T::ZERO; FEW];
        let mut many;
        let sums = match few.get_mut(..out.len()) {
            Some(few) => few,
            None => {
                many = buffer::filled(out.len(), T::ZERO)?;
                &mut many
            }
        };
        for (k, b) in b.axis_chunks_iter(Axis(0), INNER).enumerate() {
            if k % ROWS == ROWS - 1 {
                interrupt::check();
            }
            let b = buffer::standard(b)?;
            let a = a.slice(s![.., k * INNER..k * INNER + b.nrows()]);
            for (row, (sums, a)) in sums.chunks_exact_mut(width).zip(a.rows()).enumerate() {
                if row % ROWS == ROWS - 1 {
                    interrupt::check();
                }
                for (&factor, b) in a.iter().zip(b.rows()) {
                    for (sum, &value) in sums.iter_mut().zip(b.iter()) {
                        *sum = sum.plus(factor.times(value));
                    }
                }
            }
        }
        for (slot, &sum) in out.iter_mut().zip(&*sums) {
            product.store(sum, slot);
        }
    }
    Ok(())
}
