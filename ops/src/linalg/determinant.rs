//! Determinants.

use opwright_linalg::{ColumnMajor, MatrixScalar};
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::autograd::is_recording;
use opwright_runtime::{DType, Result, Scalar, Tensor};

use super::batch::{Batch, with_numbers};
use super::results::Results;
use crate::gradient::product_of_others;
use crate::linalg::gradient::{
    adjoint, around, as_columns, as_rows, diagonal_matrices, inverse, is_diagonal,
};
use crate::ops::{self, TensorOps};

#[native_op(linalg_det)]
fn linalg_det(a: &Tensor) -> Result<Tensor> {
    let batch = Batch::square("A", a)?;
    let size = batch.rows;
    with_numbers!(batch, |T| {
        let mut values = Results::<T>::new(&batch, &[])?;
        batch.fill::<T, _>(values.slots(), |_, matrix, value| {
            value[0] = T::lu(ColumnMajor::of(matrix, (size, size))?)?.determinant();
            Ok(())
        })?;
        values.tensor(&batch)
    })
}

#[native_op(linalg_slogdet)]
fn linalg_slogdet(a: &Tensor) -> Result<(Tensor, Tensor)> {
    let batch = Batch::square("A", a)?;
    let size = batch.rows;
    with_numbers!(batch, |T| {
        let mut signs = Results::<T>::new(&batch, &[])?;
        let mut logarithms = Results::new(&batch, &[])?;
        batch.fill::<T, _>(
            (signs.slots(), logarithms.slots()),
            |_, matrix, (sign, logarithm)| {
                let lu = T::lu(ColumnMajor::of(matrix, (size, size))?)?;
                (sign[0], logarithm[0]) = lu.log_determinant();
                Ok(())
            },
        )?;
        Ok((signs.tensor(&batch)?, logarithms.tensor(&batch)?))
    })
}

/// Of a determinant: `grad` times the conjugate of the cofactors.
#[gradient_helper]
pub(crate) fn linalg_det_backward(grad: &Tensor, matrices: &Tensor) -> Result<Tensor> {
    let grad = as_columns(&as_columns(grad)?)?;
    if matrices.size_of(-1)? <= 1 {
        return grad.expand(matrices.shape());
    }
    grad.mul(&conjugate_cofactors(matrices)?)
}

/// Up to here, cofactors whose own derivatives are asked for are determinants of minors, which have
/// derivatives of all orders.
const MOST_BY_MINORS: i64 = 6;

fn conjugate_cofactors(matrices: &Tensor) -> Result<Tensor> {
    if !is_recording() || !matrices.requires_grad() {
        return Spectrum::of(matrices)?.conjugate_cofactors();
    }
    if matrices.size_of(-1)? <= MOST_BY_MINORS {
        return cofactors_by_minors(matrices)?.conj();
    }
    let spectrum = Spectrum::of(matrices)?;
    if spectrum.is_well_conditioned()? {
        let determinant = ops::linalg_det::Default_::call(matrices)?.conj()?;
        return as_columns(&as_columns(&determinant)?)?.mul(&adjoint(&inverse(matrices)?)?);
    }
    spectrum.conjugate_cofactors_near(matrices)
}

/// In each row and column the determinant of what is left without both, with the sign of the place.
fn cofactors_by_minors(matrices: &Tensor) -> Result<Tensor> {
    let size = matrices.size_of(-1)?;
    let others = |it: i64| (0..size).filter(move |&other| other != it);
    let places: Vec<i64> = (0..size).flat_map(others).collect();
    let places = Tensor::from_vec(&[places.len() as i64], places)?;
    let places = places.to_device(matrices.device())?;
    let minors = matrices.index_select(-2, &places)?.index_select(-1, &places)?;
    let batch = &matrices.shape()[..matrices.ndim() - 2];
    let minors = minors.reshape(&[batch, &[size, size - 1, size, size - 1]].concat())?;
    let minors = minors.transpose(-3, -2)?;
    let sign = |at: i64| if (at / size + at % size) % 2 == 0 { 1.0 } else { -1.0 };
    let signs: Vec<f64> = (0..size * size).map(sign).collect();
    let signs = Tensor::from_vec(&[size, size], signs)?.to_dtype(matrices.dtype())?;
    ops::linalg_det::Default_::call(&minors)?.mul(&signs.to_device(matrices.device())?)
}

/// What determinants are products of: `A = U @ diag(S) @ Vᴴ`, and the determinant of `U @ Vᴴ`. No
/// derivatives are taken of it, as it has none where singular values are equal.
struct Spectrum {
    u: Tensor,
    values: Tensor,
    vh: Tensor,
    conjugate_phase: Tensor,
}

impl Spectrum {
    fn of(matrices: &Tensor) -> Result<Spectrum> {
        let detached = ops::detach::Default_::call(matrices)?;
        let (u, values, vh) = ops::linalg_svd::Default_::call(&detached, false, None)?;
        let phase = ops::linalg_det::Default_::call(&u.matmul(&vh)?)?.conj()?;
        let conjugate_phase = as_columns(&as_columns(&phase)?)?;
        Ok(Spectrum { u, values, vh, conjugate_phase })
    }

    /// Whether inverses are good for the digits that second derivatives need.
    fn is_well_conditioned(&self) -> Result<bool> {
        if self.values.device().is_meta() || self.values.numel() == 0 {
            return Ok(true);
        }
        let share = if self.values.dtype() == DType::Float64 { 1e-6 } else { 1e-3 };
        let greatest = ops::amax::Default_::call(&self.values, &[-1], false)?;
        let least = ops::amin::Default_::call(&self.values, &[-1], false)?;
        let is_well = least.gt(&greatest.mul_scalar(Scalar::Float(share))?)?;
        ops::all::Default_::call(&is_well)?.is_nonzero()
    }

    fn conjugate_cofactors(&self) -> Result<Tensor> {
        let (others, _) = products_of_others(&self.values, false)?;
        self.conjugate_phase.mul(&around(&self.u, &others, &self.vh)?)
    }

    /// The same as a function of the matrices, which is right to first order: of `M = Uᴴ @ A @ V`,
    /// which is diagonal here, the cofactors are products of the other diagonal elements, less those
    /// across the diagonal times the products of all but two.
    fn conjugate_cofactors_near(&self, matrices: &Tensor) -> Result<Tensor> {
        let inner = adjoint(&self.u)?.matmul(matrices)?.matmul(&adjoint(&self.vh)?)?;
        let diagonal = ops::diagonal::Default_::call(&inner, 0, -2, -1)?;
        let (others, others_of_two) = products_of_others(&diagonal, true)?;
        let across = inner.transpose(-2, -1)?.masked_fill(&is_diagonal(&inner)?, 0.into())?;
        let mut cofactors = diagonal_matrices(&others)?;
        if let Some(products) = others_of_two {
            cofactors = cofactors.sub(&across.mul(&products)?)?;
        }
        let cofactors = self.u.matmul(&cofactors.conj()?)?.matmul(&self.vh)?;
        self.conjugate_phase.mul(&cofactors)
    }
}

/// For each element the product of all others, and for each pair that of all but these two.
fn products_of_others(values: &Tensor, are_pairs_wanted: bool) -> Result<(Tensor, Option<Tensor>)> {
    let ones = ops::ones_like::Default_::call(&as_columns(values)?, None, None, None, None, None)?;
    let all = ones.mul(&as_rows(values)?)?;
    let without_own = all.masked_fill(&is_diagonal(&all)?, Scalar::Int(1))?;
    let others = ops::prod::dim_int::call(&without_own, -1, false, None)?;
    let dim = without_own.ndim() - 1;
    let pairs = are_pairs_wanted.then(|| product_of_others(&without_own, dim));
    Ok((others, pairs.transpose()?))
}

/// Of the sign and of the logarithm of the absolute determinant. The latter changes by the real part
/// of the trace of the inverse times the change of the matrix, and the former turns by the imaginary
/// part of it, so that a real sign never changes.
#[gradient_helper]
pub(crate) fn slogdet_backward(
    grad_sign: Option<&Tensor>,
    grad_logabsdet: Option<&Tensor>,
    tensor: &Tensor,
    sign: &Tensor,
) -> Result<Option<Tensor>> {
    let turned = grad_sign.filter(|_| tensor.dtype().is_complex_number()).map(|grad| {
        let along = ops::conj::Default_::call(sign)?;
        let along = ops::mul::Tensor::call(grad, &along)?;
        // Its imaginary part alone: half of the difference to the conjugate.
        let across = ops::sub::Tensor::call(&along, &ops::conj::Default_::call(&along)?, 1.into())?;
        ops::div::Scalar::call(&across, 2.into())
    });
    let grad = match (turned.transpose()?, grad_logabsdet) {
        (None, None) => return Ok(None),
        (Some(turned), None) => turned,
        (None, Some(grad)) => grad.clone(),
        (Some(turned), Some(grad)) => ops::add::Tensor::call(&turned, grad, 1.into())?,
    };
    let grad = as_columns(&as_columns(&grad)?)?;
    let adjoint = adjoint(&inverse(tensor)?)?;
    ops::mul::Tensor::call(&grad, &adjoint).map(Some)
}
