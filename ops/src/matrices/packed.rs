//! Products of floating and complex matrices by packed kernels, which do not care how
//! their operands lie.

use opwright_linalg::{Sizes, Strided};
use opwright_runtime::dtype::Number;
use opwright_runtime::{Result, interrupt};

use super::coefficients::Product;
use super::operands::{Matrix, Operands};

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
///
/// # Safety
///
/// As for [`super::gemm::Multiply::multiply`].
pub(super) unsafe fn gemm<T: Number + opwright_linalg::MatrixScalar>(
    product: &Product<T>,
    at: Operands,
    at_once: usize,
) -> Result<()> {
    let Operands { a, b, out } = at;
    if let Some(beta) = product.beta.filter(|&it| it != <T as Number>::ONE) {
        // SAFETY: what the product is added to is there.
        unsafe { scale(out, beta) };
    }
    // Once also without inner elements, for what is new.
    let mut start = 0;
    loop {
        let inner = at_once.min(a.columns - start);
        let range = start..start + inner;
        let sizes = Sizes { rows: out.rows, inner, columns: out.columns };
        // SAFETY: the shapes fit, as `run` has checked, the caller vouches for the matrices,
        // and no element of `out` is reached twice. What is added to is there: elements of
        // their own, or those that the first round has written.
        unsafe {
            T::multiply(
                product.alpha,
                sizes,
                factor(a.columns(range.clone())),
                factor(b.rows(range)),
                out.strided(),
                product.beta.is_some() || start > 0,
            )
        }?;
        start += inner;
        if start == a.columns {
            return Ok(());
        }
        interrupt::check();
    }
}

/// Multiplies each element.
///
/// # Safety
///
/// The elements are there, none of them is reached twice, and nobody else uses them.
unsafe fn scale<T: Number>(out: Matrix, factor: T) {
    for row in 0..out.rows {
        for column in 0..out.columns {
            let place = out.at::<T>(row, column);
            // SAFETY: this is the place of an element.
            unsafe { place.write(factor.times(place.read())) };
        }
    }
}

fn factor<T>(matrix: Matrix) -> Strided<*const T> {
    let Strided { first, steps } = matrix.strided::<T>();
    Strided { first: first.cast_const(), steps }
}
