//! Naive matrix products: a loop in the arithmetic of the elements, in which integers wrap around.

use opwright_runtime::dtype::Number;
use opwright_runtime::{Result, buffer, interrupt, multiversion};

use super::coefficients::Product;
use super::operands::{Matrix, Operands};

/// The columns and the inner indices that are worked on at a time, so that a
/// block of the right matrix stays in cache while all rows of the left one use it.
const COLUMNS: usize = 256;
const INNER: usize = 128;

/// How many rows, or blocks of them, are worked on between two checks for an
/// interrupt.
const ROWS: usize = 64;

/// So many sums need no allocation.
const FEW: usize = 64;

/// Multiplies on the calling thread, in whatever steps it takes.
///
/// # Safety
///
/// As for [`super::gemm::Multiply::multiply`].
pub(super) unsafe fn gemm<T: Number>(
    product: &Product<T>,
    at: Operands,
    _at_once: usize,
) -> Result<()> {
    let (mut many, mut packed) = (Vec::new(), Vec::new());
    for start in (0..at.out.columns).step_by(COLUMNS) {
        let Operands { a, b, out } = at.columns(start..at.out.columns.min(start + COLUMNS));
        let count = out.rows * out.columns;
        let mut few = [T::ZERO; FEW];
        let sums = match few.get_mut(..count) {
            Some(few) => few,
            None => {
                many.clear();
                buffer::reserve(&mut many, count)?;
                many.resize(count, T::ZERO);
                &mut many
            }
        };
        for (k, start) in (0..a.columns).step_by(INNER).enumerate() {
            if k % ROWS == ROWS - 1 {
                interrupt::check();
            }
            let inner = start..a.columns.min(start + INNER);
            // SAFETY: these are elements of the factors.
            unsafe {
                let b = b.rows(inner.clone()).row_major(&mut packed)?;
                add_block(sums, a.columns(inner), b);
            }
        }
        for (row, sums) in sums.chunks_exact(out.columns).enumerate() {
            for (column, &sum) in sums.iter().enumerate() {
                // SAFETY: this is the place of one element of the product.
                unsafe { product.store(sum, out.at(row, column)) };
            }
        }
    }
    Ok(())
}

/// Adds the product with some rows of the right matrix, which lie one behind the other.
///
/// # Safety
///
/// The elements are there, and nobody writes to them meanwhile.
unsafe fn add_block<T: Number>(sums: &mut [T], a: Matrix, b: &[T]) {
    let width = sums.len() / a.rows;
    for (row, sums) in sums.chunks_exact_mut(width).enumerate() {
        if row % ROWS == ROWS - 1 {
            interrupt::check();
        }
        for (rows, b) in b.chunks(AT_ONCE * width).enumerate() {
            let mut factors = [T::ZERO; AT_ONCE];
            for (k, factor) in factors.iter_mut().enumerate().take(b.len() / width) {
                // SAFETY: there are as many inner elements.
                *factor = unsafe { a.at::<T>(row, rows * AT_ONCE + k).read() };
            }
            add_rows::<T>(sums, factors, b);
        }
    }
}

/// The rows of the right matrix that are added to the sums at once, so that a sum is read and written
/// once for all of them.
const AT_ONCE: usize = 4;

multiversion! {
    /// Adds the products of factors with as many rows, or with fewer.
    avx512 fn add_rows<T>(sums: &mut [T], factors: [T; AT_ONCE], rows: &[T])
    where
        [T: Number]
    {
        let width = sums.len();
        if rows.len() == AT_ONCE * width {
            let (first, rest) = rows.split_at(width);
            let (second, rest) = rest.split_at(width);
            let (third, fourth) = rest.split_at(width);
            for (at, sum) in sums.iter_mut().enumerate() {
                let low = factors[0].times(first[at]).plus(factors[1].times(second[at]));
                let high = factors[2].times(third[at]).plus(factors[3].times(fourth[at]));
                *sum = sum.plus(low.plus(high));
            }
        } else {
            for (row, factor) in rows.chunks_exact(width).zip(factors) {
                for (sum, &value) in sums.iter_mut().zip(row) {
                    *sum = sum.plus(factor.times(value));
                }
            }
        }
    }
}
