//! Elements at which a mask is true: overwritten, or taken out.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::geometry::broadcast_shapes;
use opwright_runtime::tensor::{Overlap, overlaps};
use opwright_runtime::{Complex, Element, Result, Scalar, Tensor, ensure, iterate, view, warning};

use super::compress;
use super::index::check_apart;
use super::nonzero::places_of;
use super::selection::Selection;
use crate::creation::filling::empty_like;
use crate::gradient::zeros;
use crate::ops::{self, TensorOps};

#[native_op(masked_fill_.Scalar)]
fn masked_fill_inplace_scalar(self_: &mut Tensor, mask: &Tensor, value: Scalar) -> Result<()> {
    fill(self_, mask, || Tensor::from_scalar(value, self_.dtype()))
}

#[native_op(masked_fill_.Tensor)]
fn masked_fill_inplace_tensor(self_: &mut Tensor, mask: &Tensor, value: &Tensor) -> Result<()> {
    ensure!(
        value.ndim() == 0,
        Runtime,
        "only supports a 0-dimensional value tensor, but got tensor with {} dimension(s).",
        value.ndim()
    );
    if !self_.device().is_meta() {
        warning::check_cast(value.dtype(), self_.dtype());
    }
    fill(self_, mask, || value.to_dtype(self_.dtype()))
}

#[native_op(masked_fill.Scalar)]
fn masked_fill_scalar(self_: &Tensor, mask: &Tensor, value: Scalar) -> Result<Tensor> {
    let mut result = stretched_copy(self_, mask)?;
    masked_fill_inplace_scalar(&mut result, mask, value)?;
    Ok(result)
}

#[native_op(masked_fill.Tensor)]
fn masked_fill_tensor(self_: &Tensor, mask: &Tensor, value: &Tensor) -> Result<Tensor> {
    let mut result = stretched_copy(self_, mask)?;
    masked_fill_inplace_tensor(&mut result, mask, value)?;
    Ok(result)
}

/// A copy in the shape that tensor and mask broadcast to.
fn stretched_copy(tensor: &Tensor, mask: &Tensor) -> Result<Tensor> {
    let shape = broadcast_shapes(&[tensor.shape(), mask.shape()])?;
    if tensor.shape() != &shape[..] {
        return view::expand(tensor, &shape)?.copy();
    }
    let mut copy = empty_like(tensor)?;
    copy.copy_from(tensor)?;
    Ok(copy)
}

/// Writes a value without dimensions wherever the mask, stretched to the
/// tensor's shape, is true. The loop moves elements, whatever they mean.
fn fill(tensor: &Tensor, mask: &Tensor, value: impl FnOnce() -> Result<Tensor>) -> Result<()> {
    check_mask(mask)?;
    check_apart(tensor)?;
    let mask = view::expand(mask, tensor.shape())?;
    if tensor.device().is_meta() {
        return Ok(());
    }
    let value = value()?;
    match tensor.dtype().size() {
        // The mask may be the tensor itself, but not its bytes.
        1 if tensor.dtype().is_boolean() => fill_words::<bool>(tensor, &mask, &value),
        1 => fill_words::<u8>(tensor, &mask, &value),
        2 => fill_words::<i16>(tensor, &mask, &value),
        4 => fill_words::<i32>(tensor, &mask, &value),
        // A complex element need not be aligned as an integer of its size is.
        8 if tensor.dtype().is_complex_number() => {
            fill_words::<Complex<f32>>(tensor, &mask, &value)
        }
        8 => fill_words::<i64>(tensor, &mask, &value),
        _ => fill_words::<Complex<f64>>(tensor, &mask, &value),
    }
}

fn fill_words<W: Element>(tensor: &Tensor, mask: &Tensor, value: &Tensor) -> Result<()> {
    let value = view::reinterpret(value, W::DTYPE)?;
    let value = value.first::<W>()?.unwrap_or_default();
    let mut words = view::reinterpret(tensor, W::DTYPE)?;
    let before = words.clone();
    iterate::binary(
        mask,
        &before,
        &mut words,
        move |is_true: bool, before: W| {
            if is_true { value } else { before }
        },
    )
}

fn check_mask(mask: &Tensor) -> Result<()> {
    ensure!(
        mask.dtype().is_boolean(),
        Runtime,
        "only supports boolean masks, but got mask with dtype {}",
        mask.dtype()
    );
    Ok(())
}

#[native_op(masked_select)]
fn masked_select(self_: &Tensor, mask: &Tensor) -> Result<Tensor> {
    check_mask(mask)?;
    if let Some(result) = compress::small(self_, mask)? {
        return Ok(result);
    }
    let shape = broadcast_shapes(&[self_.shape(), mask.shape()])?;
    let (source, mask) = (view::expand(self_, &shape)?, view::expand(mask, &shape)?);
    let places = places_of(&mask, source.strides())?;
    let mut result = Tensor::allocate(&[places.len() as i64], source.dtype(), source.device())?;
    Selection::new(&[], &[], 0, 0, places)?.read(&source, &mut result)?;
    Ok(result)
}

#[native_op(masked_scatter_)]
fn masked_scatter_(self_: &mut Tensor, mask: &Tensor, source: &Tensor) -> Result<()> {
    check_mask(mask)?;
    check_apart(self_)?;
    ensure!(
        self_.dtype() == source.dtype(),
        Runtime,
        "expected self and source to have same dtypes but got {} and {}",
        self_.dtype(),
        source.dtype()
    );
    let mask = view::expand(mask, self_.shape())?;
    if self_.device().is_meta() {
        return Ok(());
    }
    let places = places_of(&mask, self_.strides())?;
    ensure!(
        places.len() <= source.numel(),
        Runtime,
        "source has {} elements, but the mask is true at {}",
        source.numel(),
        places.len()
    );
    let mut source = source.to_contiguous()?;
    if overlaps(self_, &source) != Overlap::No {
        source = source.copy()?;
    }
    Selection::new(&[], &[], 0, 0, places)?.write(self_, &source)
}

#[native_op(masked_scatter)]
fn masked_scatter(self_: &Tensor, mask: &Tensor, source: &Tensor) -> Result<Tensor> {
    let mut result = stretched_copy(self_, mask)?;
    masked_scatter_(&mut result, mask, source)?;
    Ok(result)
}

/// Of the value with which places were filled: the sum of `grad` there.
#[gradient_helper]
pub(crate) fn masked_fill_backward(grad: &Tensor, mask: &Tensor) -> Result<Tensor> {
    let others = mask.logical_not()?;
    let filled = grad.masked_fill(&others, Scalar::Int(0))?;
    filled.sum()
}

/// Zeros with `grad` at the places that were read.
#[gradient_helper]
pub(crate) fn masked_select_backward(
    grad: &Tensor,
    self_: &Tensor,
    mask: &Tensor,
) -> Result<Tensor> {
    let shape = broadcast_shapes(&[self_.shape(), mask.shape()])?;
    zeros(grad, &shape)?.masked_scatter(mask, grad)
}

/// Of what was written to places: `grad` there, and zeros for what was left over.
#[gradient_helper]
pub(crate) fn masked_scatter_backward(
    grad: &Tensor,
    mask: &Tensor,
    sizes: &[i64],
) -> Result<Tensor> {
    let written = grad.masked_select(mask)?;
    let left_over = sizes.iter().product::<i64>() - written.numel() as i64;
    let all = ops::constant_pad_nd::Default_::call(&written, &[0, left_over], Scalar::Int(0))?;
    all.reshape(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use opwright_runtime::DType;

    #[test]
    fn words_are_as_large_as_elements() {
        for dtype in DType::ALL {
            let tensor = Tensor::filled(&[2], Scalar::Int(1), dtype, Default::default()).unwrap();
            let mask = Tensor::from_slice(&[2], &[true, false]).unwrap();
            fill(&tensor, &mask, || Tensor::from_scalar(Scalar::Int(0), dtype)).unwrap();
            assert_eq!(tensor.to_vec::<i64>().unwrap(), [0, 1], "{dtype}");
        }
    }
}
