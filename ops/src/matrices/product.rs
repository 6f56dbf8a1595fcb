//! Products of tensors that hold a matrix or a batch of them.

use opwright_runtime::structured::{Spec, common_device};
use opwright_runtime::{DType, Error, Result, Scalar, Tensor, dispatch, ensure, fail};

use super::gemm::{Factor, Multiply};
use super::operands::{Matrix, Operands, for_bands, multiplications};

/// `out = alpha * a @ b + beta * out` for matrices, or for each pair of matrices of two
/// batches; with `beta` zero, `out` is not read.
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
        write(a, b, beta, out, &<T as Factor>::product(alpha, beta)?)
    })
}

/// Has all elements of the product written: added to what is there, or, if `beta` is
/// zero, in their places.
fn write(
    a: &Tensor,
    b: &Tensor,
    beta: Scalar,
    out: &mut Tensor,
    product: &dyn Multiply,
) -> Result<()> {
    out.check_nested()?;
    for tensor in [a, b, out] {
        tensor.check_readable()?;
        let is_like = tensor.dtype() == out.dtype() && tensor.ndim() == out.ndim();
        let is_matrix = out.ndim() == 2;
        let is_batch = out.ndim() == 3 && is_like && tensor.shape()[0] == out.shape()[0];
        ensure!(is_like && (is_matrix || is_batch), Runtime, "the factors do not fit the product");
    }
    // SAFETY: without `beta` no element is read that was not written before, and this handle
    // is borrowed for the call alone.
    let first = if beta.to_bool() { out.data_ptr() } else { unsafe { out.overwrite_ptr() } };
    let at = Operands {
        a: Matrix::of(a, a.data_ptr()),
        b: Matrix::of(b, b.data_ptr()),
        out: Matrix::of(out, first),
    };
    // SAFETY: the tensors have elements of the type that was dispatched on; `out` shares no
    // memory with the factors and reaches no element twice, and threads that share a tensor
    // leave it alone while an operator writes to it.
    unsafe {
        match out.ndim() {
            2 => product.multiply(at)?,
            _ => multiply_each([a, b, out], at, product)?,
        }
        // The product has written every element.
        out.assume_written();
    }
    Ok(())
}

/// The multiplications of one batch that go to a thread together, at least.
const GRAIN: usize = 32_768;

/// Multiplies each pair of matrices, the first of which are these.
///
/// # Safety
///
/// As for [`Multiply::multiply`], for all of them; there are as many in each tensor.
unsafe fn multiply_each(
    tensors: [&Tensor; 3],
    first: Operands,
    product: &dyn Multiply,
) -> Result<()> {
    let [a, b, out] = tensors.map(|it| it.strides()[0] as isize * it.dtype().size() as isize);
    let work = multiplications(first.out.rows, first.out.columns, first.a.columns);
    let band = GRAIN / work.max(1) + 1;
    let count = tensors[2].shape()[0] as usize;
    for_bands(count, band, work.saturating_mul(band), &|range| {
        for index in range.map(|it| it as isize) {
            // SAFETY: these are matrices of the batches, and no other index has the same.
            unsafe {
                product.multiply(Operands {
                    a: first.a.moved(index * a),
                    b: first.b.moved(index * b),
                    out: first.out.moved(index * out),
                })?;
            }
        }
        Ok(())
    })
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
