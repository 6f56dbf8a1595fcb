//! Inputs of transforms: dtypes, dimensions, sizes.

use opwright_runtime::geometry::{DimSet, wrap_dim};
use opwright_runtime::{DType, Result, Tensor, ensure};

use crate::dtype_queries::to_dtype;
use crate::ops;

/// The input as real floating numbers.
///
/// # Errors
///
/// `Runtime` if it is complex, `NotImplemented` for half precision.
pub(super) fn real(input: &Tensor) -> Result<Tensor> {
    ensure!(
        !input.dtype().is_complex_number(),
        Runtime,
        "expects a real input tensor, but got {}",
        input.dtype().title()
    );
    floating(input)
}

/// The input as complex numbers.
///
/// # Errors
///
/// `NotImplemented` for half precision.
pub(super) fn complex(input: &Tensor) -> Result<Tensor> {
    let input = floating(input)?;
    to_dtype(&input, input.dtype().to_complex())
}

/// The input as real or complex floating numbers.
pub(super) fn floating(input: &Tensor) -> Result<Tensor> {
    let dtype = input.dtype().to_floating();
    if matches!(dtype, DType::Float16 | DType::BFloat16) {
        return Err(dtype.unsupported("fft"));
    }
    to_dtype(input, dtype)
}

/// The input with `size` elements along `dim`: cut, or continued with zeros.
///
/// # Errors
///
/// `Runtime` if the size is not positive, `Index` if there is no such dimension.
pub(super) fn with_size(input: &Tensor, dim: i64, size: Option<i64>) -> Result<Tensor> {
    let index = wrap_dim(dim, input.ndim())?;
    let old = input.size_of(dim)?;
    let size = size.unwrap_or(old);
    ensure!(size >= 1, Runtime, "Invalid number of data points ({size}) specified");
    if size <= old {
        return ops::slice::Tensor::call(input, dim, Some(0), Some(size), 1);
    }
    // What comes before and after each dimension, from the last one on.
    let mut borders = vec![0; 2 * (input.ndim() - index)];
    borders[2 * (input.ndim() - index) - 1] = size - old;
    ops::constant_pad_nd::Default_::call(input, &borders, 0.into())
}

/// The dimensions of a transform, and the sizes it wants there.
pub(super) struct Extent {
    pub(super) dims: Vec<i64>,
    /// `None` is what the input has.
    pub(super) sizes: Vec<Option<i64>>,
}

impl Extent {
    /// From the arguments `s` and `dim`: without `dim` the last ones, as many
    /// as there are sizes, or all.
    ///
    /// # Errors
    ///
    /// `Runtime` if dimensions repeat or sizes do not fit, `Index` if there is
    /// no such dimension.
    pub(super) fn new(input: &Tensor, s: Option<&[i64]>, dim: Option<&[i64]>) -> Result<Extent> {
        let ndim = input.ndim();
        let dims = match (dim, s) {
            (Some(dims), _) => {
                DimSet::new(dims, ndim)?;
                dims.to_vec()
            }
            (None, Some(sizes)) => {
                ensure!(
                    sizes.len() <= ndim,
                    Runtime,
                    "Got shape with {} values but input tensor only has {ndim} dimensions.",
                    sizes.len()
                );
                (ndim - sizes.len()..ndim).map(|dim| dim as i64).collect()
            }
            (None, None) => (0..ndim).map(|dim| dim as i64).collect(),
        };
        let Some(sizes) = s else {
            let sizes = vec![None; dims.len()];
            return Ok(Extent { dims, sizes });
        };
        ensure!(
            sizes.len() == dims.len(),
            Runtime,
            "When given, dim and shape arguments must have the same length"
        );
        let sizes = sizes.iter().map(|&size| (size != -1).then_some(size)).collect();
        Ok(Extent { dims, sizes })
    }

    /// The input with these sizes; `last` is for the last dimension.
    pub(super) fn apply(&self, input: &Tensor, last: Option<i64>) -> Result<Tensor> {
        let mut input = input.clone();
        let count = self.dims.len();
        for (position, (&dim, &size)) in self.dims.iter().zip(&self.sizes).enumerate() {
            let size = if position + 1 == count { last.or(size) } else { size };
            input = with_size(&input, dim, size)?;
        }
        Ok(input)
    }

    /// The size along the last dimension that half a spectrum is to be turned into.
    pub(super) fn real_size(&self, input: &Tensor) -> Result<i64> {
        match (self.dims.last(), self.sizes.last()) {
            (_, Some(&Some(size))) => Ok(size),
            (Some(&dim), _) => Ok(2 * (input.size_of(dim)? - 1)),
            _ => Ok(1),
        }
    }
}
