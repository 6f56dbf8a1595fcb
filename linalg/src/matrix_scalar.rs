//! Products and decompositions by the numbers of a matrix, compiled here for all that there are.

use num_complex::Complex;
use opwright_runtime::Result;

use crate::columns::ColumnMajor;
use crate::general::General;
use crate::hermitian::Hermitian;
use crate::lu::{Lu, ProductForm};
use crate::number::RealOrComplex;
use crate::product::{Sizes, Strided};
use crate::qr::Qr;
use crate::singular::{Singular, Vectors};
use crate::triangular::Triangle;
use crate::{cholesky, general, hermitian, lu, product, qr, singular, triangular};

/// A number that matrices are decomposed of.
pub trait MatrixScalar: RealOrComplex {
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
    ($($ty:ty as $complex:ty, $general:path;)*) => {$(
        impl MatrixScalar for $ty {
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
    f32 as Complex<f32>, general::real;
    f64 as Complex<f64>, general::real;
    Complex<f32> as Complex<f32>, general::complex;
    Complex<f64> as Complex<f64>, general::complex;
}

impl<T: MatrixScalar> Lu<T> {
    /// Replaces `right` by the matrix that, multiplied from the left by the factored
    /// one, is `right`.
    pub fn solve(&self, right: &mut ColumnMajor<T>) {
        self.solve_form(ProductForm::default(), right);
    }

    /// The same for another form of the factored matrix.
    pub fn solve_form(&self, form: ProductForm, right: &mut ColumnMajor<T>) {
        T::solve_lu(self, form, right);
    }
}
