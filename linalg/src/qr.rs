//! Factoring a matrix into an orthogonal and a triangular one.

use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::householder::{
    apply_block_householder_sequence_on_the_left_in_place_scratch,
    apply_block_householder_sequence_on_the_left_in_place_with_conj,
};
use faer::linalg::qr::no_pivoting::factor::{
    qr_in_place, qr_in_place_scratch, recommended_block_size,
};
use faer::{Conj, Par, Spec};
use opwright_runtime::Result;

use crate::apart::apart;
use crate::columns::ColumnMajor;
use crate::number::RealOrComplex;
use crate::stack::memory;

/// A matrix as the product of one with columns of length one and at right angles, and
/// an upper triangle with a real diagonal.
#[derive(Debug)]
pub struct Qr<T> {
    /// The first factor, if it is wanted.
    pub q: Option<ColumnMajor<T>>,
    /// The triangle, with as many rows as the matrix; what is below it is not zero.
    pub r: ColumnMajor<T>,
}

pub(crate) fn decompose<T: RealOrComplex>(
    matrix: ColumnMajor<T>,
    width: Option<usize>,
) -> Result<Qr<T>> {
    let (rows, columns) = matrix.dim();
    let steps = rows.min(columns) as f64;
    let widest = columns.max(width.unwrap_or(0)) as f64;
    apart(4.0 * rows as f64 * widest * steps, move || factors(matrix, width))
}

fn factors<T: RealOrComplex>(mut r: ColumnMajor<T>, width: Option<usize>) -> Result<Qr<T>> {
    let (rows, columns) = r.dim();
    let steps = rows.min(columns);
    let block = recommended_block_size::<T>(rows, columns);
    let mut blocks = ColumnMajor::zeros((block, steps))?;
    let default = Spec::default();
    let mut room = memory(StackReq::any_of(&[
        qr_in_place_scratch::<T>(rows, columns, block, Par::Seq, default),
        apply_block_householder_sequence_on_the_left_in_place_scratch::<T>(
            rows,
            block,
            width.unwrap_or(0),
        ),
    ]))?;
    let stack = MemStack::new(&mut room);
    qr_in_place(r.view_mut(), blocks.view_mut(), Par::Seq, stack, default);
    let mut q = width.map(|it| ColumnMajor::identity((rows, it))).transpose()?;
    if let Some(q) = &mut q {
        apply_block_householder_sequence_on_the_left_in_place_with_conj(
            r.view().subcols(0, steps),
            blocks.view(),
            Conj::No,
            q.view_mut(),
            Par::Seq,
            stack,
        );
    }
    turn(&mut r, q.as_mut(), steps);
    Ok(Qr { q, r })
}

/// Makes the diagonal real.
fn turn<T: RealOrComplex>(
    r: &mut ColumnMajor<T>,
    mut q: Option<&mut ColumnMajor<T>>,
    steps: usize,
) {
    for k in 0..steps {
        let (re, im) = r.at(k, k).parts();
        if im == 0.0 {
            continue;
        }
        let length = re.hypot(im).copysign(re);
        let phase = T::of_parts(re / length, im / length);
        for column in k..r.dim().1 {
            let it = &mut r.column_mut(column)[k];
            *it *= phase.conjugate();
        }
        r.column_mut(k)[k] = T::of_parts(length, 0.0);
        if let Some(q) = &mut q {
            q.column_mut(k).iter_mut().for_each(|it| *it *= phase);
        }
    }
}
