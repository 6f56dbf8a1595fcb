//! Elements left out at random.

use opwright_macros::native_op;
use opwright_runtime::{Generator, Result, Scalar, Tensor, ensure, iterate};

use crate::kernels::calculate::calculate;

#[native_op(dropout)]
fn dropout(input: &Tensor, p: f64, train: bool) -> Result<Tensor> {
    check_probability(p)?;
    if !train || p == 0.0 || input.count() == 0 {
        return Ok(input.clone());
    }
    let mut out = Tensor::allocate(input.shape(), input.dtype(), input.device())?;
    drop_some(input, p, &mut out)?;
    Ok(out)
}

#[native_op(dropout_)]
fn dropout_(self_: &mut Tensor, p: f64, train: bool) -> Result<()> {
    check_probability(p)?;
    if !train || p == 0.0 || self_.count() == 0 {
        return Ok(());
    }
    let input = self_.clone();
    drop_some(&input, p, self_)
}

fn check_probability(p: f64) -> Result<()> {
    ensure!(
        (0.0..=1.0).contains(&p),
        Runtime,
        "dropout probability has to be between 0 and 1, but got {p}"
    );
    Ok(())
}

/// Writes 0 with probability `p`, and else the element, scaled so that the mean
/// stays.
fn drop_some(input: &Tensor, p: f64, out: &mut Tensor) -> Result<()> {
    if input.device().is_meta() {
        return Ok(());
    }
    calculate!(out.dtype(), "dropout", floating_or_complex, |T| {
        if p == 1.0 {
            return out.set_all(Scalar::Int(0));
        }
        let draws = Generator::default_cpu().reserve(input.count() as u64);
        let mut kept =
            Tensor::allocate(input.shape(), opwright_runtime::DType::Bool, input.device())?;
        iterate::nullary_indexed(&mut kept, |index| draws.unit_f64(index as u64) >= p)?;
        let scale: T = Scalar::Float(1.0 / (1.0 - p)).wrap();
        let zero: T = Scalar::Int(0).wrap();
        iterate::binary(input, &kept, out, |x: T, kept: bool| if kept { x * scale } else { zero })
    })
}
