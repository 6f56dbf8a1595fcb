//! Quantiles: elements at a share of the way through the sorted ones, and what lies between two.

use opwright_macros::native_op;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::{DType, QuantileInterpolation, Result, Scalar, Tensor, ensure};

use crate::gradient::to;
use crate::ops::{self, TensorOps};

#[native_op(quantile)]
fn quantile(
    self_: &Tensor,
    q: &Tensor,
    dim: Option<i64>,
    keepdim: bool,
    interpolation: QuantileInterpolation,
) -> Result<Tensor> {
    check_q(q)?;
    quantiles(self_, q, SortedRow { dim, keepdim }, interpolation, false)
}

#[native_op(quantile.scalar)]
fn quantile_scalar(
    self_: &Tensor,
    q: f64,
    dim: Option<i64>,
    keepdim: bool,
    interpolation: QuantileInterpolation,
) -> Result<Tensor> {
    quantiles(self_, &share(self_, q)?, SortedRow { dim, keepdim }, interpolation, false)
}

#[native_op(nanquantile)]
fn nanquantile(
    self_: &Tensor,
    q: &Tensor,
    dim: Option<i64>,
    keepdim: bool,
    interpolation: QuantileInterpolation,
) -> Result<Tensor> {
    check_q(q)?;
    quantiles(self_, q, SortedRow { dim, keepdim }, interpolation, true)
}

#[native_op(nanquantile.scalar)]
fn nanquantile_scalar(
    self_: &Tensor,
    q: f64,
    dim: Option<i64>,
    keepdim: bool,
    interpolation: QuantileInterpolation,
) -> Result<Tensor> {
    quantiles(self_, &share(self_, q)?, SortedRow { dim, keepdim }, interpolation, true)
}

/// Along which dimension, or all, and whether it stays.
#[derive(Clone, Copy)]
struct SortedRow {
    dim: Option<i64>,
    keepdim: bool,
}

/// A number as a tensor like the elements.
fn share(tensor: &Tensor, q: f64) -> Result<Tensor> {
    check_dtype(tensor)?;
    ensure!((0.0..=1.0).contains(&q), Runtime, "q must be in the range [0, 1] but got {q}");
    let (dtype, device) = (Some(tensor.dtype()), Some(tensor.device()));
    ops::scalar_tensor::Default_::call(Scalar::Float(q), dtype, None, device, None)
}

fn check_dtype(tensor: &Tensor) -> Result<()> {
    ensure!(
        matches!(tensor.dtype(), DType::Float32 | DType::Float64),
        Runtime,
        "input tensor must be either float or double dtype"
    );
    Ok(())
}

fn check_q(q: &Tensor) -> Result<()> {
    ensure!(
        q.ndim() <= 1,
        Runtime,
        "q must be a scalar or 1D tensor, but got a tensor of {} dimensions",
        q.ndim()
    );
    if !q.device().is_meta() {
        let is_within = q.ge_scalar(Scalar::Int(0))?.logical_and(&q.le_scalar(Scalar::Int(1))?)?;
        ensure!(is_within.all()?.is_nonzero()?, Runtime, "q values must be in the range [0, 1]");
    }
    Ok(())
}

fn quantiles(
    tensor: &Tensor,
    q: &Tensor,
    line: SortedRow,
    interpolation: QuantileInterpolation,
    skips_nan: bool,
) -> Result<Tensor> {
    check_dtype(tensor)?;
    ensure!(
        q.dtype() == tensor.dtype(),
        Runtime,
        "q tensor must be same dtype as the input tensor"
    );
    ensure!(tensor.numel() > 0, Runtime, "input tensor must be non-empty");
    let lines = match line.dim {
        Some(dim) => {
            wrap_dim(dim, tensor.ndim())?;
            if tensor.ndim() == 0 { tensor.reshape(&[1])? } else { tensor.movedim(dim, -1)? }
        }
        None => tensor.reshape(&[-1])?,
    };
    // Values alone are sorted sooner than with their places.
    let sorted = lines.movedim(-1, 0)?.msort()?.movedim(0, -1)?;
    let shares = q.reshape(&[-1])?;
    let ranks = ranks(&sorted, &shares, skips_nan)?;
    let values = interpolated(&sorted, &ranks, interpolation)?;
    arranged(&values, tensor, q, line)
}

/// Where the quantiles are in the order, one behind the other along the last dimension.
fn ranks(sorted: &Tensor, shares: &Tensor, skips_nan: bool) -> Result<Tensor> {
    let last = Scalar::Int(sorted.shape()[sorted.ndim() - 1] - 1);
    let is_nan = ops::detach::Default_::call(sorted)?.isnan()?;
    if skips_nan {
        let dims: &[i64] = &[-1];
        let count = ops::sum::dim_IntList::call(&is_nan.logical_not()?, Some(dims), true, None)?;
        let last = ops::sub::Scalar::call(&count, Scalar::Int(1), Scalar::Int(1))?;
        return shares.mul(&last.clamp_min(Scalar::Int(0))?);
    }
    // NaN come last: where there is one, that is the quantile.
    let has_nan = ops::any::dim::call(&is_nan, -1, true)?;
    let ranks = shares.mul_scalar(last)?;
    ops::r#where::ScalarSelf::call(&has_nan, last, &ranks)
}

fn interpolated(
    sorted: &Tensor,
    ranks: &Tensor,
    interpolation: QuantileInterpolation,
) -> Result<Tensor> {
    let at = |ranks: &Tensor| sorted.gather(-1, &to(ranks, DType::Int64)?);
    let ranks = to(ranks, sorted.dtype())?;
    let weight = match interpolation {
        QuantileInterpolation::Lower => return at(&ranks.floor()?),
        QuantileInterpolation::Higher => return at(&ranks.ceil()?),
        QuantileInterpolation::Nearest => return at(&ranks.round()?),
        QuantileInterpolation::Linear => ranks.sub(&ranks.floor()?)?,
        QuantileInterpolation::Midpoint => {
            let half = Scalar::Float(0.5);
            ops::full_like::Default_::call(&ranks, half, None, None, None, None, None)?
        }
    };
    at(&ranks.floor()?)?.lerp_tensor(&at(&ranks.ceil()?)?, &weight)
}

/// The quantiles in the shape of the result: several along a new first dimension.
fn arranged(values: &Tensor, tensor: &Tensor, q: &Tensor, line: SortedRow) -> Result<Tensor> {
    let several = if q.ndim() == 0 { &[][..] } else { q.shape() };
    let ndim = tensor.ndim();
    let first = values.movedim(-1, 0)?;
    match line.dim {
        None => {
            let ones = vec![1; if line.keepdim { ndim } else { 0 }];
            first.reshape(&[several, &ones].concat())
        }
        Some(_) if ndim == 0 => first.reshape(several),
        Some(dim) => {
            let outer = &first.shape()[1..];
            let values = first.reshape(&[several, outer].concat())?;
            if !line.keepdim {
                return Ok(values);
            }
            values.unsqueeze((wrap_dim(dim, ndim)? + several.len()) as i64)
        }
    }
}
