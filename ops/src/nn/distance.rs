//! Distances and angles between rows.

use opwright_macros::native_op;
use opwright_runtime::geometry::broadcast_shapes;
use opwright_runtime::promote::result_type;
use opwright_runtime::{DispatchKey, Result, Scalar, Tensor, buffer, dispatch, ensure, fail};

use crate::gradient::{constants, to};
use crate::ops::{self, TensorOps};

#[native_op(pairwise_distance)]
fn pairwise_distance(x1: &Tensor, x2: &Tensor, p: f64, eps: f64, keepdim: bool) -> Result<Tensor> {
    let difference = x1.sub(x2)?.add_scalar(Scalar::Float(eps))?;
    norm(&difference, Scalar::Float(p), -1, keepdim)
}

fn norm(tensor: &Tensor, order: Scalar, dim: i64, keepdim: bool) -> Result<Tensor> {
    ops::linalg_vector_norm::Default_::call(tensor, order, Some(&[dim]), keepdim, None)
}

#[native_op(cosine_similarity)]
fn cosine_similarity(x1: &Tensor, x2: &Tensor, dim: i64, eps: f64) -> Result<Tensor> {
    let dtype = result_type(&[x1, x2])?;
    ensure!(
        dtype.is_floating() || dtype.is_complex_number(),
        Runtime,
        "expected common dtype to be floating point, yet common dtype is {dtype}"
    );
    let shape = broadcast_shapes(&[x1.shape(), x2.shape()])?;
    let scaled = |it: &Tensor| {
        let it = to(it, dtype)?.expand(&shape)?;
        it.div(&length(&it, dim, eps)?)
    };
    scaled(x1)?.mul(&scaled(x2)?)?.sum_dim_intlist(Some(&[dim]))
}

/// The length of each row, or `eps` if that is greater: its gradient is that of the length either way.
fn length(rows: &Tensor, dim: i64, eps: f64) -> Result<Tensor> {
    let mut length = ops::clone::Default_::call(&norm(rows, Scalar::Int(2), dim, true)?, None)?;
    dispatch::below(DispatchKey::Autograd, || length.clamp_min_(Scalar::Float(eps)))?;
    Ok(length)
}

#[native_op(pdist)]
fn pdist(self_: &Tensor, p: f64) -> Result<Tensor> {
    let &[count, _] = self_.shape() else {
        fail!(Runtime, "pdist only supports 2D tensors, got: {}D", self_.ndim())
    };
    ensure!(self_.dtype().is_floating(), Runtime, "pdist only supports floating-point dtypes");
    ensure!(p >= 0.0, Runtime, "pdist only supports non-negative p values");
    let distances = ops::cdist::Default_::call(self_, self_, p, None)?.reshape(&[count * count])?;
    let pairs = (0..count).flat_map(|row| (row + 1..count).map(move |it| row * count + it));
    let pairs = buffer::collected(pairs)?;
    let pairs = constants(self_, &[pairs.len() as i64], pairs)?;
    distances.index_select(0, &pairs)
}
