//! Products of two matrices in memory, for any strides.
//!
//! Floating and complex matrices go through packed kernels, which do not care
//! how their operands lie; half precision through those of `f32`; integers and
//! what is very small through a plain loop. A product with a vector is a loop of its own,
//! because packing would cost more than the work. Large products are split into
//! bands of rows or columns for several threads.

use matrixmultiply::CGemmOption;
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, Zip, s};
use num_complex::Complex;
use opwright_runtime::dtype::{Element, Number};
use opwright_runtime::{Result, Scalar, bf16, buffer, dtype_rows, f16, interrupt};

use super::bands::for_bands;
use super::{gemv, plain};

/// A type of elements whose matrices can be multiplied.
pub(crate) trait Factor: Element + Number {
    /// `out = alpha * a @ b + beta * out`; with `beta` zero, `out` is not read.
    ///
    /// # Panics
    ///
    /// If the shapes do not fit.
    fn multiply(
        alpha: Scalar,
        a: ArrayView2<'_, Self>,
        b: ArrayView2<'_, Self>,
        beta: Scalar,
        out: ArrayViewMut2<'_, Self>,
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

/// Multiplies on the calling thread.
type Gemm<T> = fn(Product<'_, T>, ArrayViewMut2<'_, T>) -> Result<()>;

macro_rules! factors {
    ($($ty:ty => $gemm:expr;)*) => {$(
        impl Factor for $ty {
            fn multiply(
                alpha: Scalar,
                a: ArrayView2<'_, Self>,
                b: ArrayView2<'_, Self>,
                beta: Scalar,
                out: ArrayViewMut2<'_, Self>,
            ) -> Result<()> {
                let product = Product { alpha: alpha.wrap(), a, b, beta: beta.wrap() };
                run(product, out, $gemm)
            }
        }
    )*};
}

macro_rules! integers {
    ({} boolean $b:tt narrow { $($narrow:tt)* } wide { $($wide:tt)* } $($others:tt)*) => {
        integers! { $($narrow)* $($wide)* }
    };
    ($($(#[$about:meta])* $dtype:ident: $ty:ty = $number:literal $row:tt)*) => {
        factors! { $($ty => plain::gemm;)* }
    };
}

dtype_rows! { integers {} }

factors! {
    f32 => real_single;
    f64 => real_double;
    Complex<f32> => complex_single;
    Complex<f64> => complex_double;
}

macro_rules! through_single_precision {
    ($($ty:ty)*) => {$(
        impl Factor for $ty {
            fn multiply(
                alpha: Scalar,
                a: ArrayView2<'_, Self>,
                b: ArrayView2<'_, Self>,
                beta: Scalar,
                mut out: ArrayViewMut2<'_, Self>,
            ) -> Result<()> {
                let (a, b) = (widened(a)?, widened(b)?);
                let mut result = match beta.wrap::<f32>() {
                    0.0 => buffer::array(out.raw_dim(), std::iter::repeat_n(0.0, out.len()))?,
                    _ => widened(out.view())?,
                };
                f32::multiply(alpha, a.view(), b.view(), beta, result.view_mut())?;
                Zip::from(&mut out).and(&result).for_each(|slot, &value| *slot = value.cast());
                Ok(())
            }
        }
    )*};
}

through_single_precision! { f16 bf16 }

fn widened<T: Element + Number>(matrix: ArrayView2<'_, T>) -> Result<Array2<f32>> {
    buffer::array(matrix.raw_dim(), matrix.iter().map(|&it| f32::cast_from(it)))
}

/// Products of fewer multiplications than this are not worth packing.
const WORTH_PACKING: usize = 8 * 8 * 8;

/// Products of fewer multiplications than this are not worth another thread.
const WORTH_SHARING: usize = 96 * 96 * 96;

/// How many rows or columns make a band: in a narrower one, packing the other
/// operand would take too much of the time.
const BAND: usize = 64;

/// How many multiplications take as long as reading an element.
const PER_ELEMENT: usize = 16;

fn run<T: Number>(
    product: Product<'_, T>,
    mut out: ArrayViewMut2<'_, T>,
    gemm: Gemm<T>,
) -> Result<()> {
    let Product { alpha, a, b, beta } = product;
    let (rows, columns) = out.dim();
    assert!(
        a.dim() == (rows, b.nrows()) && b.ncols() == columns,
        "the shapes of the matrices do not fit"
    );
    if columns == 1 {
        return gemv::run(alpha, a, b.column(0), beta, out.column_mut(0));
    }
    if rows == 1 {
        return gemv::run(alpha, b.t(), a.row(0), beta, out.row_mut(0));
    }
    match multiplications(rows, columns, a.ncols()) {
        ..WORTH_PACKING => return plain::gemm(product, out),
        WORTH_PACKING..WORTH_SHARING => return gemm(product, out),
        WORTH_SHARING.. => {}
    }
    let axis = Axis(usize::from(columns > rows));
    let weight = multiplications(rows.min(columns), BAND, a.ncols()) / PER_ELEMENT;
    for_bands(out, axis, BAND, weight, &|start, out| {
        let taken = out.len_of(axis);
        let range = ndarray::Slice::from(start..start + taken);
        let (a, b) = match axis {
            Axis(0) => (a.slice_axis_move(Axis(0), range), b),
            _ => (a, b.slice_axis_move(Axis(1), range)),
        };
        gemm(Product { alpha, a, b, beta }, out)
    })
}

/// The number of multiplications that a product takes.
pub(super) fn multiplications(rows: usize, columns: usize, inner: usize) -> usize {
    rows.saturating_mul(columns).saturating_mul(inner)
}

/// So many inner elements are packed at a time, and a multiple of that goes into
/// one sum: cut there, a product is the same number by number.
const PACKED: usize = 256;

/// So many multiplications take some 50 milliseconds at most.
const AT_ONCE: usize = 1 << 28;

/// Fewer rows or columns take as long as this many, which are packed together.
const TILE: usize = 16;

/// How many inner elements are multiplied between two checks for an interrupt.
fn inner_at_once(rows: usize, columns: usize) -> usize {
    let tile = rows.max(TILE).saturating_mul(columns.max(TILE));
    (AT_ONCE / tile).next_multiple_of(PACKED).max(PACKED)
}

macro_rules! packed {
    ($($name:ident, $ty:ty, |$it:ident| $raw:expr, $function:ident $(, $option:expr)?;)*) => {$(
        fn $name(product: Product<'_, $ty>, mut out: ArrayViewMut2<'_, $ty>) -> Result<()> {
            let Product { alpha, a, b, beta } = product;
            let raw = |$it: $ty| $raw;
            let (rows, columns) = out.dim();
            let inner = a.ncols();
            buffer::check_room(packed_elements(rows, inner, columns) * size_of::<$ty>())?;
            let (a_steps, b_steps) = (strides(&a), strides(&b));
            let out_steps = (out.strides()[0], out.strides()[1]);
            let at_once = inner_at_once(rows, columns);
            // Once also without inner elements, for `beta`.
            for start in (0..inner.max(1)).step_by(at_once) {
                let beta = if start == 0 { beta } else { Number::ONE };
                if start > 0 {
                    interrupt::check();
                }
                let (a, b) = (a.slice(s![.., start..]), b.slice(s![start.., ..]));
                // SAFETY: the shapes fit, as `run` has checked, the pointers and
                // strides are those of views, and no element of `out` is reached
                // twice. A complex number is the same in memory as an array of its
                // parts.
                unsafe {
                    matrixmultiply::$function(
                        $($option, $option,)?
                        rows,
                        at_once.min(inner - start),
                        columns,
                        raw(alpha),
                        a.as_ptr().cast(),
                        a_steps.0,
                        a_steps.1,
                        b.as_ptr().cast(),
                        b_steps.0,
                        b_steps.1,
                        raw(beta),
                        out.as_mut_ptr().cast(),
                        out_steps.0,
                        out_steps.1,
                    );
                }
            }
            Ok(())
        }
    )*};
}

packed! {
    real_single, f32, |it| it, sgemm;
    real_double, f64, |it| it, dgemm;
    complex_single, Complex<f32>, |it| [it.re, it.im], cgemm, CGemmOption::Standard;
    complex_double, Complex<f64>, |it| [it.re, it.im], zgemm, CGemmOption::Standard;
}

/// At most so many elements are packed at a time, in a buffer of the library's own:
/// a block of each matrix, whose sizes it rounds up to those of its kernel.
fn packed_elements(rows: usize, inner: usize, columns: usize) -> usize {
    inner.min(256) * (rows.min(64) + columns.min(1024) + 2 * 16)
}

fn strides<T>(matrix: &ArrayView2<'_, T>) -> (isize, isize) {
    (matrix.strides()[0], matrix.strides()[1])
}
