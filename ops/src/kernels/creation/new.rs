//! Tensors that take dtype and device from another one, but not its shape.

use opwright_macros::native_op;
use opwright_runtime::{DType, Device, Layout, Result, Scalar, Tensor};

use super::factory;
use super::options::Options;

/// A tensor of shape `size` with the dtype and device of `self`, unless said
/// otherwise. The elements are not set: they read as 0 until written.
///
/// ```python
/// >>> opwright.tensor([1, 2]).new_empty(3).dtype
/// opwright.int64
/// ```
#[native_op(
    "new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    key = CPU | Meta,
    variants = "method",
    gil = "hold"
)]
fn new_empty(
    self_: &Tensor,
    size: &[i64],
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    beside(self_, dtype, layout, device, pin_memory)?.allocate(size, self_.dtype())
}

/// A tensor of shape `size` whose neighbours along each dimension are `stride`
/// elements apart, with the dtype and device of `self`, unless said otherwise.
///
/// ```python
/// >>> opwright.tensor([1, 2]).new_empty_strided((2, 3), (1, 2)).stride()
/// (1, 2)
/// ```
#[native_op(
    "new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    key = CPU | Meta,
    variants = "method",
    gil = "hold"
)]
fn new_empty_strided(
    self_: &Tensor,
    size: &[i64],
    stride: &[i64],
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let (dtype, device) = (dtype.or(Some(self_.dtype())), device.or(Some(self_.device())));
    factory::empty_strided(size, stride, dtype, layout, device, pin_memory)
}

/// A tensor of shape `size` filled with 0, with the dtype and device of `self`,
/// unless said otherwise.
///
/// ```python
/// >>> opwright.tensor([1, 2]).new_zeros(3)
/// tensor([0, 0, 0], dtype=int64, shape=(3,))
/// ```
#[native_op(
    "new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    key = CPU | Meta,
    variants = "method"
)]
fn new_zeros(
    self_: &Tensor,
    size: &[i64],
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    beside(self_, dtype, layout, device, pin_memory)?.fill(size, Scalar::Int(0), self_.dtype())
}

/// A tensor of shape `size` filled with 1, with the dtype and device of `self`,
/// unless said otherwise.
///
/// ```python
/// >>> opwright.tensor([1, 2]).new_ones(3)
/// tensor([1, 1, 1], dtype=int64, shape=(3,))
/// ```
#[native_op(
    "new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    key = CPU | Meta,
    variants = "method"
)]
fn new_ones(
    self_: &Tensor,
    size: &[i64],
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    beside(self_, dtype, layout, device, pin_memory)?.fill(size, Scalar::Int(1), self_.dtype())
}

/// A tensor of shape `size` filled with `fill_value`, with the dtype and device
/// of `self`, unless said otherwise.
///
/// ```python
/// >>> opwright.tensor([1.0, 2.0]).new_full((2,), 7)
/// tensor([7., 7.], dtype=float32, shape=(2,))
/// ```
#[native_op(
    "new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    key = CPU | Meta,
    variants = "method"
)]
fn new_full(
    self_: &Tensor,
    size: &[i64],
    fill_value: Scalar,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    beside(self_, dtype, layout, device, pin_memory)?.fill(size, fill_value, self_.dtype())
}

/// The options, with the device of `self` for those who did not say.
fn beside(
    self_: &Tensor,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Options> {
    Options::new(dtype, layout, device.or(Some(self_.device())), pin_memory)
}
