//! For every place of the output, an element along one dimension of the input.

use std::sync::OnceLock;

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::parallel::{self, Pointer};
use opwright_runtime::structured::common_device;
use opwright_runtime::{Error, ErrorKind, Result, Spec, Tensor, ensure};

use super::by_element_size::{Word, by_word};
use super::indices::Indices;
use super::places::{Axis, NegativeIndices, check_dtype};
use super::zip_elements::{Walk, without_dim};
use crate::gradient::zeros;
use crate::ops::TensorOps;

#[native_op(gather.out, rule)]
fn gather_rule(self_: &Tensor, dim: i64, index: &Tensor, _sparse_grad: bool) -> Result<Spec> {
    check_index(index)?;
    check_index_shape(self_, dim, index, "self")?;
    Ok(Spec::new(index.shape(), self_.dtype(), common_device(&[self_, index])?))
}

/// Fails unless `index` has integers; without elements it may be of any dtype, as `tensor([])` is.
pub(super) fn check_index(index: &Tensor) -> Result<()> {
    if index.numel() == 0 { Ok(()) } else { check_dtype(index, "index") }
}

/// Fails unless `index` lies within `tensor` along all dimensions but `dim`.
pub(super) fn check_index_shape(
    tensor: &Tensor,
    dim: i64,
    index: &Tensor,
    name: &str,
) -> Result<()> {
    let dim = wrap_dim(dim, tensor.ndim())?;
    if index.numel() == 0 {
        return Ok(());
    }
    ensure!(
        // A tensor without dimensions counts as one of a single element.
        tensor.ndim().max(1) == index.ndim().max(1),
        Runtime,
        "Index tensor must have the same number of dimensions as {name} tensor"
    );
    let sizes = tensor.shape().iter().zip(index.shape()).enumerate();
    let fits = sizes.into_iter().all(|(at, (size, wanted))| at == dim || wanted <= size);
    ensure!(
        fits,
        Runtime,
        "Size does not match at dimension {dim} expected index {:?} to be no larger than {name} \
         {:?} apart from dimension {dim}",
        index.shape(),
        tensor.shape()
    );
    Ok(())
}

#[native_op(gather.out)]
fn gather_out(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    _sparse_grad: bool,
    out: &mut Tensor,
) -> Result<()> {
    let dim = wrap_dim(dim, self_.ndim())?;
    if index.numel() == 0 {
        return Ok(());
    }
    let indices = Indices::new(index)?;
    by_word!(self_.dtype(), |W| gather_words::<W>(self_, dim, &indices, out))
}

fn gather_words<W: Word>(
    source: &Tensor,
    dim: usize,
    indices: &Indices,
    out: &mut Tensor,
) -> Result<()> {
    let (axis, shape) = (Axis::of(source, dim), indices.shape());
    let strides = strides_along(source, dim, shape.len());
    let walk = Walk::new(shape, [&strides, out.strides()]);
    let from = Pointer(source.data_ptr().cast::<W>());
    let to = Pointer(out.data_ptr().cast::<W>());
    let failure: OnceLock<Error> = OnceLock::new();
    parallel::share(walk.count(), 1, &|range| {
        walk.visit(range, |run| {
            let [mut source, mut target] = run.start;
            for at in indices.range(run.position..run.position + run.count) {
                let Some(offset) = axis.offset(at, NegativeIndices::Positive) else {
                    failure.get_or_init(|| axis.out_of_range(at, ErrorKind::Runtime));
                    return;
                };
                // SAFETY: the index was checked, the walk stays within both
                // tensors, and each element of the output is written once.
                unsafe { to.at(target).write(from.at(source + offset).read()) };
                source += run.strides[0];
                target += run.strides[1];
            }
        });
    });
    failure.into_inner().map_or(Ok(()), Err)
}

/// Strides of a tensor but for the dimension that indices are for; at least as
/// many as an index tensor has dimensions.
pub(super) fn strides_along(tensor: &Tensor, dim: usize, ndim: usize) -> Vec<i64> {
    let mut strides = without_dim(tensor.strides(), dim).to_vec();
    strides.resize(ndim, 0);
    strides
}

/// Zeros with the sums of `grad` at the places that were read.
#[gradient_helper]
pub(crate) fn gather_backward(
    grad: &Tensor,
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    sparse_grad: bool,
) -> Result<Tensor> {
    ensure!(!sparse_grad, NotImplemented, "gather: there are no sparse gradients here");
    zeros(grad, self_.shape())?.scatter_add(dim, index, grad)
}
