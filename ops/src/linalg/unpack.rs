//! The factors that a packed decomposition holds.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::{DType, Result, Scalar, Tensor, ensure, fail};

use crate::ops::{self, TensorOps};

#[native_op(lu_unpack)]
fn lu_unpack(
    lu_data: &Tensor,
    lu_pivots: &Tensor,
    unpack_data: bool,
    unpack_pivots: bool,
) -> Result<(Tensor, Tensor, Tensor)> {
    let &[ref batch @ .., rows, columns] = lu_data.shape() else {
        fail!(
            Runtime,
            "The input tensor LU_data must have at least 2 dimensions, but has {}",
            lu_data.ndim()
        )
    };
    let size = rows.min(columns);
    let none = || Tensor::allocate(&[0], lu_data.dtype(), lu_data.device());
    let permutation = match unpack_pivots {
        true => {
            ensure!(
                lu_pivots.dtype() == DType::Int32,
                Runtime,
                "LU_pivots is expected to be a contiguous tensor of torch.int32 dtype, as \
                 linalg.lu_factor returns it, but is {}",
                lu_pivots.dtype().title()
            );
            ensure!(
                lu_pivots.shape() == [batch, &[size]].concat(),
                Runtime,
                "LU_pivots of shape {:?} do not fit to LU_data of shape {:?}",
                lu_pivots.shape(),
                lu_data.shape()
            );
            permutations(lu_data, lu_pivots, rows)?
        }
        false => none()?,
    };
    if !unpack_data {
        return Ok((permutation, none()?, none()?));
    }
    let lower = lu_data.narrow(-1, 0, size)?;
    let lower = ops::tril::Default_::call(&lower, -1)?;
    let mut diagonal = ops::diagonal::Default_::call(&lower, 0, -2, -1)?;
    ops::fill_::Scalar::call(&mut diagonal, Scalar::Int(1))?;
    let upper = ops::triu::Default_::call(&lu_data.narrow(-2, 0, size)?, 0)?;
    Ok((permutation, lower, upper))
}

/// The matrices that undo the exchanges of rows.
fn permutations(like: &Tensor, pivots: &Tensor, rows: i64) -> Result<Tensor> {
    let (batch, count) = (&pivots.shape()[..pivots.ndim() - 1], pivots.shape()[pivots.ndim() - 1]);
    let shape = [batch, &[rows, rows]].concat();
    let zeros = Tensor::zeroed(&shape, like.dtype(), like.device())?;
    if like.device().is_meta() || zeros.numel() == 0 {
        return Ok(zeros);
    }
    let exchanges = pivots.to_vec::<i32>()?;
    let matrices: i64 = batch.iter().product();
    let mut order = Vec::new();
    for matrix in 0..matrices as usize {
        let mut from: Vec<i64> = (0..rows).collect();
        for row in 0..count as usize {
            let other = i64::from(exchanges[matrix * count as usize + row]) - 1;
            ensure!(
                (0..rows).contains(&other),
                Runtime,
                "LU_pivots contains {}, which is no row of {rows}, counted from 1",
                other + 1
            );
            from.swap(row, other as usize);
        }
        order.extend(from);
    }
    let order = Tensor::from_vec(&[batch, &[1, rows]].concat(), order)?;
    zeros.scatter_value(-2, &order, Scalar::Int(1))
}

/// Of the packed factors: the strict lower triangle of the one and the upper of the other.
#[gradient_helper]
pub(crate) fn lu_unpack_backward(
    grad_l: Option<&Tensor>,
    grad_u: Option<&Tensor>,
    rows: i64,
    columns: i64,
) -> Result<Option<Tensor>> {
    let size = rows.min(columns);
    let of_lower = grad_l.map(|grad| {
        let grad = ops::tril::Default_::call(grad, -1)?;
        ops::constant_pad_nd::Default_::call(&grad, &[0, columns - size], Scalar::Int(0))
    });
    let of_upper = grad_u.map(|grad| {
        let grad = ops::triu::Default_::call(grad, 0)?;
        ops::constant_pad_nd::Default_::call(&grad, &[0, 0, 0, rows - size], Scalar::Int(0))
    });
    crate::gradient::sum(of_lower.transpose()?, of_upper.transpose()?)
}
