//! Memory formats: tensors whose dimensions lie in memory in a given order.

use super::Tensor;
use crate::{DType, Device, MemoryFormat, Result, ensure, fail, view};

/// The order in which dimensions lie in memory, outermost first; nothing for
/// row-major order, or for that of an input.
fn order(format: MemoryFormat) -> Option<&'static [usize]> {
    match format {
        MemoryFormat::Contiguous | MemoryFormat::Preserve => None,
        MemoryFormat::ChannelsLast => Some(&[0, 2, 3, 1]),
        MemoryFormat::ChannelsLast3d => Some(&[0, 2, 3, 4, 1]),
    }
}

impl Tensor {
    /// A tensor as [`Tensor::allocate`] makes it, in another order in memory.
    ///
    /// # Errors
    ///
    /// `Runtime` if the format is for another number of dimensions, or speaks
    /// of an input that there is not; else as [`Tensor::allocate`].
    ///
    /// ```
    /// use opwright_runtime::{DType, Device, MemoryFormat, Tensor};
    ///
    /// let format = MemoryFormat::ChannelsLast;
    /// let x = Tensor::allocate_in_format(&[1, 3, 2, 2], DType::Float32, Device::Cpu, format)?;
    /// assert_eq!((x.shape(), x.strides()), (&[1, 3, 2, 2][..], &[12, 1, 6, 3][..]));
    /// assert!(x.is_in_format(format) && !x.is_contiguous());
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn allocate_in_format(
        shape: &[i64],
        dtype: DType,
        device: Device,
        format: MemoryFormat,
    ) -> Result<Tensor> {
        if format == MemoryFormat::Preserve {
            fail!(Runtime, "memory_format: there is no input whose format could be preserved");
        }
        let Some(order) = order(format) else { return Tensor::allocate(shape, dtype, device) };
        let ndim = order.len();
        ensure!(shape.len() == ndim, Runtime, "required rank {ndim} tensor to use {format} format");
        let in_memory: Vec<i64> = order.iter().map(|&it| shape[it]).collect();
        let back: Vec<usize> =
            (0..ndim).map(|dim| order.iter().position(|&it| it == dim).unwrap_or(dim)).collect();
        view::permute(&Tensor::allocate(&in_memory, dtype, device)?, &back)
    }

    /// Whether the dimensions lie in memory as the format says, without gaps.
    pub fn is_in_format(&self, format: MemoryFormat) -> bool {
        match order(format) {
            None => format == MemoryFormat::Contiguous && self.is_contiguous(),
            Some(order) => {
                order.len() == self.ndim()
                    && view::permute(self, order).is_ok_and(|it| it.is_contiguous())
            }
        }
    }
}
