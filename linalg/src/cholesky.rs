//! Cholesky's factorization.

use faer::dyn_stack::MemStack;
use faer::linalg::cholesky::llt::factor::{
    LltError, LltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::{Par, Spec};
use opwright_runtime::Result;

use crate::apart::apart;
use crate::columns::ColumnMajor;
use crate::number::RealOrComplex;
use crate::stack::memory;

pub(crate) fn decompose<T: RealOrComplex>(
    matrix: ColumnMajor<T>,
) -> Result<Result<ColumnMajor<T>, usize>> {
    let size = matrix.dim().0 as f64;
    apart(size.powi(3) / 3.0, move || factor(matrix))
}

fn factor<T: RealOrComplex>(mut matrix: ColumnMajor<T>) -> Result<Result<ColumnMajor<T>, usize>> {
    let size = matrix.dim().0;
    let default = Spec::default();
    let mut room = memory(cholesky_in_place_scratch::<T>(size, Par::Seq, default))?;
    let found = cholesky_in_place(
        matrix.view_mut(),
        LltRegularization::default(),
        Par::Seq,
        MemStack::new(&mut room),
        default,
    );
    if let Err(LltError::NonPositivePivot { index }) = found {
        return Ok(Err(index + 1));
    }
    for k in 0..size {
        matrix.column_mut(k)[..k].fill(T::ZERO);
    }
    Ok(Ok(matrix))
}
