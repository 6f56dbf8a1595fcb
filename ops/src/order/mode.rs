//! The value that occurs most often along a dimension: the longest run of the sorted elements.

use opwright_macros::native_op;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::{DType, Result, Scalar, Tensor, ensure};

use crate::gradient::{numbers, part};
use crate::ops::{self, TensorOps};

#[native_op(mode)]
fn mode(self_: &Tensor, dim: i64, keepdim: bool) -> Result<(Tensor, Tensor)> {
    let dim = wrap_dim(dim, self_.ndim())?;
    if self_.ndim() == 0 {
        let index =
            ops::new_zeros::Default_::call(self_, &[], Some(DType::Int64), None, None, None)?;
        return Ok((ops::clone::Default_::call(self_, None)?, index));
    }
    let length = self_.shape()[dim];
    ensure!(length > 0, Index, "Expected reduction dim {dim} to have non-zero size.");
    let lines = self_.movedim(dim as i64, -1)?;
    let (sorted, order) = ops::sort::stable::call(&lines, Some(true), -1, false)?;
    let last = sorted.ndim() - 1;
    let ends = ends_of_runs(&sorted, last)?;
    let lengths = lengths_of_runs(&sorted, &ends, last)?;
    // Of equally long runs the first, which has the least value.
    let place = ops::argmax::Default_::call(&lengths, Some(-1), true)?;
    let shape = |found: &Tensor| match keepdim {
        true => found.movedim(-1, dim as i64),
        false => found.squeeze_dim(-1),
    };
    Ok((shape(&sorted.gather(-1, &place)?)?, shape(&order.gather(-1, &place)?)?))
}

/// Whether an element differs from the one behind it, or is the last.
fn ends_of_runs(sorted: &Tensor, last: usize) -> Result<Tensor> {
    let length = sorted.shape()[last];
    let differs = part(sorted, last, 1, length)?.ne(&part(sorted, last, 0, length - 1)?)?;
    let mut shape = sorted.shape().to_vec();
    shape[last] = 1;
    let end = ops::new_ones::Default_::call(&differs, &shape, None, None, None, None)?;
    ops::cat::Default_::call(&[&differs, &end], last as i64)
}

/// The lengths of runs at their ends, and 0 elsewhere.
fn lengths_of_runs(sorted: &Tensor, ends: &Tensor, last: usize) -> Result<Tensor> {
    let length = sorted.shape()[last];
    let places = numbers(sorted, 1, length, 1)?;
    // How many elements are in this run and those before it, at its end.
    let passed = ops::r#where::ScalarOther::call(ends, &places, Scalar::Int(0))?;
    let (reached, _) = ops::cummax::Default_::call(&passed, last as i64)?;
    let mut shape = sorted.shape().to_vec();
    shape[last] = 1;
    let none = ops::new_zeros::Default_::call(&reached, &shape, None, None, None, None)?;
    let before = part(&reached, last, 0, length - 1)?;
    let before = ops::cat::Default_::call(&[&none, &before], last as i64)?;
    let lengths = places.sub(&before)?;
    ops::r#where::ScalarOther::call(ends, &lengths, Scalar::Int(0))
}
