//! Eigenvalues and eigenvectors of Hermitian matrices.

use faer::diag::DiagMut;
use faer::dyn_stack::MemStack;
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::{Par, Spec};
use opwright_runtime::{Error, Result, buffer};

use crate::apart::apart;
use crate::columns::ColumnMajor;
use crate::number::RealOrComplex;
use crate::range::Scale;
use crate::stack::memory;

/// A Hermitian matrix as `vectors @ diag(values) @ vectors.mH`.
#[derive(Debug)]
pub struct Hermitian<T: RealOrComplex> {
    /// In ascending order.
    pub values: Vec<T::Real>,
    /// With columns of length one and at right angles; without columns if they are not
    /// wanted.
    pub vectors: ColumnMajor<T>,
}

pub(crate) fn decompose<T: RealOrComplex>(
    matrix: ColumnMajor<T>,
    with_vectors: bool,
) -> Result<Hermitian<T>> {
    let size = matrix.dim().0 as f64;
    apart(2.0 * size.powi(3), move || eigen(matrix, with_vectors))
}

fn eigen<T: RealOrComplex>(mut matrix: ColumnMajor<T>, with_vectors: bool) -> Result<Hermitian<T>> {
    let scale = Scale::apply(&mut matrix)?;
    let size = matrix.dim().0;
    let mut values = buffer::filled(size, T::ZERO)?;
    let mut vectors = ColumnMajor::zeros((size, if with_vectors { size } else { 0 }))?;
    let wanted = if with_vectors { ComputeEigenvectors::Yes } else { ComputeEigenvectors::No };
    let default = Spec::default();
    let mut room = memory(self_adjoint_evd_scratch::<T>(size, wanted, Par::Seq, default))?;
    self_adjoint_evd(
        matrix.view(),
        DiagMut::from_slice_mut(&mut values),
        with_vectors.then(|| vectors.view_mut()),
        Par::Seq,
        MemStack::new(&mut room),
        default,
    )
    .map_err(|_| Error::lin_alg("The algorithm failed to converge."))?;
    let values =
        buffer::collected(values.into_iter().map(|it| scale.undo(T::real_part_impl(&it))))?;
    Ok(Hermitian { values, vectors })
}
