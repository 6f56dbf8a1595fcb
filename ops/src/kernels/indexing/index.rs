//! Reading elements by index tensors and masks.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

use super::plan::Plan;

#[native_op(index.Tensor)]
fn index_tensor(self_: &Tensor, indices: &[Option<&Tensor>]) -> Result<Tensor> {
    let plan = Plan::new(self_, indices)?;
    let mut result = plan.spec().allocate()?;
    if let Some((base, selection)) = plan.selection() {
        selection.read(&base, &mut result)?;
    }
    Ok(result)
}

#[native_op(index.Tensor_out)]
fn index_tensor_out(self_: &Tensor, indices: &[Option<&Tensor>], out: &mut Tensor) -> Result<()> {
    let plan = Plan::new(self_, indices)?;
    let spec = plan.spec();
    let Some((base, selection)) = plan.selection() else {
        return spec.target_meta(out, &[]);
    };
    let mut target = spec.target(out, &[self_])?;
    selection.read(&base, target.tensor())?;
    target.finish(out)
}
