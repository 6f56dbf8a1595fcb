//! The same elements in another shape or as another dtype.

use opwright_macros::native_op;
use opwright_runtime::autograd::check_replaced;
use opwright_runtime::geometry::{infer_shape, strides_for_shape};
use opwright_runtime::{DType, MemoryFormat, Result, Tensor, ensure, fail, view as views};

use crate::ops::{self, TensorOps};

#[native_op(view)]
fn view(self_: &Tensor, size: &[i64]) -> Result<Tensor> {
    match views::with_shape(self_, size)? {
        Some(view) => Ok(view),
        None => fail!(
            Runtime,
            "view size is not compatible with input tensor's size and stride (at least one \
             dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        ),
    }
}

#[native_op(view.dtype)]
fn view_dtype(self_: &Tensor, dtype: DType) -> Result<Tensor> {
    views::reinterpret(self_, dtype)
}

#[native_op(reshape)]
fn reshape(self_: &Tensor, shape: &[i64]) -> Result<Tensor> {
    let shape = infer_shape(shape, self_.numel())?;
    if strides_for_shape(self_.shape(), self_.strides(), &shape).is_some() {
        return ops::view::Default_::call(self_, &shape);
    }
    let copy = ops::clone::Default_::call(self_, Some(MemoryFormat::Contiguous))?;
    ops::view::Default_::call(&copy, &shape)
}

#[native_op(reshape.copying)]
fn reshape_copying(self_: &Tensor, shape: &[i64], copy: Option<bool>) -> Result<Tensor> {
    match copy {
        Some(true) => {
            let copy = ops::clone::Default_::call(self_, Some(MemoryFormat::Contiguous))?;
            ops::view::Default_::call(&copy, shape)
        }
        Some(false) => {
            let shape = infer_shape(shape, self_.numel())?;
            ensure!(
                strides_for_shape(self_.shape(), self_.strides(), &shape).is_some(),
                Value,
                "reshape(): a copy is needed for shape {shape:?}, which copy=False forbids"
            );
            ops::view::Default_::call(self_, &shape)
        }
        None => ops::reshape::Default_::call(self_, shape),
    }
}

#[native_op(as_strided)]
fn as_strided(
    self_: &Tensor,
    size: &[i64],
    stride: &[i64],
    storage_offset: Option<i64>,
) -> Result<Tensor> {
    views::as_strided(self_, size, stride, storage_offset.unwrap_or(self_.offset()))
}

#[native_op(resize_)]
fn resize_(self_: &mut Tensor, size: &[i64], memory_format: Option<MemoryFormat>) -> Result<()> {
    check_replaced(self_, "resize_")?;
    ensure!(
        matches!(memory_format, None | Some(MemoryFormat::Contiguous)),
        Runtime,
        "argument 'memory_format' must be contiguous_format, the only one that tensors have here"
    );
    self_.set_shape(size)
}

#[native_op(resize_as_)]
fn resize_as_(
    self_: &mut Tensor,
    the_template: &Tensor,
    memory_format: Option<MemoryFormat>,
) -> Result<()> {
    ops::resize_::Default_::call(self_, the_template.shape(), memory_format)
}

#[native_op(view_as)]
fn view_as(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    ops::view::Default_::call(self_, other.shape())
}

#[native_op(reshape_as)]
fn reshape_as(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    self_.reshape(other.shape())
}

#[native_op(ravel)]
fn ravel(self_: &Tensor) -> Result<Tensor> {
    if self_.is_contiguous() {
        return self_.reshape(&[-1]);
    }
    ops::clone::Default_::call(self_, Some(MemoryFormat::Contiguous))?.reshape(&[-1])
}

#[native_op(detach)]
fn detach(self_: &Tensor) -> Result<Tensor> {
    views::apart(self_)
}

#[native_op(detach_)]
fn detach_inplace(self_: &mut Tensor) -> Result<()> {
    self_.forget_history()
}

#[native_op(alias)]
fn alias(self_: &Tensor) -> Result<Tensor> {
    views::alias(self_)
}
