//! Tuples of elements of vectors: all of them, or those in order.

use opwright_macros::native_op;
use opwright_runtime::{DType, Result, Tensor, buffer, ensure};

use crate::gradient::numbers;
use crate::ops::{self, TensorOps};

#[native_op(cartesian_prod)]
fn cartesian_prod(tensors: &[&Tensor]) -> Result<Tensor> {
    tensors.iter().try_for_each(|it| check_vector(it))?;
    if let [only] = tensors {
        return ops::clone::Default_::call(only, None);
    }
    let grids = ops::meshgrid::Default_::call(tensors)?;
    let lines = buffer::try_collected(grids.iter().map(|it| it.reshape(&[-1])))?;
    ops::stack::Default_::call(&buffer::collected(lines.iter())?, 1)
}

#[native_op(combinations)]
fn combinations(self_: &Tensor, r: i64, with_replacement: bool) -> Result<Tensor> {
    check_vector(self_)?;
    ensure!(r >= 0, Runtime, "Expect a non-negative number, but got {r}");
    if r == 0 {
        return ops::new_empty::Default_::call(self_, &[0], None, None, None, None);
    }
    if self_.device().is_meta() {
        return self_.new_zeros(&[count(self_.numel() as i64, r, with_replacement), r]);
    }
    // A truth value for each tuple of indices: whether these rise.
    let (length, rank) = (self_.numel() as i64, r as usize);
    let shape = buffer::filled(rank, length)?;
    let device = Some(self_.device());
    let mut rise = ops::ones::Default_::call(&shape, Some(DType::Bool), None, device, None)?;
    let indices = numbers(self_, 0, length, 1)?;
    for place in 1..rank {
        let (before, it) = (along(&indices, place - 1, rank)?, along(&indices, place, rank)?);
        let rises = if with_replacement { before.le(&it)? } else { before.lt(&it)? };
        rise = rise.logical_and(&rises)?;
    }
    self_.take(&rise.nonzero()?)
}

/// How many combinations there are: `n! / (n - r)! / r!`, of as many more elements as can be repeated.
fn count(length: i64, r: i64, with_replacement: bool) -> i64 {
    let elements = if with_replacement { length.saturating_add(r) - 1 } else { length };
    if elements < r {
        return 0;
    }
    let least = r.min(elements - r);
    let step = |count: i64, it: i64| {
        let found = i128::from(count) * i128::from(elements - it) / i128::from(it + 1);
        i64::try_from(found).unwrap_or(i64::MAX)
    };
    (0..least)
        .try_fold(1, |count, it| match step(count, it) {
            i64::MAX => Err(i64::MAX),
            count => Ok(count),
        })
        .unwrap_or_else(|most| most)
}

/// A vector along one of so many dimensions.
fn along(vector: &Tensor, dim: usize, ndim: usize) -> Result<Tensor> {
    let mut shape = buffer::filled(ndim, 1)?;
    shape[dim] = -1;
    vector.reshape(&shape)
}

fn check_vector(tensor: &Tensor) -> Result<()> {
    ensure!(tensor.ndim() == 1, Runtime, "Expect a 1D vector, but got shape {:?}", tensor.shape());
    Ok(())
}
