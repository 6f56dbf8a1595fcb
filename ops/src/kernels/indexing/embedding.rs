//! Rows of a table, by their numbers.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor, ensure};

use super::places::{Axis, Sign, along, check_dtype};
use super::selection::{Selection, selected_shape};

#[native_op(embedding)]
fn embedding(
    weight: &Tensor,
    indices: &Tensor,
    _padding_idx: i64,
    _scale_grad_by_freq: bool,
    _sparse: bool,
) -> Result<Tensor> {
    ensure!(
        weight.ndim() == 2,
        Runtime,
        "'weight' must be 2-D, but has {} dimensions",
        weight.ndim()
    );
    check_dtype(indices, "indices")?;
    let device = opwright_runtime::structured::common_device(&[weight, indices])?;
    let shape = selected_shape(weight.shape(), 0, 1, indices.shape())?;
    let mut result = Tensor::allocate(&shape, weight.dtype(), device)?;
    if !device.is_meta() {
        let places = along(indices, Axis::of(weight, 0), Sign::Positive)?;
        let selection = Selection::new(weight.shape(), weight.strides(), 0, 1, places)?;
        selection.read(weight, &mut result)?;
    }
    Ok(result)
}
