//! The four tensor options, which every operator has that makes a tensor from
//! nothing or in the likeness of another one.

use opwright_runtime::structured::rule;
use opwright_runtime::{DType, Device, Layout, MemoryFormat, Result, Scalar, Tensor, ensure};

/// What a new tensor is to look like; `None` means what the operator wants.
#[derive(Clone, Copy)]
pub(crate) struct TensorOptions {
    pub(crate) dtype: Option<DType>,
    pub(crate) device: Option<Device>,
}

impl TensorOptions {
    /// From the options as a kernel gets them.
    ///
    /// There is one layout, so nothing is to be done about it.
    ///
    /// # Errors
    ///
    /// `Runtime` if memory is to be pinned, for want of a device that would read it.
    pub(crate) fn new(
        dtype: Option<DType>,
        _layout: Option<Layout>,
        device: Option<Device>,
        pin_memory: Option<bool>,
    ) -> Result<TensorOptions> {
        ensure!(
            pin_memory != Some(true),
            Runtime,
            "cannot pin memory: there is no device that would read it"
        );
        Ok(TensorOptions { dtype, device })
    }

    /// A tensor with these options; `dtype` is for those who did not say.
    pub(crate) fn allocate(self, size: &[i64], dtype: DType) -> Result<Tensor> {
        Tensor::allocate(size, self.dtype.unwrap_or(dtype), self.device.unwrap_or_default())
    }

    /// A tensor of equal numbers.
    pub(crate) fn fill(self, size: &[i64], value: Scalar, dtype: DType) -> Result<Tensor> {
        let dtype = self.dtype.unwrap_or(dtype);
        Tensor::filled(size, value, dtype, self.device.unwrap_or_default())
    }
}

/// A tensor of the shape of another; dtype, device and order in memory are the
/// other's, too, unless said otherwise.
pub(crate) fn like(
    self_: &Tensor,
    options: TensorOptions,
    memory_format: Option<MemoryFormat>,
) -> Result<Tensor> {
    let dtype = options.dtype.unwrap_or(self_.dtype());
    let device = options.device.unwrap_or(self_.device());
    let format = memory_format.unwrap_or(MemoryFormat::Preserve);
    if format != MemoryFormat::Preserve {
        return Tensor::allocate_in_format(self_.shape(), dtype, device, format);
    }
    if self_.is_contiguous() || device != self_.device() {
        return Tensor::allocate(self_.shape(), dtype, device);
    }
    rule::elementwise(&[self_])?.with_dtype(dtype).allocate()
}
