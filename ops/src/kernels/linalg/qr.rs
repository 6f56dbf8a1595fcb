//! Factoring a matrix into an orthogonal and a triangular one.

use ndarray::{Array2, ArrayView2, s};
use opwright_macros::native_op;
use opwright_runtime::{Error, Result, Tensor, buffer};

use super::batch::{Batch, Double, with_numbers};
use super::reflector::{Reflector, product};

/// The reflections that make a matrix triangular, and that triangle.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub(super) fn triangular<T: Double>(
    a: ArrayView2<'_, T>,
) -> Result<(Vec<Reflector<T>>, Array2<T>)> {
    let mut r = buffer::owned(&a)?;
    let steps = a.nrows().min(a.ncols());
    let mut reflectors = buffer::with_capacity(steps)?;
    for k in 0..steps {
        let reflector = Reflector::new(r.slice(s![k.., k]))?;
        reflector.apply(&mut r.slice_mut(s![k.., k + 1..]), true)?;
        r.slice_mut(s![k + 1.., k]).fill(T::ZERO);
        r[[k, k]] = T::of(reflector.length);
        reflectors.push(reflector);
    }
    Ok((reflectors, r))
}

/// How much of the factors is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Reduced,
    Complete,
    OnlyTriangle,
}

impl Mode {
    fn new(name: &str) -> Result<Mode> {
        match name {
            "reduced" => Ok(Mode::Reduced),
            "complete" => Ok(Mode::Complete),
            "r" => Ok(Mode::OnlyTriangle),
            _ => Err(Error::runtime(format_args!(
                "qr received unrecognized mode '{name}' but expected one of 'reduced' (default), \
                 'r', or 'complete'"
            ))),
        }
    }
}

/// A matrix `A`, or each one of a batch, as `Q @ R`, where the columns of `Q` are
/// of length one and at right angles and `R` is an upper triangle: a named tuple
/// `(Q, R)`. By `mode`, `Q` has as many columns as `A` needs (`reduced`), is
/// square (`complete`), or has no elements (`r`).
///
/// ```python
/// >>> q, r = opwright.linalg.qr(opwright.tensor([[3.0, 1.0], [4.0, 2.0]]))
/// >>> opwright.allclose(q @ r, opwright.tensor([[3.0, 1.0], [4.0, 2.0]]))
/// True
/// ```
#[native_op(
    "linalg_qr(Tensor A, str mode='reduced') -> (Tensor Q, Tensor R)",
    key = CPU | Meta,
    python_module = "linalg",
    out
)]
fn linalg_qr(a: &Tensor, mode: &str) -> Result<(Tensor, Tensor)> {
    let mode = Mode::new(mode)?;
    let batch = Batch::new("A", a)?;
    let (rows, columns) = (batch.rows, batch.columns);
    let width = if mode == Mode::Complete { rows } else { rows.min(columns) };
    with_numbers!(batch, |T| {
        let q_width = if mode == Mode::OnlyTriangle { 0 } else { width };
        let mut qs = batch.list::<T>(&[rows, q_width])?;
        let mut rs = batch.list::<T>(&[width, columns])?;
        if !batch.is_idle(&[&[rows, q_width], &[width, columns]]) {
            batch.for_each::<T>(|matrix| {
                let (reflectors, r) = triangular(matrix)?;
                rs.extend(r.slice(s![..width, ..]).iter());
                if mode != Mode::OnlyTriangle {
                    qs.extend(product(&reflectors, 0, (rows, width))?);
                }
                Ok(())
            })?;
        }
        let q = if mode == Mode::OnlyTriangle {
            Tensor::allocate(&[0], batch.dtype(), a.device())?
        } else {
            batch.collect(&[rows, width], qs, batch.dtype())?
        };
        Ok((q, batch.collect(&[width, columns], rs, batch.dtype())?))
    })
}
