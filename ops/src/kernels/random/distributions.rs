//! Filling tensors with random numbers.
//!
//! The numbers of a call are made from the blocks of random bits that it has
//! reserved: the elements in row-major order, so many from each block. So they
//! depend on the seed alone, and not on threads or the order in memory.

use opwright_macros::native_op;
use std::sync::atomic::{AtomicBool, Ordering};

use opwright_runtime::{DType, Draws, Generator, Result, Scalar, Tensor, ensure, iterate, view};

use crate::kernels::elementwise::vectorized::single;

/// A block of random bits.
type Block = [u32; 4];

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
    // With as many digits as the dtype has, a number is not rounded up to 1.
    let digits = match out.dtype() {
        DType::BFloat16 => 8,
        DType::Float16 => 11,
        _ => 24,
    };
    let unit = 1.0 / (1_u32 << digits) as f32;
    let (from32, to32) = (from as f32, to as f32);
    let (width32, width) = (to32 - from32, to - from);
    let single = move |word: u32| {
        let value = from32 + width32 * ((word >> (32 - digits)) as f32 * unit);
        if value < to32 { value } else { from32 }
    };
    let double = move |bits: u64| {
        let value = from + width * ((bits >> 11) as f64 / (1_u64 << 53) as f64);
        if value < to { value } else { from }
    };
    continuous("uniform", out, generator, |it| it.map(single), |it| halves(it).map(double))
}

/// Fills `self` with numbers of the normal distribution.
///
/// Raises `RuntimeError` if `std` is negative, or if the dtype does not hold `mean`
/// or `std`.
#[native_op(
    "normal_(Tensor(a!) self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor(a!)",
    key = CPU | Meta,
    variants = "method",
    tags = "nondeterministic_seeded"
)]
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
    let (mean32, std32) = (mean as f32, std as f32);
    let single = move |[a, b, c, d]: Block| {
        let ([e, f], [g, h]) = (gaussian_pair(a, b), gaussian_pair(c, d));
        [e, f, g, h].map(|it| mean32 + std32 * it)
    };
    let double = move |it: Block| gaussian_pair_f64(halves(it)).map(|it| mean + std * it);
    continuous("normal", out, generator, single, double)
}

/// Fills `self` with numbers of the exponential distribution with rate `lambd`.
///
/// Raises `RuntimeError` if `lambd` is not positive.
///
/// ```python
/// >>> (opwright.tensor([0.0, 0.0]).exponential_() > 0).all()
/// tensor(True, dtype=bool, shape=())
/// ```
#[native_op(
    "exponential_(Tensor(a!) self, float lambd=1, *, Generator? generator=None) -> Tensor(a!)",
    key = CPU | Meta,
    variants = "method",
    tags = "nondeterministic_seeded"
)]
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
    let scale32 = (1.0 / lambd) as f32;
    let single = move |word| -single::ln::<false>(positive_unit(word)) * scale32;
    let double = move |bits| -positive_unit_f64(bits).ln() / lambd;
    continuous("exponential", out, generator, |it| it.map(single), |it| halves(it).map(double))
}

#[native_op(
    "bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)",
    key = CPU | Meta,
    variants = "method",
    tags = "nondeterministic_seeded"
)]
pub(crate) fn bernoulli(out: &mut Tensor, p: f64, generator: Option<&Generator>) -> Result<()> {
    ensure!(
        (0.0..=1.0).contains(&p),
        Runtime,
        "bernoulli_ expects p to be in [0, 1], but got p={p}"
    );
    if out.device().is_meta() {
        return Ok(());
    }
    // 2^64 for a probability of 1, so that every number is below.
    let bound = (p * 2.0_f64.powi(64)) as u128;
    let draws = reserve::<2>(out, generator);
    iterate::nullary_blocks(out, move |i| {
        halves(draws.block(i as u64)).map(|bits| u128::from(bits) < bound)
    })
}

/// Fills `self` with 1, each with probability `p`, and 0. `p` is a number or a
/// tensor that is broadcast to `self`.
///
/// Raises `RuntimeError` if a probability is not in the range from 0 to 1.
#[native_op(
    "bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)",
    key = CPU | Meta,
    variants = "method",
    tags = "nondeterministic_seeded"
)]
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
    // The product's upper half is below `count`, with a bias of less than 2^-64 times `count`.
    let below = move |bits: u64| match count {
        0 => bits,
        _ => ((u128::from(bits) * u128::from(count)) >> 64) as u64,
    };
    let draws = reserve::<2>(out, generator);
    iterate::nullary_blocks(out, move |i| {
        halves(draws.block(i as u64)).map(|bits| from.wrapping_add_unsigned(below(bits)))
    })
}

/// Floating numbers, four or two from each block; both parts if they are complex.
fn continuous(
    what: &str,
    out: &mut Tensor,
    generator: Option<&Generator>,
    single: impl Fn(Block) -> [f32; 4] + Sync + Copy,
    double: impl Fn(Block) -> [f64; 2] + Sync + Copy,
) -> Result<()> {
    /// Several blocks at once keep the vector units busy.
    const AT_ONCE: usize = 4;

    let dtype = out.dtype();
    if dtype.is_complex_number() {
        for part in [view::real, view::imag] {
            let mut part = part(out)?;
            continuous(what, &mut part, generator, single, double)?;
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
        return iterate::nullary_blocks(out, move |i| double(draws.block(i as u64)));
    }
    let draws = reserve::<4>(out, generator);
    iterate::nullary_blocks::<f32, { 4 * AT_ONCE }>(out, move |i| {
        let mut made = [0.0; 4 * AT_ONCE];
        let (blocks, _) = made.as_chunks_mut::<4>();
        for (k, place) in blocks.iter_mut().enumerate() {
            *place = single(draws.block((AT_ONCE * i + k) as u64));
        }
        made
    })
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

#[inline]
fn halves([a, b, c, d]: Block) -> [u64; 2] {
    [u64::from(b) << 32 | u64::from(a), u64::from(d) << 32 | u64::from(c)]
}

/// A number above 0, up to 1.
#[inline]
fn positive_unit(word: u32) -> f32 {
    (word as f32 + 1.0) * (1.0 / (1_u64 << 32) as f32)
}

/// A number above 0, up to 1.
#[inline]
fn positive_unit_f64(bits: u64) -> f64 {
    ((bits >> 11) as f64 + 1.0) / (1_u64 << 53) as f64
}

/// Two independent numbers of the standard normal distribution (G. Box and
/// M. Muller, 1958).
#[inline]
fn gaussian_pair(a: u32, b: u32) -> [f32; 2] {
    let radius = (-2.0 * single::ln::<false>(positive_unit(a))).sqrt();
    let (sine, cosine) = single::sin_cos_of_turns((b >> 8) as f32 / (1_u32 << 24) as f32);
    [radius * cosine, radius * sine]
}

#[inline]
fn gaussian_pair_f64([a, b]: [u64; 2]) -> [f64; 2] {
    let radius = (-2.0 * positive_unit_f64(a).ln()).sqrt();
    let turns = (b >> 11) as f64 / (1_u64 << 53) as f64;
    let (sine, cosine) = (std::f64::consts::TAU * turns).sin_cos();
    [radius * cosine, radius * sine]
}
