//! Two overloads of `add`, for bindings written in C, C++ and Rust.
//!
//! Kernel, promotion, dispatch and the allocation of results are those of the
//! module, so that what differs between the bindings is the binding.

use std::ptr;
use std::slice;

use opwright_ops::add;
use opwright_runtime::{DType, Device, Error, Result, Scalar, Tensor};

/// A tensor of one dimension from floats.
///
/// # Errors
///
/// As [`Tensor::allocate`].
pub fn from_floats(values: &[f32]) -> Result<Tensor> {
    Tensor::from_slice(&[values.len() as i64], values)
}

/// `a + alpha * b`.
///
/// # Errors
///
/// As the operator.
#[inline]
pub fn add(a: &Tensor, b: &Tensor, alpha: f64) -> Result<Tensor> {
    add::Tensor::call(a, b, Scalar::Float(alpha))
}

/// `a + alpha * b`.
///
/// # Errors
///
/// As the operator.
#[inline]
pub fn add_scalar(a: &Tensor, b: f64, alpha: f64) -> Result<Tensor> {
    add::Scalar::call(a, Scalar::Float(b), Scalar::Float(alpha))
}

/// Writes `a + alpha * b` to `out`.
///
/// # Errors
///
/// As the operator.
#[inline]
pub fn add_out(a: &Tensor, b: &Tensor, alpha: f64, out: &mut Tensor) -> Result<()> {
    add::out::call(a, b, Scalar::Float(alpha), out)
}

/// Puts a result where the caller wants it; false for an error.
unsafe fn deliver(result: std::result::Result<Tensor, Error>, place: *mut Tensor) -> bool {
    match result {
        Ok(tensor) => {
            // SAFETY: the caller's promise: room for a tensor.
            unsafe { ptr::write(place, tensor) };
            true
        }
        Err(_) => false,
    }
}

/// [`from_floats`], into `place`; false on failure.
///
/// # Safety
///
/// There are `count` floats at `values`, and room for a tensor at `place`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bench_from_floats(
    values: *const f32,
    count: usize,
    place: *mut Tensor,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { deliver(from_floats(slice::from_raw_parts(values, count)), place) }
}

/// [`add()`], into `place`; false on failure.
///
/// # Safety
///
/// `a` and `b` are tensors, and there is room for one at `place`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bench_add(
    a: *const Tensor,
    b: *const Tensor,
    alpha: f64,
    place: *mut Tensor,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { deliver(add(&*a, &*b, alpha), place) }
}

/// [`add_scalar`], into `place`; false on failure.
///
/// # Safety
///
/// `a` is a tensor, and there is room for one at `place`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bench_add_scalar(
    a: *const Tensor,
    b: f64,
    alpha: f64,
    place: *mut Tensor,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { deliver(add_scalar(&*a, b, alpha), place) }
}

/// [`add_out`]; false on failure.
///
/// # Safety
///
/// All three are tensors, and nobody else uses `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bench_add_out(
    a: *const Tensor,
    b: *const Tensor,
    alpha: f64,
    out: *mut Tensor,
) -> bool {
    // SAFETY: the caller's promise. A handle of its own, as `out` may be an input.
    unsafe {
        let mut handle = (*out).clone();
        add_out(&*a, &*b, alpha, &mut handle).is_ok()
    }
}

/// The number of dimensions.
///
/// # Safety
///
/// `a` is a tensor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bench_dim(a: *const Tensor) -> i64 {
    // SAFETY: the caller's promise.
    unsafe { (*a).ndim() as i64 }
}

/// An element of a tensor of floats; NaN behind the last one.
///
/// # Safety
///
/// `a` is a tensor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bench_item(a: *const Tensor, index: usize) -> f64 {
    // SAFETY: the caller's promise; the index is checked.
    unsafe {
        let tensor = &*a;
        if index >= tensor.numel()
            || tensor.dtype() != DType::Float32
            || tensor.device() != Device::Cpu
        {
            return f64::NAN;
        }
        f64::from(*tensor.data_ptr().cast::<f32>().add(index))
    }
}

/// Gives a tensor back.
///
/// # Safety
///
/// There is a tensor at `place`, which nobody uses afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bench_drop(place: *mut Tensor) {
    // SAFETY: the caller's promise.
    unsafe { ptr::drop_in_place(place) }
}
