//! Determinants.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

use super::batch::{Batch, with_numbers};
use super::lu::Lu;
use crate::kernels::deliver::deliver;
use crate::ops;

/// The determinant of a square matrix, or of each one of a batch.
///
/// ```python
/// >>> opwright.linalg.det(opwright.tensor([[4.0, 2.0], [1.0, 3.0]]))
/// tensor(10., dtype=float32, shape=())
/// ```
#[native_op("linalg_det(Tensor A) -> Tensor", explicit, python_module = "linalg")]
fn linalg_det(a: &Tensor) -> Result<Tensor> {
    let batch = Batch::square("A", a)?;
    with_numbers!(batch, |T| {
        let mut values = batch.list(&[])?;
        if !batch.is_meta() {
            batch.for_each::<T>(|matrix| {
                values.push(Lu::new(matrix)?.determinant());
                Ok(())
            })?;
        }
        batch.collect(&[], values, batch.dtype())
    })
}

#[native_op(
    "linalg_det.out(Tensor A, *, Tensor(a!) out) -> Tensor(a!)",
    explicit,
    python_module = "linalg"
)]
fn linalg_det_out(a: &Tensor, out: &mut Tensor) -> Result<()> {
    deliver(&linalg_det(a)?, out)
}

/// The determinant of a square matrix; see `linalg.det`.
///
/// ```python
/// >>> opwright.det(opwright.tensor([[4.0, 2.0], [1.0, 3.0]]))
/// tensor(10., dtype=float32, shape=())
/// ```
#[native_op("det(Tensor self) -> Tensor", composite, variants = "function, method")]
fn det(self_: &Tensor) -> Result<Tensor> {
    ops::linalg_det::Default_::call(self_)
}

/// The determinant of a square matrix, or of each one of a batch, as its sign, or
/// direction in the complex plane, and the logarithm of its length, where the
/// determinant itself would overflow: a named tuple `(sign, logabsdet)`.
///
/// ```python
/// >>> opwright.linalg.slogdet(opwright.tensor([[2.0, 1.0], [0.0, -3.0]]))
/// linalg_slogdet(sign=tensor(-1., dtype=float32, shape=()), logabsdet=tensor(1.7918, dtype=float32, shape=()))
/// ```
#[native_op(
    "linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)",
    explicit,
    python_module = "linalg"
)]
fn linalg_slogdet(a: &Tensor) -> Result<(Tensor, Tensor)> {
    let batch = Batch::square("A", a)?;
    with_numbers!(batch, |T| {
        let (mut signs, mut logarithms) = (batch.list(&[])?, batch.list(&[])?);
        if !batch.is_meta() {
            batch.for_each::<T>(|matrix| {
                let (sign, logarithm) = Lu::new(matrix)?.log_determinant();
                signs.push(sign);
                logarithms.push(logarithm);
                Ok(())
            })?;
        }
        let logarithms = batch.collect(&[], logarithms, batch.dtype().to_real())?;
        Ok((batch.collect(&[], signs, batch.dtype())?, logarithms))
    })
}

#[native_op(
    "linalg_slogdet.out(Tensor A, *, Tensor(a!) sign, Tensor(b!) logabsdet) -> (Tensor(a!) sign, Tensor(b!) logabsdet)",
    explicit,
    python_module = "linalg"
)]
fn linalg_slogdet_out(a: &Tensor, sign: &mut Tensor, logabsdet: &mut Tensor) -> Result<()> {
    let (found_sign, found_logabsdet) = linalg_slogdet(a)?;
    deliver(&found_sign, sign)?;
    deliver(&found_logabsdet, logabsdet)
}

/// Sign and logarithm of the determinant; see `linalg.slogdet`.
///
/// ```python
/// >>> opwright.slogdet(opwright.tensor([[2.0, 1.0], [0.0, -3.0]]))
/// slogdet(sign=tensor(-1., dtype=float32, shape=()), logabsdet=tensor(1.7918, dtype=float32, shape=()))
/// ```
#[native_op(
    "slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)",
    composite,
    variants = "function, method"
)]
fn slogdet(self_: &Tensor) -> Result<(Tensor, Tensor)> {
    ops::linalg_slogdet::Default_::call(self_)
}

#[native_op(
    "slogdet.out(Tensor self, *, Tensor(a!) sign, Tensor(b!) logabsdet) -> (Tensor(a!) sign, Tensor(b!) logabsdet)",
    composite
)]
fn slogdet_out(self_: &Tensor, sign: &mut Tensor, logabsdet: &mut Tensor) -> Result<()> {
    ops::linalg_slogdet::out::call(self_, sign, logabsdet)
}
