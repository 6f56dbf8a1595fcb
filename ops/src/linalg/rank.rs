//! Ranks and condition numbers.

use opwright_macros::native_op;
use opwright_runtime::{DType, Error, Result, Scalar, Tensor, ensure};

use super::batch::{check_dtype, check_square};
use crate::ops::{self, TensorOps};

/// Rows and columns of matrices that have a decomposition.
pub(super) fn sizes(name: &str, input: &Tensor) -> Result<(i64, i64)> {
    let &[.., rows, columns] = input.shape() else {
        return Err(Error::runtime(format_args!(
            "{name}: The input tensor A must have at least 2 dimensions."
        )));
    };
    check_dtype(input.dtype())?;
    Ok((rows, columns))
}

/// The relative error of numbers of a dtype, times a size.
pub(super) fn rounding(dtype: DType, (rows, columns): (i64, i64)) -> f64 {
    let epsilon = match dtype.to_real() {
        DType::Float64 => f64::EPSILON,
        _ => f64::from(f32::EPSILON),
    };
    epsilon * rows.max(columns) as f64
}

/// A number as a tensor that stands for a tolerance.
pub(super) fn tolerance(like: &Tensor, number: f64) -> Result<Tensor> {
    let (dtype, device) = (Some(like.dtype().to_real()), Some(like.device()));
    ops::scalar_tensor::Default_::call(Scalar::Float(number), dtype, None, device, None)
}

/// Below which length values count as zero, in a last dimension of one: `atol`, or `rtol` times the
/// greatest length. Without either, that is what rounding makes of zeros; `atol` alone counts alone.
pub(super) fn threshold(
    name: &str,
    lengths: &Tensor,
    sizes: (i64, i64),
    atol: Option<&Tensor>,
    rtol: Option<&Tensor>,
) -> Result<Tensor> {
    for (which, it) in [("atol", atol), ("rtol", rtol)] {
        ensure!(
            !it.is_some_and(|it| it.dtype().is_complex_number()),
            Runtime,
            "{name}: {which} tensor of complex type is not supported."
        );
    }
    let greatest = ops::amax::Default_::call(lengths, &[-1], true)?;
    let usual = tolerance(lengths, rounding(lengths.dtype(), sizes))?;
    let rtol = match (rtol, atol) {
        (Some(rtol), _) => rtol.clone(),
        (None, None) => usual,
        (None, Some(atol)) => ops::r#where::ScalarSelf::call(
            &atol.gt_scalar(Scalar::Int(0))?,
            Scalar::Int(0),
            &usual,
        )?,
    };
    let relative = greatest.mul(&ops::unsqueeze::Default_::call(&rtol, -1)?)?;
    match atol {
        Some(atol) => relative.maximum(&ops::unsqueeze::Default_::call(atol, -1)?),
        None => Ok(relative),
    }
}

fn rank(
    input: &Tensor,
    atol: Option<&Tensor>,
    rtol: Option<&Tensor>,
    hermitian: bool,
) -> Result<Tensor> {
    let sizes = sizes("linalg.matrix_rank", input)?;
    let values = match hermitian {
        true => ops::linalg_eigvalsh::Default_::call(input, "L")?.abs()?,
        false => ops::linalg_svdvals::Default_::call(input, None)?,
    };
    let counted = match sizes.0.min(sizes.1) {
        0 => values.gt_scalar(Scalar::Int(0))?,
        _ => values.gt(&threshold("linalg.matrix_rank", &values, sizes, atol, rtol)?)?,
    };
    ops::sum::dim_IntList::call(&counted, Some(&[-1]), false, None)
}

#[native_op(linalg_matrix_rank.atol_rtol_tensor)]
fn linalg_matrix_rank_tensors(
    input: &Tensor,
    atol: Option<&Tensor>,
    rtol: Option<&Tensor>,
    hermitian: bool,
) -> Result<Tensor> {
    rank(input, atol, rtol, hermitian)
}

#[native_op(linalg_matrix_rank.atol_rtol_float)]
fn linalg_matrix_rank_floats(
    self_: &Tensor,
    atol: Option<f64>,
    rtol: Option<f64>,
    hermitian: bool,
) -> Result<Tensor> {
    let atol = atol.map(|it| tolerance(self_, it)).transpose()?;
    let rtol = rtol.map(|it| tolerance(self_, it)).transpose()?;
    rank(self_, atol.as_ref(), rtol.as_ref(), hermitian)
}

#[native_op(linalg_matrix_rank)]
fn linalg_matrix_rank(self_: &Tensor, tol: f64, hermitian: bool) -> Result<Tensor> {
    let (atol, rtol) = (tolerance(self_, tol)?, tolerance(self_, 0.0)?);
    rank(self_, Some(&atol), Some(&rtol), hermitian)
}

#[native_op(linalg_matrix_rank.tol_tensor)]
fn linalg_matrix_rank_tol_tensor(input: &Tensor, tol: &Tensor, hermitian: bool) -> Result<Tensor> {
    rank(input, Some(tol), Some(&tolerance(input, 0.0)?), hermitian)
}

#[native_op(linalg_cond)]
fn linalg_cond(self_: &Tensor, p: Option<Scalar>) -> Result<Tensor> {
    let (rows, columns) = sizes("linalg.cond", self_)?;
    let p = p.unwrap_or(Scalar::Int(2));
    let order = p.to_f64()?;
    ensure!(
        [1.0, 2.0, f64::INFINITY].contains(&order.abs()),
        Runtime,
        "linalg.cond got an invalid norm type: {order}"
    );
    let is_spectral = order.abs() == 2.0;
    if !is_spectral {
        check_square(rows, columns)?;
    }
    if rows == 0 || columns == 0 {
        return of_nothing(self_);
    }
    if !is_spectral {
        let norm =
            |it: &Tensor| ops::linalg_matrix_norm::Default_::call(it, p, &[-2, -1], false, None);
        return norm(self_)?.mul(&norm(&inverse(self_)?)?);
    }
    let values = ops::linalg_svdvals::Default_::call(self_, None)?;
    let greatest = ops::select::int::call(&values, -1, 0)?;
    let least = ops::select::int::call(&values, -1, -1)?;
    if order > 0.0 { greatest.div(&least) } else { least.div(&greatest) }
}

#[native_op(linalg_cond.p_str)]
fn linalg_cond_str(self_: &Tensor, p: &str) -> Result<Tensor> {
    let (rows, columns) = sizes("linalg.cond", self_)?;
    ensure!(matches!(p, "fro" | "nuc"), Runtime, "linalg.cond got an invalid norm type: {p}");
    check_square(rows, columns)?;
    if rows == 0 {
        return of_nothing(self_);
    }
    if p == "nuc" {
        let values = ops::linalg_svdvals::Default_::call(self_, None)?;
        let sum = |it: &Tensor| ops::sum::dim_IntList::call(it, Some(&[-1]), false, None);
        return sum(&values)?.mul(&sum(&values.reciprocal()?)?);
    }
    let norm = |it: &Tensor| ops::linalg_matrix_norm::str_ord::call(it, p, &[-2, -1], false, None);
    norm(self_)?.mul(&norm(&inverse(self_)?)?)
}

/// Zeros for matrices without elements.
fn of_nothing(input: &Tensor) -> Result<Tensor> {
    let batch = &input.shape()[..input.ndim() - 2];
    let dtype = Some(input.dtype().to_real());
    ops::new_zeros::Default_::call(input, batch, dtype, None, None, None)
}

/// The inverses, infinite where there are none.
fn inverse(input: &Tensor) -> Result<Tensor> {
    let (inverse, info) = ops::linalg_inv_ex::Default_::call(input, false)?;
    let is_singular = info.gt_scalar(Scalar::Int(0))?;
    let is_singular = ops::unsqueeze::Default_::call(&is_singular, -1)?;
    let is_singular = ops::unsqueeze::Default_::call(&is_singular, -1)?;
    inverse.masked_fill(&is_singular, Scalar::Float(f64::INFINITY))
}
