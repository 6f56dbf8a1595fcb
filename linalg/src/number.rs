//! The numbers that matrices are made of.

use std::ops::{Mul, Sub};

use faer::traits::{ComplexField, RealField};
use num_complex::Complex;
use opwright_runtime::Result;

use crate::columns::ColumnMajor;
use crate::{General, Hermitian, Lu, ProductForm, Qr, Singular, Triangle, Vectors};
use crate::{Sizes, Strided};
use crate::{cholesky, general, hermitian, lu, product, qr, singular, triangular};

/// A real number of a matrix.
pub trait RealScalar: RealField + Copy {
    /// The logarithm to base two of the greatest power of two by which numbers are
    /// scaled.
    const MOST_SCALE: i32;

    /// Cast from a number of double precision.
    fn of(number: f64) -> Self;

    /// Cast to one.
    fn wide(self) -> f64;
}

/// A number of a matrix, and what is made of a matrix of them.
pub trait MatrixScalar:
    ComplexField<Real: RealScalar>
    + Copy
    + Send
    + Sync
    + Sub<Output = Self>
    + Mul<Output = Self>
    + 'static
{
    /// The complex number with such parts.
    type Complex: MatrixScalar<Real = Self::Real>;

    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;

    /// The real and the imaginary part, in double precision.
    fn parts(self) -> (f64, f64);

    /// The number with these parts, the second of which a real one has not.
    fn of_parts(re: f64, im: f64) -> Self;

    /// The conjugate.
    fn conjugate(self) -> Self {
        let (re, im) = self.parts();
        Self::of_parts(re, -im)
    }

    /// The quotient, right also where squares of the parts are not.
    #[inline]
    fn divided(self, other: Self) -> Self {
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        if d == 0.0 {
            Self::of_parts(a / c, b / c)
        } else if c.abs() >= d.abs() {
            let (ratio, whole) = (d / c, c + d * (d / c));
            Self::of_parts((a + b * ratio) / whole, (b - a * ratio) / whole)
        } else {
            let (ratio, whole) = (c / d, c * (c / d) + d);
            Self::of_parts((a * ratio + b) / whole, (b * ratio - a) / whole)
        }
    }

    /// A matrix as `u @ diag(values) @ v.mH`.
    ///
    /// # Errors
    ///
    /// `Runtime` if there are numbers that are not finite; `Memory`, here and below,
    /// if there is not enough.
    fn singular(matrix: ColumnMajor<Self>, vectors: Vectors) -> Result<Singular<Self>>;

    /// A Hermitian matrix, of which the lower triangle is given, as
    /// `vectors @ diag(values) @ vectors.mH`.
    ///
    /// # Errors
    ///
    /// `Runtime` if there are numbers that are not finite.
    fn hermitian(matrix: ColumnMajor<Self>, with_vectors: bool) -> Result<Hermitian<Self>>;

    /// A square matrix as `vectors @ diag(values) @ inverse(vectors)`.
    ///
    /// # Errors
    ///
    /// `Runtime` if there are numbers that are not finite.
    fn general(matrix: ColumnMajor<Self>, with_vectors: bool) -> Result<General<Self::Complex>>;

    /// The product of a matrix `q` of so many columns, or none, and an upper triangle.
    ///
    /// # Errors
    ///
    /// None but for memory.
    fn qr(matrix: ColumnMajor<Self>, width: Option<usize>) -> Result<Qr<Self>>;

    /// The lower triangle whose product with its adjoint has the lower triangle that is
    /// given; or the order of the first leading minor that is not positive.
    ///
    /// # Errors
    ///
    /// None but for memory.
    fn cholesky(matrix: ColumnMajor<Self>) -> Result<Result<ColumnMajor<Self>, usize>>;

    /// Factors a matrix into two triangles.
    ///
    /// # Errors
    ///
    /// None but for memory.
    fn lu(matrix: ColumnMajor<Self>) -> Result<Lu<Self>>;

    /// Replaces `right` by what the factored matrix turns into it; see [`Lu::solve_form`].
    #[doc(hidden)]
    fn solve_lu(lu: &Lu<Self>, form: ProductForm, right: &mut ColumnMajor<Self>);

    /// Replaces `right` by the matrix that, multiplied from the left by a triangle of a
    /// square matrix, is `right`.
    fn solve_triangle(matrix: &ColumnMajor<Self>, which: Triangle, right: &mut ColumnMajor<Self>);

    /// `out = alpha * a @ b`, or that added to `out`, which else is not read. Each sum is
    /// made in the same order in products of two rows and columns or more, so that
    /// these may be cut.
    ///
    /// # Errors
    ///
    /// None but for memory.
    ///
    /// # Safety
    ///
    /// The matrices are there and have these sizes; nobody else reaches the elements of
    /// `out`, each of which is reached once. They are initialised if they are added to.
    unsafe fn multiply(
        alpha: Self,
        sizes: Sizes,
        a: Strided<*const Self>,
        b: Strided<*const Self>,
        out: Strided<*mut Self>,
        is_added: bool,
    ) -> Result<()>;
}

macro_rules! numbers {
    ($($ty:ty as $complex:ty, $general:path, $zero:expr, $one:expr, |$it:ident| $parts:expr, |$re:ident, $im:pat_param| $of_parts:expr;)*) => {$(
        impl MatrixScalar for $ty {
            type Complex = $complex;

            const ZERO: $ty = $zero;
            const ONE: $ty = $one;

            #[inline(always)]
            fn parts(self) -> (f64, f64) {
                let $it = self;
                $parts
            }

            #[inline(always)]
            fn of_parts($re: f64, $im: f64) -> $ty {
                $of_parts
            }

            fn singular(matrix: ColumnMajor<$ty>, vectors: Vectors) -> Result<Singular<$ty>> {
                singular::decompose(matrix, vectors)
            }

            fn hermitian(matrix: ColumnMajor<$ty>, with_vectors: bool) -> Result<Hermitian<$ty>> {
                hermitian::decompose(matrix, with_vectors)
            }

            fn general(
                matrix: ColumnMajor<$ty>,
                with_vectors: bool,
            ) -> Result<General<$complex>> {
                $general(matrix, with_vectors)
            }

            fn qr(matrix: ColumnMajor<$ty>, width: Option<usize>) -> Result<Qr<$ty>> {
                qr::decompose(matrix, width)
            }

            fn cholesky(
                matrix: ColumnMajor<$ty>,
            ) -> Result<Result<ColumnMajor<$ty>, usize>> {
                cholesky::decompose(matrix)
            }

            fn lu(matrix: ColumnMajor<$ty>) -> Result<Lu<$ty>> {
                lu::decompose(matrix)
            }

            fn solve_lu(lu: &Lu<$ty>, form: ProductForm, right: &mut ColumnMajor<$ty>) {
                lu::solve(lu, form, right);
            }

            fn solve_triangle(matrix: &ColumnMajor<$ty>, which: Triangle, right: &mut ColumnMajor<$ty>) {
                triangular::solve(matrix, which, right);
            }

            unsafe fn multiply(
                alpha: $ty,
                sizes: Sizes,
                a: Strided<*const $ty>,
                b: Strided<*const $ty>,
                out: Strided<*mut $ty>,
                is_added: bool,
            ) -> Result<()> {
                // SAFETY: the caller has these matrices there.
                unsafe { product::multiply(alpha, sizes, a, b, out, is_added) }
            }
        }
    )*};
}

numbers! {
    f32 as Complex<f32>, general::real, 0.0, 1.0, |x| (f64::from(x), 0.0), |re, _| re as f32;
    f64 as Complex<f64>, general::real, 0.0, 1.0, |x| (x, 0.0), |re, _| re;
    Complex<f32> as Complex<f32>, general::complex, Complex::new(0.0, 0.0), Complex::new(1.0, 0.0),
        |x| (f64::from(x.re), f64::from(x.im)), |re, im| Complex::new(re as f32, im as f32);
    Complex<f64> as Complex<f64>, general::complex, Complex::new(0.0, 0.0), Complex::new(1.0, 0.0),
        |x| (x.re, x.im), |re, im| Complex::new(re, im);
}

impl RealScalar for f32 {
    const MOST_SCALE: i32 = 120;

    fn of(number: f64) -> f32 {
        number as f32
    }

    fn wide(self) -> f64 {
        f64::from(self)
    }
}

impl RealScalar for f64 {
    const MOST_SCALE: i32 = 1000;

    fn of(number: f64) -> f64 {
        number
    }

    fn wide(self) -> f64 {
        self
    }
}
