//! Vandermonde matrices: the powers of each element in a row.

use opwright_macros::native_op;
use opwright_runtime::promote::promoted;
use opwright_runtime::{DType, Result, Tensor, ensure};

use crate::gradient::to;
use crate::ops::{self, TensorOps};

#[native_op(vander)]
fn vander(x: &Tensor, n: Option<i64>, increasing: bool) -> Result<Tensor> {
    ensure!(x.ndim() == 1, Runtime, "x must be a one-dimensional tensor.");
    let columns = n.unwrap_or(x.numel() as i64);
    ensure!(columns >= 0, Runtime, "N must be non-negative.");
    let x = to(x, promoted(x.dtype(), DType::Int64)?)?;
    let powers = match columns {
        0 => ops::new_zeros::Default_::call(&x, &[x.numel() as i64, 0], None, None, None, None)?,
        _ => powers(&x, columns)?,
    };
    if increasing { Ok(powers) } else { powers.flip(&[1]) }
}

#[native_op(linalg_vander)]
fn linalg_vander(x: &Tensor, n: Option<i64>) -> Result<Tensor> {
    ensure!(
        !x.dtype().is_boolean(),
        Runtime,
        "linalg.vander supports floating point, complex, and integer tensors, but got {}",
        x.dtype().title()
    );
    let x = if x.ndim() == 0 { x.unsqueeze(-1)? } else { x.clone() };
    let columns = n.unwrap_or(x.shape()[x.ndim() - 1]);
    ensure!(columns > 1, Runtime, "N must be greater than 1.");
    powers(&x, columns)
}

/// The powers of all elements from 1 on, so many of each along a new last dimension.
fn powers(x: &Tensor, count: i64) -> Result<Tensor> {
    let mut shape = x.shape().to_vec();
    shape.push(count - 1);
    let factors = x.unsqueeze(-1)?.expand(&shape)?;
    let products = factors.cumprod(-1)?;
    if let Some(last) = shape.last_mut() {
        *last = 1;
    }
    let ones = ops::new_ones::Default_::call(&products, &shape, None, None, None, None)?;
    ops::cat::Default_::call(&[&ones, &products], -1)
}
