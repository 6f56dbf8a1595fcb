//! Norms of vectors and matrices.

use opwright_macros::native_op;
use opwright_runtime::geometry::{DimSet, wrap_dim};
use opwright_runtime::structured::Spec;
use opwright_runtime::{DType, Error, Result, Scalar, Tensor, ensure, fail};

use super::batch::check_dtype;
use crate::dtype_queries::to_dtype;
use crate::ops;
use crate::reduction::norms::{check_cast, norm_into, norm_spec};

#[native_op(linalg_vector_norm.out, rule)]
fn vector_norm_rule(
    self_: &Tensor,
    ord: Scalar,
    dim: Option<&[i64]>,
    keepdim: bool,
    dtype: Option<DType>,
) -> Result<Spec> {
    if let Some(dtype) = dtype {
        check_cast(self_.dtype(), dtype)?;
    }
    let dims = DimSet::new_or_full(dim, self_.ndim())?;
    norm_spec(self_, ord.to_f64()?, dims, keepdim, dtype.unwrap_or(self_.dtype()))
}

#[native_op(linalg_vector_norm.out)]
fn vector_norm_out(
    self_: &Tensor,
    ord: Scalar,
    dim: Option<&[i64]>,
    _keepdim: bool,
    dtype: Option<DType>,
    out: &mut Tensor,
) -> Result<()> {
    let dims = DimSet::new_or_full(dim, self_.ndim())?;
    let input = self_.to_dtype(dtype.unwrap_or(self_.dtype()))?;
    norm_into((&input).into(), ord.to_f64()?, dims, out)
}

/// A norm of matrices.
#[derive(Clone, Copy, PartialEq)]
enum MatrixNorm {
    /// The root of the sum of the squared elements.
    Frobenius,
    /// The sum of the singular values.
    Nuclear,
    /// The extreme sum of the lengths along a column (or a row).
    Sums { along_columns: bool, is_greatest: bool },
    /// The extreme singular value.
    Spectral { is_greatest: bool },
}

impl MatrixNorm {
    fn of_order(order: Scalar) -> Result<MatrixNorm> {
        let order = order.to_f64()?;
        let is_greatest = order > 0.0;
        Ok(match order.abs() {
            1.0 => MatrixNorm::Sums { along_columns: true, is_greatest },
            2.0 => MatrixNorm::Spectral { is_greatest },
            f64::INFINITY => MatrixNorm::Sums { along_columns: false, is_greatest },
            _ => fail!(Runtime, "matrix_norm: Order {order} not supported."),
        })
    }

    fn of_name(name: &str) -> Result<MatrixNorm> {
        match name {
            "fro" => Ok(MatrixNorm::Frobenius),
            "nuc" => Ok(MatrixNorm::Nuclear),
            _ => Err(Error::runtime(format_args!("matrix_norm: Order {name} not supported."))),
        }
    }

    fn run(self, input: &Tensor, dim: &[i64], keepdim: bool) -> Result<Tensor> {
        let (rows, columns) = matrix_dims(input, dim)?;
        match self {
            MatrixNorm::Frobenius => {
                let dims = Some(&[rows, columns][..]);
                ops::linalg_vector_norm::Default_::call(input, 2.into(), dims, keepdim, None)
            }
            MatrixNorm::Sums { along_columns, is_greatest } => {
                let (first, second) = if along_columns { (rows, columns) } else { (columns, rows) };
                let dims = Some(&[first][..]);
                let sums =
                    ops::linalg_vector_norm::Default_::call(input, 1.into(), dims, true, None)?;
                without(&extreme(&sums, second, is_greatest)?, [rows, columns], keepdim)
            }
            MatrixNorm::Spectral { is_greatest } => {
                let values = singular_values(input, rows, columns)?;
                restored(&extreme(&values, -1, is_greatest)?, [rows, columns], keepdim)
            }
            MatrixNorm::Nuclear => {
                let values = singular_values(input, rows, columns)?;
                let sum = ops::sum::dim_IntList::call(&values, Some(&[-1]), true, None)?;
                restored(&sum, [rows, columns], keepdim)
            }
        }
    }
}

/// The dimensions of the rows and the columns, as indices.
fn matrix_dims(input: &Tensor, dim: &[i64]) -> Result<(i64, i64)> {
    check_dtype_of_norm(input.dtype())?;
    ensure!(
        input.ndim() >= 2,
        Runtime,
        "The input tensor A must have at least 2 dimensions, but has {}",
        input.ndim()
    );
    let &[rows, columns] = dim else {
        fail!(Runtime, "dim must be a 2-tuple. Got {dim:?}");
    };
    let rows = wrap_dim(rows, input.ndim())? as i64;
    let columns = wrap_dim(columns, input.ndim())? as i64;
    ensure!(rows != columns, Runtime, "dims must be different. Got ({rows}, {columns})");
    Ok((rows, columns))
}

fn check_dtype_of_norm(dtype: DType) -> Result<()> {
    if dtype.is_floating() || dtype.is_complex_number() { Ok(()) } else { check_dtype(dtype) }
}

fn extreme(values: &Tensor, dim: i64, is_greatest: bool) -> Result<Tensor> {
    if is_greatest {
        ops::amax::Default_::call(values, &[dim], true)
    } else {
        ops::amin::Default_::call(values, &[dim], true)
    }
}

/// Without two dimensions of size one, unless they are to be kept.
fn without(tensor: &Tensor, dims: [i64; 2], keepdim: bool) -> Result<Tensor> {
    if keepdim {
        return Ok(tensor.clone());
    }
    let [low, high] = [dims[0].min(dims[1]), dims[0].max(dims[1])];
    ops::squeeze::dims::call(tensor, &[low, high])
}

/// The singular values of the matrices in these dimensions, in a last one.
fn singular_values(input: &Tensor, rows: i64, columns: i64) -> Result<Tensor> {
    let mut order: Vec<i64> =
        (0..input.ndim() as i64).filter(|&dim| dim != rows && dim != columns).collect();
    order.extend([rows, columns]);
    ops::linalg_svdvals::Default_::call(&ops::permute::Default_::call(input, &order)?, None)
}

/// From one number for each matrix in a last dimension to the shape of a reduction.
fn restored(values: &Tensor, dims: [i64; 2], keepdim: bool) -> Result<Tensor> {
    let batch = ops::squeeze::dim::call(values, -1)?;
    if !keepdim {
        return Ok(batch);
    }
    let [low, high] = [dims[0].min(dims[1]), dims[0].max(dims[1])];
    ops::unsqueeze::Default_::call(&ops::unsqueeze::Default_::call(&batch, low)?, high)
}

fn cast(input: &Tensor, dtype: Option<DType>) -> Result<Tensor> {
    match dtype {
        Some(dtype) => {
            check_cast(input.dtype(), dtype)?;
            to_dtype(input, dtype)
        }
        None => Ok(input.clone()),
    }
}

#[native_op(linalg_matrix_norm)]
fn linalg_matrix_norm(
    self_: &Tensor,
    ord: Scalar,
    dim: &[i64],
    keepdim: bool,
    dtype: Option<DType>,
) -> Result<Tensor> {
    MatrixNorm::of_order(ord)?.run(&cast(self_, dtype)?, dim, keepdim)
}

#[native_op(linalg_matrix_norm.str_ord)]
fn linalg_matrix_norm_str(
    self_: &Tensor,
    ord: &str,
    dim: &[i64],
    keepdim: bool,
    dtype: Option<DType>,
) -> Result<Tensor> {
    MatrixNorm::of_name(ord)?.run(&cast(self_, dtype)?, dim, keepdim)
}

#[native_op(linalg_norm)]
fn linalg_norm(
    self_: &Tensor,
    ord: Option<Scalar>,
    dim: Option<&[i64]>,
    keepdim: bool,
    dtype: Option<DType>,
) -> Result<Tensor> {
    let Some(order) = ord else {
        return ops::linalg_vector_norm::Default_::call(self_, 2.into(), dim, keepdim, dtype);
    };
    match dim {
        Some(&[rows, columns]) => {
            ops::linalg_matrix_norm::Default_::call(self_, order, &[rows, columns], keepdim, dtype)
        }
        None if self_.ndim() == 2 => {
            ops::linalg_matrix_norm::Default_::call(self_, order, &[-2, -1], keepdim, dtype)
        }
        Some(&[dim]) => vector_norm(self_, order, &[dim], keepdim, dtype),
        None if self_.ndim() == 1 => vector_norm(self_, order, &[0], keepdim, dtype),
        dim => fail!(
            Runtime,
            "if ord is specified but dim unspecified, the input must be 1-D or 2-D; otherwise dim \
             must be of length 1 or 2. Got {dim:?} for {}-D",
            self_.ndim()
        ),
    }
}

fn vector_norm(
    input: &Tensor,
    order: Scalar,
    dim: &[i64],
    keepdim: bool,
    dtype: Option<DType>,
) -> Result<Tensor> {
    ops::linalg_vector_norm::Default_::call(input, order, Some(dim), keepdim, dtype)
}

#[native_op(linalg_norm.ord_str)]
fn linalg_norm_str(
    self_: &Tensor,
    ord: &str,
    dim: Option<&[i64]>,
    keepdim: bool,
    dtype: Option<DType>,
) -> Result<Tensor> {
    let dim = dim.unwrap_or(&[-2, -1]);
    ensure!(
        dim.len() == 2 && self_.ndim() >= 2,
        Runtime,
        "with the norm '{ord}', dim must be of length 2 and the input have at least 2 dimensions"
    );
    ops::linalg_matrix_norm::str_ord::call(self_, ord, dim, keepdim, dtype)
}
