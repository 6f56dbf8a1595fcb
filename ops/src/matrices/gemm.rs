//! Products of two matrices in memory, for any strides.
//!
//! Floating and complex matrices go through the kernels of `opwright_linalg`, half
//! precision through those of `f32`, and integers through a plain loop. A product
//! with a vector is a loop of its own, because packing would cost more than the
//! work. Large products are cut into pieces for several threads.
//!
//! How a product is cut knows nothing of the type of its elements; what is compiled
//! for each type are the [`Kernels`].

use std::marker::PhantomData;

use num_complex::Complex;
use opwright_runtime::dtype::{Element, Number};
use opwright_runtime::{Result, Scalar, bf16, buffer, dtype_rows, f16};

use super::coefficients::Product;
use super::operands::{Matrix, Operands, multiplications};
use super::pieces::for_pieces;
use super::{gemv, naive, packed};

/// A type of elements whose matrices can be multiplied.
pub(crate) trait Factor: Element + Number {
    /// `alpha * a @ b`, added to `beta * out` unless `beta` is zero.
    fn product(alpha: Scalar, beta: Scalar) -> Result<impl Multiply>;
}

/// Multiplies matrices of one type of elements.
pub(super) trait Multiply: Sync {
    /// Writes every element of `out`.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    ///
    /// # Panics
    ///
    /// If the shapes do not fit.
    ///
    /// # Safety
    ///
    /// The factors have elements of this type, which nobody writes to meanwhile. So has
    /// `out`, or room for them if nothing is added to; it reaches none of them twice, and
    /// nobody else uses them.
    unsafe fn multiply(&self, at: Operands) -> Result<()>;
}

/// What does the work, for one type of elements. Both are as safe as [`Multiply`] is.
trait Kernels: Sync {
    /// On the calling thread, so many inner elements between two checks for an interrupt.
    unsafe fn gemm(&self, at: Operands, at_once: usize) -> Result<()>;

    /// The product with the only column of the right matrix.
    unsafe fn gemv(&self, at: Operands) -> Result<()>;
}

macro_rules! factors {
    ($($ty:ty => $gemm:expr;)*) => {$(
        impl Factor for $ty {
            fn product(alpha: Scalar, beta: Scalar) -> Result<impl Multiply> {
                Product::<$ty>::new(alpha, beta)
            }
        }

        impl Multiply for Product<$ty> {
            unsafe fn multiply(&self, at: Operands) -> Result<()> {
                // SAFETY: these are kernels for the type that the caller has there.
                unsafe { run(at, self) }
            }
        }

        impl Kernels for Product<$ty> {
            unsafe fn gemm(&self, at: Operands, at_once: usize) -> Result<()> {
                // SAFETY: the caller has matrices of this type there.
                unsafe { $gemm(self, at, at_once) }
            }

            unsafe fn gemv(&self, at: Operands) -> Result<()> {
                // SAFETY: the caller has matrices of this type there.
                unsafe { gemv::run(self, at) }
            }
        }
    )*};
}

macro_rules! integers {
    ({} boolean $b:tt narrow { $($narrow:tt)* } wide { $($wide:tt)* } $($others:tt)*) => {
        integers! { $($narrow)* $($wide)* }
    };
    ($($(#[$about:meta])* $dtype:ident: $ty:ty = $number:literal $row:tt)*) => {
        factors! { $($ty => naive::gemm;)* }
    };
}

dtype_rows! { integers {} }

factors! {
    f32 => packed::gemm;
    f64 => packed::gemm;
    Complex<f32> => packed::gemm;
    Complex<f64> => packed::gemm;
}

/// A product of numbers of half precision, which are multiplied as `f32`.
struct Widened<T> {
    product: Product<f32>,
    is_added: bool,
    narrow: PhantomData<T>,
}

impl<T: Element + Number> Widened<T> {
    fn new(alpha: Scalar, beta: Scalar) -> Result<Widened<T>> {
        let is_added = beta.to_bool();
        let beta = if is_added { beta } else { Scalar::Int(1) };
        Ok(Widened { product: Product::new(alpha, beta)?, is_added, narrow: PhantomData })
    }
}

impl<T: Element + Number> Multiply for Widened<T> {
    unsafe fn multiply(&self, at: Operands) -> Result<()> {
        let (rows, columns) = (at.out.rows, at.out.columns);
        // SAFETY: the factors have elements of this type, and so has what is added to.
        let (mut a, mut b, mut sums) = unsafe {
            let sums = match self.is_added {
                true => widened::<T>(at.out)?,
                false => buffer::filled(rows * columns, 0.0)?,
            };
            (widened::<T>(at.a)?, widened::<T>(at.b)?, sums)
        };
        let wide = Operands {
            a: Matrix::of_list(&mut a, at.a.rows, at.a.columns),
            b: Matrix::of_list(&mut b, at.b.rows, at.b.columns),
            out: Matrix::of_list(&mut sums, rows, columns),
        };
        // SAFETY: the lists are elements of this type, and nobody else has them.
        unsafe { self.product.multiply(wide) }?;
        for row in 0..rows {
            for column in 0..columns {
                // SAFETY: this is the place of one of the elements, which nobody else uses.
                unsafe { at.out.at::<T>(row, column).write(sums[row * columns + column].cast()) };
            }
        }
        Ok(())
    }
}

/// The elements row by row.
///
/// # Safety
///
/// They are there, of this type, and nobody writes to them meanwhile.
unsafe fn widened<T: Element>(matrix: Matrix) -> Result<Vec<f32>> {
    let mut list = buffer::with_capacity(matrix.rows * matrix.columns)?;
    // One long row is read faster than many of one element.
    let matrix = if matrix.columns == 1 { matrix.transposed() } else { matrix };
    for row in 0..matrix.rows {
        // SAFETY: these are the places of elements.
        let element = |column| unsafe { matrix.at::<T>(row, column).read() };
        list.extend((0..matrix.columns).map(|column| f32::cast_from(element(column))));
    }
    Ok(list)
}

macro_rules! through_single_precision {
    ($($ty:ty)*) => {$(
        impl Factor for $ty {
            fn product(alpha: Scalar, beta: Scalar) -> Result<impl Multiply> {
                Widened::<$ty>::new(alpha, beta)
            }
        }
    )*};
}

through_single_precision! { f16 bf16 }

/// Multiplies, on several threads if it is worth it.
///
/// # Safety
///
/// As for [`Multiply::multiply`], for the type of these kernels.
unsafe fn run(at: Operands, kernels: &dyn Kernels) -> Result<()> {
    let Operands { a, b, out } = at;
    assert!(
        a.rows == out.rows && a.columns == b.rows && b.columns == out.columns,
        "the shapes of the matrices do not fit"
    );
    // SAFETY: the caller vouches for the matrices, and so for their transposes and for pieces
    // of them, no two of which write to the same elements.
    unsafe {
        if out.columns == 1 {
            return kernels.gemv(at);
        }
        if out.rows == 1 {
            return kernels.gemv(at.transposed());
        }
        if multiplications(out.rows, out.columns, a.columns) < WORTH_CUTTING {
            return kernels.gemm(at, usize::MAX);
        }
        // The same in every piece, so that sums do not depend on how the product is cut.
        let at_once = packed::inner_at_once(out.rows, out.columns);
        for_pieces(at, &|piece| kernels.gemm(piece, at_once))
    }
}

/// Products of fewer multiplications are over before anybody could help or interrupt.
const WORTH_CUTTING: usize = 64 * 64 * 64;
