//! What passes add gradients with.

use opwright_runtime::autograd::{Arithmetic, Geometry};
use opwright_runtime::op::{Described, Operator};
use opwright_runtime::{DType, DispatchKey, Result, Scalar, Tensor, dispatch};

use super::copies::to;
use super::reductions::sum_to;
use super::shapes::as_strided_backward;
use crate::ops;

/// Gradients are added by operators, which are recorded if the pass is.
pub static ARITHMETIC: &dyn Arithmetic = &ByOperators;

/// The operator that adds the gradients of graphs.
pub static SUM: &Operator = &<ops::add::Tensor as Described>::ROW;

struct ByOperators;

impl Arithmetic for ByOperators {
    fn sum(&self, a: &Tensor, b: &Tensor) -> Result<Tensor> {
        ops::add::Tensor::call(a, b, Scalar::Int(1))
    }

    fn add(&self, a: &mut Tensor, b: &Tensor) -> Result<()> {
        let below = || ops::add_::Tensor::call(a, b, Scalar::Int(1));
        dispatch::below(DispatchKey::Autograd, below)
    }

    fn summed_to(&self, tensor: &Tensor, shape: &[i64]) -> Result<Tensor> {
        sum_to(tensor, shape)
    }

    fn cast(&self, tensor: &Tensor, dtype: DType) -> Result<Tensor> {
        to(tensor, dtype)
    }

    fn sliced(&self, gradient: &Tensor, base: &Geometry, view: &Geometry) -> Result<Tensor> {
        let laid = laid_as(gradient, base)?;
        let offset = Some(view.offset - base.offset);
        let slice = ops::as_strided::Default_::call(&laid, &view.shape, &view.strides, offset)?;
        ops::clone::Default_::call(&slice, None)
    }

    fn with_slice(
        &self,
        gradient: &Tensor,
        base: &Geometry,
        view: &Geometry,
        slice: &Tensor,
    ) -> Result<Tensor> {
        let laid = laid_as(gradient, base)?;
        let offset = Some(view.offset - base.offset);
        let mut place = ops::as_strided::Default_::call(&laid, &view.shape, &view.strides, offset)?;
        ops::copy_::Default_::call(&mut place, slice, false)?;
        Ok(laid)
    }

    fn unsliced(&self, gradient: &Tensor, base: &Geometry, view: &Geometry) -> Result<Tensor> {
        let offset = Some(view.offset);
        as_strided_backward(gradient, base, &view.shape, &view.strides, offset)
    }

    fn parts(&self, tensor: &Tensor) -> Result<Tensor> {
        let (real, imag) = (ops::real::Default_::call(tensor)?, ops::imag::Default_::call(tensor)?);
        ops::stack::Default_::call(&[&real, &imag], -1)
    }

    fn joined(&self, parts: &Tensor) -> Result<Tensor> {
        let part = |at| ops::select::int::call(parts, -1, at);
        ops::complex::Default_::call(&part(0)?, &part(1)?)
    }

    fn zeros_like(&self, tensor: &Tensor) -> Result<Tensor> {
        ops::zeros_like::Default_::call(tensor, None, None, None, None, None)
    }

    fn has_nan(&self, tensor: &Tensor) -> Result<bool> {
        let is_nan = ops::isnan::Default_::call(tensor)?;
        Ok(ops::any::Default_::call(&is_nan)?.first::<bool>()? == Some(true))
    }

    fn copied_like(&self, tensor: &Tensor, other: &Tensor) -> Result<Tensor> {
        let mut copy = ops::empty_like::Default_::call(other, None, None, None, None, None)?;
        copy.copy_from(tensor)?;
        Ok(copy)
    }
}

/// A copy whose elements lie as in a tensor of this geometry, from the first on.
fn laid_as(gradient: &Tensor, geometry: &Geometry) -> Result<Tensor> {
    let Geometry { shape, strides, .. } = geometry;
    let mut laid =
        ops::new_empty_strided::Default_::call(gradient, shape, strides, None, None, None, None)?;
    ops::copy_::Default_::call(&mut laid, gradient, false)?;
    Ok(laid)
}
