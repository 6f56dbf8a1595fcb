//! Products of matrices that lie anywhere in memory.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use opwright_runtime::Result;

use crate::number::RealOrComplex;
use crate::stack;

/// A matrix in memory.
#[derive(Clone, Copy, Debug)]
pub struct Strided<P> {
    /// The element in the first row and column.
    pub first: P,
    /// How many elements it is to the next row, and to the next column.
    pub steps: (isize, isize),
}

/// How many rows and columns a product has, and how many elements each sum has.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Those of the left matrix and the product.
    pub rows: usize,
    /// The columns of the left matrix and the rows of the right one.
    pub inner: usize,
    /// Those of the right matrix and the product.
    pub columns: usize,
}

/// As [`Number::multiply`] says.
pub(crate) unsafe fn multiply<T: RealOrComplex>(
    alpha: T,
    sizes: Sizes,
    a: Strided<*const T>,
    b: Strided<*const T>,
    out: Strided<*mut T>,
    is_added: bool,
) -> Result<()> {
    /// Products of fewer multiplications are not packed.
    const WORTH_PACKING: usize = 16 * 16 * 16;
    let Sizes { rows, inner, columns } = sizes;
    if rows.saturating_mul(inner).saturating_mul(columns) > WORTH_PACKING {
        stack::check_packed()?;
    }
    // SAFETY: the caller has matrices of these sizes there; `faer` reads no element of
    // the product that it replaces.
    let (a, b, out) = unsafe {
        (
            MatRef::from_raw_parts(a.first, rows, inner, a.steps.0, a.steps.1),
            MatRef::from_raw_parts(b.first, inner, columns, b.steps.0, b.steps.1),
            MatMut::from_raw_parts_mut(out.first, rows, columns, out.steps.0, out.steps.1),
        )
    };
    matmul(out, if is_added { Accum::Add } else { Accum::Replace }, a, b, alpha, Par::Seq);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MatrixScalar;
    use num_complex::Complex;

    /// Numbers of which no sum is exact.
    fn numbers<T: MatrixScalar>(count: usize, seed: usize) -> Vec<T> {
        let part = |k: usize| ((k * 37 + seed) as f64).sin() / 3.0;
        (0..count).map(|k| T::of_parts(part(k), part(k + 5))).collect()
    }

    /// The product of matrices in row-major order, or of the right one in column-major order.
    fn product<T: MatrixScalar>(
        sizes: Sizes,
        a: &[T],
        b: &[T],
        is_transposed: bool,
        mut out: Vec<T>,
        is_added: bool,
    ) -> Vec<T> {
        let Sizes { rows, inner, columns } = sizes;
        assert_eq!((a.len(), b.len(), out.len()), (rows * inner, inner * columns, rows * columns));
        let steps = |width: usize| (width as isize, 1);
        let b_steps = if is_transposed { (1, inner as isize) } else { steps(columns) };
        // SAFETY: the lists have as many elements as the matrices.
        unsafe {
            T::multiply(
                T::ONE,
                sizes,
                Strided { first: a.as_ptr(), steps: steps(inner) },
                Strided { first: b.as_ptr(), steps: b_steps },
                Strided { first: out.as_mut_ptr(), steps: steps(columns) },
                is_added,
            )
        }
        .unwrap();
        out
    }

    const SIZES: [(usize, usize, usize); 7] = [
        (2, 2, 2),
        (3, 1, 5),
        (16, 16, 16),
        (17, 3, 33),
        (40, 70, 50),
        (2, 1100, 130),
        (97, 513, 34),
    ];

    fn check<T: MatrixScalar>() {
        for (rows, inner, columns) in SIZES {
            for is_transposed in [false, true] {
                let sizes = Sizes { rows, inner, columns };
                let bound = 1e-6 * (inner + 10) as f64;
                let (a, b) = (numbers::<T>(rows * inner, 1), numbers::<T>(inner * columns, 2));
                let new = vec![T::of_parts(f64::NAN, f64::NAN); rows * columns];
                let whole = product(sizes, &a, &b, is_transposed, new.clone(), false);
                let at = |k: usize, j: usize| match is_transposed {
                    true => b[j * inner + k],
                    false => b[k * columns + j],
                };
                for (place, &found) in whole.iter().enumerate() {
                    let (row, column) = (place / columns, place % columns);
                    let terms = (0..inner).map(|k| a[row * inner + k] * at(k, column));
                    let (re, im) = terms
                        .fold((0.0, 0.0), |(re, im), it| (re + it.parts().0, im + it.parts().1));
                    let error = (found - T::of_parts(re, im)).parts();
                    assert!(error.0.abs() + error.1.abs() < bound, "{sizes:?} {error:?}");
                }
                // Two parts of the rows have the same bits.
                let above = rows / 2;
                if above > 1 {
                    let (top, bottom) = (&a[..above * inner], &a[above * inner..]);
                    let parts = [(top, above), (bottom, rows - above)].map(|(a, rows)| {
                        let new = new[..rows * columns].to_vec();
                        product(Sizes { rows, ..sizes }, a, &b, is_transposed, new, false)
                    });
                    assert!(parts.concat() == whole, "{sizes:?}");
                }
                let twice = product(sizes, &a, &b, is_transposed, whole.clone(), true);
                for (&twice, &once) in twice.iter().zip(&whole) {
                    let error = (twice - once - once).parts();
                    assert!(error.0.abs() + error.1.abs() < bound, "{sizes:?} {error:?}");
                }
            }
        }
    }

    #[test]
    fn products_are_those_of_sums_however_they_are_cut() {
        check::<f32>();
        check::<f64>();
        check::<Complex<f32>>();
        check::<Complex<f64>>();
    }

    #[test]
    fn nothing_to_add_up_is_zero() {
        let sizes = Sizes { rows: 2, inner: 0, columns: 3 };
        assert_eq!(product(sizes, &[], &[], false, vec![f64::NAN; 6], false), [0.0; 6]);
        assert_eq!(product(sizes, &[], &[], false, vec![7.0; 6], true), [7.0; 6]);
    }
}
