//! Products of vectors and matrices under the names that they have here.

use opwright_macros::native_op;
use opwright_runtime::geometry::{broadcast_shapes, wrap_dim};
use opwright_runtime::{Result, Tensor, ensure, view};

use super::chain::Chain;
use crate::matrices::vector::conjugated;
use crate::ops;

#[native_op(linalg_multi_dot)]
fn linalg_multi_dot(tensors: &[&Tensor]) -> Result<Tensor> {
    ensure!(tensors.len() >= 2, Runtime, "expected at least 2 tensors but got {}", tensors.len());
    Chain::new(tensors)?.multiply()
}

#[native_op(chain_matmul)]
fn chain_matmul(matrices: &[&Tensor]) -> Result<Tensor> {
    for matrix in matrices {
        ensure!(matrix.ndim() == 2, Runtime, "expected matrices, got {}-D", matrix.ndim());
    }
    match matrices {
        [] => opwright_runtime::fail!(Runtime, "expected at least 1 matrix"),
        [only] => ops::clone::Default_::call(only, None),
        _ => ops::linalg_multi_dot::Default_::call(matrices),
    }
}

#[native_op(linalg_vecdot)]
fn linalg_vecdot(x: &Tensor, y: &Tensor, dim: i64) -> Result<Tensor> {
    let dtype = x.dtype();
    ensure!(
        dtype == y.dtype(),
        Runtime,
        "expected x and y to have the same dtype, but got: {dtype} != {}",
        y.dtype()
    );
    let x = if dtype.is_complex_number() { conjugated(x)? } else { x.clone() };
    let products = ops::mul::Tensor::call(&x, y)?;
    ops::sum::dim_IntList::call(&products, Some(&[dim]), false, Some(dtype))
}

#[native_op(linalg_cross)]
fn linalg_cross(self_: &Tensor, other: &Tensor, dim: i64) -> Result<Tensor> {
    let (rank, other_rank) = (self_.ndim(), other.ndim());
    ensure!(
        rank == other_rank,
        Runtime,
        "inputs must have the same number of dimensions, got {rank} and {other_rank}"
    );
    let index = wrap_dim(dim, rank)?;
    let (size, other_size) = (self_.size_of(dim)?, other.size_of(dim)?);
    ensure!(
        size == 3 && other_size == 3,
        Runtime,
        "inputs dimension {dim} must have length 3. Got {size} and {other_size}"
    );
    let shape = broadcast_shapes(&[self_.shape(), other.shape()])?;
    let (a, b) = (view::expand(self_, &shape)?, view::expand(other, &shape)?);
    let part = |tensor: &Tensor, k: i64| view::select(tensor, index, k % 3);
    let component = |k: i64| {
        let plus = ops::mul::Tensor::call(&part(&a, k + 1)?, &part(&b, k + 2)?)?;
        let minus = ops::mul::Tensor::call(&part(&a, k + 2)?, &part(&b, k + 1)?)?;
        ops::sub::Tensor::call(&plus, &minus, 1.into())
    };
    let components = [component(0)?, component(1)?, component(2)?];
    ops::stack::Default_::call(&components.each_ref(), index as i64)
}

#[native_op(cross)]
fn cross(self_: &Tensor, other: &Tensor, dim: Option<i64>) -> Result<Tensor> {
    let found = self_.shape().iter().position(|&size| size == 3).map(|dim| dim as i64);
    let Some(dim) = dim.or(found) else {
        opwright_runtime::fail!(Runtime, "no dimension of size 3 in input");
    };
    ops::linalg_cross::Default_::call(self_, other, dim)
}
