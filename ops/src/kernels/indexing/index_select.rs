//! Whole slices, by a list of indices.

use opwright_macros::native_op;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::structured::common_device;
use opwright_runtime::{Result, Spec, Tensor, ensure};

use super::places::{Axis, Sign, along, check_dtype};
use super::selection::{Selection, selected_shape};

#[native_op(index_select.out, rule)]
fn index_select_rule(self_: &Tensor, dim: i64, index: &Tensor) -> Result<Spec> {
    let device = common_device(&[self_, index])?;
    let dim = wrap_dim(dim, self_.ndim())?;
    check_dtype(index, "index")?;
    ensure!(
        index.ndim() <= 1,
        Index,
        "Index is supposed to be a vector, but has {} dimensions",
        index.ndim()
    );
    if self_.ndim() == 0 {
        ensure!(index.numel() == 1, Runtime, "a tensor without dimensions has one index");
        return Ok(Spec::new(&[], self_.dtype(), device));
    }
    let shape = selected_shape(self_.shape(), dim, dim + 1, &[index.numel() as i64])?;
    Ok(Spec::new(&shape, self_.dtype(), device))
}

#[native_op(index_select.out)]
fn index_select_out(self_: &Tensor, dim: i64, index: &Tensor, out: &mut Tensor) -> Result<()> {
    let dim = wrap_dim(dim, self_.ndim())?;
    let places = along(index, Axis::of(self_, dim), Sign::Positive)?;
    Selection::new(self_.shape(), self_.strides(), dim, dim + 1, places)?.read(self_, out)
}
