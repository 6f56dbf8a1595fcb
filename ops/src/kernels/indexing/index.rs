//! Reading elements by index tensors and masks.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

use super::compress;
use super::plan::{Plan, only_mask};

#[native_op(index.Tensor)]
fn index_tensor(self_: &Tensor, indices: &[Option<&Tensor>]) -> Result<Tensor> {
    if let Some((0, mask)) = only_mask(indices)
        && let Some(result) = compress::small(self_, mask)?
    {
        return Ok(result);
    }
    let plan = Plan::new(self_, indices)?;
    let mut result = plan.spec().allocate()?;
    if let Some((base, selection)) = plan.selection()? {
        selection.read(&base, &mut result)?;
    }
    Ok(result)
}

#[native_op(index.Tensor_out)]
fn index_tensor_out(self_: &Tensor, indices: &[Option<&Tensor>], out: &mut Tensor) -> Result<()> {
    let plan = Plan::new(self_, indices)?;
    let spec = plan.spec();
    let Some((base, selection)) = plan.selection()? else {
        return spec.target_meta(out, &[]);
    };
    let mut target = spec.target(out, &[self_])?;
    selection.read(&base, target.tensor())?;
    target.finish(out)
}
