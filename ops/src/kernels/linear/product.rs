//! Products of tensors that hold a matrix or a batch of them.

use std::mem::MaybeUninit;

use ndarray::{ArrayView, ArrayView3, ArrayViewMut, ArrayViewMut3, Axis, Dimension, Ix2, Ix3};
use opwright_runtime::structured::{Spec, common_device};
use opwright_runtime::{DType, Element, Error, Result, Scalar, Tensor, dispatch, ensure, fail};

use super::bands::for_bands;
use super::gemm::{Factor, multiplications};
use super::slot::Slot;

/// `out = alpha * a @ b + beta * out` for matrices; with `beta` zero, `out` is
/// not read.
pub(crate) fn multiply(
    alpha: Scalar,
    a: &Tensor,
    b: &Tensor,
    beta: Scalar,
    out: &mut Tensor,
) -> Result<()> {
    dispatch!(out.dtype(), "matmul", number, |T| {
        if out.numel() == 0 {
            return Ok(());
        }
        // SAFETY: `out` shares no memory with the factors.
        let (a, b) = unsafe { (fixed::<T, Ix2>(a)?, fixed::<T, Ix2>(b)?) };
        write(
            (out, beta),
            |out| <T as Factor>::multiply::<T>(alpha, a, b, beta, out),
            |out| <T as Factor>::multiply::<MaybeUninit<T>>(alpha, a, b, beta, out),
        )
    })
}

/// The same for each pair of matrices of two batches.
pub(crate) fn multiply_batches(
    alpha: Scalar,
    a: &Tensor,
    b: &Tensor,
    beta: Scalar,
    out: &mut Tensor,
) -> Result<()> {
    dispatch!(out.dtype(), "matmul", number, |T| {
        if out.numel() == 0 {
            return Ok(());
        }
        // SAFETY: `out` shares no memory with the factors.
        let (a, b) = unsafe { (fixed::<T, Ix3>(a)?, fixed::<T, Ix3>(b)?) };
        write(
            (out, beta),
            |out| multiply_each::<T, T>(alpha, a, b, beta, out),
            |out| multiply_each::<T, MaybeUninit<T>>(alpha, a, b, beta, out),
        )
    })
}

/// The multiplications of one batch that go to a thread together, at least.
const GRAIN: usize = 32_768;

fn multiply_each<T: Factor, S: Slot<T>>(
    alpha: Scalar,
    a: ArrayView3<'_, T>,
    b: ArrayView3<'_, T>,
    beta: Scalar,
    out: ArrayViewMut3<'_, S>,
) -> Result<()> {
    let (_, rows, columns) = out.dim();
    let work = multiplications(rows, columns, a.len_of(Axis(2)));
    let band = GRAIN / work.max(1) + 1;
    for_bands(out, Axis(0), band, work.saturating_mul(band), &|start, mut out| {
        for (idx, out) in out.outer_iter_mut().enumerate() {
            let (a, b) = (a.index_axis(Axis(0), start + idx), b.index_axis(Axis(0), start + idx));
            T::multiply(alpha, a, b, beta, out)?;
        }
        Ok(())
    })
}

/// Has all elements of the product written: added to what is there, or, if `beta` is
/// zero, in their places.
fn write<T: Element, D: Dimension>(
    (out, beta): (&mut Tensor, Scalar),
    add: impl FnOnce(ArrayViewMut<'_, T, D>) -> Result<()>,
    replace: impl FnOnce(ArrayViewMut<'_, MaybeUninit<T>, D>) -> Result<()>,
) -> Result<()> {
    let ndim = out.ndim();
    let wrong = |_| wrong_ndim(D::NDIM, ndim);
    if beta.to_bool() {
        // SAFETY: the factors are other memory, and threads that share a tensor leave it
        // alone while an operator writes to it.
        let view = unsafe { out.array_view_mut()? };
        return add(view.into_dimensionality().map_err(wrong)?);
    }
    // SAFETY: as above, and a product writes nothing but values.
    let view = unsafe { out.overwrite_view()? };
    replace(view.into_dimensionality().map_err(wrong)?)?;
    // SAFETY: the product has written every element.
    unsafe { out.assume_written() };
    Ok(())
}

/// A factor, with its number of dimensions known.
///
/// # Safety
///
/// While it is used, the product is written to other memory.
unsafe fn fixed<T: Element, D: Dimension>(factor: &Tensor) -> Result<ArrayView<'_, T, D>> {
    // SAFETY: the caller writes elsewhere, and threads that share a tensor do not
    // write to it while an operator reads it.
    let view = unsafe { factor.array_view()? };
    view.into_dimensionality().map_err(|_| wrong_ndim(D::NDIM, factor.ndim()))
}

#[cold]
fn wrong_ndim(expected: Option<usize>, ndim: usize) -> Error {
    let expected = expected.unwrap_or_default();
    Error::runtime(format_args!("expected {expected} dimensions, but got {ndim}"))
}

/// What the product of these matrices looks like.
pub(crate) fn matrix_spec(a: &Tensor, b: &Tensor) -> Result<Spec> {
    let (&[rows, inner], &[other_inner, columns]) = (a.shape(), b.shape()) else {
        return Err(not_matrices(a, b));
    };
    ensure!(
        inner == other_inner,
        Runtime,
        "matrices of these shapes cannot be multiplied ({rows}x{inner} and \
         {other_inner}x{columns}): {inner} columns meet {other_inner} rows"
    );
    let dtype = common_dtype(a, b)?;
    Ok(Spec::new(&[rows, columns], dtype, common_device(&[a, b])?))
}

#[cold]
fn not_matrices(a: &Tensor, b: &Tensor) -> Error {
    Error::runtime(format_args!(
        "both factors must be a matrix, but they have the shapes {:?} and {:?}",
        a.shape(),
        b.shape()
    ))
}

/// What the products of these batches of matrices look like.
pub(crate) fn batch_spec(a: &Tensor, b: &Tensor) -> Result<Spec> {
    let (&[count, rows, inner], &[other_count, other_inner, columns]) = (a.shape(), b.shape())
    else {
        fail!(
            Runtime,
            "both factors must have 3 dimensions, a batch of matrices, but they have the shapes \
             {:?} and {:?}",
            a.shape(),
            b.shape()
        );
    };
    ensure!(
        count == other_count && inner == other_inner,
        Runtime,
        "batches of matrices of these shapes cannot be multiplied ({count}x{rows}x{inner} and \
         {other_count}x{other_inner}x{columns})"
    );
    let dtype = common_dtype(a, b)?;
    Ok(Spec::new(&[count, rows, columns], dtype, common_device(&[a, b])?))
}

/// Products do not promote: both sides have one dtype, which is not `bool`.
pub(crate) fn common_dtype(a: &Tensor, b: &Tensor) -> Result<DType> {
    let (dtype, other) = (a.dtype(), b.dtype());
    ensure!(
        dtype == other,
        Runtime,
        "both factors must have the same dtype, but got: {dtype} != {other}"
    );
    if dtype.is_boolean() { Err(dtype.unsupported("matmul")) } else { Ok(dtype) }
}
