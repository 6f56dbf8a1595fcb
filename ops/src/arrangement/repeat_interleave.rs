//! Each element several times in a row.

use opwright_macros::native_op;
use opwright_runtime::geometry::{Dims, wrap_dim};
use opwright_runtime::{DType, Device, Error, Result, Tensor, ensure};

use crate::ops::{self, TensorOps};

#[native_op(repeat_interleave.Tensor)]
fn repeat_interleave_tensor(repeats: &Tensor, output_size: Option<i64>) -> Result<Tensor> {
    ensure!(repeats.ndim() == 1, Runtime, "only accept 1D vector as repeat");
    ensure!(
        repeats.dtype().is_integral(),
        Runtime,
        "repeats has to be Long or Int tensor, not {}",
        repeats.dtype()
    );
    let repeats = repeats.to_vec::<i64>()?;
    let mut total = 0_i64;
    for &times in &repeats {
        ensure!(times >= 0, Runtime, "repeats can not be negative");
        total = total.checked_add(times).ok_or_else(too_many)?;
    }
    ensure!(
        output_size.is_none_or(|size| size == total),
        Runtime,
        "output_size {} does not match the sum of repeats, {total}",
        output_size.unwrap_or_default()
    );
    let mut result = Tensor::allocate(&[total], DType::Int64, Device::Cpu)?;
    let mut rest = result.as_mut_slice::<i64>()?;
    for (index, &times) in repeats.iter().enumerate() {
        let (mine, others) = rest.split_at_mut(times as usize);
        mine.fill(index as i64);
        rest = others;
    }
    Ok(result)
}

#[native_op(repeat_interleave.self_Tensor)]
fn repeat_interleave_self_tensor(
    self_: &Tensor,
    repeats: &Tensor,
    dim: Option<i64>,
    output_size: Option<i64>,
) -> Result<Tensor> {
    let (input, dim) = along(self_, dim)?;
    let size = input.size_of(dim)?;
    ensure!(repeats.ndim() <= 1, Runtime, "repeats must be 0-dim or 1-dim tensor");
    ensure!(
        repeats.numel() == 1 || repeats.numel() as i64 == size,
        Runtime,
        "repeats must have the same size as input along dim, but got repeats.size(0) = {} and \
         input.size({dim}) = {size}",
        repeats.numel()
    );
    let repeats = repeats.reshape(&[-1])?.expand(&[size])?;
    let index = ops::repeat_interleave::Tensor::call(&repeats, output_size)?;
    ops::index_select::Default_::call(&input, dim, &index)
}

#[native_op(repeat_interleave.self_int)]
fn repeat_interleave_self_int(
    self_: &Tensor,
    repeats: i64,
    dim: Option<i64>,
    output_size: Option<i64>,
) -> Result<Tensor> {
    ensure!(repeats >= 0, Runtime, "repeats can not be negative");
    let (input, dim) = along(self_, dim)?;
    let size = input.size_of(dim)?;
    let total = size.checked_mul(repeats).ok_or_else(too_many)?;
    ensure!(
        output_size.is_none_or(|size| size == total),
        Runtime,
        "output_size {} does not match the size of the result, {total}",
        output_size.unwrap_or_default()
    );
    let dim = wrap_dim(dim, input.ndim())?;
    let mut shape = Dims::from_slice(input.shape());
    shape.insert(dim + 1, repeats);
    let repeated = if (1..=FEW).contains(&repeats) {
        ops::stack::Default_::call(&vec![&input; repeats as usize], dim as i64 + 1)?
    } else {
        let stretched = input.unsqueeze(dim as i64 + 1)?.expand(&shape)?;
        ops::clone::Default_::call(&stretched, None)?
    };
    shape.remove(dim + 1);
    shape[dim] = total;
    repeated.reshape(&shape)
}

/// So many copies are joined from as many tensors; of more, each run is filled.
const FEW: i64 = 8;

/// The tensor and a dimension of it; all elements in one dimension if none is said.
fn along(tensor: &Tensor, dim: Option<i64>) -> Result<(Tensor, i64)> {
    match dim {
        Some(dim) => Ok((tensor.clone(), dim)),
        None => Ok((tensor.reshape(&[-1])?, 0)),
    }
}

#[cold]
fn too_many() -> Error {
    Error::overflow("the sizes of the result overflow")
}
