//! Gradient arithmetic: what passes compute with, by operators or by loops of the runtime.

use super::geometry::Geometry;
use super::mode::is_recording;
use crate::dtype::Number;
use crate::geometry::DimSet;
use crate::reduce::{Fold, reduce};
use crate::tensor::has_internal_overlap;
use crate::{DType, Element, Result, Spec, Tensor, dispatch, ensure, iterate, view};

/// What a pass computes with; while it is recorded itself, these are operators that are recorded.
///
/// Each of them may fail with `Memory`.
#[expect(clippy::missing_errors_doc, reason = "it is said once, above")]
pub trait Arithmetic: Sync {
    /// `a + b`.
    fn sum(&self, a: &Tensor, b: &Tensor) -> Result<Tensor>;

    /// `a += b`.
    fn add(&self, a: &mut Tensor, b: &Tensor) -> Result<()>;

    /// The sum over the dimensions along which `shape` would be stretched to that of the tensor.
    fn summed_to(&self, tensor: &Tensor, shape: &[i64]) -> Result<Tensor>;

    /// The tensor in another dtype; the real part, if that is real and the tensor complex.
    fn cast(&self, tensor: &Tensor, dtype: DType) -> Result<Tensor>;

    /// Of the gradient of a tensor that lay as `base`: that of a view of it which lay as `view`.
    fn sliced(&self, gradient: &Tensor, base: &Geometry, view: &Geometry) -> Result<Tensor>;

    /// The same gradient with another one of the view in it.
    fn with_slice(
        &self,
        gradient: &Tensor,
        base: &Geometry,
        view: &Geometry,
        slice: &Tensor,
    ) -> Result<Tensor>;

    /// The gradient of a tensor that lay as `base`, if `gradient` is that of a view which lay as
    /// `view`.
    fn unsliced(&self, gradient: &Tensor, base: &Geometry, view: &Geometry) -> Result<Tensor>;

    /// The parts of complex numbers along a new last dimension, the real ones first.
    fn parts(&self, tensor: &Tensor) -> Result<Tensor>;

    /// The complex numbers of such parts.
    fn joined(&self, parts: &Tensor) -> Result<Tensor>;

    /// Zeros of the shape and the dtype of a tensor.
    fn zeros_like(&self, tensor: &Tensor) -> Result<Tensor>;

    /// Whether an element is not a number.
    fn has_nan(&self, tensor: &Tensor) -> Result<bool>;

    /// A copy whose elements lie as those of `other` do.
    fn copied_like(&self, tensor: &Tensor, other: &Tensor) -> Result<Tensor>;
}

/// Loops of the runtime, for modules without operators to add gradients with: a pass cannot be
/// recorded where it adds, stretches or casts a gradient that requires gradients itself.
pub static PLAIN: &dyn Arithmetic = &PlainArithmetic;

struct PlainArithmetic;

/// Fails if something would have to be recorded.
fn unrecorded(tensors: &[&Tensor]) -> Result<()> {
    let is_recorded = is_recording() && tensors.iter().any(|it| it.requires_grad());
    ensure!(
        !is_recorded,
        NotImplemented,
        "gradients of gradients are added by operators, which this module was built without; give \
         `opwright` the feature `ops`"
    );
    Ok(())
}

fn added<T: Element + Number>(a: &Tensor, b: &Tensor, out: &mut Tensor) -> Result<()> {
    iterate::binary(a, b, out, |a: T, b: T| a.plus(b))
}

impl Arithmetic for PlainArithmetic {
    fn sum(&self, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        unrecorded(&[a, b])?;
        let mut sum = Spec::elementwise(&[a, b])?.allocate()?;
        if !sum.device().is_meta() {
            dispatch!(sum.dtype(), "added gradients", number, |T| added::<T>(a, b, &mut sum))?;
        }
        Ok(sum)
    }

    fn add(&self, a: &mut Tensor, b: &Tensor) -> Result<()> {
        let sum = self.sum(a, b)?;
        if sum.device().is_meta() { Ok(()) } else { a.copy_from(&sum) }
    }

    fn summed_to(&self, tensor: &Tensor, shape: &[i64]) -> Result<Tensor> {
        unrecorded(&[tensor])?;
        let leading = tensor.ndim().saturating_sub(shape.len());
        let is_stretched = |dim: usize| dim < leading || shape[dim - leading] == 1;
        let dims = (0..tensor.ndim()).filter(|it| is_stretched(*it));
        let dims = dims.fold(DimSet::EMPTY, DimSet::with);
        let sum = Tensor::allocate(shape, tensor.dtype(), tensor.device())?;
        if sum.device().is_meta() {
            return Ok(sum);
        }
        // With all of its dimensions, as a reduction has it.
        let mut kept = vec![1; leading];
        kept.extend_from_slice(shape);
        let mut out = view::reshape(&sum, &kept)?;
        dispatch!(sum.dtype(), "added gradients", number, |T| {
            totalled::<T>(tensor, dims, &mut out)
        })?;
        sum.bump_version();
        Ok(sum)
    }

    fn cast(&self, tensor: &Tensor, dtype: DType) -> Result<Tensor> {
        unrecorded(&[tensor])?;
        tensor.to_dtype(dtype)
    }

    fn sliced(&self, gradient: &Tensor, base: &Geometry, view: &Geometry) -> Result<Tensor> {
        let laid = laid_as(gradient, base)?;
        view::as_strided(&laid, &view.shape, &view.strides, view.offset - base.offset)?.copy()
    }

    fn with_slice(
        &self,
        gradient: &Tensor,
        base: &Geometry,
        view: &Geometry,
        slice: &Tensor,
    ) -> Result<Tensor> {
        unrecorded(&[slice])?;
        let laid = laid_as(gradient, base)?;
        let offset = view.offset - base.offset;
        view::as_strided(&laid, &view.shape, &view.strides, offset)?.copy_from(slice)?;
        Ok(laid)
    }

    fn unsliced(&self, gradient: &Tensor, base: &Geometry, view: &Geometry) -> Result<Tensor> {
        let zeros = Tensor::zeroed(&base.shape, gradient.dtype(), gradient.device())?;
        self.with_slice(&zeros, base, view, gradient)
    }

    fn parts(&self, tensor: &Tensor) -> Result<Tensor> {
        unrecorded(&[tensor])?;
        let mut shape = tensor.shape().to_vec();
        shape.push(2);
        let parts = Tensor::allocate(&shape, tensor.dtype().to_real(), tensor.device())?;
        let last = tensor.ndim();
        view::select(&parts, last, 0)?.copy_from(&view::real(tensor)?)?;
        view::select(&parts, last, 1)?.copy_from(&view::imag(tensor)?)?;
        Ok(parts)
    }

    fn joined(&self, parts: &Tensor) -> Result<Tensor> {
        unrecorded(&[parts])?;
        let last = parts.ndim() - 1;
        let shape = &parts.shape()[..parts.ndim() - 1];
        let joined = Tensor::allocate(shape, parts.dtype().to_complex(), parts.device())?;
        view::real(&joined)?.copy_from(&view::select(parts, last, 0)?)?;
        view::imag(&joined)?.copy_from(&view::select(parts, last, 1)?)?;
        Ok(joined)
    }

    fn zeros_like(&self, tensor: &Tensor) -> Result<Tensor> {
        Tensor::zeroed(tensor.shape(), tensor.dtype(), tensor.device())
    }

    fn has_nan(&self, tensor: &Tensor) -> Result<bool> {
        if tensor.device().is_meta() {
            return Ok(false);
        }
        dispatch!(tensor.dtype(), "gradients that are not a number", number, |T| {
            Ok(tensor.to_vec::<T>()?.iter().any(is_nan))
        })
    }

    fn copied_like(&self, tensor: &Tensor, other: &Tensor) -> Result<Tensor> {
        unrecorded(&[tensor])?;
        let mut copy = Tensor::allocate(other.shape(), other.dtype(), other.device())?;
        copy.copy_from(tensor)?;
        Ok(copy)
    }
}

#[expect(clippy::eq_op, reason = "what is not a number is the only thing that differs from itself")]
fn is_nan<T: Element + Number>(element: &T) -> bool {
    element != element
}

fn totalled<T: Element + Number>(tensor: &Tensor, dims: DimSet, out: &mut Tensor) -> Result<()> {
    let fold = Fold { start: T::ZERO, fold: T::plus, combine: T::plus, finish: |all: T| all };
    reduce(tensor, dims, out, fold)
}

/// A copy whose elements lie as in a tensor of this geometry, from the first on.
fn laid_as(gradient: &Tensor, geometry: &Geometry) -> Result<Tensor> {
    unrecorded(&[gradient])?;
    let last = geometry.shape.iter().zip(&geometry.strides);
    let last: i64 = last.map(|(size, stride)| (size - 1).max(0) * stride).sum();
    let memory = Tensor::zeroed(&[last + 1], gradient.dtype(), gradient.device())?;
    let mut laid = view::as_strided(&memory, &geometry.shape, &geometry.strides, 0)?;
    ensure!(
        !has_internal_overlap(&laid),
        NotImplemented,
        "the gradient of a tensor whose elements share memory takes operators, which this module \
         was built without; give `opwright` the feature `ops`"
    );
    laid.copy_from(gradient)?;
    Ok(laid)
}
