//! Filling tensors with random numbers.
//!
//! The numbers of a call are made from the blocks of random bits that it has
//! reserved: the elements in row-major order, so many from each block. So they
//! depend on the seed alone, and not on threads or the order in memory.

use opwright_macros::native_op;
use std::sync::atomic::{AtomicBool, Ordering};

use opwright_runtime::{DType, Draws, Generator, Result, Scalar, Tensor, ensure, iterate, view};

use super::continuous::{Distribution, Exponential, Normal, Uniform, doubles, singles};
use super::discrete::{self, Chance};

/// Evenly distributed numbers from `from` to before `to`.
pub(crate) fn uniform(
    out: &mut Tensor,
    from: f64,
    to: f64,
    generator: Option<&Generator>,
) -> Result<()> {
    for (name, value) in [("from", from), ("to", to), ("to - from", to - from)] {
        check_finite(name, value, out.dtype())?;
    }
    continuous("uniform", out, generator, Uniform::new(from, to, out.dtype()))
}

#[native_op(normal_)]
pub(crate) fn normal(
    out: &mut Tensor,
    mean: f64,
    std: f64,
    generator: Option<&Generator>,
) -> Result<()> {
    ensure!(std >= 0.0, Runtime, "normal expects std >= 0.0, but found std {std}");
    check_held("mean", mean, out.dtype())?;
    check_held("std", std, out.dtype())?;
    // The variance of a complex number is that of both of its parts.
    let is_complex = out.dtype().is_complex_number();
    let std = if is_complex { std * std::f64::consts::FRAC_1_SQRT_2 } else { std };
    continuous("normal", out, generator, Normal { mean, std })
}

#[native_op(exponential_)]
pub(crate) fn exponential(
    out: &mut Tensor,
    lambd: f64,
    generator: Option<&Generator>,
) -> Result<()> {
    ensure!(lambd > 0.0, Runtime, "exponential_ expects lambda > 0.0, but found lambda={lambd}");
    if out.dtype().is_complex_number() {
        return Err(out.dtype().unsupported("exponential"));
    }
    check_finite("1 / lambda", 1.0 / lambd, out.dtype())?;
    continuous("exponential", out, generator, Exponential { lambd })
}

#[native_op(bernoulli_.float)]
pub(crate) fn bernoulli(out: &mut Tensor, p: f64, generator: Option<&Generator>) -> Result<()> {
    ensure!(
        (0.0..=1.0).contains(&p),
        Runtime,
        "bernoulli_ expects p to be in [0, 1], but got p={p}"
    );
    if out.device().is_meta() {
        return Ok(());
    }
    let (chance, draws) = (Chance::new(p), reserve::<2>(out, generator));
    iterate::nullary_blocks(out, move |i, made| discrete::events(draws, i, chance, made))
}

#[native_op(bernoulli_.Tensor)]
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
    let p = view::expand(p, out.shape())?;
    if out.device().is_meta() {
        return Ok(());
    }
    let mut drawn = Tensor::allocate(out.shape(), DType::Float64, out.device())?;
    uniform(&mut drawn, 0.0, 1.0, generator)?;
    let is_wrong = AtomicBool::new(false);
    // Nothing is written if a probability is refused.
    let mut bits = Tensor::allocate(out.shape(), DType::Bool, out.device())?;
    iterate::binary(&drawn, &p, &mut bits, |drawn: f64, p: f64| {
        if !(0.0..=1.0).contains(&p) {
            is_wrong.store(true, Ordering::Relaxed);
        }
        drawn < p
    })?;
    ensure!(!is_wrong.into_inner(), Runtime, "Expected p_in >= 0 && p_in <= 1 to be true");
    out.copy_from(&bits)
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
    let draws = reserve::<2>(out, generator);
    iterate::nullary_blocks(out, move |i, made| discrete::integers(draws, i, from, count, made))
}

/// Floating numbers, four or two from each block; both parts if they are complex.
fn continuous(
    what: &str,
    out: &mut Tensor,
    generator: Option<&Generator>,
    distribution: impl Distribution,
) -> Result<()> {
    let dtype = out.dtype();
    if dtype.is_complex_number() {
        for part in [view::real, view::imag] {
            let mut part = part(out)?;
            continuous(what, &mut part, generator, distribution)?;
        }
        return Ok(());
    }
    if !dtype.is_floating() {
        return Err(dtype.unsupported(what));
    }
    if out.device().is_meta() {
        return Ok(());
    }
    if dtype == DType::Float64 {
        let draws = reserve::<2>(out, generator);
        return iterate::nullary_blocks(out, move |i, made| doubles(draws, i, distribution, made));
    }
    let draws = reserve::<4>(out, generator);
    iterate::nullary_blocks(out, move |i, made| singles(draws, i, distribution, made))
}

/// Fails if a number is greater than all of a dtype.
fn check_held(name: &str, value: f64, dtype: DType) -> Result<()> {
    ensure!(
        Scalar::Float(value).fits(dtype),
        Runtime,
        "`{name}` is {value}, which is out of bounds for {dtype}"
    );
    Ok(())
}

/// Fails if a number is not finite in a dtype.
fn check_finite(name: &str, value: f64, dtype: DType) -> Result<()> {
    ensure!(value.is_finite(), Runtime, "`{name}` must be finite, but is {value}");
    check_held(name, value, dtype)
}

/// Blocks for a tensor whose elements take one block for each `N`.
fn reserve<const N: usize>(out: &Tensor, generator: Option<&Generator>) -> Draws {
    let blocks = out.numel().div_ceil(N) as u64;
    generator.unwrap_or_else(|| Generator::default_cpu()).reserve(blocks)
}
