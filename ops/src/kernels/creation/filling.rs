//! Writing to all elements, and copying.

use opwright_macros::native_op;
use opwright_runtime::{MemoryFormat, Result, Scalar, Tensor, ensure};

use super::like::like;
use super::options::{Options, fill};

#[native_op(fill_.Scalar)]
fn fill_inplace_scalar(self_: &mut Tensor, value: Scalar) -> Result<()> {
    fill(self_, value)
}

#[native_op(fill_.Tensor)]
fn fill_inplace_tensor(self_: &mut Tensor, value: &Tensor) -> Result<()> {
    ensure!(
        value.ndim() == 0,
        Runtime,
        "fill_ only supports 0-dimension value tensor but got tensor with {} dimensions.",
        value.ndim()
    );
    self_.copy_from(value)
}

/// A tensor with the shape and dtype of `self`, filled with `value`.
///
/// ```python
/// >>> opwright.fill(opwright.tensor([1, 2]), 7)
/// tensor([7, 7], dtype=int64, shape=(2,))
/// ```
#[native_op("fill.Scalar(Tensor self, Scalar value) -> Tensor", explicit, tags = "core")]
fn fill_scalar(self_: &Tensor, value: Scalar) -> Result<Tensor> {
    let mut out = empty_like(self_)?;
    fill(&mut out, value)?;
    Ok(out)
}

#[native_op("fill.Tensor(Tensor self, Tensor value) -> Tensor", explicit)]
fn fill_tensor(self_: &Tensor, value: &Tensor) -> Result<Tensor> {
    let mut out = empty_like(self_)?;
    fill_inplace_tensor(&mut out, value)?;
    Ok(out)
}

#[native_op(copy_)]
fn copy_(self_: &mut Tensor, src: &Tensor, _non_blocking: bool) -> Result<()> {
    self_.copy_from(src)
}

/// A tensor with the shape and dtype of `self` and the elements of `src`,
/// broadcast and cast.
///
/// ```python
/// >>> opwright.copy(opwright.tensor([0.0, 0.0]), opwright.tensor([1, 2]))
/// tensor([1., 2.], dtype=float32, shape=(2,))
/// ```
#[native_op(
    "copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor",
    explicit,
    tags = "core"
)]
fn copy(self_: &Tensor, src: &Tensor, _non_blocking: bool) -> Result<Tensor> {
    let mut out = empty_like(self_)?;
    out.copy_from(src)?;
    Ok(out)
}

#[native_op(clone)]
fn clone(self_: &Tensor, memory_format: Option<MemoryFormat>) -> Result<Tensor> {
    let mut out = like(self_, Options { dtype: None, device: None }, memory_format)?;
    out.copy_from(self_)?;
    Ok(out)
}

fn empty_like(self_: &Tensor) -> Result<Tensor> {
    like(self_, Options { dtype: None, device: None }, None)
}
