/// The distance between the smallest and the largest element.
#[native_op("spread(Tensor x) -> float")]
fn spread(x: &Tensor) -> Result<f64> {
    let x = x.to_dtype(DType::Float64)?;
    let elements = x.array::<f64>()?;
    let smallest = elements.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = elements.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Ok(largest - smallest)
}
