#[native_op(soft_threshold)]
fn soft_threshold(x: &Tensor, limit: f64) -> Result<Tensor> {
    let mut out = Spec::elementwise(&[x])?.allocate()?;
    dispatch!(out.dtype(), "soft_threshold", floating, |T| {
        let limit: T = Scalar::from(limit).wrap();
        iterate::unary(x, &mut out, |x: T| x - x.max(-limit).min(limit))
    })?;
    Ok(out)
}
