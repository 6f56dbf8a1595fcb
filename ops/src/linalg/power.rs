//! Powers of matrices, and their diagonals.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

use super::batch::check_square;
use crate::ops;

#[native_op(linalg_matrix_power)]
fn linalg_matrix_power(self_: &Tensor, n: i64) -> Result<Tensor> {
    let &[.., rows, columns] = self_.shape() else {
        opwright_runtime::fail!(
            Runtime,
            "The input tensor A must have at least 2 dimensions, but has {}",
            self_.ndim()
        );
    };
    check_square(rows, columns)?;
    if n == 0 {
        return identity(self_);
    }
    let mut base = if n < 0 {
        ops::linalg_inv::Default_::call(self_)?
    } else {
        ops::clone::Default_::call(self_, None)?
    };
    let mut power: Option<Tensor> = None;
    let mut rest = n.unsigned_abs();
    loop {
        if rest & 1 == 1 {
            power = Some(match power {
                None => base.clone(),
                Some(power) => ops::matmul::Default_::call(&power, &base)?,
            });
        }
        rest >>= 1;
        if rest == 0 {
            return Ok(power.unwrap_or(base));
        }
        base = ops::matmul::Default_::call(&base, &base)?;
    }
}

/// Identity matrices like those of the input.
pub(super) fn identity(input: &Tensor) -> Result<Tensor> {
    let shape = input.shape();
    let result = ops::new_zeros::Default_::call(input, shape, None, None, None, None)?;
    let mut diagonal = ops::diagonal::Default_::call(&result, 0, -2, -1)?;
    ops::fill_::Scalar::call(&mut diagonal, 1.into())?;
    Ok(result)
}
