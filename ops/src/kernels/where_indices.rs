//! `where` with a condition alone.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

use crate::ops;

/// The indices of the elements that are not 0, a tensor for each dimension.
#[native_op("where(Tensor condition) -> Tensor[]", composite)]
fn where_indices(condition: &Tensor) -> Result<Vec<Tensor>> {
    if condition.ndim() == 0 {
        // A single element counts as one in a row of its own.
        return ops::r#where::Default_::call(&ops::unsqueeze::Default_::call(condition, 0)?);
    }
    let indices = ops::nonzero::Default_::call(condition)?;
    ops::unbind::int::call(&indices, 1)
}
