//! Products of two matrices in memory, for any strides.
//!
//! Floating and complex matrices go through the kernels of `opwright_linalg`, half
//! precision through those of `f32`, and integers through a plain loop. A product
//! with a vector is a loop of its own, because packing would cost more than the
//! work. Large products are cut into pieces for several threads.

use ndarray::{Array2, ArrayView2, ArrayViewMut2};
use num_complex::Complex;
use opwright_runtime::dtype::{Element, Number};
use opwright_runtime::{Result, Scalar, bf16, buffer, dtype_rows, f16};

use super::pieces::for_pieces;
use super::slot::Slot;
use super::{gemv, packed, plain};

/// A type of elements whose matrices can be multiplied.
pub(crate) trait Factor: Element + Number {
    /// `out = alpha * a @ b`, or that added to `beta * out`.
    ///
    /// # Panics
    ///
    /// If the shapes do not fit.
    fn multiply<S: Slot<Self>>(
        alpha: Scalar,
        a: ArrayView2<'_, Self>,
        b: ArrayView2<'_, Self>,
        beta: Scalar,
        out: ArrayViewMut2<'_, S>,
    ) -> Result<()>;
}

/// What a call multiplies, with its coefficients.
#[derive(Clone, Copy)]
pub(super) struct Product<'a, T> {
    pub(super) alpha: T,
    pub(super) a: ArrayView2<'a, T>,
    pub(super) b: ArrayView2<'a, T>,
    pub(super) beta: T,
}

impl<T: Number> Product<'_, T> {
    /// Puts the sum of products of a row and a column into its place.
    #[inline(always)]
    pub(super) fn store<S: Slot<T>>(&self, sum: T, slot: &mut S) {
        let scaled = self.alpha.times(sum);
        slot.set(slot.get().map_or(scaled, |old| scaled.plus(self.beta.times(old))));
    }
}

macro_rules! factors {
    ($($ty:ty => $gemm:expr;)*) => {$(
        impl Factor for $ty {
            fn multiply<S: Slot<Self>>(
                alpha: Scalar,
                a: ArrayView2<'_, Self>,
                b: ArrayView2<'_, Self>,
                beta: Scalar,
                out: ArrayViewMut2<'_, S>,
            ) -> Result<()> {
                run(Product { alpha: alpha.operand()?, a, b, beta: beta.operand()? }, out, $gemm)
            }
        }
    )*};
}

macro_rules! integers {
    ({} boolean $b:tt narrow { $($narrow:tt)* } wide { $($wide:tt)* } $($others:tt)*) => {
        integers! { $($narrow)* $($wide)* }
    };
    ($($(#[$about:meta])* $dtype:ident: $ty:ty = $number:literal $row:tt)*) => {
        factors! { $($ty => |product, out, _| plain::gemm(product, out);)* }
    };
}

dtype_rows! { integers {} }

factors! {
    f32 => packed::gemm;
    f64 => packed::gemm;
    Complex<f32> => packed::gemm;
    Complex<f64> => packed::gemm;
}

macro_rules! through_single_precision {
    ($($ty:ty)*) => {$(
        impl Factor for $ty {
            fn multiply<S: Slot<Self>>(
                alpha: Scalar,
                a: ArrayView2<'_, Self>,
                b: ArrayView2<'_, Self>,
                beta: Scalar,
                mut out: ArrayViewMut2<'_, S>,
            ) -> Result<()> {
                let (a, b) = (widened(a)?, widened(b)?);
                let start = |slot: &S| slot.get().map_or(0.0, f32::cast_from);
                let mut result = buffer::array(out.raw_dim(), out.iter().map(start))?;
                let beta = if S::IS_THERE { beta } else { Scalar::Int(1) };
                f32::multiply(alpha, a.view(), b.view(), beta, result.view_mut())?;
                out.zip_mut_with(&result, |slot, &value| slot.set(value.cast()));
                Ok(())
            }
        }
    )*};
}

through_single_precision! { f16 bf16 }

fn widened<T: Element + Number>(matrix: ArrayView2<'_, T>) -> Result<Array2<f32>> {
    buffer::array(matrix.raw_dim(), matrix.iter().map(|&it| f32::cast_from(it)))
}

/// Multiplies on the calling thread, so many inner elements between two checks for an interrupt.
fn run<T: Number, S: Slot<T>>(
    product: Product<'_, T>,
    mut out: ArrayViewMut2<'_, S>,
    gemm: impl Fn(Product<'_, T>, ArrayViewMut2<'_, S>, usize) -> Result<()> + Sync,
) -> Result<()> {
    let Product { a, b, .. } = product;
    let (rows, columns) = out.dim();
    assert!(
        a.dim() == (rows, b.nrows()) && b.ncols() == columns,
        "the shapes of the matrices do not fit"
    );
    if columns == 1 {
        return gemv::run(product, out.column_mut(0));
    }
    if rows == 1 {
        let product = Product { a: b.reversed_axes(), b: a.reversed_axes(), ..product };
        return gemv::run(product, out.row_mut(0));
    }
    if multiplications(rows, columns, a.ncols()) < WORTH_CUTTING {
        return gemm(product, out, usize::MAX);
    }
    // The same in every piece, so that sums do not depend on how the product is cut.
    let at_once = packed::inner_at_once(rows, columns);
    for_pieces(product, out, |product, out| gemm(product, out, at_once))
}

/// Products of fewer multiplications are over before anybody could help or interrupt.
const WORTH_CUTTING: usize = 64 * 64 * 64;

/// The number of multiplications that a product takes.
pub(super) fn multiplications(rows: usize, columns: usize, inner: usize) -> usize {
    rows.saturating_mul(columns).saturating_mul(inner)
}
