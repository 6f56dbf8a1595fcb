//! Singular values and vectors.

use faer::diag::DiagMut;
use faer::dyn_stack::MemStack;
use faer::linalg::svd::{ComputeSvdVectors, SvdParams, svd, svd_scratch};
use faer::{Par, Spec};
use opwright_runtime::{Error, Result, buffer};

use crate::apart::apart;
use crate::columns::ColumnMajor;
use crate::number::RealOrComplex;
use crate::range::Scale;
use crate::stack::memory;

/// A matrix as `u @ diag(values) @ v.mH`.
#[derive(Debug)]
pub struct Singular<T: RealOrComplex> {
    /// With columns of length one and at right angles.
    pub u: ColumnMajor<T>,
    /// In descending order, not negative.
    pub values: Vec<T::Real>,
    /// Likewise.
    pub v: ColumnMajor<T>,
}

/// Which vectors are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vectors {
    /// None; the matrices of vectors have no columns.
    No,
    /// As many as there are values.
    Thin,
    /// As many as make square matrices.
    Full,
}

impl Vectors {
    /// How many columns both matrices of vectors have, for a matrix of such sizes.
    fn widths(self, (rows, columns): (usize, usize)) -> (usize, usize) {
        match self {
            Vectors::No => (0, 0),
            Vectors::Thin => (rows.min(columns), rows.min(columns)),
            Vectors::Full => (rows, columns),
        }
    }

    fn wanted(self) -> ComputeSvdVectors {
        match self {
            Vectors::No => ComputeSvdVectors::No,
            Vectors::Thin => ComputeSvdVectors::Thin,
            Vectors::Full => ComputeSvdVectors::Full,
        }
    }
}

pub(crate) fn decompose<T: RealOrComplex>(
    matrix: ColumnMajor<T>,
    vectors: Vectors,
) -> Result<Singular<T>> {
    let (rows, columns) = matrix.dim();
    let size = rows.min(columns) as f64;
    apart(4.0 * rows as f64 * columns as f64 * size, move || factors(matrix, vectors))
}

fn factors<T: RealOrComplex>(mut matrix: ColumnMajor<T>, vectors: Vectors) -> Result<Singular<T>> {
    let scale = Scale::apply(&mut matrix)?;
    let (rows, columns) = matrix.dim();
    let (width, height) = vectors.widths((rows, columns));
    let mut values = buffer::filled(rows.min(columns), T::ZERO)?;
    let (mut u, mut v) =
        (ColumnMajor::zeros((rows, width))?, ColumnMajor::zeros((columns, height))?);
    let (wanted, has_vectors) = (vectors.wanted(), vectors != Vectors::No);
    let mut how = Spec::<SvdParams, T>::default();
    if !has_vectors {
        // To divide pays where vectors are products of matrices; else rotations are sooner there,
        // though last places are others than with vectors.
        how.config.recursion_threshold = usize::MAX;
    }
    let mut room = memory(svd_scratch::<T>(rows, columns, wanted, wanted, Par::Seq, how))?;
    svd(
        matrix.view(),
        DiagMut::from_slice_mut(&mut values),
        has_vectors.then(|| u.view_mut()),
        has_vectors.then(|| v.view_mut()),
        Par::Seq,
        MemStack::new(&mut room),
        how,
    )
    .map_err(|_| Error::lin_alg("The algorithm failed to converge."))?;
    let values =
        buffer::collected(values.into_iter().map(|it| scale.undo(T::real_part_impl(&it))))?;
    Ok(Singular { u, values, v })
}
