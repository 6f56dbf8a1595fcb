//! Singular values and vectors.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Zip, s};
use opwright_macros::native_op;
use opwright_runtime::{Error, Result, Tensor, buffer, ensure, interrupt};

use super::batch::{Batch, Double, identity, reordered, with_numbers};
use super::overlap::{neighbours, overlap, squared_length};
use super::qr::triangular;
use super::reflector::product;
use crate::ops;

/// A matrix as `u.t() @ diag(values) @ v.conj()`, both with vectors as rows.
struct Svd<T> {
    u: Array2<T>,
    values: Vec<f64>,
    v: Array2<T>,
}

/// More passes than any matrix of finite numbers needs.
const MOST_PASSES: usize = 60;

/// Decomposes a matrix that has at least as many rows as columns, by rotating
/// pairs of columns until all are at right angles (M. Hestenes, 1958). That is
/// not the fastest method, but the most accurate one for small values.
fn decompose<T: Double>(a: ArrayView2<'_, T>) -> Result<Svd<T>> {
    let columns = a.ncols();
    // Columns of the matrix are rows here, neighbours in memory.
    let mut u = buffer::owned(&a.t())?;
    let mut v = identity(columns, columns)?;
    ensure!(
        u.iter().all(|it| it.length().is_finite()),
        Runtime,
        "The algorithm failed to converge because the input matrix contained non-finite values."
    );
    for _ in 0..MOST_PASSES {
        let mut has_turned = false;
        for p in 0..columns {
            for q in p + 1..columns {
                interrupt::check();
                if let Some(rotation) = Rotation::between(u.row(p), u.row(q)) {
                    rotation.apply(&mut u, p, q);
                    rotation.apply(&mut v, p, q);
                    has_turned = true;
                }
            }
        }
        if !has_turned {
            return in_order(u, v);
        }
    }
    Err(Error::runtime("The algorithm failed to converge."))
}

/// What brings two vectors to a right angle.
struct Rotation<T> {
    sine: T,
    cosine: T,
    /// The direction of their product in the complex plane.
    phase: T,
}

impl<T: Double> Rotation<T> {
    /// `None` if they are at a right angle already.
    fn between(a: ArrayView1<'_, T>, b: ArrayView1<'_, T>) -> Option<Rotation<T>> {
        let (a, b) = (neighbours(a), neighbours(b));
        let (alpha, beta) = (squared_length(a), squared_length(b));
        let gamma = overlap(a, b);
        let length = gamma.length();
        // Each pass makes the noise smaller that a matrix of low rank ends up with; there is
        // nothing left to turn once the square of its length has no normal representation.
        let is_zero = alpha.min(beta) < f64::MIN_POSITIVE;
        // The sum of so many products is no more exact.
        let rounding = f64::EPSILON * (a.len() as f64).sqrt();
        if is_zero || length <= rounding * alpha.sqrt() * beta.sqrt() {
            return None;
        }
        let slope = (beta - alpha) / (2.0 * length);
        let tangent = 1.0_f64.copysign(slope) / (slope.abs() + slope.hypot(1.0));
        let cosine = tangent.hypot(1.0).recip();
        Some(Rotation {
            sine: T::of(cosine * tangent),
            cosine: T::of(cosine),
            phase: gamma / T::of(length),
        })
    }

    /// Rotates rows `p` and `q`, of which `p` is the upper one.
    fn apply(&self, rows: &mut Array2<T>, p: usize, q: usize) {
        let (mut upper, mut lower) = rows.view_mut().split_at(Axis(0), q);
        let (sine, cosine) = (self.sine, self.cosine);
        let back = self.phase.conj();
        Zip::from(upper.row_mut(p)).and(lower.row_mut(0)).for_each(|a, b| {
            let turned = back.times(*b);
            *b = sine.times(*a).plus(cosine.times(turned));
            *a = cosine.times(*a).minus(sine.times(turned));
        });
    }
}

/// Lengths in descending order; the vectors without them.
fn in_order<T: Double>(u: Array2<T>, v: Array2<T>) -> Result<Svd<T>> {
    let length = |row: ArrayView1<'_, T>| squared_length(neighbours(row)).sqrt();
    let lengths = buffer::collected(u.rows().into_iter().map(length))?;
    let mut order = buffer::collected(0..lengths.len())?;
    // Not `sort_by`, which has a list of its own.
    order.sort_unstable_by(|&a, &b| lengths[b].total_cmp(&lengths[a]).then(a.cmp(&b)));
    let values = buffer::collected(order.iter().map(|&k| lengths[k]))?;
    let mut u = reordered(u.view(), &order)?;
    for (mut row, &length) in u.rows_mut().into_iter().zip(&values) {
        if length > 0.0 {
            row.mapv_inplace(|it| it / T::of(length));
        }
    }
    let rank = values.iter().filter(|&&it| it > 0.0).count();
    let size = u.nrows();
    complete(&mut u, rank, size)?;
    Ok(Svd { u, values, v: reordered(v.view(), &order)? })
}

/// Makes `size` rows of length one and at right angles, of which the first `rank`
/// are there already.
fn complete<T: Double>(u: &mut Array2<T>, rank: usize, size: usize) -> Result<()> {
    if rank == size && u.nrows() == size {
        return Ok(());
    }
    let (reflectors, _) = triangular(u.slice(s![..rank, ..]).t())?;
    let basis = product(&reflectors, 0, (u.ncols(), size))?;
    let mut all = buffer::owned(&basis.t())?;
    all.slice_mut(s![..rank, ..]).assign(&u.slice(s![..rank, ..]));
    *u = all;
    Ok(())
}

/// `U`, `S` and `Vh` of one matrix of any shape.
fn factors<T: Double>(
    a: ArrayView2<'_, T>,
    full: bool,
) -> Result<(Array2<T>, Array1<f64>, Array2<T>)> {
    let (rows, columns) = a.dim();
    let size = rows.max(columns);
    // A wide matrix is decomposed as its transpose, with the sides exchanged.
    let mut svd = if rows >= columns { decompose(a)? } else { decompose(a.t())? };
    if full {
        let rank = svd.u.nrows();
        complete(&mut svd.u, rank, size)?;
    }
    let values = Array1::from_vec(svd.values);
    let conjugated = |m: Array2<T>| m.mapv_into(|it| it.conj());
    if rows >= columns {
        let u = buffer::owned(&svd.u.t())?;
        Ok((u, values, conjugated(svd.v)))
    } else {
        let u = buffer::owned(&conjugated(svd.v).t())?;
        Ok((u, values, svd.u))
    }
}

/// A matrix `A`, or each one of a batch, as `U @ diag(S) @ Vh`: a named tuple
/// `(U, S, Vh)`. The columns of `U` and the rows of `Vh` are of length one and at
/// right angles; `S`, the singular values, are not negative and in descending
/// order. With `full_matrices`, `U` and `Vh` are square. There is one method on
/// the CPU, so `driver` must be `None`.
///
/// ```python
/// >>> opwright.linalg.svd(opwright.tensor([[3.0, 0.0], [0.0, 4.0]])).S
/// tensor([4., 3.], dtype=float32, shape=(2,))
/// ```
#[native_op(
    "linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)",
    key = CPU | Meta,
    python_module = "linalg"
)]
fn linalg_svd(
    a: &Tensor,
    full_matrices: bool,
    driver: Option<&str>,
) -> Result<(Tensor, Tensor, Tensor)> {
    check_driver(driver)?;
    let batch = Batch::new("A", a)?;
    let (rows, columns) = (batch.rows, batch.columns);
    let count = rows.min(columns);
    let (width, height) = if full_matrices { (rows, columns) } else { (count, count) };
    with_numbers!(batch, |T| {
        let (mut us, mut values) = (batch.list(&[rows, width])?, batch.list(&[count])?);
        let mut vhs = batch.list(&[height, columns])?;
        if !batch.is_idle(&[&[rows, width], &[count], &[height, columns]]) {
            batch.for_each::<T>(|matrix| {
                let (u, s, vh) = factors(matrix, full_matrices)?;
                us.extend(u);
                values.extend(s);
                vhs.extend(vh);
                Ok(())
            })?;
        }
        let u = batch.collect(&[rows, width], us, batch.dtype())?;
        let values = batch.collect(&[count], values, batch.dtype().to_real())?;
        Ok((u, values, batch.collect(&[height, columns], vhs, batch.dtype())?))
    })
}

fn check_driver(driver: Option<&str>) -> Result<()> {
    ensure!(
        driver.is_none(),
        Runtime,
        "keyword argument `driver=` is only supported on CUDA inputs"
    );
    Ok(())
}

/// The singular values of a matrix, or of each one of a batch, in descending
/// order; see `linalg.svd`.
///
/// ```python
/// >>> opwright.linalg.svdvals(opwright.tensor([[3.0, 0.0], [0.0, 4.0]]))
/// tensor([4., 3.], dtype=float32, shape=(2,))
/// ```
#[native_op(
    "linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor",
    composite,
    python_module = "linalg",
    out
)]
fn linalg_svdvals(a: &Tensor, driver: Option<&str>) -> Result<Tensor> {
    ops::linalg_svd::Default_::call(a, false, driver).map(|(_, values, _)| values)
}
