//! Continuous distributions: what becomes of random bits.
//!
//! Loops over the bits of several blocks become vector instructions. Nothing in them is fused, so
//! that numbers have the same bits at each level.

use opwright_runtime::{DType, Draws, multiversion};
use opwright_vecmath::{double, single};

/// Numbers of 64 bits that are made at once.
pub(super) const PAIRS: usize = 2 * Draws::AT_ONCE;

/// Numbers of 32 bits that are made at once.
pub(super) const WORDS: usize = 2 * PAIRS;

/// How bits become numbers. Words are the lower half of 64 bits, and then the upper one.
pub(super) trait Distribution: Copy + Sync {
    fn single(self, bits: &[u64; PAIRS], made: &mut [f32; WORDS]);

    fn double(self, bits: &[u64; PAIRS], made: &mut [f64; PAIRS]);
}

multiversion! {
    /// The numbers of so many blocks, of which this is the `index`th part.
    pub(super) fn singles<const _FMA: bool, D>(
        draws: Draws,
        index: usize,
        distribution: D,
        made: &mut [f32; WORDS],
    )
    where
        [D: Distribution]
    {
        distribution.single(&draws.blocks((Draws::AT_ONCE * index) as u64), made);
    }

    /// The numbers of so many blocks, of which this is the `index`th part.
    pub(super) fn doubles<const _FMA: bool, D>(
        draws: Draws,
        index: usize,
        distribution: D,
        made: &mut [f64; PAIRS],
    )
    where
        [D: Distribution]
    {
        distribution.double(&draws.blocks((Draws::AT_ONCE * index) as u64), made);
    }
}

/// Evenly distributed numbers from `from` to before `to`.
#[derive(Clone, Copy)]
pub(super) struct Uniform {
    from: f64,
    to: f64,
    /// As many as the dtype has: then a number is not rounded up to 1.
    digits: u32,
}

impl Uniform {
    pub(super) fn new(from: f64, to: f64, dtype: DType) -> Uniform {
        let digits = match dtype {
            DType::BFloat16 => 8,
            DType::Float16 => 11,
            _ => 24,
        };
        Uniform { from, to, digits }
    }
}

impl Distribution for Uniform {
    #[inline(always)]
    fn single(self, bits: &[u64; PAIRS], made: &mut [f32; WORDS]) {
        let (from, to) = (self.from as f32, self.to as f32);
        let (width, unit) = (to - from, 1.0 / (1_u32 << self.digits) as f32);
        each_word(bits, made, |word| {
            let value = from + width * (word.unbounded_shr(32 - self.digits) as i32 as f32 * unit);
            if value < to { value } else { from }
        });
    }

    #[inline(always)]
    fn double(self, bits: &[u64; PAIRS], made: &mut [f64; PAIRS]) {
        let width = self.to - self.from;
        each(bits, made, |bits| {
            let value = self.from + width * unit(bits);
            if value < self.to { value } else { self.from }
        });
    }
}

/// Numbers of the normal distribution, by G. Box and M. Muller, 1958: two from two.
#[derive(Clone, Copy)]
pub(super) struct Normal {
    pub(super) mean: f64,
    pub(super) std: f64,
}

impl Distribution for Normal {
    #[inline(always)]
    fn single(self, bits: &[u64; PAIRS], made: &mut [f32; WORDS]) {
        let (mean, std) = (self.mean as f32, self.std as f32);
        let (pairs, _) = made.as_chunks_mut::<2>();
        for ([first, second], &bits) in pairs.iter_mut().zip(bits) {
            let (a, b) = (bits as u32, (bits >> 32) as u32);
            let radius = (-2.0 * single::log::<false>(positive_single(a))).sqrt();
            let turns = (b >> 8) as i32 as f32 / (1_u32 << 24) as f32;
            let (sine, cosine) = single::sin_cos_of_turns(turns);
            (*first, *second) = (mean + std * (radius * cosine), mean + std * (radius * sine));
        }
    }

    #[inline(always)]
    fn double(self, bits: &[u64; PAIRS], made: &mut [f64; PAIRS]) {
        let (slots, _) = made.as_chunks_mut::<2>();
        let (pairs, _) = bits.as_chunks::<2>();
        for ([first, second], &[a, b]) in slots.iter_mut().zip(pairs) {
            let radius = (-2.0 * double::log::<false>(positive_double(a))).sqrt();
            let (sine, cosine) = double::sin_cos_of_turns::<false>(unit(b));
            *first = self.mean + self.std * (radius * cosine);
            *second = self.mean + self.std * (radius * sine);
        }
    }
}

/// Numbers of the exponential distribution.
#[derive(Clone, Copy)]
pub(super) struct Exponential {
    pub(super) lambd: f64,
}

impl Distribution for Exponential {
    #[inline(always)]
    fn single(self, bits: &[u64; PAIRS], made: &mut [f32; WORDS]) {
        let scale = (1.0 / self.lambd) as f32;
        each_word(bits, made, |word| -single::log::<false>(positive_single(word)) * scale);
    }

    #[inline(always)]
    fn double(self, bits: &[u64; PAIRS], made: &mut [f64; PAIRS]) {
        each(bits, made, |bits| -double::log::<false>(positive_double(bits)) / self.lambd);
    }
}

#[inline(always)]
fn each(bits: &[u64; PAIRS], made: &mut [f64; PAIRS], f: impl Fn(u64) -> f64) {
    for (slot, &bits) in made.iter_mut().zip(bits) {
        *slot = f(bits);
    }
}

#[inline(always)]
fn each_word(bits: &[u64; PAIRS], made: &mut [f32; WORDS], f: impl Fn(u32) -> f32) {
    let (slots, _) = made.as_chunks_mut::<2>();
    for ([first, second], &bits) in slots.iter_mut().zip(bits) {
        (*first, *second) = (f(bits as u32), f((bits >> 32) as u32));
    }
}

/// A number from 0 to before 1.
#[inline(always)]
fn unit(bits: u64) -> f64 {
    // A signed integer is one that vectors have.
    (bits >> 11) as i64 as f64 / (1_u64 << 53) as f64
}

/// A number above 0, up to 1.
#[inline(always)]
fn positive_single(word: u32) -> f32 {
    (word as f32 + 1.0) * (1.0 / (1_u64 << 32) as f32)
}

/// A number above 0, up to 1.
#[inline(always)]
fn positive_double(bits: u64) -> f64 {
    ((bits >> 11) as i64 as f64 + 1.0) / (1_u64 << 53) as f64
}
