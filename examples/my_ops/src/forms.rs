//! One operator for each form that a kernel can have.

use std::cmp::Ordering;

use opwright::native_op;
use opwright::ndarray::{Array, Array1, ArrayView1, ArrayView2, ArrayViewD, ArrayViewMut1};
use opwright::num_traits::Float as _;
use opwright::runtime::dtype::{ComplexNumber, Element, Float, FloatOrComplex, Number, Real};
use opwright::runtime::{DType, Result, Scalar, Spec, Tensor, dispatch, ensure, fail, iterate};

/// The elements in between, `weight` of the way from `start` to `end`.
///
/// The schema is read from the signature.
#[native_op(signature = (start, end, *, weight = 0.5))]
fn between(start: &Tensor, end: &Tensor, weight: f64) -> Result<Tensor> {
    let mut out = Spec::elementwise(&[start, end])?.with_dtype(DType::Float64).allocate()?;
    iterate::binary(start, end, &mut out, |a: f64, b: f64| a + (b - a) * weight)?;
    Ok(out)
}

/// The sum of all tensors, each times its weight, and how many there are.
#[native_op(signature = (tensors, *, weights = None))]
fn weighted_sum(tensors: &[&Tensor], weights: Option<&[f64]>) -> Result<(Tensor, i64)> {
    let mut sum = Spec::elementwise(tensors)?.with_dtype(DType::Float64).allocate()?;
    sum.fill(0.0.into())?;
    for (idx, tensor) in tensors.iter().enumerate() {
        let weight = weights.map_or(Some(&1.0), |it| it.get(idx));
        let Some(&weight) = weight else { fail!(Value, "tensor {idx} has no weight") };
        let before = sum.clone();
        iterate::binary(&before, tensor, &mut sum, |sum: f64, it: f64| sum + it * weight)?;
    }
    Ok((sum, tensors.len() as i64))
}

/// Writes one value to every element.
#[native_op(signature = (self, value = 0), name = "reset_", method)]
fn reset(self_: &mut Tensor, value: Scalar) -> Result<()> {
    self_.fill(value)
}

/// The length of the vector (x, y), element by element.
#[native_op("norm2(Tensor x, Tensor y) -> Tensor", elementwise, dtypes = floating, promote = float)]
fn norm2<T: Float>(x: T, y: T) -> T {
    x.hypot(y)
}

/// Moves every element towards zero by `by`, but not past it.
#[native_op(
    "shrink(Tensor self, Scalar by=0.5) -> Tensor",
    elementwise,
    dtypes = floating,
    method
)]
fn shrink<T: Float>(x: T, by: T) -> T {
    x.signum() * (x.abs() - by).max(T::ZERO)
}

/// `a * b + c` in one pass.
#[native_op(signature, elementwise, dtypes = number)]
fn multiply_add<T: Number>(a: T, b: T, c: T) -> T {
    a.times(b).plus(c)
}

/// The distance in kilometres between places on the globe, whose latitudes and longitudes are in
/// degrees.
#[native_op(signature, elementwise, dtypes = floating, promote = float)]
fn haversine<T: Float>(lat1: T, lon1: T, lat2: T, lon2: T) -> T {
    let half = T::constant(0.5);
    let across = ((lat2 - lat1).to_radians() * half).sin();
    let along = ((lon2 - lon1).to_radians() * half).sin();
    let cosines = lat1.to_radians().cos() * lat2.to_radians().cos();
    let chord = across * across + cosines * along * along;
    T::constant(2.0 * 6371.0) * chord.sqrt().asin()
}

/// Whether elements lie within `radius` of each other.
#[native_op(
    signature = (x, y, *, radius = 1.0),
    elementwise,
    dtypes = real,
    name = "near"
)]
fn is_near<T: Element + Real>(x: T, y: T, radius: f64) -> bool {
    (x.as_f64() - y.as_f64()).abs() <= radius
}

/// The smaller element and the larger one.
#[native_op("ordered(Tensor x, Tensor y) -> (Tensor low, Tensor high)", elementwise, dtypes = real)]
fn ordered<T: Real>(x: T, y: T) -> (T, T) {
    if y < x { (y, x) } else { (x, y) }
}

/// The squared magnitude: real, whatever goes in.
#[native_op(signature, elementwise, dtypes = floating | complex, promote = complex_to_real)]
fn magnitude_squared<T: FloatOrComplex>(x: T) -> T {
    x.times(x.conj())
}

/// The sign of a number; the direction of a complex one.
#[native_op("direction(Tensor x) -> Tensor", elementwise, dtypes = real)]
fn direction<T: Real>(x: T) -> T {
    match x.partial_cmp(&T::ZERO) {
        Some(Ordering::Greater) => T::ONE,
        Some(Ordering::Less) => T::ONE.negated(),
        Some(Ordering::Equal) | None => x,
    }
}

/// The same, for complex numbers: a further kernel of the operator.
#[native_op(direction.out, elementwise, dtypes = complex)]
fn direction_of_complex<T: ComplexNumber>(x: T) -> T {
    let length = x.real_part().hypot(x.imaginary_part());
    if length == T::Part::ZERO { x } else { x / T::from_parts(length, T::Part::ZERO) }
}

/// `a` where the mask is set, else `b`.
#[native_op("choose(Tensor mask, Tensor a, Tensor b) -> Tensor", elementwise, dtypes = all)]
fn choose<T: Element>(mask: bool, a: T, b: T) -> T {
    if mask { a } else { b }
}

/// The Euclidean length of each row.
#[native_op("row_norms(Tensor x) -> Tensor", dtypes = floating)]
fn row_norms<T: Float>(x: ArrayView2<'_, T>) -> Array1<T> {
    let length = |row: ArrayView1<'_, T>| row.fold(T::ZERO, |sum, &it| sum + it * it).sqrt();
    x.rows().into_iter().map(length).collect()
}

/// The same for rows of complex numbers.
#[native_op(row_norms, dtypes = complex)]
fn row_norms_of_complex<T: ComplexNumber>(x: ArrayView2<'_, T>) -> Array1<T::Part> {
    let squared = |it: T| it.real_part().powi(2) + it.imaginary_part().powi(2);
    let length =
        |row: ArrayView1<'_, T>| row.fold(T::Part::ZERO, |sum, &it| sum + squared(it)).sqrt();
    x.rows().into_iter().map(length).collect()
}

/// The weighted mean of all elements; without weights, all are alike.
#[native_op(signature = (x, weights = None), dtypes = [f32, f64])]
fn weighted_mean<T: Float>(x: ArrayViewD<'_, T>, weights: Option<ArrayViewD<'_, T>>) -> Result<T> {
    let weights = weights.map_or_else(|| Array::from_elem(x.dim(), T::ONE), |it| it.to_owned());
    ensure!(
        weights.shape() == x.shape(),
        Value,
        "weights have shape {:?}, elements {:?}",
        weights.shape(),
        x.shape()
    );
    let total = x.iter().zip(&weights).fold(T::ZERO, |sum, (&x, &weight)| sum + x * weight);
    Ok(total / weights.sum())
}

/// The cross product of vectors: one body for two vectors, called for each pair of them.
#[native_op(
    "cross3(Tensor x, Tensor y) -> Tensor",
    core = "(3),(3)->(3)",
    dtypes = number,
    derivative(x = "cross3(y, grad)", y = "cross3(grad, x)")
)]
fn cross3<T: Number>(x: ArrayView1<'_, T>, y: ArrayView1<'_, T>) -> Array1<T> {
    let part = |a: usize, b: usize| x[a].times(y[b]).minus(x[b].times(y[a]));
    Array1::from_vec(vec![part(1, 2), part(2, 0), part(0, 1)])
}

/// The sum of the elements around each one, times their weights; with a step, of every so many.
///
/// The result is a view to fill, which needs no memory of its own.
#[native_op(
    "smooth(Tensor x, Tensor w, *, int step=1) -> Tensor",
    core = "(n),(k)->(n)",
    dtypes = floating,
    promote = float,
    derivative(x = "smooth(grad, w, -step)", w = "smooth_weights(grad, x, w, step)")
)]
fn smooth<T: Float>(
    x: ArrayView1<'_, T>,
    w: ArrayView1<'_, T>,
    step: i64,
    mut out: ArrayViewMut1<'_, T>,
) -> Result<()> {
    ensure!(w.len() <= MOST_WEIGHTS, Value, "at most {MOST_WEIGHTS} weights, not {}", w.len());
    // It begins with zeros.
    for (at, out) in out.iter_mut().enumerate() {
        for (place, &weight) in w.iter().enumerate() {
            if let Some(&x) = around(at, place, w.len(), step).and_then(|it| x.get(it)) {
                *out = *out + weight * x;
            }
        }
    }
    Ok(())
}

/// Longer sums are a matter of Fourier transforms.
const MOST_WEIGHTS: usize = 256;

/// The gradient of `smooth` by its weights, of which the shape is looked at alone.
#[native_op(
    "smooth_weights(Tensor grad, Tensor x, Tensor w, int step=1) -> Tensor",
    core = "(n),(n),(k)->(k)",
    dtypes = floating,
    promote = float
)]
fn smooth_weights<T: Float>(
    grad: ArrayView1<'_, T>,
    x: ArrayView1<'_, T>,
    w: ArrayView1<'_, T>,
    step: i64,
) -> Result<Array1<T>> {
    ensure!(w.len() <= MOST_WEIGHTS, Value, "at most {MOST_WEIGHTS} weights, not {}", w.len());
    let term = |at: usize, weight: usize| {
        let x = around(at, weight, w.len(), step).and_then(|it| x.get(it));
        x.map_or(T::ZERO, |&x| grad[at] * x)
    };
    let sum = |weight| (0..grad.len()).fold(T::ZERO, |sum, at| sum + term(at, weight));
    Ok((0..w.len()).map(sum).collect())
}

/// Where the element lies that a weight is for.
fn around(at: usize, weight: usize, weights: usize, step: i64) -> Option<usize> {
    let away = step.saturating_mul(weight as i64 - (weights / 2) as i64);
    usize::try_from((at as i64).saturating_add(away)).ok()
}

/// The smallest element of each row, and the largest one.
#[native_op("extremes(Tensor x) -> (Tensor low, Tensor high)", core = "(n)->(),()", dtypes = real)]
fn extremes<T: Real>(x: ArrayView1<'_, T>) -> Result<(T, T)> {
    let Some(&first) = x.first() else { fail!(Value, "a row without elements has no extremes") };
    let wider = |(low, high): (T, T), &it: &T| {
        (if it < low { it } else { low }, if high < it { it } else { high })
    };
    Ok(x.iter().fold((first, first), wider))
}

/// Which of some points is nearest to each element: a kernel of one dtype, for single elements.
#[native_op("nearest_point(Tensor x, Tensor points) -> Tensor", core = "(),(k)->()")]
fn nearest_point(x: f64, points: ArrayView1<'_, f64>) -> Result<i64> {
    let distances = points.iter().map(|it| (it - x).abs()).enumerate();
    let nearest = distances.min_by(|a, b| a.1.total_cmp(&b.1));
    let Some((at, _)) = nearest else { fail!(Value, "there is no point") };
    Ok(at as i64)
}

/// One less than the exponential: a kernel that fills what a rule describes.
#[native_op("grown(Tensor self) -> Tensor", structured = elementwise_float)]
fn grown(x: &Tensor, out: &mut Tensor) -> Result<()> {
    dispatch!(out.dtype(), "grown", floating, |T| iterate::unary(x, out, exp_m1::<T>))
}

fn exp_m1<T: Float>(x: T) -> T {
    x.exp_m1()
}

/// Made of other operators, so that it works wherever they do.
#[native_op("shrunken_norm(Tensor x, Tensor y, float by=0.5) -> Tensor", composite)]
fn shrunken_norm(x: &Tensor, y: &Tensor, by: f64) -> Result<Tensor> {
    let norm = crate::ops::norm2::Default_::call(x, y)?;
    crate::ops::shrink::Default_::call(&norm, by.into())
}

/// Shrunken once, and once more.
#[native_op("shrunken_twice(Tensor x, float by=0.5) -> (Tensor, Tensor)", composite)]
fn shrunken_twice(x: &Tensor, by: f64) -> Result<(Tensor, Tensor)> {
    let once = crate::ops::shrink::Default_::call(x, by.into())?;
    let twice = crate::ops::shrink::Default_::call(&once, by.into())?;
    Ok((once, twice))
}

/// Each row divided by its length.
#[native_op("unit_rows(Tensor x) -> Tensor")]
fn unit_rows(x: &Tensor) -> Result<Tensor> {
    let lengths = crate::ops::row_norms::Default_::call(x)?.to_dtype(DType::Float64)?;
    let lengths = lengths.to_vec::<f64>()?;
    let mut rows = x.to_dtype(DType::Float64)?.array::<f64>()?;
    for (mut row, length) in rows.outer_iter_mut().zip(lengths) {
        row.mapv_inplace(|it| it / length);
    }
    Tensor::from_array(rows)
}

/// What `unit_rows` returns for a tensor without data: a second kernel of the
/// operator, for another key.
#[native_op(unit_rows, key = Meta)]
fn unit_rows_meta(x: &Tensor) -> Result<Tensor> {
    Spec::new(x.shape(), DType::Float64, x.device()).allocate_meta()
}
