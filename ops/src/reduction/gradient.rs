//! Gradient helpers of several reductions.

use opwright_macros::gradient_helper;
use opwright_runtime::geometry::DimSet;
use opwright_runtime::{Result, Scalar, Tensor};

use crate::gradient::restored;
use crate::ops::TensorOps;

/// How many elements are reduced to one.
pub(crate) fn reduced_count(shape: &[i64], dims: DimSet) -> i64 {
    let sizes = shape.iter().enumerate().filter(|(dim, _)| dims.contains(*dim));
    sizes.map(|(_, size)| size).product()
}

/// `grad` for each of the elements that were added.
#[gradient_helper]
pub(crate) fn sum_backward(
    grad: &Tensor,
    sizes: &[i64],
    dim: Option<&[i64]>,
    keepdim: bool,
) -> Result<Tensor> {
    let dims = DimSet::new_or_full(dim, sizes.len())?;
    restored(grad, dims, sizes.len(), keepdim)?.expand(sizes)
}

/// `grad / n` for each of the `n` elements that went into a mean; of all together there are
/// `numel`.
#[gradient_helper]
pub(crate) fn mean_backward(
    grad: &Tensor,
    sizes: &[i64],
    dim: Option<&[i64]>,
    numel: i64,
    keepdim: bool,
) -> Result<Tensor> {
    let count = match dim {
        None | Some([]) => numel,
        Some(dims) => reduced_count(sizes, DimSet::new(dims, sizes.len())?),
    };
    let grad = sum_backward(grad, sizes, dim, keepdim)?;
    grad.div_scalar(Scalar::Int(count))
}

/// `conj(exp(a - b))`, where the difference of two equal infinities counts as 0.
pub(crate) fn ratio_of_exponentials(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let are_equal = a.eq(b)?.logical_and(&b.isinf()?)?;
    let difference = a.sub(b)?;
    let difference = difference.masked_fill(&are_equal, Scalar::Int(0))?;
    difference.exp()?.conj()
}
