//! Dimensions in another order, and dimensions of size one.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::geometry::{DimSet, wrap_dim};
use opwright_runtime::{Result, Tensor, ensure, fail, view};
use smallvec::SmallVec;

use crate::gradient::restored;
use crate::ops::{self, TensorOps};

#[native_op(permute)]
fn permute(self_: &Tensor, dims: &[i64]) -> Result<Tensor> {
    let ndim = self_.ndim();
    ensure!(
        dims.len() == ndim,
        Runtime,
        "number of dimensions in the tensor input does not match the length of the desired \
         ordering of dimensions i.e. input.dim() = {ndim} is not equal to len(dims) = {}",
        dims.len()
    );
    let mut seen = DimSet::EMPTY;
    let mut order = SmallVec::<[usize; 4]>::new();
    for &dim in dims {
        let dim = wrap_dim(dim, ndim)?;
        ensure!(!seen.contains(dim), Runtime, "duplicate dims are not allowed, got {dims:?}");
        seen = seen.with(dim);
        order.push(dim);
    }
    view::permute(self_, &order)
}

#[native_op(transpose.int)]
fn transpose(self_: &Tensor, dim0: i64, dim1: i64) -> Result<Tensor> {
    let (dim0, dim1) = (wrap_dim(dim0, self_.ndim())?, wrap_dim(dim1, self_.ndim())?);
    if self_.ndim() == 0 {
        return view::alias(self_);
    }
    view::transpose(self_, dim0, dim1)
}

#[native_op(t)]
fn t(self_: &Tensor) -> Result<Tensor> {
    match self_.ndim() {
        0 | 1 => view::alias(self_),
        2 => view::transpose(self_, 0, 1),
        more => fail!(Runtime, "expects a tensor with <= 2 dimensions, but it has {more}"),
    }
}

#[native_op(squeeze)]
fn squeeze(self_: &Tensor) -> Result<Tensor> {
    without_ones(self_, DimSet::full(self_.ndim())?)
}

#[native_op(squeeze.dim)]
fn squeeze_dim(self_: &Tensor, dim: i64) -> Result<Tensor> {
    without_ones(self_, DimSet::new(&[dim], self_.ndim())?)
}

#[native_op(squeeze.dims)]
fn squeeze_dims(self_: &Tensor, dim: &[i64]) -> Result<Tensor> {
    without_ones(self_, DimSet::new(dim, self_.ndim())?)
}

/// Drops those of these dimensions that are of size one.
fn without_ones(tensor: &Tensor, dims: DimSet) -> Result<Tensor> {
    let mut result: Option<Tensor> = None;
    for dim in (0..tensor.ndim()).rev() {
        if dims.contains(dim) && tensor.shape()[dim] == 1 {
            result = Some(view::squeeze(result.as_ref().unwrap_or(tensor), dim)?);
        }
    }
    result.map_or_else(|| view::alias(tensor), Ok)
}

#[native_op(unsqueeze)]
fn unsqueeze(self_: &Tensor, dim: i64) -> Result<Tensor> {
    view::unsqueeze(self_, wrap_dim(dim, self_.ndim() + 1)?)
}

#[native_op(movedim.intlist)]
fn movedim_intlist(self_: &Tensor, source: &[i64], destination: &[i64]) -> Result<Tensor> {
    ensure!(
        source.len() == destination.len(),
        Runtime,
        "Invalid source or destination dims: source ({source:?} dims) should contain the same \
         number of dims as destination ({destination:?} dims)"
    );
    let ndim = self_.ndim();
    let moved = DimSet::new(source, ndim)?;
    let taken = DimSet::new(destination, ndim)?;
    if ndim == 0 {
        return ops::alias::Default_::call(self_);
    }
    let mut order = vec![0; ndim];
    for (&from, &to) in source.iter().zip(destination) {
        order[wrap_dim(to, ndim)?] = wrap_dim(from, ndim)? as i64;
    }
    let free = (0..ndim).filter(|&dim| !taken.contains(dim));
    let staying = (0..ndim).filter(|&dim| !moved.contains(dim));
    for (to, from) in free.zip(staying) {
        order[to] = from as i64;
    }
    ops::permute::Default_::call(self_, &order)
}

/// `grad` with dimensions put back where `sizes` has 1.
#[gradient_helper]
pub(crate) fn unsqueeze_to(grad: &Tensor, sizes: &[i64]) -> Result<Tensor> {
    unsqueezed(grad, DimSet::full(sizes.len())?, sizes)
}

/// `grad` with the dimension put back, if `sizes` has 1 there.
#[gradient_helper]
pub(crate) fn unsqueeze_to_dim(grad: &Tensor, dim: i64, sizes: &[i64]) -> Result<Tensor> {
    unsqueezed(grad, DimSet::new(&[dim], sizes.len())?, sizes)
}

/// `grad` with those of the dimensions put back where `sizes` has 1.
#[gradient_helper]
pub(crate) fn unsqueeze_to_dims(grad: &Tensor, dims: &[i64], sizes: &[i64]) -> Result<Tensor> {
    unsqueezed(grad, DimSet::new(dims, sizes.len())?, sizes)
}

fn unsqueezed(grad: &Tensor, dims: DimSet, sizes: &[i64]) -> Result<Tensor> {
    let ones = (0..sizes.len()).filter(|dim| dims.contains(*dim) && sizes[*dim] == 1);
    let dims = ones.fold(DimSet::EMPTY, DimSet::with);
    restored(grad, dims, sizes.len(), false)
}

/// `grad` with its dimensions where they were.
#[gradient_helper]
pub(crate) fn permute_backwards(grad: &Tensor, dims: &[i64]) -> Result<Tensor> {
    let mut inverse = vec![0; dims.len()];
    for (to, &from) in dims.iter().enumerate() {
        inverse[wrap_dim(from, dims.len())?] = to as i64;
    }
    grad.permute(&inverse)
}
