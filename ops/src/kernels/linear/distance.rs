//! Distances of all pairs of vectors.

use opwright_macros::native_op;
use opwright_runtime::{DType, Result, Tensor, ensure, fail};

use crate::ops;

/// From so many vectors on, products of matrices are the faster way.
const WORTH_PRODUCTS: i64 = 25;

/// The `p`-norm distance of each row of `x1` from each row of `x2`: matrices, or
/// batches of them, which are broadcast, with equally long rows. Euclidean
/// distances of many rows are computed by a product of matrices, which loses
/// digits of small distances, always with `compute_mode=1`, and never with 2.
///
/// ```python
/// >>> opwright.cdist(opwright.tensor([[0.0, 0.0]]), opwright.tensor([[3.0, 4.0], [6.0, 8.0]]))
/// tensor([[ 5., 10.]], dtype=float32, shape=(1, 2))
/// ```
#[native_op(
    "cdist(Tensor x1, Tensor x2, float p=2, int? compute_mode=None) -> Tensor",
    composite,
    gil = "release"
)]
fn cdist(x1: &Tensor, x2: &Tensor, p: f64, compute_mode: Option<i64>) -> Result<Tensor> {
    check("x1", x1)?;
    check("x2", x2)?;
    let (width, other_width) = (x1.size_of(-1)?, x2.size_of(-1)?);
    ensure!(
        width == other_width,
        Runtime,
        "X1 and X2 must have the same number of columns. X1: {width} X2: {other_width}"
    );
    ensure!(p >= 0.0, Runtime, "cdist only supports non-negative p values");
    let are_many = x1.size_of(-2)? > WORTH_PRODUCTS || x2.size_of(-2)? > WORTH_PRODUCTS;
    let by_products = match compute_mode {
        None | Some(0) => are_many,
        Some(1) => true,
        Some(2) => false,
        Some(other) => fail!(Runtime, "possible modes: 0, 1, 2, but was: {other}"),
    };
    if p == 2.0 && by_products { euclidean(x1, x2) } else { by_differences(x1, x2, p) }
}

fn check(name: &str, tensor: &Tensor) -> Result<()> {
    ensure!(
        tensor.ndim() >= 2,
        Runtime,
        "cdist only supports at least 2D tensors, {name} got: {}D",
        tensor.ndim()
    );
    ensure!(
        matches!(tensor.dtype(), DType::Float32 | DType::Float64),
        Runtime,
        "cdist only supports floating-point dtypes, {name} got: {}",
        tensor.dtype().title()
    );
    Ok(())
}

/// The root of `|x|^2 + |y|^2 - 2 x.y`.
fn euclidean(x1: &Tensor, x2: &Tensor) -> Result<Tensor> {
    let squares = |x: &Tensor| {
        let squares = ops::mul::Tensor::call(x, x)?;
        ops::sum::dim_IntList::call(&squares, Some(&[-1]), true, None)
    };
    let swapped = |x: &Tensor| ops::transpose::int::call(x, -2, -1);
    let products = ops::matmul::Default_::call(x1, &swapped(x2)?)?;
    let lengths = ops::add::Tensor::call(&squares(x1)?, &swapped(&squares(x2)?)?, 1.into())?;
    let mut distances = ops::sub::Tensor::call(&lengths, &products, 2.into())?;
    ops::clamp_min_::Default_::call(&mut distances, 0.into())?;
    ops::sqrt_::Default_::call(&mut distances)?;
    Ok(distances)
}

fn by_differences(x1: &Tensor, x2: &Tensor, p: f64) -> Result<Tensor> {
    let left = ops::unsqueeze::Default_::call(x1, -2)?;
    let right = ops::unsqueeze::Default_::call(x2, -3)?;
    let differences = ops::sub::Tensor::call(&left, &right, 1.into())?;
    if differences.size_of(-1)? == 0 {
        return ops::sum::dim_IntList::call(&differences, Some(&[-1]), false, None);
    }
    ops::linalg_vector_norm::Default_::call(&differences, p.into(), Some(&[-1]), false, None)
}
