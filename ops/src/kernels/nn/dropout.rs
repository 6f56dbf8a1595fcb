//! Elements left out at random.

use opwright_macros::native_op;
use opwright_runtime::{Error, Result, Scalar, Tensor, ensure};

use crate::ops;

#[native_op(dropout)]
fn dropout(input: &Tensor, p: f64, train: bool) -> Result<Tensor> {
    check_probability(p)?;
    if !train || p == 0.0 || input.numel() == 0 {
        return ops::clone::Default_::call(input, None);
    }
    ops::mul::Tensor::call(input, &factors(input, p)?)
}

#[native_op(dropout_)]
fn dropout_(self_: &mut Tensor, p: f64, train: bool) -> Result<()> {
    check_probability(p)?;
    if !train || p == 0.0 || self_.numel() == 0 {
        return Ok(());
    }
    let factors = factors(self_, p)?;
    ops::mul_::Tensor::call(self_, &factors)
}

fn check_probability(p: f64) -> Result<()> {
    ensure!(
        (0.0..=1.0).contains(&p),
        Runtime,
        "dropout probability has to be between 0 and 1, but got {p}"
    );
    Ok(())
}

/// For each element 0 with probability `p`, and else what keeps the mean.
fn factors(input: &Tensor, p: f64) -> Result<Tensor> {
    let dtype = input.dtype();
    if !dtype.is_floating() && !dtype.is_complex_number() {
        let title = dtype.title();
        return Err(Error::not_implemented(format_args!(
            "\"dropout\" not implemented for '{title}'"
        )));
    }
    let dtype = Some(dtype.to_real());
    let mut factors = ops::empty_like::Default_::call(input, dtype, None, None, None, None)?;
    ops::bernoulli_::float::call(&mut factors, 1.0 - p, None)?;
    if p < 1.0 {
        ops::div_::Scalar::call(&mut factors, Scalar::Float(1.0 - p))?;
    }
    Ok(factors)
}
