#[native_op(twise)]
fn twice(x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

#[native_op("quarter(Tensor x, Tensor x) -> Tensor")]
fn quarter(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}
