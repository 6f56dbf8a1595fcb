//! Distances of all pairs of vectors.

use opwright_macros::native_op;
use opwright_runtime::geometry::MAX_DIMS;
use opwright_runtime::{DType, Result, RoundingMode, Tensor, ensure, fail};

use crate::ops;

/// From so many vectors on, products of matrices are the faster way.
const WORTH_PRODUCTS: i64 = 25;

#[native_op(cdist)]
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

/// From here on of the sum of the squares of two lengths, the square of their distance is too
/// small to be taken from it.
const LEAST_SHARE: f64 = 1e-3;

/// The root of `|x|^2 + |y|^2 - 2 x.y`, where that is not much less than the squares.
fn euclidean(x1: &Tensor, x2: &Tensor) -> Result<Tensor> {
    // The place of the origin makes no difference, but for rounding.
    let origin = ops::mean::dim::call(&ops::detach::Default_::call(x2)?, Some(&[-2]), true, None)?;
    let x1 = &ops::sub::Tensor::call(x1, &origin, 1.into())?;
    let x2 = &ops::sub::Tensor::call(x2, &origin, 1.into())?;
    let squares = |x: &Tensor| {
        let squares = ops::mul::Tensor::call(x, x)?;
        ops::sum::dim_IntList::call(&squares, Some(&[-1]), true, None)
    };
    let swapped = |x: &Tensor| ops::transpose::int::call(x, -2, -1);
    let products = ops::matmul::Default_::call(x1, &swapped(x2)?)?;
    let lengths = ops::add::Tensor::call(&squares(x1)?, &swapped(&squares(x2)?)?, 1.into())?;
    let mut distances = ops::sub::Tensor::call(&lengths, &products, 2.into())?;
    if distances.device().is_meta() {
        return ops::sqrt::Default_::call(&distances);
    }
    let least = ops::mul::Scalar::call(&lengths, LEAST_SHARE.into())?;
    let is_small = ops::le::Tensor::call(&distances, &least)?;
    let flat = ops::reshape::Default_::call(&is_small, &[-1])?;
    let pairs = ops::nonzero::Default_::call(&flat)?;
    if pairs.numel() == 0 {
        ops::sqrt_::Default_::call(&mut distances)?;
        return Ok(distances);
    }
    // The root has no derivative at zero, and is not asked for.
    let distances = ops::masked_fill::Scalar::call(&distances, &is_small, 1.into())?;
    let distances = ops::sqrt::Default_::call(&distances)?;
    with_pairs(&distances, x1, x2, &ops::reshape::Default_::call(&pairs, &[-1])?)
}

/// The same with distances by differences at the places of some pairs.
fn with_pairs(distances: &Tensor, x1: &Tensor, x2: &Tensor, pairs: &Tensor) -> Result<Tensor> {
    let shape = distances.shape();
    let (batch, sizes) = shape.split_at(shape.len() - 2);
    let rows = |x: &Tensor, at: usize, places: &Tensor| {
        let whole = [batch, &[sizes[at], x.size_of(-1)?]].concat();
        let whole = ops::expand::Default_::call(x, &whole, false)?;
        // Vectors without elements say nothing about their number.
        let count = batch.iter().product::<i64>() * sizes[at];
        let rows = ops::reshape::Default_::call(&whole, &[count, x.size_of(-1)?])?;
        ops::index_select::Default_::call(&rows, 0, places)
    };
    let whole = |by: i64| ops::div::Scalar_mode::call(pairs, by.into(), Some(RoundingMode::Floor));
    let column = ops::remainder::Scalar::call(pairs, sizes[1].into())?;
    let before = ops::mul::Scalar::call(&whole(sizes[0] * sizes[1])?, sizes[1].into())?;
    let right = rows(x2, 1, &ops::add::Tensor::call(&before, &column, 1.into())?)?;
    let left = rows(x1, 0, &whole(sizes[1])?)?;
    let differences = ops::sub::Tensor::call(&left, &right, 1.into())?;
    let exact =
        ops::linalg_vector_norm::Default_::call(&differences, 2.into(), Some(&[-1]), false, None)?;
    let flat = ops::reshape::Default_::call(distances, &[-1])?;
    let all = ops::scatter::src::call(&flat, 0, pairs, &exact)?;
    ops::reshape::Default_::call(&all, shape)
}

fn by_differences(x1: &Tensor, x2: &Tensor, p: f64) -> Result<Tensor> {
    if let Some(dim) = spare_dim(x1, x2) {
        let (x1, x2) = (ops::squeeze::dim::call(x1, dim)?, ops::squeeze::dim::call(x2, dim)?);
        return ops::unsqueeze::Default_::call(&by_differences(&x1, &x2, p)?, dim);
    }
    let left = ops::unsqueeze::Default_::call(x1, -2)?;
    let right = ops::unsqueeze::Default_::call(x2, -3)?;
    let differences = ops::sub::Tensor::call(&left, &right, 1.into())?;
    if differences.size_of(-1)? == 0 {
        return ops::sum::dim_IntList::call(&differences, Some(&[-1]), false, None);
    }
    ops::linalg_vector_norm::Default_::call(&differences, p.into(), Some(&[-1]), false, None)
}

/// A dimension of size one in front of the matrices, if differences would need one more dimension than
/// a tensor can have.
fn spare_dim(x1: &Tensor, x2: &Tensor) -> Option<i64> {
    if x1.ndim() != x2.ndim() || x1.ndim() < MAX_DIMS {
        return None;
    }
    let sizes = x1.shape().iter().zip(x2.shape()).take(x1.ndim() - 2);
    sizes.into_iter().position(|sizes| sizes == (&1, &1)).map(|it| it as i64)
}
