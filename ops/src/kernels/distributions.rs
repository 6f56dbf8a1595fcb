//! Filling tensors with random numbers.
//!
//! Element `i` in row-major order is made from block `i` of those that the call
//! has reserved, so the numbers depend on the seed alone.

use std::sync::atomic::{AtomicBool, Ordering};

use opwright_runtime::{DType, Draws, Generator, Result, Tensor, ensure, iterate};

/// Evenly distributed numbers from `from` to before `to`.
pub(crate) fn uniform(
    out: &mut Tensor,
    from: f64,
    to: f64,
    generator: Option<&Generator>,
) -> Result<()> {
    let digits = match out.dtype() {
        DType::BFloat16 => 8,
        DType::Float16 => 11,
        DType::Float32 | DType::Complex64 => 24,
        _ => 53,
    };
    // With as many digits as the dtype has, a number is not rounded up to 1.
    let scale = (1_u64 << digits) as f64;
    let width = to - from;
    continuous("uniform", out, generator, move |draws, i| {
        from + width * ((draws.bits(i) >> (64 - digits)) as f64 / scale)
    })
}

/// Numbers of the normal distribution.
pub(crate) fn normal(
    out: &mut Tensor,
    mean: f64,
    std: f64,
    generator: Option<&Generator>,
) -> Result<()> {
    ensure!(std >= 0.0, Runtime, "normal expects std >= 0.0, but found std {std}");
    // The variance of a complex number is that of both of its parts.
    let is_complex = out.dtype().is_complex_number();
    let std = if is_complex { std * std::f64::consts::FRAC_1_SQRT_2 } else { std };
    continuous("normal", out, generator, move |draws, i| mean + std * draws.gaussian_pair(i)[0])
}

/// Numbers of the exponential distribution.
pub(crate) fn exponential(
    out: &mut Tensor,
    rate: f64,
    generator: Option<&Generator>,
) -> Result<()> {
    ensure!(rate > 0.0, Runtime, "exponential_ expects lambda > 0.0, but found lambda={rate}");
    if out.dtype().is_complex_number() {
        return Err(out.dtype().unsupported("exponential"));
    }
    continuous("exponential", out, generator, move |draws, i| -(-draws.unit_f64(i)).ln_1p() / rate)
}

/// 1 with a probability, else 0.
pub(crate) fn bernoulli(out: &mut Tensor, p: f64, generator: Option<&Generator>) -> Result<()> {
    ensure!(
        (0.0..=1.0).contains(&p),
        Runtime,
        "bernoulli_ expects p to be in [0, 1], but got p={p}"
    );
    if out.device().is_meta() {
        return Ok(());
    }
    let draws = reserve(out, generator);
    iterate::nullary_indexed(out, move |i| draws.unit_f64(i as u64) < p)
}

/// 1 with a probability for each element, else 0.
pub(crate) fn bernoulli_each(
    out: &mut Tensor,
    p: &Tensor,
    generator: Option<&Generator>,
) -> Result<()> {
    ensure!(
        p.dtype().is_floating(),
        Runtime,
        "expected probabilities tensor to have floating type, got {}",
        p.dtype().title()
    );
    let p = p.broadcast_to_shape(out.shape())?;
    if out.device().is_meta() {
        return Ok(());
    }
    let mut drawn = Tensor::allocate(out.shape(), DType::Float64, out.device())?;
    uniform(&mut drawn, 0.0, 1.0, generator)?;
    let is_wrong = AtomicBool::new(false);
    iterate::binary(&drawn, &p, out, |drawn: f64, p: f64| {
        if !(0.0..=1.0).contains(&p) {
            is_wrong.store(true, Ordering::Relaxed);
        }
        drawn < p
    })?;
    ensure!(!is_wrong.into_inner(), Runtime, "Expected p_in >= 0 && p_in <= 1 to be true");
    Ok(())
}

/// Integers from `from` on, of which there are `count`; 0 stands for 2^64.
pub(crate) fn integers(
    out: &mut Tensor,
    from: i64,
    count: u64,
    generator: Option<&Generator>,
) -> Result<()> {
    if out.dtype().is_complex_number() {
        return Err(out.dtype().unsupported("random"));
    }
    if out.device().is_meta() {
        return Ok(());
    }
    let draws = reserve(out, generator);
    iterate::nullary_indexed(out, move |i| {
        let i = i as u64;
        let above = if count == 0 { draws.bits(i) } else { draws.below(i, count) };
        from.wrapping_add_unsigned(above)
    })
}

/// Floating numbers; both parts if they are complex.
fn continuous(
    what: &str,
    out: &mut Tensor,
    generator: Option<&Generator>,
    draw: impl Fn(Draws, u64) -> f64 + Sync + Copy,
) -> Result<()> {
    let dtype = out.dtype();
    if dtype.is_complex_number() {
        continuous(what, &mut out.complex_part(false)?, generator, draw)?;
        return continuous(what, &mut out.complex_part(true)?, generator, draw);
    }
    if !dtype.is_floating() {
        return Err(dtype.unsupported(what));
    }
    if out.device().is_meta() {
        return Ok(());
    }
    let draws = reserve(out, generator);
    iterate::nullary_indexed(out, move |i| draw(draws, i as u64))
}

/// A block for each element.
fn reserve(out: &Tensor, generator: Option<&Generator>) -> Draws {
    generator.unwrap_or_else(|| Generator::default_cpu()).reserve(out.count() as u64)
}
