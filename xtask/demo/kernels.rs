use opwright::runtime::{Scalar, Spec};

// The kernel of the entry.
#[native_op(soft_threshold)]
fn soft_threshold(x: &Tensor, limit: f64) -> Result<Tensor> {
    let mut out = Spec::elementwise(&[x])?.allocate()?;
    dispatch!(out.dtype(), "soft_threshold", floating, |T| {
        let limit: T = Scalar::from(limit).wrap();
        iterate::unary(x, &mut out, |x: T| x - x.max(-limit).min(limit))
    })?;
    Ok(out)
}

/// The distance between the smallest and the largest element.
#[native_op("spread(Tensor x) -> float")]
fn spread(x: &Tensor) -> Result<f64> {
    let x = x.to_dtype(DType::Float64)?;
    let elements = x.array::<f64>()?;
    let smallest = elements.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = elements.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Ok(largest - smallest)
}
