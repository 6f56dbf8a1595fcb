//! Transforms along dimensions, of complex numbers, from real ones and back.

use ndarray::{ArrayView1, ArrayViewMut1, s};
use num_complex::Complex;
use opwright_fft::{self as plan, FftScalar};
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::geometry::{Dims, wrap_dim};
use opwright_runtime::structured::Spec;
use opwright_runtime::{
    DType, Element, Error, FftNorm, Result, Scalar, Tensor, along_dim, buffer, ensure, view,
};

use crate::ops::{self, TensorOps};

/// Evaluates an expression with the type of the parts of complex numbers.
macro_rules! for_parts {
    ($dtype:expr, $what:expr, |$P:ident| $body:expr) => {
        match $dtype.to_real() {
            DType::Float32 => {
                type $P = f32;
                $body
            }
            DType::Float64 => {
                type $P = f64;
                $body
            }
            other => Err(other.unsupported($what)),
        }
    };
}

fn wrapped(dims: &[i64], ndim: usize) -> Result<Vec<usize>> {
    dims.iter().map(|&dim| wrap_dim(dim, ndim)).collect()
}

/// What a transform is multiplied with: mode 1 divides by the square root of
/// the number of elements, mode 2 by the number.
fn scale(shape: &[i64], dims: &[usize], normalization: i64) -> f64 {
    let count: f64 = dims.iter().map(|&dim| shape[dim] as f64).product();
    match normalization {
        1 => count.sqrt().recip(),
        2 => count.recip(),
        _ => 1.0,
    }
}

fn check(tensor: &Tensor, is_complex: bool, dims: &[i64]) -> Result<Vec<usize>> {
    let dtype = tensor.dtype();
    ensure!(
        if is_complex { dtype.is_complex_number() } else { dtype.is_floating() },
        Runtime,
        "expected a {} tensor, got {dtype}",
        if is_complex { "complex" } else { "real floating" }
    );
    let dims = wrapped(dims, tensor.ndim())?;
    ensure!(
        dims.iter().all(|&dim| dim < tensor.ndim()),
        Index,
        "a tensor without dimensions cannot be transformed"
    );
    ensure!(
        dims.iter().all(|&dim| tensor.shape()[dim] > 0),
        Runtime,
        "Invalid number of data points (0) specified"
    );
    Ok(dims)
}

/// The dimension of which half a spectrum is kept, if there is one.
fn halved(dims: &[usize]) -> Result<Option<usize>> {
    let Some((last, others)) = dims.split_last() else { return Ok(None) };
    ensure!(
        !others.contains(last),
        Runtime,
        "dimension {last}, the last one, of which half a spectrum is kept, is named twice"
    );
    Ok(Some(*last))
}

#[native_op(_fft_c2c.out, rule)]
fn c2c_rule(self_: &Tensor, dim: &[i64], _normalization: i64, _forward: bool) -> Result<Spec> {
    check(self_, true, dim)?;
    Ok(Spec::new(self_.shape(), self_.dtype(), self_.device()))
}

#[native_op(_fft_c2c.out)]
fn fft_c2c_out(
    self_: &Tensor,
    dim: &[i64],
    normalization: i64,
    forward: bool,
    out: &mut Tensor,
) -> Result<()> {
    let dims = check(self_, true, dim)?;
    if out.numel() == 0 {
        // A plan for their length may be too large.
        return Ok(());
    }
    let scale = scale(self_.shape(), &dims, normalization);
    for_parts!(self_.dtype(), "fft_c2c", |P| complex_along::<P>(self_, &dims, forward, scale, out))
}

/// Transforms along one dimension after the other, and scales at last.
fn complex_along<P: FftScalar>(
    input: &Tensor,
    dims: &[usize],
    forward: bool,
    scale: f64,
    out: &mut Tensor,
) -> Result<()>
where
    Complex<P>: Element,
{
    let Some((&last, others)) = dims.split_last() else {
        return out.copy_from(input);
    };
    let mut current = input.clone();
    for &dim in others {
        let mut next = Tensor::allocate(input.shape(), input.dtype(), input.device())?;
        complex_lanes::<P>(&current, dim, forward, 1.0, &mut next)?;
        current = next;
    }
    complex_lanes::<P>(&current, last, forward, scale, out)
}

fn complex_lanes<P: FftScalar>(
    input: &Tensor,
    dim: usize,
    forward: bool,
    scale: f64,
    out: &mut Tensor,
) -> Result<()>
where
    Complex<P>: Element,
{
    if out.numel() == 0 {
        // A plan for as many elements as lanes would have need not be possible.
        return Ok(());
    }
    let length = input.shape()[dim] as usize;
    let plan = plan::complex::<P>(length, forward)?;
    let scale = P::cast_from(scale);
    // SAFETY: the function uses nothing but its lanes, and threads that share a
    // tensor leave it alone while an operator uses it.
    unsafe {
        along_dim::unary(input, out, dim, |lane: ArrayView1<'_, Complex<P>>, mut out| {
            let mut values = buffer::lane(&lane)?;
            let mut scratch = zeros(plan.get_inplace_scratch_len())?;
            plan.process_with_scratch(&mut values, &mut scratch);
            write(&values, scale, &mut out);
            Ok(())
        })
    }
}

fn zeros<P: FftScalar>(count: usize) -> Result<Vec<Complex<P>>> {
    buffer::filled(count, Complex::new(P::zero(), P::zero()))
}

fn write<P: FftScalar>(values: &[Complex<P>], scale: P, out: &mut ArrayViewMut1<'_, Complex<P>>) {
    for (slot, &value) in out.iter_mut().zip(values) {
        *slot = value * scale;
    }
}

#[native_op(_fft_r2c.out, rule)]
fn r2c_rule(self_: &Tensor, dim: &[i64], _normalization: i64, onesided: bool) -> Result<Spec> {
    let dims = check(self_, false, dim)?;
    let mut shape = Dims::from_slice(self_.shape());
    if let Some(last) = halved(&dims)?.filter(|_| onesided) {
        shape[last] = shape[last] / 2 + 1;
    }
    Ok(Spec::new(&shape, self_.dtype().to_complex(), self_.device()))
}

#[native_op(_fft_r2c.out)]
fn fft_r2c_out(
    self_: &Tensor,
    dim: &[i64],
    normalization: i64,
    onesided: bool,
    out: &mut Tensor,
) -> Result<()> {
    let dims = check(self_, false, dim)?;
    if out.numel() == 0 {
        // A plan for their length may be too large.
        return Ok(());
    }
    let scale = scale(self_.shape(), &dims, normalization);
    let Some((&last, others)) = dims.split_last() else {
        return out.copy_from(self_);
    };
    for_parts!(self_.dtype(), "fft_r2c", |P| {
        if others.is_empty() {
            return real_lanes::<P>(self_, last, scale, out);
        }
        let mut spectrum = Tensor::allocate(out.shape(), out.dtype(), out.device())?;
        real_lanes::<P>(self_, last, 1.0, &mut spectrum)?;
        complex_along::<P>(&spectrum, others, true, scale, out)
    })?;
    debug_assert!(onesided || out.shape() == self_.shape());
    Ok(())
}

/// Writes as much of the spectrum of each lane as the output has room for.
fn real_lanes<P: FftScalar>(input: &Tensor, dim: usize, scale: f64, out: &mut Tensor) -> Result<()>
where
    Complex<P>: Element,
{
    if out.numel() == 0 {
        // A plan for as many elements as lanes would have need not be possible.
        return Ok(());
    }
    let length = input.shape()[dim] as usize;
    let plan = plan::from_real::<P>(length)?;
    let scale = P::cast_from(scale);
    // SAFETY: the function uses nothing but its lanes, and threads that share a
    // tensor leave it alone while an operator uses it.
    unsafe {
        along_dim::unary(input, out, dim, |lane: ArrayView1<'_, P>, mut out| {
            let mut values = buffer::lane(&lane)?;
            let (mut half, mut scratch) = (zeros(plan.half())?, zeros(plan.scratch())?);
            plan.forward(&mut values, &mut half, &mut scratch);
            write(&half, scale, &mut out);
            // The other half of the spectrum of real numbers mirrors the first.
            for index in half.len()..out.len() {
                out[index] = out[length - index].conj();
            }
            Ok(())
        })
    }
}

#[native_op(_fft_c2r.out, rule)]
fn c2r_rule(self_: &Tensor, dim: &[i64], _normalization: i64, last_dim_size: i64) -> Result<Spec> {
    let dims = check(self_, true, dim)?;
    let mut shape = Dims::from_slice(self_.shape());
    if let Some(last) = halved(&dims)? {
        let size = shape[last];
        ensure!(
            last_dim_size >= 1 && size > last_dim_size / 2,
            Runtime,
            "half a spectrum of size {size} is too short for {last_dim_size} real numbers"
        );
        shape[last] = last_dim_size;
    }
    Ok(Spec::new(&shape, self_.dtype().to_real(), self_.device()))
}

#[native_op(_fft_c2r.out)]
fn fft_c2r_out(
    self_: &Tensor,
    dim: &[i64],
    normalization: i64,
    _last_dim_size: i64,
    out: &mut Tensor,
) -> Result<()> {
    let dims = check(self_, true, dim)?;
    if out.numel() == 0 {
        // A plan for their length may be too large.
        return Ok(());
    }
    let scale = scale(out.shape(), &dims, normalization);
    let Some((&last, others)) = dims.split_last() else {
        return out.copy_from(&view::real(self_)?);
    };
    for_parts!(self_.dtype(), "fft_c2r", |P| {
        let mut spectrum = Tensor::allocate(self_.shape(), self_.dtype(), self_.device())?;
        complex_along::<P>(self_, others, false, 1.0, &mut spectrum)?;
        lanes_to_real::<P>(&spectrum, last, scale, out)
    })
}

fn lanes_to_real<P: FftScalar>(
    input: &Tensor,
    dim: usize,
    scale: f64,
    out: &mut Tensor,
) -> Result<()>
where
    Complex<P>: Element,
{
    if out.numel() == 0 {
        // A plan for as many elements as lanes would have need not be possible.
        return Ok(());
    }
    let length = out.shape()[dim] as usize;
    let plan = plan::to_real::<P>(length)?;
    let half = plan.half();
    let scale = P::cast_from(scale);
    // SAFETY: the function uses nothing but its lanes, and threads that share a
    // tensor leave it alone while an operator uses it.
    unsafe {
        along_dim::unary(input, out, dim, |lane: ArrayView1<'_, Complex<P>>, mut out| {
            let mut spectrum = buffer::lane(&lane.slice(s![..half]))?;
            let mut values = buffer::filled(length, P::zero())?;
            let mut scratch = zeros(plan.scratch())?;
            plan.inverse(&mut spectrum, &mut values, &mut scratch);
            for (slot, &value) in out.iter_mut().zip(&values) {
                *slot = value * scale;
            }
            Ok(())
        })
    }
}

/// Which way a transform goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Inverse,
}

impl Direction {
    pub(crate) fn is_forward(self) -> bool {
        self == Direction::Forward
    }
}

/// The mode of a transform in this direction: 0 does not divide, 1 divides by
/// the square root of the number of elements, 2 by the number.
pub(crate) fn mode(norm: Option<FftNorm>, direction: Direction) -> i64 {
    match (norm.unwrap_or(FftNorm::Backward), direction) {
        (FftNorm::Backward, Direction::Forward) | (FftNorm::Forward, Direction::Inverse) => 0,
        (FftNorm::Ortho, _) => 1,
        (FftNorm::Backward, Direction::Inverse) | (FftNorm::Forward, Direction::Forward) => 2,
    }
}

/// The dimension of which the real transforms keep a half, from the front.
fn halved_dim(dims: &[i64], ndim: usize) -> Result<i64> {
    let last = *dims.last().ok_or_else(|| Error::runtime("a transform has a dimension"))?;
    Ok(if last < 0 { last + ndim as i64 } else { last })
}

fn slice(tensor: &Tensor, dim: i64, start: i64, end: i64) -> Result<Tensor> {
    ops::slice::Tensor::call(tensor, dim, Some(start), Some(end), 1)
}

/// Of a transform of real numbers: the real part of the transform in the opposite direction, where
/// the half that is not there counts as 0.
#[gradient_helper]
pub(crate) fn fft_r2c_backward(
    grad: &Tensor,
    dim: &[i64],
    normalization: i64,
    onesided: bool,
    sizes: &[i64],
) -> Result<Tensor> {
    let whole = if onesided { filled_up(grad, dim, sizes)? } else { grad.clone() };
    ops::real::Default_::call(&ops::_fft_c2c::Default_::call(&whole, dim, normalization, false)?)
}

/// A gradient of the first elements along the last of the dimensions: 0 for the others.
#[gradient_helper]
pub(crate) fn filled_up(grad: &Tensor, dim: &[i64], sizes: &[i64]) -> Result<Tensor> {
    let last = halved_dim(dim, grad.ndim())?;
    let size = sizes.get(last as usize).copied().unwrap_or_default();
    let missing = size - grad.size_of(last)?;
    if missing <= 0 {
        return Ok(grad.clone());
    }
    // From the last dimension on, before and behind each.
    let mut pad = vec![0; 2 * (grad.ndim() - last as usize) - 1];
    pad.push(missing);
    ops::constant_pad_nd::Default_::call(grad, &pad, Scalar::Int(0))
}

/// Of a transform to real numbers: the half of the transform in the opposite direction, whose
/// elements count twice where they stand for two.
#[gradient_helper]
pub(crate) fn fft_c2r_backward(grad: &Tensor, dim: &[i64], normalization: i64) -> Result<Tensor> {
    let last = halved_dim(dim, grad.ndim())?;
    let half = ops::_fft_r2c::Default_::call(grad, dim, normalization, true)?;
    let size = half.size_of(last)?;
    let end = 1 + grad.size_of(last)? - size;
    if end <= 1 {
        return Ok(half);
    }
    let double = slice(&half, last, 1, end)?.mul_scalar(Scalar::Int(2))?;
    let parts = [slice(&half, last, 0, 1)?, double, slice(&half, last, end, size)?];
    ops::cat::Default_::call(&[&parts[0], &parts[1], &parts[2]], last)
}
