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

/// A tensor with the shape of `other` over the same elements; see `view`.
///
/// ```python
/// >>> opwright.arange(4).view_as(opwright.ones(2, 2))
/// tensor([[0, 1],
///         [2, 3]], dtype=int64, shape=(2, 2))
/// ```
#[native_op(
    "view_as(Tensor(a) self, Tensor other) -> Tensor(a)",
    composite,
    variants = "method",
    gil = "hold"
)]
fn view_as(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    ops::view::Default_::call(self_, other.shape())
}

/// The elements in the shape of `other`; see `reshape`.
///
/// ```python
/// >>> opwright.arange(4).reshape_as(opwright.ones(2, 2))
/// tensor([[0, 1],
///         [2, 3]], dtype=int64, shape=(2, 2))
/// ```
#[native_op(
    "reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)",
    composite,
    variants = "method"
)]
fn reshape_as(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    self_.reshape(other.shape())
}

/// All elements in row-major order, as a tensor of one dimension. It shares the
/// memory of the input if that is contiguous, and is a copy otherwise.
///
/// ```python
/// >>> opwright.ravel(opwright.tensor([[1, 2], [3, 4]]))
/// tensor([1, 2, 3, 4], dtype=int64, shape=(4,))
/// ```
#[native_op("ravel(Tensor(a) self) -> Tensor(a)", composite, variants = "function, method")]
fn ravel(self_: &Tensor) -> Result<Tensor> {
    if self_.is_contiguous() {
        return self_.reshape(&[-1]);
    }
    ops::clone::Default_::call(self_, Some(MemoryFormat::Contiguous))?.reshape(&[-1])
}

/// Another handle of the same elements, which records no gradients.
///
/// ```python
/// >>> x = opwright.tensor([1, 2])
/// >>> opwright.detach(x)[0] = 9
/// >>> x
/// tensor([9, 2], dtype=int64, shape=(2,))
/// ```
#[native_op(
    "detach(Tensor(a) self) -> Tensor(a)",
    key = CPU | Meta,
    variants = "function, method",
    gil = "hold"
)]
fn detach(self_: &Tensor) -> Result<Tensor> {
    views::apart(self_)
}

/// Forgets the calls that made the tensor: it is a leaf that requires no gradients.
#[native_op(
    "detach_(Tensor(a!) self) -> Tensor(a!)",
    composite,
    variants = "function, method",
    tags = "inplace_view",
    gil = "hold"
)]
fn detach_inplace(self_: &mut Tensor) -> Result<()> {
    self_.forget_history()
}

/// Another handle of the same elements.
#[native_op(
    "alias(Tensor(a) self) -> Tensor(a)",
    key = CPU | Meta,
    variants = "method, function",
    python = "skip",
    gil = "hold"
)]
fn alias(self_: &Tensor) -> Result<Tensor> {
    views::alias(self_)
}
