//! Gradient helpers of several families: sums, masks, dtypes, and the arithmetic of passes.

use std::ops::Range;

use opwright_macros::gradient_helper;
use opwright_runtime::autograd::{self, Arithmetic, Geometry};
use opwright_runtime::dtype::Element;
use opwright_runtime::geometry::{DimSet, element_count};
use opwright_runtime::op::{Described, Operator};
use opwright_runtime::structured::common_device;
use opwright_runtime::{DType, DispatchKey, Layout, Result, Scalar, Tensor, dispatch, ensure};

use crate::ops::{self, TensorOps};

/// Gradients are added by operators, which are recorded if the pass is.
pub static ARITHMETIC: &dyn Arithmetic = &ByOperators;

/// The operator that adds the gradients of graphs.
pub static SUM: &Operator = &<ops::add::Tensor as Described>::ROW;

struct ByOperators;

impl Arithmetic for ByOperators {
    fn sum(&self, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        ops::add::Tensor::call(a, b, Scalar::Int(1))
    }

    fn add(&self, a: &mut Tensor, b: &Tensor) -> Result<()> {
        let below = || ops::add_::Tensor::call(a, b, Scalar::Int(1));
        dispatch::below(DispatchKey::Autograd, below)
    }

    fn summed_to(&self, tensor: &Tensor, shape: &[i64]) -> Result<Tensor> {
        sum_to(tensor, shape)
    }

    fn cast(&self, tensor: &Tensor, dtype: DType) -> Result<Tensor> {
        to(tensor, dtype)
    }

    fn sliced(&self, gradient: &Tensor, base: &Geometry, view: &Geometry) -> Result<Tensor> {
        let laid = laid_as(gradient, base)?;
        let offset = Some(view.offset - base.offset);
        let slice = ops::as_strided::Default_::call(&laid, &view.shape, &view.strides, offset)?;
        ops::clone::Default_::call(&slice, None)
    }

    fn with_slice(
        &self,
        gradient: &Tensor,
        base: &Geometry,
        view: &Geometry,
        slice: &Tensor,
    ) -> Result<Tensor> {
        let laid = laid_as(gradient, base)?;
        let offset = Some(view.offset - base.offset);
        let mut place = ops::as_strided::Default_::call(&laid, &view.shape, &view.strides, offset)?;
        ops::copy_::Default_::call(&mut place, slice, false)?;
        Ok(laid)
    }

    fn unsliced(&self, gradient: &Tensor, base: &Geometry, view: &Geometry) -> Result<Tensor> {
        let offset = Some(view.offset);
        as_strided_backward(gradient, base, &view.shape, &view.strides, offset)
    }

    fn parts(&self, tensor: &Tensor) -> Result<Tensor> {
        let (real, imag) = (ops::real::Default_::call(tensor)?, ops::imag::Default_::call(tensor)?);
        ops::stack::Default_::call(&[&real, &imag], -1)
    }

    fn joined(&self, parts: &Tensor) -> Result<Tensor> {
        let part = |at| ops::select::int::call(parts, -1, at);
        ops::complex::Default_::call(&part(0)?, &part(1)?)
    }

    fn zeros_like(&self, tensor: &Tensor) -> Result<Tensor> {
        ops::zeros_like::Default_::call(tensor, None, None, None, None, None)
    }

    fn has_nan(&self, tensor: &Tensor) -> Result<bool> {
        let is_nan = ops::isnan::Default_::call(tensor)?;
        Ok(ops::any::Default_::call(&is_nan)?.first::<bool>()? == Some(true))
    }

    fn copied_like(&self, tensor: &Tensor, other: &Tensor) -> Result<Tensor> {
        let mut copy = ops::empty_like::Default_::call(other, None, None, None, None, None)?;
        copy.copy_from(tensor)?;
        Ok(copy)
    }
}

/// A copy whose elements lie as in a tensor of this geometry, from the first on.
pub(crate) fn laid_as(gradient: &Tensor, geometry: &Geometry) -> Result<Tensor> {
    let Geometry { shape, strides, .. } = geometry;
    let mut laid =
        ops::new_empty_strided::Default_::call(gradient, shape, strides, None, None, None, None)?;
    ops::copy_::Default_::call(&mut laid, gradient, false)?;
    Ok(laid)
}

pub(crate) fn float(number: f64) -> Scalar {
    Scalar::Float(number)
}

/// `grad` times a function of the input, which is calculated in floats wide enough.
pub(crate) fn along(
    grad: &Tensor,
    input: &Tensor,
    slope: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let product = widened(grad)?.mul(&slope(&widened(input)?)?)?;
    to(&product, grad.dtype())
}

/// `sigmoid(x) * sigmoid(-x)`. Derivatives of that cancel close to zero, those of its equal by the
/// hyperbolic cosine are too small for their dtype far from it.
pub(crate) fn logistic_density(x: &Tensor) -> Result<Tensor> {
    let (rising, falling) = both_sigmoids(x)?;
    let far = rising.mul(&falling)?;
    if !autograd::is_recording() {
        return Ok(far);
    }
    let is_far = x.abs()?.gt_scalar(Scalar::Int(1))?;
    let half = x.masked_fill(&is_far, Scalar::Int(0))?.mul_scalar(float(0.5))?;
    let secant = half.cosh()?.reciprocal()?;
    let near = secant.mul(&secant)?.mul_scalar(float(0.25))?;
    ops::r#where::self_::call(&is_far, &far, &near)
}

/// `1 - tanh(x) ** 2`
pub(crate) fn squared_secant(x: &Tensor) -> Result<Tensor> {
    if autograd::is_recording() {
        let twice = finite(x, 1000)?.mul_scalar(Scalar::Int(2))?;
        return logistic_density(&twice)?.mul_scalar(Scalar::Int(4));
    }
    // From here on its square is zero, and the cosine is not yet infinite.
    let most = if x.dtype() == DType::Float64 { 700 } else { 88 };
    let secant = finite(x, most)?.cosh()?.reciprocal()?;
    secant.mul(&secant)
}

/// `sigmoid(x)` and `sigmoid(-x)`
pub(crate) fn both_sigmoids(x: &Tensor) -> Result<(Tensor, Tensor)> {
    Ok((x.sigmoid()?, x.neg()?.sigmoid()?))
}

/// What is far from zero, where functions have become what they are at infinity, as a number whose
/// product with 0 is 0.
pub(crate) fn finite(x: &Tensor, most: i64) -> Result<Tensor> {
    x.clamp_min(Scalar::Int(-most))?.clamp_max(Scalar::Int(most))
}

/// The gradient of something real does not have the imaginary part of a complex one.
#[gradient_helper]
pub(crate) fn handle_r_to_c(dtype: DType, grad: &Tensor) -> Result<Tensor> {
    if dtype.is_complex_number() || !grad.dtype().is_complex_number() {
        return Ok(grad.clone());
    }
    ops::real::Default_::call(grad)
}

/// `grad * factor`, or the same tensor if the factor is 1.
#[gradient_helper]
pub(crate) fn maybe_multiply(grad: &Tensor, factor: Scalar) -> Result<Tensor> {
    if factor.is_one() { Ok(grad.clone()) } else { ops::mul::Scalar::call(grad, factor) }
}

/// The tensor in another dtype, or the same tensor if it has that. Of complex numbers that become
/// real ones the imaginary parts are dropped.
#[gradient_helper]
pub(crate) fn to(tensor: &Tensor, dtype: DType) -> Result<Tensor> {
    if tensor.dtype() == dtype {
        return Ok(tensor.clone());
    }
    let tensor = handle_r_to_c(dtype, tensor)?;
    ops::_to_copy::Default_::call(&tensor, Some(dtype), None, None, None, false, None)
}

/// Floats wide enough for several steps of a calculation: 16 bits become 32.
pub(crate) fn widened(tensor: &Tensor) -> Result<Tensor> {
    match tensor.dtype() {
        DType::Float16 | DType::BFloat16 => to(tensor, DType::Float32),
        _ => Ok(tensor.clone()),
    }
}

/// The sum of those that are there.
pub(crate) fn sum(one: Option<Tensor>, other: Option<Tensor>) -> Result<Option<Tensor>> {
    match (one, other) {
        (Some(one), Some(other)) => one.add(&other).map(Some),
        (one, other) => Ok(one.or(other)),
    }
}

/// Whether the columns of a matrix lie one after the other.
fn is_column_major(sizes: &[i64], strides: &[i64]) -> bool {
    matches!((sizes, strides), (&[rows, _], &[1, step]) if rows == step)
}

/// Of the first factor: `conj(alpha) * grad @ mat2ᴴ`, which lies as the factor does.
#[gradient_helper]
pub(crate) fn mm_mat1_backward(
    grad: &Tensor,
    mat2: &Tensor,
    sizes: &[i64],
    strides: &[i64],
    _layout: Layout,
    alpha: Scalar,
) -> Result<Tensor> {
    let product = match is_column_major(sizes, strides) {
        true => mat2.conj()?.mm(&grad.t()?)?.t()?,
        false => grad.mm(&mat2.t()?.conj()?)?,
    };
    maybe_multiply(&product, alpha.conj())
}

/// Of the second factor: `conj(alpha) * mat1ᴴ @ grad`, which lies as the factor does.
#[gradient_helper]
pub(crate) fn mm_mat2_backward(
    grad: &Tensor,
    mat1: &Tensor,
    sizes: &[i64],
    strides: &[i64],
    _layout: Layout,
    alpha: Scalar,
) -> Result<Tensor> {
    let product = match is_column_major(sizes, strides) {
        true => grad.t()?.mm(&mat1.conj()?)?.t()?,
        false => mat1.t()?.conj()?.mm(grad)?,
    };
    maybe_multiply(&product, alpha.conj())
}

/// `value` where the condition holds, and 0 elsewhere.
pub(crate) fn kept_where(value: &Tensor, condition: &Tensor) -> Result<Tensor> {
    ops::r#where::ScalarOther::call(condition, value, Scalar::Int(0))
}

/// 0 where the condition holds, and `value` elsewhere.
pub(crate) fn zeroed_where(value: &Tensor, condition: &Tensor) -> Result<Tensor> {
    ops::r#where::ScalarSelf::call(condition, Scalar::Int(0), value)
}

/// The gradient of the input with this number, if somebody wants it.
pub(crate) fn wanted(
    mask: &[bool],
    input: usize,
    gradient: impl FnOnce() -> Result<Tensor>,
) -> Result<Option<Tensor>> {
    if mask.get(input).copied().unwrap_or_default() { gradient().map(Some) } else { Ok(None) }
}

/// Fails unless what a gradient is calculated from is of the dtype and on the device of `like`, and has this
/// shape.
pub(crate) fn check_saved(
    like: &Tensor,
    name: &str,
    saved: Option<&Tensor>,
    shape: &[i64],
) -> Result<()> {
    let Some(saved) = saved else { return Ok(()) };
    common_device(&[like, saved])?;
    let dtype = like.dtype();
    ensure!(
        saved.shape() == shape && saved.dtype() == dtype,
        Runtime,
        "{name} must be of {dtype} and the shape {shape:?}, but is of {} and the shape {:?}",
        saved.dtype(),
        saved.shape()
    );
    Ok(())
}

/// `grad` with dimensions of size 1 where these were reduced, as far as it lacks them.
pub(crate) fn restored(grad: &Tensor, dims: DimSet, ndim: usize, keepdim: bool) -> Result<Tensor> {
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
pub(crate) fn listed(dims: DimSet, ndim: usize) -> Vec<i64> {
    (0..ndim).filter(|it| dims.contains(*it)).map(|it| it as i64).collect()
}

/// `numerator / denominator`, and 0 where the denominator is; so are the gradients of both.
pub(crate) fn quotient(numerator: &Tensor, denominator: &Tensor) -> Result<Tensor> {
    let is_zero = denominator.eq_scalar(Scalar::Int(0))?;
    let denominator = denominator.masked_fill(&is_zero, Scalar::Int(1))?;
    let quotient = numerator.div(&denominator)?;
    quotient.masked_fill(&is_zero, Scalar::Int(0))
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

/// `grad * mask / sum(mask)`: equal shares for all that were chosen.
#[gradient_helper]
pub(crate) fn scale_grad_by_count(grad: &Tensor, mask: &Tensor, dims: &[i64]) -> Result<Tensor> {
    let count = ops::sum::dim_IntList::call(mask, Some(dims), true, None)?;
    // What was not chosen has no part in an infinite gradient either; not a number is chosen nowhere.
    let is_kept = mask.logical_or(&count.eq_scalar(Scalar::Int(0))?)?;
    kept_where(&grad.mul(mask)?.div(&count)?, &is_kept)
}

/// The product of all other elements of the line, at each place, without division. Powers of two
/// are taken out of the factors first, and put back at the end: what is between them leaves no
/// dtype.
pub(crate) fn product_of_others(tensor: &Tensor, dim: usize) -> Result<Tensor> {
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
pub(crate) fn product_before(tensor: &Tensor, dim: usize) -> Result<Tensor> {
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

/// Fresh zeros of a shape, of the dtype and on the device of a tensor.
pub(crate) fn zeros(like: &Tensor, shape: &[i64]) -> Result<Tensor> {
    Tensor::zeroed(shape, like.dtype(), like.device())
}

/// Numbers that do not depend on a tensor, on its device.
pub(crate) fn constants<T: Element>(
    like: &Tensor,
    shape: &[i64],
    numbers: Vec<T>,
) -> Result<Tensor> {
    let numbers = Tensor::from_vec(shape, numbers)?;
    ops::_to_copy::Default_::call(&numbers, None, None, Some(like.device()), None, false, None)
}

/// What lies between two places along a dimension.
pub(crate) fn part(tensor: &Tensor, dim: usize, start: i64, end: i64) -> Result<Tensor> {
    ops::slice::Tensor::call(tensor, dim as i64, Some(start), Some(end), 1)
}

/// `count` numbers from `start` on.
pub(crate) fn numbers(like: &Tensor, start: i64, count: i64, step: i64) -> Result<Tensor> {
    let counted = ops::arange::start_step::call(
        Scalar::Int(0),
        Scalar::Int(count),
        Scalar::Int(1),
        Some(DType::Int64),
        None,
        Some(like.device()),
        None,
    )?;
    let scaled = counted.mul_scalar(Scalar::Int(step))?;
    ops::add::Scalar::call(&scaled, Scalar::Int(start), Scalar::Int(1))
}

/// `zeros` and what is added at some places along a dimension.
pub(crate) fn added_at(
    zeros: &Tensor,
    dim: usize,
    places: &Tensor,
    grad: &Tensor,
) -> Result<Tensor> {
    zeros.index_add(dim as i64, places, grad)
}

/// `grad` is added up where its elements were taken from in the storage, and read where those of
/// the input lie; what several of these share is shared among them.
#[gradient_helper]
pub(crate) fn as_strided_backward(
    grad: &Tensor,
    input: &Geometry,
    size: &[i64],
    stride: &[i64],
    offset: Option<i64>,
) -> Result<Tensor> {
    if grad.numel() == 0 || element_count(&input.shape)? == 0 {
        return zeros(grad, &input.shape);
    }
    let offset = offset.unwrap_or(input.offset);
    let (of_view, of_input) =
        (span(size, stride, offset), span(&input.shape, &input.strides, input.offset));
    let first = of_view.start.min(of_input.start);
    let length = of_view.end.max(of_input.end) - first;
    let places = places_of(grad, size, stride, offset - first)?;
    let line = grad.reshape(&[grad.numel() as i64])?;
    let buffer = added_at(&zeros(grad, &[length])?, 0, &places, &line)?;
    let start = input.offset - first;
    let buffer = if may_overlap(&input.shape, &input.strides) {
        let places = places_of(grad, &input.shape, &input.strides, start)?;
        buffer.div(&times_read(&places, length)?)?
    } else {
        buffer
    };
    ops::as_strided::Default_::call(&buffer, &input.shape, &input.strides, Some(start))
}

/// The places from the first to the last that a tensor with elements reaches.
fn span(shape: &[i64], strides: &[i64], offset: i64) -> Range<i64> {
    let mut places = offset..offset + 1;
    for (size, stride) in shape.iter().zip(strides) {
        let reach = (size - 1) * stride;
        places.start += reach.min(0);
        places.end += reach.max(0);
    }
    places
}

/// The places of all elements, in order.
fn places_of(like: &Tensor, shape: &[i64], strides: &[i64], offset: i64) -> Result<Tensor> {
    let mut places = numbers(like, offset, 1, 1)?;
    for (&size, &stride) in shape.iter().zip(strides) {
        let starts = places.unsqueeze(1)?;
        let along = numbers(like, 0, size, stride)?;
        let all = starts.add(&along)?;
        places = all.reshape(&[all.numel() as i64])?;
    }
    Ok(places)
}

/// How often each place is among these; 1 for those that are not.
fn times_read(places: &Tensor, length: i64) -> Result<Tensor> {
    let counts = ops::bincount::Default_::call(places, None, length)?;
    counts.clamp_min(Scalar::Int(1))
}

/// Whether two elements may lie at the same place; if not, each dimension steps over the whole of
/// those with lesser strides.
fn may_overlap(shape: &[i64], strides: &[i64]) -> bool {
    let strides = strides.iter().map(|it| it.saturating_abs());
    let mut dims: Vec<(i64, i64)> = strides.zip(shape.iter().copied()).collect();
    dims.retain(|&(_, size)| size > 1);
    dims.sort_unstable();
    let mut reach = 0;
    for (stride, size) in dims {
        if stride <= reach {
            return true;
        }
        reach += stride * (size - 1);
    }
    false
}
