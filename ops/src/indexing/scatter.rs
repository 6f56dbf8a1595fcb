//! Elements written to, or combined with, places along one dimension.

use std::ops::Range;

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::Number;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::structured::{Access, common_device};
use opwright_runtime::tensor::{Overlap, overlaps};
use opwright_runtime::{
    ErrorKind, Result, Scalar, ScatterReduction, Spec, Tensor, dispatch, ensure, view,
};

use super::by_element_size::by_word;
use super::gather::{check_index, check_index_shape, strides_along};
use super::indices::Indices;
use super::places::{Axis, NegativeIndices};
use super::zip_elements::Walk;
use crate::gradient::{to, zeros};
use crate::ops::{self, TensorOps};
use crate::prefetch::prefetch;

#[native_op(scatter.src_out, rule)]
fn scatter_src_rule(self_: &Tensor, dim: i64, index: &Tensor, src: &Tensor) -> Result<Spec> {
    rule(self_, dim, index, Some(src))
}

#[native_op(scatter.value_out, rule)]
fn scatter_value_rule(self_: &Tensor, dim: i64, index: &Tensor, _value: Scalar) -> Result<Spec> {
    rule(self_, dim, index, None)
}

#[native_op(scatter.reduce_out, rule)]
fn scatter_reduce_rule(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
    _reduce: ScatterReduction,
) -> Result<Spec> {
    rule(self_, dim, index, Some(src))
}

#[native_op(scatter.value_reduce_out, rule)]
fn scatter_value_reduce_rule(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    _value: Scalar,
    _reduce: ScatterReduction,
) -> Result<Spec> {
    rule(self_, dim, index, None)
}

/// The result looks like `self`, and may be `self`.
pub(super) fn rule(
    tensor: &Tensor,
    dim: i64,
    index: &Tensor,
    src: Option<&Tensor>,
) -> Result<Spec> {
    check_index(index)?;
    check_index_shape(tensor, dim, index, "self")?;
    let mut device = common_device(&[tensor, index])?;
    if let Some(src) = src {
        device = common_device(&[tensor, index, src])?;
        check_src(tensor, index, src)?;
    }
    Ok(Spec::like(tensor).on(device).with_access(Access::Updates))
}

fn check_src(tensor: &Tensor, index: &Tensor, src: &Tensor) -> Result<()> {
    ensure!(
        tensor.dtype() == src.dtype(),
        Runtime,
        "Expected self.dtype to be equal to src.dtype, but got {} and {}",
        tensor.dtype(),
        src.dtype()
    );
    if index.numel() == 0 {
        return Ok(());
    }
    ensure!(
        index.ndim().max(1) == src.ndim().max(1),
        Runtime,
        "Index tensor must have the same number of dimensions as src tensor"
    );
    let fits = index.shape().iter().zip(src.shape()).all(|(wanted, size)| wanted <= size);
    ensure!(
        fits,
        Runtime,
        "Expected index {:?} to be no larger size than src {:?}",
        index.shape(),
        src.shape()
    );
    Ok(())
}

#[native_op(scatter.src_out)]
fn scatter_src_out(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
    out: &mut Tensor,
) -> Result<()> {
    assign(&ScatterLoop::new(self_, dim, index, src, out)?, out)
}

#[native_op(scatter.value_out)]
fn scatter_value_out(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    value: Scalar,
    out: &mut Tensor,
) -> Result<()> {
    assign(&ScatterLoop::new(self_, dim, index, &repeated(value, index, out)?, out)?, out)
}

/// Puts elements in the place of those that are there.
pub(super) fn assign(job: &ScatterLoop, out: &mut Tensor) -> Result<()> {
    by_word!(out.dtype(), |W| job.each::<W>(out, |_, new| new))
}

#[native_op(scatter.reduce_out)]
fn scatter_reduce_out(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
    reduce: ScatterReduction,
    out: &mut Tensor,
) -> Result<()> {
    let job = ScatterLoop::new(self_, dim, index, src, out)?;
    apply(reduce, &job, out)
}

#[native_op(scatter.value_reduce_out)]
fn scatter_value_reduce_out(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    value: Scalar,
    reduce: ScatterReduction,
    out: &mut Tensor,
) -> Result<()> {
    let src = repeated(value, index, out)?;
    apply(reduce, &ScatterLoop::new(self_, dim, index, &src, out)?, out)
}

#[native_op(scatter_add.out)]
fn scatter_add_out(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
    out: &mut Tensor,
) -> Result<()> {
    apply(ScatterReduction::Add, &ScatterLoop::new(self_, dim, index, src, out)?, out)
}

/// One number in the shape of the index.
pub(super) fn repeated(value: Scalar, index: &Tensor, out: &Tensor) -> Result<Tensor> {
    view::expand(&Tensor::from_scalar(value, out.dtype())?, index.shape())
}

/// Combines elements with those that are there.
pub(super) fn apply(reduce: ScatterReduction, job: &ScatterLoop, out: &mut Tensor) -> Result<()> {
    if out.dtype().is_boolean() {
        // A truth value may be any byte.
        return match reduce {
            ScatterReduction::Add => job.each::<u8>(out, |old, new| u8::from(old | new != 0)),
            ScatterReduction::Multiply => {
                job.each::<u8>(out, |old, new| u8::from(old != 0 && new != 0))
            }
        };
    }
    dispatch!(out.dtype(), "scatter", number, |T| match reduce {
        ScatterReduction::Add => job.each::<T>(out, Number::plus),
        ScatterReduction::Multiply => job.each::<T>(out, Number::times),
    })
}

/// Where which elements go. Places may be equal, so one thread does it all, in
/// order.
pub(super) struct ScatterLoop {
    dim: usize,
    indices: Indices,
    src: Tensor,
}

impl ScatterLoop {
    /// Makes `out` equal to `tensor`, and keeps what is read apart from it.
    pub(super) fn new(
        tensor: &Tensor,
        dim: i64,
        index: &Tensor,
        src: &Tensor,
        out: &mut Tensor,
    ) -> Result<ScatterLoop> {
        let dim = wrap_dim(dim, tensor.ndim())?;
        let indices = Indices::new(&apart(index, out)?)?;
        let src = apart(src, out)?;
        // Before anything is written, as one may be refused.
        let axis = Axis::of(tensor, dim);
        let is_outside = |it: &i64| axis.offset(*it, NegativeIndices::Positive).is_none();
        let outside = indices.range(0..indices.count()).find(is_outside);
        if let Some(outside) = outside {
            return Err(axis.out_of_range(outside, ErrorKind::Runtime));
        }
        if overlaps(tensor, out) == Overlap::No {
            out.copy_from(tensor)?;
        }
        Ok(ScatterLoop { dim, indices, src })
    }

    /// Takes other elements, which share nothing with the output; those that it had before.
    pub(super) fn replace_source(&mut self, src: Tensor) -> Tensor {
        std::mem::replace(&mut self.src, src)
    }

    /// Combines elements; `T` is their type, or a word of their size.
    pub(super) fn each<T: Copy>(
        &self,
        out: &mut Tensor,
        combine: impl Fn(T, T) -> T,
    ) -> Result<()> {
        if self.indices.count() == 0 {
            return Ok(());
        }
        let (shape, axis) = (self.indices.shape(), Axis::of(out, self.dim));
        let targets = strides_along(out, self.dim, shape.len());
        let sources = strides_along(&self.src, usize::MAX, shape.len());
        let walk = Walk::new(shape, [&targets, &sources]);
        let (to, from) = (out.data_ptr().cast::<T>(), self.src.data_ptr().cast::<T>());
        let is_far = out.numel() * size_of::<T>() >= FAR;
        let mut failure = Ok(());
        walk.visit(0..walk.count(), |run| {
            let [mut target, mut source] = run.start;
            let end = run.position + run.count;
            for start in (run.position..end).step_by(AHEAD) {
                let next = end.min(start + AHEAD);
                if is_far && next < end {
                    let first = to.wrapping_offset(target + AHEAD as isize * run.strides[0]);
                    let steps = [axis.stride as isize, run.strides[0]];
                    let steps = steps.map(|it| it.wrapping_mul(size_of::<T>() as isize));
                    self.fetch(next..end.min(next + AHEAD), first.cast(), steps);
                }
                for at in self.indices.range(start..next) {
                    match axis.offset(at, NegativeIndices::Positive) {
                        // SAFETY: the index was checked, and the walk stays within
                        // both tensors, which share nothing.
                        Some(offset) => unsafe {
                            let slot = to.offset(target + offset);
                            slot.write(combine(slot.read(), from.offset(source).read()));
                        },
                        None => failure = Err(axis.out_of_range(at, ErrorKind::Runtime)),
                    }
                    target += run.strides[0];
                    source += run.strides[1];
                }
            }
        });
        failure
    }

    /// Asks for the elements that some indices lead to, which no processor foresees: the first one
    /// from there, with so many bytes from an index to the next and from an element to the next.
    #[inline(never)]
    fn fetch(&self, positions: Range<usize>, mut first: *const u8, [along, step]: [isize; 2]) {
        for at in self.indices.range(positions) {
            prefetch(first.wrapping_offset(along.wrapping_mul(at as isize)), 1);
            first = first.wrapping_offset(step);
        }
    }
}

/// So many elements ahead, those that are written next are asked for.
const AHEAD: usize = 32;

/// Outputs of fewer bytes are near in any case.
const FAR: usize = 256 << 10;

/// The tensor, or a copy if the output overlaps it.
fn apart(tensor: &Tensor, out: &Tensor) -> Result<Tensor> {
    if overlaps(tensor, out) == Overlap::No { Ok(tensor.clone()) } else { tensor.copy() }
}

/// Of what was written or added to places: `grad` there, and zeros for what the index leaves out.
#[gradient_helper]
pub(crate) fn scattered_backward(
    grad: &Tensor,
    dim: i64,
    index: &Tensor,
    sizes: &[i64],
) -> Result<Tensor> {
    if index.numel() == 0 {
        return zeros(grad, sizes);
    }
    padded(&grad.gather(dim, index)?, sizes)
}

/// A tensor with zeros behind it along each dimension, up to these sizes.
pub(super) fn padded(tensor: &Tensor, sizes: &[i64]) -> Result<Tensor> {
    if tensor.shape() == sizes {
        return Ok(tensor.clone());
    }
    if tensor.ndim() != sizes.len() {
        // One element has no dimensions or one.
        let shape = vec![1; sizes.len()];
        return padded(&tensor.reshape(&shape)?, sizes);
    }
    let missing = tensor.shape().iter().zip(sizes).rev();
    let pad: Vec<i64> = missing.flat_map(|(&size, &wanted)| [0, wanted - size]).collect();
    ops::constant_pad_nd::Default_::call(tensor, &pad, Scalar::Int(0))
}

/// The part of a tensor that an index of this shape reads.
pub(super) fn part_within(tensor: &Tensor, shape: &[i64]) -> Result<Tensor> {
    let dims = 0..tensor.ndim().min(shape.len());
    dims.filter(|&dim| tensor.shape()[dim] != shape[dim]).try_fold(tensor.clone(), |part, dim| {
        ops::narrow::Default_::call(&part, dim as i64, 0, shape[dim])
    })
}

/// Of what stood at places, and of what was added to them or multiplied with them.
#[gradient_helper]
pub(crate) fn scatter_reduced_backward(
    grad: &Tensor,
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
    reduce: ScatterReduction,
    grad_input_mask: &[bool],
) -> Result<(Option<Tensor>, Option<Tensor>)> {
    let is_product = reduce == ScatterReduction::Multiply;
    let before = || match is_product {
        true => ops::scatter::reduce::call(grad, dim, index, &src.conj()?, reduce),
        false => Ok(grad.clone()),
    };
    let scattered = || match is_product {
        true if index.numel() == 0 => zeros(grad, src.shape()),
        true => {
            let read = part_within(src, index.shape())?;
            padded(&factors_backward(grad, self_, dim, index, &read)?, src.shape())
        }
        false => scattered_backward(grad, dim, index, src.shape()),
    };
    let [is_before_wanted, is_scattered_wanted] = [grad_input_mask[0], grad_input_mask[1]];
    let before = is_before_wanted.then(before).transpose()?;
    Ok((before, is_scattered_wanted.then(scattered).transpose()?))
}

/// Of what stood at places that a number was added to or multiplied with.
#[gradient_helper]
pub(crate) fn scatter_value_reduced_backward(
    grad: &Tensor,
    dim: i64,
    index: &Tensor,
    value: Scalar,
    reduce: ScatterReduction,
) -> Result<Tensor> {
    match reduce == ScatterReduction::Multiply {
        true => ops::scatter::value_reduce::call(grad, dim, index, value.conj(), reduce),
        false => Ok(grad.clone()),
    }
}

/// Of each factor of the products at places: `grad` times the others. Zeros are left out of the
/// products, which are zero unless the factor itself is the only one.
fn factors_backward(
    grad: &Tensor,
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
) -> Result<Tensor> {
    let is_zero = ops::eq::Scalar::call(src, 0.into())?;
    let factors = src.masked_fill(&is_zero, Scalar::Int(1))?;
    let products =
        ops::scatter::reduce::call(self_, dim, index, &factors, ScatterReduction::Multiply)?;
    let others = ops::mul::Tensor::call(grad, &products.conj()?)?.gather(dim, index)?;
    let others = ops::div::Tensor::call(&others, &factors.conj()?)?;
    let own_zeros = to(&is_zero, self_.dtype())?;
    let zeros = zeros(&own_zeros, self_.shape())?.scatter_add(dim, index, &own_zeros)?;
    let has_other_zeros = ops::ne::Tensor::call(&zeros.gather(dim, index)?, &own_zeros)?;
    others.masked_fill(&has_other_zeros, Scalar::Int(0))
}
