//! Memory for a tensor whose dimensions lie in any order.

use opwright_macros::native_op;
use opwright_runtime::{DType, Device, Layout, Result, Tensor, default_dtype, ensure, view};

use super::options::TensorOptions;

#[native_op(empty_permuted)]
fn empty_permuted(
    size: &[i64],
    physical_layout: &[i64],
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let ndim = size.len();
    ensure!(
        physical_layout.len() == ndim,
        Runtime,
        "Number of dimensions in size does not match the length of the physical_layout; i.e. \
         len(size) = {ndim} is not equal to len(physical_layout) = {}",
        physical_layout.len()
    );
    let (mut shape, mut order) = (Vec::new(), vec![usize::MAX; ndim]);
    for (place, &dim) in physical_layout.iter().enumerate() {
        let Some(slot) = usize::try_from(dim).ok().and_then(|dim| order.get_mut(dim)) else {
            opwright_runtime::fail!(
                Runtime,
                "Dimension out of range (expected to be between 0 and {}, but got {dim} at index \
                 {place}).  NB: negative dims not currently supported",
                ndim.saturating_sub(1)
            )
        };
        ensure!(*slot == usize::MAX, Runtime, "Duplicate dim not allowed (got dim {dim})");
        *slot = place;
        shape.push(size[dim as usize]);
    }
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    view::permute(&options.allocate(&shape, default_dtype())?, &order)
}
