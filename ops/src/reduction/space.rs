//! Shapes and dtypes of the results of reductions.

use opwright_runtime::geometry::{DimSet, Dims};
use opwright_runtime::structured::Spec;
use opwright_runtime::{DType, Error, Result, Tensor, view};

/// The result of reducing along `dims`, of this dtype; an `out=` argument may
/// have any dtype that it can be cast to.
pub(crate) fn reduced(input: &Tensor, dims: DimSet, keepdim: bool, dtype: DType) -> Spec {
    reduced_exactly(input, dims, keepdim, dtype).casting()
}

/// The same, but an `out=` argument must have this dtype.
pub(crate) fn reduced_exactly(input: &Tensor, dims: DimSet, keepdim: bool, dtype: DType) -> Spec {
    let shape = dims.reduced_shape(input.shape(), keepdim);
    let spec = Spec::new(&shape, dtype, input.device());
    if input.is_contiguous() {
        return spec;
    }
    if keepdim {
        return spec.in_order_of(input);
    }
    let kept = |of: &[i64]| -> Dims {
        (0..input.ndim()).filter(|&dim| !dims.contains(dim)).map(|dim| of[dim]).collect()
    };
    let (sizes, strides) = (kept(input.shape()), kept(input.strides()));
    match view::as_strided(input, &sizes, &strides, input.offset()) {
        Ok(rest) => spec.in_order_of(&rest),
        Err(_) => spec,
    }
}

/// One dimension, or all.
///
/// # Errors
///
/// `Index` if there is no such dimension.
pub(crate) fn one_or_all(dim: Option<i64>, ndim: usize) -> Result<DimSet> {
    match dim {
        Some(dim) => DimSet::new(&[dim], ndim),
        None => DimSet::full(ndim),
    }
}

/// Fails if something is to be chosen from nothing.
///
/// # Errors
///
/// `Index` if a reduced dimension is empty, `Runtime` if no dimension was given.
pub(crate) fn check_choice(input: &Tensor, dims: DimSet, is_given: bool) -> Result<()> {
    if input.numel() > 0 {
        return Ok(());
    }
    if !is_given {
        return Err(Error::runtime(NO_DIM));
    }
    match input.shape().iter().enumerate().find(|&(dim, &size)| dims.contains(dim) && size == 0) {
        Some((dim, _)) => Err(Error::out_of_range(format_args!(
            "Expected reduction dim {dim} to have non-zero size."
        ))),
        None => Ok(()),
    }
}

/// Fails if the elements have no order.
///
/// # Errors
///
/// `NotImplemented` for complex numbers.
pub(crate) fn check_ordered(tensor: &Tensor) -> Result<()> {
    let dtype = tensor.dtype();
    if dtype.is_complex_number() { Err(dtype.unsupported("max_min")) } else { Ok(()) }
}

/// Without elements, all dimensions together have no greatest element.
pub(crate) const NO_DIM: &str = "Expected reduction dim to be specified for input.numel() == 0. \
                                 Specify the reduction dim with the 'dim' argument.";
