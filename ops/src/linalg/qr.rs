//! Factoring a matrix into an orthogonal and a triangular one.

use opwright_linalg::{ColumnMajor, MatrixScalar};
use opwright_macros::native_op;
use opwright_runtime::{Error, Result, Tensor};

use super::batch::{Batch, with_numbers};
use super::results::Results;

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

#[native_op(linalg_qr)]
fn linalg_qr(a: &Tensor, mode: &str) -> Result<(Tensor, Tensor)> {
    let mode = Mode::new(mode)?;
    let batch = Batch::new("A", a)?;
    let (rows, columns) = (batch.rows, batch.columns);
    let width = if mode == Mode::Complete { rows } else { rows.min(columns) };
    with_numbers!(batch, |T| {
        let q_width = if mode == Mode::OnlyTriangle { 0 } else { width };
        let mut qs = Results::<T>::new(&batch, &[rows, q_width])?;
        let mut rs = Results::<T>::new(&batch, &[width, columns])?;
        if !batch.is_idle(&[&[rows, q_width], &[width, columns]]) {
            let wanted = (mode != Mode::OnlyTriangle).then_some(width);
            batch.fill::<T, _>((qs.slots(), rs.slots()), |_, matrix, (q, r)| {
                let found = T::qr(ColumnMajor::of(matrix, (rows, columns))?, wanted)?;
                for (row, elements) in r.chunks_exact_mut(columns.max(1)).enumerate() {
                    for (column, element) in elements.iter_mut().enumerate().skip(row) {
                        *element = found.r.at(row, column);
                    }
                }
                if let Some(found) = found.q {
                    found.write_rows(q);
                }
                Ok(())
            })?;
        }
        let q = match mode {
            Mode::OnlyTriangle => Tensor::allocate(&[0], batch.dtype(), a.device())?,
            Mode::Reduced | Mode::Complete => qs.tensor(&batch)?,
        };
        Ok((q, rs.tensor(&batch)?))
    })
}
