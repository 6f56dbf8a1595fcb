//! Eigenvalues of Hermitian matrices, by way of tridiagonal ones.

use ndarray::{Array1, Array2, ArrayViewMut2, Axis, Zip, s};
use opwright_runtime::{Error, Result, buffer, interrupt};

use super::batch::{Double, reordered};
use super::overlap::neighbours;
use super::reflector::{Reflector, product};
use crate::kernels::linear::gemv::dot;

/// Eigenvalues in ascending order, and eigenvectors as the rows of a matrix.
pub(super) struct Eigen<T> {
    pub(super) values: Vec<f64>,
    pub(super) vectors: Array2<T>,
}

/// Decomposes a Hermitian matrix, all of whose elements are given.
///
/// # Errors
///
/// `Runtime`, with the index of an eigenvalue that was not found, as of a matrix
/// with numbers that are not finite; `Memory` if there is not enough.
pub(super) fn decompose<T: Double>(mut a: Array2<T>) -> Result<Eigen<T>> {
    let size = a.nrows();
    let mut reflectors = buffer::with_capacity(size)?;
    let mut beside = buffer::with_capacity(size)?;
    for k in 0..size.saturating_sub(1) {
        interrupt::check();
        let reflector = Reflector::new(a.slice(s![k + 1.., k]))?;
        turn(&reflector, a.slice_mut(s![k + 1.., k + 1..]))?;
        beside.push(reflector.length);
        reflectors.push(reflector);
    }
    beside.push(0.0);
    let mut values = buffer::collected(a.diag().iter().map(|it| it.real()))?;
    let q = product(&reflectors, 1, (size, size))?;
    let mut vectors = buffer::owned(&q.t())?;
    diagonalise(&mut values, &mut beside, &mut vectors).map_err(no_convergence)?;
    in_order(values, vectors)
}

#[cold]
fn no_convergence(index: usize) -> Error {
    Error::runtime(format_args!(
        "The algorithm failed to converge because the input matrix is ill-conditioned or has \
         elements that are not finite (eigenvalue {index})."
    ))
}

/// Reflects a Hermitian matrix from both sides.
fn turn<T: Double>(reflector: &Reflector<T>, mut a: ArrayViewMut2<'_, T>) -> Result<()> {
    let (v, factor) = (&reflector.v, reflector.factor);
    if factor == T::ZERO {
        return Ok(());
    }
    let direction = neighbours(v.view());
    let mut w =
        Array1::from_vec(buffer::collected(a.rows().into_iter().map(|row| dot(row, direction)))?);
    w.mapv_inplace(|it| it.times(factor));
    let overlap = v.iter().zip(&w).fold(T::ZERO, |sum, (v, w)| sum.plus(v.conj().times(*w)));
    // The adjoint's factor goes with `w`, which was multiplied with the other.
    let half = factor.conj().times(overlap) / T::of(2.0);
    Zip::from(&mut w).and(v).for_each(|w, &v| *w = w.minus(half.times(v)));
    for (i, mut row) in a.rows_mut().into_iter().enumerate() {
        let (vi, wi) = (v[i], w[i]);
        Zip::from(&mut row).and(v).and(&w).for_each(|x, &vj, &wj| {
            *x = x.minus(vi.times(wj.conj())).minus(wi.times(vj.conj()));
        });
    }
    Ok(())
}

/// More steps than any eigenvalue of finite numbers needs.
const MOST_STEPS: usize = 60;

/// Turns what is beside the diagonal to zero, along with the rows of `vectors`,
/// by the implicit QL method (A. Dubrulle, R. Martin, J. Wilkinson, "The
/// implicit QL algorithm", 1968).
fn diagonalise<T: Double>(
    values: &mut [f64],
    beside: &mut [f64],
    vectors: &mut Array2<T>,
) -> Result<(), usize> {
    for first in 0..values.len() {
        let mut steps = 0;
        loop {
            let last = end_of_block(values, beside, first);
            if last == first {
                break;
            }
            if steps == MOST_STEPS || !values[first].is_finite() {
                return Err(first);
            }
            steps += 1;
            interrupt::check();
            step(values, beside, vectors, first, last);
        }
    }
    Ok(())
}

/// The end of the block that begins at `first`: what follows is as good as zero.
fn end_of_block(values: &[f64], beside: &[f64], first: usize) -> usize {
    let is_end = |&k: &usize| {
        let scale = values[k].abs() + values.get(k + 1).map_or(0.0, |it| it.abs());
        beside[k].abs() <= f64::EPSILON * scale
    };
    (first..values.len() - 1).find(is_end).unwrap_or(values.len() - 1)
}

/// One step with a shift near an eigenvalue, from the end of a block to its start.
fn step<T: Double>(
    values: &mut [f64],
    beside: &mut [f64],
    vectors: &mut Array2<T>,
    first: usize,
    last: usize,
) {
    let slope = (values[first + 1] - values[first]) / (2.0 * beside[first]);
    let reach = slope.hypot(1.0).copysign(slope);
    let mut g = values[last] - values[first] + beside[first] / (slope + reach);
    let (mut sine, mut cosine, mut shift) = (1.0, 1.0, 0.0);
    for i in (first..last).rev() {
        let (f, b) = (sine * beside[i], cosine * beside[i]);
        let r = f.hypot(g);
        beside[i + 1] = r;
        if r == 0.0 {
            values[i + 1] -= shift;
            beside[last] = 0.0;
            return;
        }
        (sine, cosine) = (f / r, g / r);
        g = values[i + 1] - shift;
        let r = (values[i] - g) * sine + 2.0 * cosine * b;
        shift = sine * r;
        values[i + 1] = g + shift;
        g = cosine * r - b;
        rotate(vectors, i, sine, cosine);
    }
    values[first] -= shift;
    beside[first] = g;
    beside[last] = 0.0;
}

/// Rotates rows `i` and `i + 1`.
fn rotate<T: Double>(vectors: &mut Array2<T>, i: usize, sine: f64, cosine: f64) {
    let (sine, cosine) = (T::of(sine), T::of(cosine));
    let (mut upper, mut lower) = vectors.view_mut().split_at(Axis(0), i + 1);
    Zip::from(upper.row_mut(i)).and(lower.row_mut(0)).for_each(|x, y| {
        let f = *y;
        *y = sine.times(*x).plus(cosine.times(f));
        *x = cosine.times(*x).minus(sine.times(f));
    });
}

fn in_order<T: Double>(values: Vec<f64>, vectors: Array2<T>) -> Result<Eigen<T>> {
    let mut order = buffer::collected(0..values.len())?;
    // Not `sort_by`, which has a list of its own.
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]).then(a.cmp(&b)));
    let vectors = reordered(vectors.view(), &order)?;
    Ok(Eigen { values: buffer::collected(order.iter().map(|&k| values[k]))?, vectors })
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_complex::Complex;

    #[test]
    fn a_hermitian_matrix_is_put_together_again() {
        let size = 7;
        let entry = |i: usize, j: usize| {
            let im = (i * 3 + j) as f64 * 0.7;
            Complex::new(((i + 1) * (j + 1)) as f64 % 5.0, if i == j { 0.0 } else { im.sin() })
        };
        let a = Array2::from_shape_fn((size, size), |(i, j)| {
            if i <= j { entry(i, j) } else { entry(j, i).conj() }
        });
        let Ok(Eigen { values, vectors }) = decompose(a.clone()) else { panic!("it converges") };
        for i in 0..size {
            for j in 0..size {
                let sum: Complex<f64> =
                    (0..size).map(|k| vectors[[k, i]] * values[k] * vectors[[k, j]].conj()).sum();
                assert!((sum - a[[i, j]]).norm() < 1e-12, "{i} {j} {sum} {}", a[[i, j]]);
            }
        }
    }
}
