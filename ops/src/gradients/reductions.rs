//! Sums, products, extremes, norms and what else has fewer elements, and running ones.

use opwright_macros::gradient_helper;
use opwright_runtime::geometry::{DimSet, wrap_dim};
use opwright_runtime::{DType, Result, Scalar, Tensor};

use super::copies::to;
use super::masks::kept_where;
use super::shapes::{part, zeros};
use crate::ops::{self, TensorOps};

/// `grad` with dimensions of size 1 where these were reduced, as far as it lacks them.
fn restored(grad: &Tensor, dims: DimSet, ndim: usize, keepdim: bool) -> Result<Tensor> {
    let mut grad = grad.clone();
    if keepdim {
        return Ok(grad);
    }
    for dim in (0..ndim).filter(|it| dims.contains(*it)) {
        grad = grad.unsqueeze(dim as i64)?;
    }
    Ok(grad)
}

/// The numbers of the dimensions in a set.
fn listed(dims: DimSet, ndim: usize) -> Vec<i64> {
    (0..ndim).filter(|it| dims.contains(*it)).map(|it| it as i64).collect()
}

/// How many elements are reduced to one.
fn reduced_count(shape: &[i64], dims: DimSet) -> i64 {
    let sizes = shape.iter().enumerate().filter(|(dim, _)| dims.contains(*dim));
    sizes.map(|(_, size)| size).product()
}

/// `numerator / denominator`, and 0 where the denominator is; so are the gradients of both.
fn quotient(numerator: &Tensor, denominator: &Tensor) -> Result<Tensor> {
    let is_zero = denominator.eq_scalar(Scalar::Int(0))?;
    let denominator = denominator.masked_fill(&is_zero, Scalar::Int(1))?;
    let quotient = numerator.div(&denominator)?;
    quotient.masked_fill(&is_zero, Scalar::Int(0))
}

/// Whether there is a zero among the elements; who cannot see them says yes.
fn may_have_zeros(tensor: &Tensor) -> Result<bool> {
    if tensor.device().is_meta() {
        return Ok(true);
    }
    let is_zero = tensor.eq_scalar(Scalar::Int(0))?;
    is_zero.any()?.is_nonzero()
}

/// The sum over the dimensions along which `sizes` was stretched, in the shape `sizes`.
#[gradient_helper]
pub(crate) fn sum_to(grad: &Tensor, sizes: &[i64]) -> Result<Tensor> {
    let (shape, leading) = (grad.shape(), grad.ndim().saturating_sub(sizes.len()));
    let is_summed = |dim: usize| dim < leading || (sizes[dim - leading] == 1 && shape[dim] != 1);
    let dims: Vec<i64> = (0..grad.ndim()).filter(|it| is_summed(*it)).map(|it| it as i64).collect();
    if dims.is_empty() {
        return Ok(grad.clone());
    }
    let sum = ops::sum::dim_IntList::call(grad, Some(&dims), true, None)?;
    if leading == 0 { Ok(sum) } else { sum.reshape(sizes) }
}

/// `grad` with dimensions put back where `sizes` has 1.
#[gradient_helper]
pub(crate) fn unsqueeze_to(grad: &Tensor, sizes: &[i64]) -> Result<Tensor> {
    unsqueezed(grad, DimSet::full(sizes.len())?, sizes)
}

/// `grad` with the dimension put back, if `sizes` has 1 there.
#[gradient_helper]
pub(crate) fn unsqueeze_to_dim(grad: &Tensor, dim: i64, sizes: &[i64]) -> Result<Tensor> {
    unsqueezed(grad, DimSet::new(&[dim], sizes.len())?, sizes)
}

/// `grad` with those of the dimensions put back where `sizes` has 1.
#[gradient_helper]
pub(crate) fn unsqueeze_to_dims(grad: &Tensor, dims: &[i64], sizes: &[i64]) -> Result<Tensor> {
    unsqueezed(grad, DimSet::new(dims, sizes.len())?, sizes)
}

fn unsqueezed(grad: &Tensor, dims: DimSet, sizes: &[i64]) -> Result<Tensor> {
    let ones = (0..sizes.len()).filter(|dim| dims.contains(*dim) && sizes[*dim] == 1);
    let dims = ones.fold(DimSet::EMPTY, DimSet::with);
    restored(grad, dims, sizes.len(), false)
}

/// `value` with dimensions of size 1 put back where it was reduced; without a list all were.
#[gradient_helper]
pub(crate) fn restore_reduced_dims(value: &Tensor, dims: &[i64], keepdim: bool) -> Result<Tensor> {
    if keepdim || dims.is_empty() {
        return Ok(value.clone());
    }
    let ndim = value.ndim() + dims.len();
    restored(value, DimSet::new(dims, ndim)?, ndim, false)
}

/// `grad * mask / sum(mask)`: equal shares for all that were chosen.
#[gradient_helper]
pub(crate) fn scale_grad_by_count(grad: &Tensor, mask: &Tensor, dims: &[i64]) -> Result<Tensor> {
    let count = ops::sum::dim_IntList::call(mask, Some(dims), true, None)?;
    // What was not chosen has no part in an infinite gradient either; not a number is chosen nowhere.
    let is_kept = mask.logical_or(&count.eq_scalar(Scalar::Int(0))?)?;
    kept_where(&grad.mul(mask)?.div(&count)?, &is_kept)
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

/// `grad` for each of the elements that are numbers, 0 for the others.
#[gradient_helper]
pub(crate) fn nansum_backward(
    grad: &Tensor,
    self_: &Tensor,
    dim: Option<&[i64]>,
    keepdim: bool,
) -> Result<Tensor> {
    let grad = sum_backward(grad, self_.shape(), dim, keepdim)?;
    grad.masked_fill(&self_.isnan()?, Scalar::Int(0))
}

/// Of the product of all elements: `grad` times the product of all others, at each place.
#[gradient_helper]
pub(crate) fn prod_backward(grad: &Tensor, self_: &Tensor, result: &Tensor) -> Result<Tensor> {
    if self_.ndim() == 0 {
        return Ok(grad.clone());
    }
    if !may_be_extreme(result)? {
        return of_ordinary_product(grad, self_, result);
    }
    let line = self_.reshape(&[self_.numel() as i64])?;
    let others = product_of_others(&line.conj()?, 0)?;
    let others = others.reshape(self_.shape())?;
    grad.mul(&others)
}

/// Of products along a dimension: `grad` times the product of all others, at each place.
#[gradient_helper]
pub(crate) fn prod_dim_backward(
    grad: &Tensor,
    self_: &Tensor,
    result: &Tensor,
    dim: i64,
    keepdim: bool,
) -> Result<Tensor> {
    if self_.ndim() == 0 {
        return Ok(grad.clone());
    }
    let ndim = self_.ndim();
    let dims = DimSet::new(&[dim], ndim)?;
    let grad = restored(grad, dims, ndim, keepdim)?;
    if !may_be_extreme(result)? {
        let result = restored(result, dims, ndim, keepdim)?;
        return of_ordinary_product(&grad, self_, &result);
    }
    let others = product_of_others(&self_.conj()?, wrap_dim(dim, ndim)?)?;
    grad.mul(&others)
}

/// Whether a product is so small or so large that it does not tell its factors; who cannot see
/// them says yes.
fn may_be_extreme(products: &Tensor) -> Result<bool> {
    if products.device().is_meta() {
        return Ok(true);
    }
    let size = products.abs()?;
    // Half types have fewer digits below this.
    let is_small = size.lt_scalar(Scalar::Float(1e-4))?;
    let is_ordinary = is_small.logical_not()?.logical_and(&products.isfinite()?)?;
    is_ordinary.logical_not()?.any()?.is_nonzero()
}

/// `grad * conj(result / self)`
fn of_ordinary_product(grad: &Tensor, self_: &Tensor, result: &Tensor) -> Result<Tensor> {
    let others = result.div(self_)?;
    grad.mul(&others.conj()?)
}

/// The product of all other elements of the line, at each place, without division. Powers of two
/// are taken out of the factors first, and put back at the end: what is between them leaves no
/// dtype.
pub(super) fn product_of_others(tensor: &Tensor, dim: usize) -> Result<Tensor> {
    let line = dim as i64;
    let is_complex = tensor.dtype().is_complex_number();
    let wide = to(tensor, if is_complex { DType::Complex128 } else { DType::Float64 })?;
    let exponents = exponents(&wide)?;
    let mantissas = by_power_of_two(&wide, &exponents.neg()?)?;
    let flipped = mantissas.flip(&[line])?;
    let after = product_before(&flipped, dim)?.flip(&[line])?;
    let others = product_before(&mantissas, dim)?.mul(&after)?;
    let all = ops::sum::dim_IntList::call(&exponents, Some(&[line]), true, None)?;
    to(&by_power_of_two(&others, &all.sub(&exponents)?)?, tensor.dtype())
}

/// The whole number next to the logarithm of each size to the base 2, and 0 of what has none.
fn exponents(tensor: &Tensor) -> Result<Tensor> {
    let exponents = tensor.abs()?.log2()?.round()?;
    let is_finite = exponents.isfinite()?;
    ops::detach::Default_::call(&kept_where(&exponents, &is_finite)?)
}

/// `tensor * 2 ** exponents`, in steps that are finite.
fn by_power_of_two(tensor: &Tensor, exponents: &Tensor) -> Result<Tensor> {
    let bounded = exponents.clamp_min(Scalar::Int(-4000))?.clamp_max(Scalar::Int(4000))?;
    let quarter = bounded.div_scalar(Scalar::Int(4))?.floor()?;
    let rest = bounded.sub(&quarter.mul_scalar(Scalar::Int(3))?)?;
    let (quarter, rest) = (quarter.exp2()?, rest.exp2()?);
    tensor.mul(&quarter)?.mul(&quarter)?.mul(&quarter)?.mul(&rest)
}

/// The product of all elements before a place in its line, 1 for the first.
fn product_before(tensor: &Tensor, dim: usize) -> Result<Tensor> {
    let length = tensor.shape()[dim];
    if length == 0 {
        return Ok(tensor.clone());
    }
    let mut shape = tensor.shape().to_vec();
    shape[dim] = 1;
    let one = Tensor::filled(&shape, Scalar::Int(1), tensor.dtype(), tensor.device())?;
    let products = tensor.cumprod(dim as i64)?;
    ops::cat::Default_::call(&[&one, &part(&products, dim, 0, length - 1)?], dim as i64)
}

/// `2 / (n - correction) * grad * (self - mean(self))`
#[gradient_helper]
pub(crate) fn var_backward(
    grad: &Tensor,
    self_: &Tensor,
    dim: Option<&[i64]>,
    correction: Option<Scalar>,
    keepdim: bool,
) -> Result<Tensor> {
    let ndim = self_.ndim();
    let dims = DimSet::new_or_full(dim, ndim)?;
    let correction = correction.map_or(Ok(1.0), Scalar::to_f64)?;
    let divisor = (reduced_count(self_.shape(), dims) as f64 - correction).max(0.0);
    let grad = restored(grad, dims, ndim, keepdim)?;
    let grad = grad.mul_scalar(Scalar::Float(2.0 / divisor))?;
    let mean = ops::mean::dim::call(self_, Some(&listed(dims, ndim)), true, None)?;
    grad.mul(&self_.sub(&mean)?)
}

/// That of the variance, of `grad / (2 * result)`; 0 where the deviation is.
#[gradient_helper]
pub(crate) fn std_backward(
    result: &Tensor,
    grad: &Tensor,
    self_: &Tensor,
    dim: Option<&[i64]>,
    correction: Option<Scalar>,
    keepdim: bool,
) -> Result<Tensor> {
    let doubled = result.mul_scalar(Scalar::Int(2))?;
    var_backward(&quotient(grad, &doubled)?, self_, dim, correction, keepdim)
}

/// The sum of those of the variance and of the mean, as far as they are wanted.
#[gradient_helper]
pub(crate) fn var_mean_backward(
    grad_var: Option<&Tensor>,
    grad_mean: Option<&Tensor>,
    self_: &Tensor,
    dim: Option<&[i64]>,
    correction: Option<Scalar>,
    keepdim: bool,
) -> Result<Option<Tensor>> {
    let of_var = grad_var.map(|it| var_backward(it, self_, dim, correction, keepdim));
    with_mean(of_var.transpose()?, grad_mean, self_, dim, keepdim)
}

/// The sum of those of the standard deviation and of the mean, as far as they are wanted.
#[gradient_helper]
pub(crate) fn std_mean_backward(
    grad_std: Option<&Tensor>,
    grad_mean: Option<&Tensor>,
    self_: &Tensor,
    result: &Tensor,
    dim: Option<&[i64]>,
    correction: Option<Scalar>,
    keepdim: bool,
) -> Result<Option<Tensor>> {
    let of_std = grad_std.map(|it| std_backward(result, it, self_, dim, correction, keepdim));
    with_mean(of_std.transpose()?, grad_mean, self_, dim, keepdim)
}

/// A gradient and that of a mean, added up.
fn with_mean(
    first: Option<Tensor>,
    grad_mean: Option<&Tensor>,
    self_: &Tensor,
    dim: Option<&[i64]>,
    keepdim: bool,
) -> Result<Option<Tensor>> {
    let numel = self_.numel() as i64;
    let of_mean = |it| mean_backward(it, self_.shape(), dim, numel, keepdim);
    match (first, grad_mean.map(of_mean).transpose()?) {
        (Some(first), Some(second)) => first.add(&second).map(Some),
        (first, second) => Ok(first.or(second)),
    }
}

/// Where `self` is the value that was found, which may be no number.
fn is_chosen(self_: &Tensor, value: &Tensor) -> Result<Tensor> {
    let is_equal = self_.eq(value)?;
    let (this, that) = (self_.isnan()?, value.isnan()?);
    let are_no_numbers = this.logical_and(&that)?;
    is_equal.logical_or(&are_no_numbers)
}

/// Of an extreme or the median of all elements: equal shares for all that are equal to it.
#[gradient_helper]
pub(crate) fn evenly_distribute_backward(
    grad: &Tensor,
    self_: &Tensor,
    value: &Tensor,
) -> Result<Tensor> {
    let mask = is_chosen(self_, value)?;
    let share = grad.div(&mask.sum()?)?;
    kept_where(&share, &mask)
}

/// Zeros with `grad` at the places that were chosen.
#[gradient_helper]
pub(crate) fn value_selecting_reduction_backward(
    grad: &Tensor,
    dim: i64,
    indices: &Tensor,
    sizes: &[i64],
    keepdim: bool,
) -> Result<Tensor> {
    let dims = DimSet::new(&[dim], sizes.len())?;
    let grad = restored(grad, dims, sizes.len(), keepdim)?;
    let indices = restored(indices, dims, sizes.len(), keepdim)?;
    zeros(&grad, sizes)?.scatter(dim, &indices, &grad)
}

/// Of norms along dimensions; without a list along all.
#[gradient_helper]
pub(crate) fn norm_dim_backward(
    grad: &Tensor,
    self_: &Tensor,
    p: Option<Scalar>,
    result: &Tensor,
    dim: &[i64],
    keepdim: bool,
) -> Result<Tensor> {
    let p = p.unwrap_or(Scalar::Int(2));
    linalg_vector_norm_backward(grad, self_, p, result, Some(dim), keepdim)
}

/// `sgn(self) * (abs(self) / result) ** (ord - 1) * grad`, and 0 where the norm is; of the
/// greatest and the least magnitude: equal shares for all that have it.
#[gradient_helper]
pub(crate) fn linalg_vector_norm_backward(
    grad: &Tensor,
    self_: &Tensor,
    ord: Scalar,
    result: &Tensor,
    dim: Option<&[i64]>,
    keepdim: bool,
) -> Result<Tensor> {
    let ndim = self_.ndim();
    let dims = DimSet::new_or_full(dim, ndim)?;
    let grad = restored(grad, dims, ndim, keepdim)?;
    let norm = restored(result, dims, ndim, keepdim)?;
    match ord.to_f64()? {
        0.0 => zeros(self_, self_.shape()),
        1.0 => self_.sgn()?.mul(&grad),
        2.0 => self_.mul(&quotient(&grad, &norm)?),
        f64::INFINITY | f64::NEG_INFINITY => {
            let mask = is_chosen(&self_.abs()?, &norm)?;
            let share = scale_grad_by_count(&grad, &mask, &listed(dims, ndim))?;
            self_.sgn()?.mul(&share)
        }
        ord => {
            let magnitude = self_.abs()?;
            let power = relative_power(&magnitude, &norm, ord - 1.0)?;
            let signed = self_.sgn()?.mul(&power)?;
            signed.mul(&grad)
        }
    }
}

/// `(magnitude / norm) ** exponent`, 0 where the norm is, and 1 where only the magnitude is: the
/// sign, by which it is multiplied, is 0 there.
fn relative_power(magnitude: &Tensor, norm: &Tensor, exponent: f64) -> Result<Tensor> {
    let is_nothing = magnitude.eq_scalar(Scalar::Int(0))?;
    let is_flat = norm.eq_scalar(Scalar::Int(0))?;
    let is_left_out = is_nothing.logical_or(&is_flat)?;
    let ratio = quotient(magnitude, norm)?;
    let ratio = ratio.masked_fill(&is_left_out, Scalar::Int(1))?;
    let power = ratio.pow_tensor_scalar(Scalar::Float(exponent))?;
    power.masked_fill(&is_flat, Scalar::Int(0))
}

/// `grad * conj(exp(self - result))`
#[gradient_helper]
pub(crate) fn logsumexp_backward(
    grad: &Tensor,
    self_: &Tensor,
    result: &Tensor,
    dim: &[i64],
    keepdim: bool,
) -> Result<Tensor> {
    let ndim = self_.ndim();
    let dims = DimSet::new_or_full(Some(dim), ndim)?;
    let grad = restored(grad, dims, ndim, keepdim)?;
    let result = restored(result, dims, ndim, keepdim)?;
    grad.mul(&ratio_of_exponentials(self_, &result)?)
}

/// `conj(exp(a - b))`, where the difference of two equal infinities counts as 0.
fn ratio_of_exponentials(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let are_equal = a.eq(b)?.logical_and(&b.isinf()?)?;
    let difference = a.sub(b)?;
    let difference = difference.masked_fill(&are_equal, Scalar::Int(0))?;
    difference.exp()?.conj()
}

/// The sum of all from a place on.
#[gradient_helper]
pub(crate) fn cumsum_backward(grad: &Tensor, dim: i64) -> Result<Tensor> {
    if grad.ndim() == 0 || grad.numel() == 0 {
        return Ok(grad.clone());
    }
    let flipped = grad.flip(&[dim])?;
    flipped.cumsum(dim)?.flip(&[dim])
}

/// Without zeros, the sum of all `grad * conj(result)` from a place on, over `conj(self)`; with
/// some, the product before the place times what is chained behind it.
#[gradient_helper]
pub(crate) fn cumprod_backward(
    grad: &Tensor,
    self_: &Tensor,
    dim: i64,
    result: &Tensor,
) -> Result<Tensor> {
    if self_.ndim() == 0 || self_.numel() == 0 {
        return Ok(grad.clone());
    }
    let conjugate = self_.conj()?;
    if !may_have_zeros(self_)? {
        let product = grad.mul(&result.conj()?)?;
        return cumsum_backward(&product, dim)?.div(&conjugate);
    }
    let dim = wrap_dim(dim, self_.ndim())?;
    let factors = part(&conjugate, dim, 1, self_.shape()[dim])?;
    let behind = chained(grad, &factors, dim)?;
    product_before(&conjugate, dim)?.mul(&behind)
}

/// The sum of all terms from a place on, each times the factors between: from the last one on,
/// `sum[k] = terms[k] + factors[k] * sum[k + 1]`. There is one factor fewer than terms.
fn chained(terms: &Tensor, factors: &Tensor, dim: usize) -> Result<Tensor> {
    let length = terms.shape()[dim];
    let (mut sums, mut factors, mut step) = (terms.clone(), factors.clone(), 1);
    // Each sum has `step` terms already, and each factor is the product of as many.
    while step < length {
        let rest = length - step;
        let later = factors.mul(&part(&sums, dim, step, length)?)?;
        let longer = part(&sums, dim, 0, rest)?.add(&later)?;
        let whole = part(&sums, dim, rest, length)?;
        sums = ops::cat::Default_::call(&[&longer, &whole], dim as i64)?;
        if rest > step {
            let first = part(&factors, dim, 0, rest - step)?;
            factors = first.mul(&part(&factors, dim, step, rest)?)?;
        }
        step *= 2;
    }
    Ok(sums)
}

/// Zeros with the sums of `grad` at the places where the extremes were found.
#[gradient_helper]
pub(crate) fn cummaxmin_backward(
    grad: &Tensor,
    self_: &Tensor,
    indices: &Tensor,
    dim: i64,
) -> Result<Tensor> {
    let zeros = zeros(grad, self_.shape())?;
    zeros.scatter_add(dim, indices, grad)
}

/// The sum over all later places of `grad * conj(exp(self - result))`, in steps from each result
/// to the next one, which do not overflow.
#[gradient_helper]
pub(crate) fn logcumsumexp_backward(
    grad: &Tensor,
    self_: &Tensor,
    result: &Tensor,
    dim: i64,
) -> Result<Tensor> {
    if grad.ndim() == 0 || grad.numel() == 0 {
        return Ok(grad.clone());
    }
    let dim = wrap_dim(dim, self_.ndim())?;
    let length = result.shape()[dim];
    let (before, after) = (part(result, dim, 0, length - 1)?, part(result, dim, 1, length)?);
    let behind = chained(grad, &ratio_of_exponentials(&before, &after)?, dim)?;
    behind.mul(&ratio_of_exponentials(self_, result)?)
}
