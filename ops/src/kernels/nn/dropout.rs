//! Elements left out at random.

use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Number};
use opwright_runtime::{
    Complex, DType, Generator, Result, Scalar, Tensor, dispatch, ensure, iterate, parallel,
};

use opwright_runtime::parallel::Pointer;

#[native_op(dropout)]
fn dropout(input: &Tensor, p: f64, train: bool) -> Result<Tensor> {
    check_probability(p)?;
    if !train || p == 0.0 || input.numel() == 0 {
        return Ok(input.clone());
    }
    let mut out = Tensor::allocate(input.shape(), input.dtype(), input.device())?;
    drop_some(input, p, &mut out)?;
    Ok(out)
}

#[native_op(dropout_)]
fn dropout_(self_: &mut Tensor, p: f64, train: bool) -> Result<()> {
    check_probability(p)?;
    if !train || p == 0.0 || self_.numel() == 0 {
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
    if out.dtype().is_complex_number() {
        return scale_kept::<Complex<f64>>(input, p, out);
    }
    dispatch!(out.dtype(), "dropout", calculated floating, |T| scale_kept::<T>(input, p, out))
}

fn scale_kept<T: Element + Number>(input: &Tensor, p: f64, out: &mut Tensor) -> Result<()> {
    if p == 1.0 {
        return out.fill(Scalar::Int(0));
    }
    let kept = kept(input, p)?;
    let scale: T = Scalar::Float(1.0 / (1.0 - p)).wrap();
    iterate::binary(
        input,
        &kept,
        out,
        |x: T, kept: bool| {
            if kept { x.times(scale) } else { T::ZERO }
        },
    )
}

/// Where elements stay, each with probability `1 - p`. A block of the generator
/// decides for four of them.
fn kept(input: &Tensor, p: f64) -> Result<Tensor> {
    const PER_BLOCK: usize = 4;
    let mut kept = Tensor::allocate(input.shape(), DType::Bool, input.device())?;
    let slots = kept.as_mut_slice::<bool>()?;
    let draws = Generator::default_cpu().reserve(slots.len().div_ceil(PER_BLOCK) as u64);
    // As a part of all words; 2^32 is all of them.
    let least = (p * 2.0_f64.powi(32)) as u64;
    let (count, slots) = (slots.len(), Pointer(slots.as_mut_ptr()));
    parallel::share(count.div_ceil(PER_BLOCK), PER_BLOCK, &|range| {
        for block in range {
            let first = block * PER_BLOCK;
            let words = draws.block(block as u64);
            for (at, &word) in (first..count).zip(&words) {
                // SAFETY: there is a slot for each element, and one block for it.
                unsafe { slots.at(at as isize).write(u64::from(word) >= least) };
            }
        }
    });
    Ok(kept)
}
