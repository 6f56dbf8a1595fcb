//! Elements left out at random.

use opwright_macros::native_op;
use opwright_runtime::{DType, Error, Result, Scalar, Tensor, ensure};

use crate::ops;

#[native_op(dropout)]
fn dropout(input: &Tensor, p: f64, train: bool) -> Result<Tensor> {
    check_probability(p)?;
    if !train || p == 0.0 || input.numel() == 0 {
        return ops::clone::Default_::call(input, None);
    }
    let kept = kept(input, p)?;
    ops::r#where::ScalarOther::call(&kept, &scaled(input, p)?, Scalar::Int(0))
}

#[native_op(dropout_)]
fn dropout_(self_: &mut Tensor, p: f64, train: bool) -> Result<()> {
    check_probability(p)?;
    if !train || p == 0.0 || self_.numel() == 0 {
        return Ok(());
    }
    let dropped = ops::logical_not::Default_::call(&kept(self_, p)?)?;
    if p < 1.0 {
        ops::div_::Scalar::call(self_, Scalar::Float(1.0 - p))?;
    }
    ops::masked_fill_::Scalar::call(self_, &dropped, Scalar::Int(0))
}

#[native_op(native_dropout)]
fn native_dropout(input: &Tensor, p: f64, train: Option<bool>) -> Result<(Tensor, Tensor)> {
    check_probability(p)?;
    if train == Some(false) || p == 0.0 {
        let bool = Some(DType::Bool);
        let kept = ops::ones_like::Default_::call(input, bool, None, None, None, None)?;
        return Ok((ops::clone::Default_::call(input, None)?, kept));
    }
    let kept = kept(input, p)?;
    let result = ops::r#where::ScalarOther::call(&kept, &scaled(input, p)?, Scalar::Int(0))?;
    Ok((result, kept))
}

#[native_op(native_dropout_backward)]
fn native_dropout_backward(grad_output: &Tensor, mask: &Tensor, scale: f64) -> Result<Tensor> {
    let grad = ops::mul::Scalar::call(grad_output, Scalar::Float(scale))?;
    ops::r#where::ScalarOther::call(mask, &grad, Scalar::Int(0))
}

fn check_probability(p: f64) -> Result<()> {
    ensure!(
        (0.0..=1.0).contains(&p),
        Runtime,
        "dropout probability has to be between 0 and 1, but got {p}"
    );
    Ok(())
}

/// Whether an element is kept, which has the probability `1 - p`. Nothing is multiplied by 0, as it may
/// be infinite.
fn kept(input: &Tensor, p: f64) -> Result<Tensor> {
    let dtype = input.dtype();
    if !dtype.is_floating() && !dtype.is_complex_number() {
        let title = dtype.title();
        return Err(Error::not_implemented(format_args!(
            "\"dropout\" not implemented for '{title}'"
        )));
    }
    let bool = Some(DType::Bool);
    let mut kept = ops::empty_like::Default_::call(input, bool, None, None, None, None)?;
    ops::bernoulli_::float::call(&mut kept, 1.0 - p, None)?;
    Ok(kept)
}

/// What keeps the mean.
fn scaled(input: &Tensor, p: f64) -> Result<Tensor> {
    if p == 1.0 {
        return ops::zeros_like::Default_::call(input, None, None, None, None, None);
    }
    ops::div::Scalar::call(input, Scalar::Float(1.0 - p))
}
