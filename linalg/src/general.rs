//! Eigenvalues and eigenvectors of matrices that need not be Hermitian.
//!
//! `faer` neither balances a matrix nor keeps vectors from overflowing where there are
//! fewer of them than values; both is done here.

use faer::diag::DiagMut;
use faer::dyn_stack::MemStack;
use faer::linalg::evd::{ComputeEigenvectors, evd_cplx, evd_real, evd_scratch};
use faer::{Par, Spec};
use num_complex::Complex;
use opwright_runtime::{Error, Result, buffer};

use crate::apart::apart;
use crate::columns::ColumnMajor;
use crate::number::{RealOrComplex, RealScalar};
use crate::range::Scale;
use crate::singular::{self, Vectors};
use crate::stack::memory;

/// A matrix as `vectors @ diag(values) @ inverse(vectors)`, if there are so many.
#[derive(Debug)]
pub struct General<C> {
    /// In no order; of a real matrix, conjugates are neighbours.
    pub values: Vec<C>,
    /// With columns of length one, whose greatest element is real; without columns if they
    /// are not wanted.
    pub vectors: ColumnMajor<C>,
}

/// The decomposition of a real matrix.
pub(crate) fn real<R>(matrix: ColumnMajor<R>, with_vectors: bool) -> Result<General<Complex<R>>>
where
    R: RealScalar + RealOrComplex<Real = R, Complex = Complex<R>>,
    Complex<R>: RealOrComplex<Real = R, Complex = Complex<R>>,
{
    decompose(matrix, with_vectors, move |matrix, values, vectors| {
        let size = matrix.dim().0;
        let (mut re, mut im) = (buffer::filled(size, R::ZERO)?, buffer::filled(size, R::ZERO)?);
        let mut packed = ColumnMajor::zeros((size, vectors.dim().1))?;
        let (wanted, default) = (wanted(with_vectors), Spec::default());
        let no = ComputeEigenvectors::No;
        let mut room = memory(evd_scratch::<R>(size, no, wanted, Par::Seq, default))?;
        evd_real(
            matrix.view(),
            DiagMut::from_slice_mut(&mut re),
            DiagMut::from_slice_mut(&mut im),
            None,
            with_vectors.then(|| packed.view_mut()),
            Par::Seq,
            MemStack::new(&mut room),
            default,
        )
        .map_err(|_| not_converged())?;
        let parts = re.iter().zip(&im);
        values.iter_mut().zip(parts).for_each(|(it, (&re, &im))| *it = Complex::new(re, im));
        if with_vectors {
            unpack(&packed, values, vectors);
        }
        Ok(())
    })
}

/// The decomposition of a complex matrix.
pub(crate) fn complex<R>(
    matrix: ColumnMajor<Complex<R>>,
    with_vectors: bool,
) -> Result<General<Complex<R>>>
where
    R: RealScalar,
    Complex<R>: RealOrComplex<Real = R, Complex = Complex<R>>,
{
    decompose(matrix, with_vectors, move |matrix, values, vectors| {
        let size = matrix.dim().0;
        let (wanted, default) = (wanted(with_vectors), Spec::default());
        let no = ComputeEigenvectors::No;
        let mut room = memory(evd_scratch::<Complex<R>>(size, no, wanted, Par::Seq, default))?;
        evd_cplx(
            matrix.view(),
            DiagMut::from_slice_mut(values),
            None,
            with_vectors.then(|| vectors.view_mut()),
            Par::Seq,
            MemStack::new(&mut room),
            default,
        )
        .map_err(|_| not_converged())
    })
}

fn wanted(with_vectors: bool) -> ComputeEigenvectors {
    if with_vectors { ComputeEigenvectors::Yes } else { ComputeEigenvectors::No }
}

#[cold]
fn not_converged() -> Error {
    Error::lin_alg("The algorithm failed to converge.")
}

/// What is done around `run`, which writes values and vectors of any length.
fn decompose<T, C>(
    mut matrix: ColumnMajor<T>,
    with_vectors: bool,
    run: impl FnOnce(&ColumnMajor<T>, &mut [C], &mut ColumnMajor<C>) -> Result<()> + Send + 'static,
) -> Result<General<C>>
where
    T: RealOrComplex<Complex = C>,
    C: RealOrComplex<Real = T::Real>,
{
    let size = matrix.dim().0;
    apart(10.0 * (size as f64).powi(3), move || {
        let scale = Scale::apply(&mut matrix)?;
        let powers = balance(&mut matrix)?;
        let mut values = buffer::filled(size, C::ZERO)?;
        let mut vectors = ColumnMajor::zeros((size, if with_vectors { size } else { 0 }))?;
        run(&matrix, &mut values, &mut vectors)?;
        for (k, &value) in values.iter().enumerate().take(vectors.dim().1) {
            if !vectors.column_mut(k).iter().all(|it| is_finite(*it)) {
                let found = nullspace(&matrix, value)?;
                vectors.column_mut(k).copy_from_slice(&found);
            }
            finish(vectors.column_mut(k), &powers);
        }
        let undo = |it: f64| scale.undo(T::Real::of(it)).wide();
        for it in &mut values {
            let (re, im) = it.parts();
            *it = C::of_parts(undo(re), undo(im));
        }
        Ok(General { values, vectors })
    })
}

/// Multiplies rows by powers of two, and columns by their inverses, so that both are of
/// about the same length; the logarithms of the latter.
fn balance<T: RealOrComplex>(matrix: &mut ColumnMajor<T>) -> Result<Vec<i32>> {
    /// It ends by itself, mostly after two or three.
    const SWEEPS: usize = 50;
    let size = matrix.dim().0;
    let mut powers = buffer::filled(size, 0)?;
    let mut rows = buffer::filled(size, 0.0_f64)?;
    for _ in 0..SWEEPS {
        rows.fill(0.0);
        for column in 0..size {
            for (row, it) in matrix.column_mut(column).iter().enumerate() {
                rows[row] += if row == column { 0.0 } else { length(*it) };
            }
        }
        let mut is_balanced = true;
        for k in 0..size {
            let elements = matrix.column_mut(k).iter().enumerate();
            let column: f64 =
                elements.filter(|(row, _)| *row != k).map(|(_, it)| length(*it)).sum();
            let row = rows[k];
            if column == 0.0 || row <= 0.0 {
                continue;
            }
            let power = ((row.log2() - column.log2()) / 2.0).round() as i32;
            let factor = 2.0_f64.powi(power);
            if column * factor + row / factor >= 0.95 * (column + row) {
                continue;
            }
            is_balanced = false;
            powers[k] += power;
            rows[k] = row / factor;
            for other in 0..size {
                let column = matrix.column_mut(other);
                if other == k {
                    for (at, it) in column.iter_mut().enumerate().filter(|(at, _)| *at != k) {
                        rows[at] += length(*it) * (factor - 1.0);
                        *it = scaled(*it, factor);
                    }
                } else {
                    column[k] = scaled(column[k], 1.0 / factor);
                }
            }
        }
        if is_balanced {
            break;
        }
    }
    Ok(powers)
}

fn length<T: RealOrComplex>(it: T) -> f64 {
    let (re, im) = it.parts();
    re.abs() + im.abs()
}

fn is_finite<T: RealOrComplex>(it: T) -> bool {
    length(it).is_finite()
}

fn scaled<T: RealOrComplex>(it: T, factor: f64) -> T {
    let (re, im) = it.parts();
    T::of_parts(re * factor, im * factor)
}

/// The vectors of real numbers and of pairs of conjugate ones, which are given as their real
/// parts and, in the column of the second, their imaginary parts.
fn unpack<R: RealOrComplex, C: RealOrComplex>(
    packed: &ColumnMajor<R>,
    values: &[C],
    vectors: &mut ColumnMajor<C>,
) {
    let mut k = 0;
    while k < values.len() {
        let is_pair = values[k].parts().1 != 0.0 && k + 1 < values.len();
        for row in 0..values.len() {
            let re = packed.at(row, k).parts().0;
            let im = if is_pair { packed.at(row, k + 1).parts().0 } else { 0.0 };
            vectors.column_mut(k)[row] = C::of_parts(re, im);
            if is_pair {
                vectors.column_mut(k + 1)[row] = C::of_parts(re, -im);
            }
        }
        k += 1 + usize::from(is_pair);
    }
}

/// The vector that a matrix makes shortest once a value was taken from its diagonal.
fn nullspace<T, C>(matrix: &ColumnMajor<T>, value: C) -> Result<Vec<C>>
where
    T: RealOrComplex,
    C: RealOrComplex<Real = T::Real>,
{
    let wide = matrix.elements().iter().map(|it| {
        let (re, im) = it.parts();
        C::of_parts(re, im)
    });
    let mut shifted = ColumnMajor::of_transposed(&buffer::collected(wide)?, matrix.dim())?;
    let size = matrix.dim().0;
    for k in 0..size {
        let diagonal = &mut shifted.column_mut(k)[k];
        *diagonal -= value;
    }
    let mut found = singular::decompose(shifted, Vectors::Thin)?;
    buffer::copied(found.v.column_mut(size - 1))
}

/// Undoes the balance, and makes a vector as long as one, with a greatest element that is
/// real.
fn finish<C: RealOrComplex>(vector: &mut [C], powers: &[i32]) {
    // The exponents are brought down first, so that nothing overflows.
    let exponent = |it: &C, power: i32| match length(*it) {
        0.0 => i32::MIN,
        length => length.log2() as i32 + power,
    };
    let most = vector.iter().zip(powers).map(|(it, &power)| exponent(it, power)).max();
    let Some(most) = most.filter(|it| *it > i32::MIN) else { return };
    let parts = |it: &C, power: i32| {
        // In two steps, either of which is a number.
        let (half, (re, im)) = ((power - most) / 2, it.parts());
        let (one, other) = (2.0_f64.powi(half), 2.0_f64.powi(power - most - half));
        Complex::new(re * one * other, im * one * other)
    };
    let mut squares = 0.0;
    let mut greatest = Complex::new(0.0, 0.0);
    for (it, &power) in vector.iter().zip(powers) {
        let it = parts(it, power);
        squares += it.norm_sqr();
        if it.norm_sqr() > greatest.norm_sqr() {
            greatest = it;
        }
    }
    let is_real = vector.iter().all(|it| it.parts().1 == 0.0);
    let turn = if is_real { Complex::new(1.0, 0.0) } else { greatest.conj() / greatest.norm() };
    let factor = turn / squares.sqrt();
    for (it, &power) in vector.iter_mut().zip(powers) {
        let wide = parts(it, power);
        let turned = wide * factor;
        let is_greatest = !is_real && wide == greatest;
        *it = C::of_parts(turned.re, if is_greatest { 0.0 } else { turned.im });
    }
}
