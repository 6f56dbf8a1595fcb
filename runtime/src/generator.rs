//! Random number generators: a seed and a counter, from which calls reserve ranges.
//!
//! A [`Generator`] counts how many blocks of numbers it has given away; a
//! kernel reserves as many as it needs and computes each from its place. The
//! result depends on seed and order of calls, never on threads.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::lock::{Guard, Lazy, Lock};
use crate::philox::{self, philox};
use crate::rng_replay;
use crate::{Device, Result, ensure};

/// A source of random numbers; a clone is another handle to the same one.
///
/// ```
/// use opwright_runtime::Generator;
///
/// let generator = Generator::new(42);
/// // One block for each element: the numbers do not depend on who computes which.
/// let draws = generator.reserve(1000);
/// let tenth = draws.unit_f64(10);
/// assert!((0.0..1.0).contains(&tenth));
///
/// generator.manual_seed(42);
/// assert_eq!(generator.reserve(1000).unit_f64(10), tenth);
/// ```
#[derive(Clone, Debug)]
pub struct Generator(Arc<Lock<GeneratorState>>);

#[derive(Clone, Copy, Debug)]
struct GeneratorState {
    seed: u64,
    /// The first block that nobody has.
    next: u64,
}

const DEFAULT_SEED: u64 = 67_280_421_310_721;

static DEFAULT: Lazy<Generator> = Lazy::new();

thread_local! {
    static DRAWN: Cell<u64> = const { Cell::new(0) };
}

impl Default for Generator {
    /// A generator with upstream's default seed.
    fn default() -> Generator {
        Generator::new(DEFAULT_SEED)
    }
}

impl Generator {
    /// A generator that starts from a seed.
    pub fn new(seed: u64) -> Generator {
        Generator(Arc::new(Lock::new(GeneratorState { seed, next: 0 })))
    }

    /// The generator that a call uses if none is given.
    pub fn default_cpu() -> &'static Generator {
        DEFAULT.get_or_init(|| Generator::new(DEFAULT_SEED))
    }

    /// Where its numbers are used.
    pub fn device(&self) -> Device {
        Device::Cpu
    }

    /// Whether both are handles of the same generator.
    pub fn is_same(&self, other: &Generator) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Starts again from a seed.
    pub fn manual_seed(&self, seed: u64) {
        *self.lock() = GeneratorState { seed, next: 0 };
    }

    /// Starts again from an unknown seed, and returns it.
    pub fn seed_from_time(&self) -> u64 {
        let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_nanos());
        let words = [nanos as u32, (nanos >> 32) as u32, std::process::id(), 0];
        let address = Arc::as_ptr(&self.0).addr() as u64;
        let [low, high, ..] = philox(words, [address as u32, (address >> 32) as u32]);
        let seed = u64::from(high) << 32 | u64::from(low);
        self.manual_seed(seed);
        seed
    }

    /// The seed it started from.
    pub fn initial_seed(&self) -> u64 {
        self.lock().seed
    }

    /// Takes `count` blocks, which nobody else gets; within [`RngReplay::replay`](crate::RngReplay::replay)
    /// those that were taken before.
    pub fn reserve(&self, count: u64) -> Draws {
        DRAWN.set(Generator::drawn().wrapping_add(1));
        rng_replay::taken(|| {
            let mut state = self.lock();
            let draws = Draws { seed: state.seed, first: state.next };
            state.next = state.next.wrapping_add(count);
            draws
        })
    }

    /// How often this thread has drawn, from whatever generators.
    ///
    /// ```
    /// use opwright_runtime::Generator;
    ///
    /// let before = Generator::drawn();
    /// Generator::new(42).reserve(1000);
    /// assert_eq!(Generator::drawn(), before + 1);
    /// ```
    pub fn drawn() -> u64 {
        DRAWN.get()
    }

    /// What [`Generator::set_state`] needs to continue from here.
    pub fn state(&self) -> [u8; 16] {
        let GeneratorState { seed, next } = *self.lock();
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..].copy_from_slice(&next.to_le_bytes());
        bytes
    }

    /// Continues from a state that [`Generator::state`] returned.
    ///
    /// # Errors
    ///
    /// `Runtime` if it is not one.
    pub fn set_state(&self, state: &[u8]) -> Result<()> {
        ensure!(state.len() == 16, Runtime, "the state of a generator has 16 bytes");
        let word = |range: std::ops::Range<usize>| {
            state[range].iter().rev().fold(0_u64, |all, &byte| all << 8 | u64::from(byte))
        };
        *self.lock() = GeneratorState { seed: word(0..8), next: word(8..16) };
        Ok(())
    }

    /// A generator of its own that continues from the same place.
    pub fn fork(&self) -> Generator {
        Generator(Arc::new(Lock::new(*self.lock())))
    }

    fn lock(&self) -> Guard<'_, GeneratorState> {
        self.0.lock()
    }
}

/// Blocks of random bits, each a function of its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    pub(crate) seed: u64,
    pub(crate) first: u64,
}

impl Draws {
    /// How many blocks [`Draws::blocks`] makes.
    pub const AT_ONCE: usize = philox::AT_ONCE;

    /// Two numbers of 64 random bits from each of [`AT_ONCE`](Draws::AT_ONCE) blocks, from `index`
    /// on; also of some that are not reserved, which are not to be used.
    ///
    /// In a function of [`multiversion!`](crate::multiversion), they are made side by side.
    ///
    /// ```
    /// use opwright_runtime::{Draws, Generator};
    ///
    /// let draws = Generator::new(42).reserve(Draws::AT_ONCE as u64);
    /// let bits = draws.blocks(0);
    /// let [a, b, c, d] = draws.block(5).map(u64::from);
    /// assert_eq!(bits[10..12], [b << 32 | a, d << 32 | c]);
    /// ```
    #[inline(always)]
    pub fn blocks(self, index: u64) -> [u64; 2 * Draws::AT_ONCE] {
        philox::consecutive(self.first.wrapping_add(index), self.key())
    }

    /// The 128 bits of block `index`, which must be one of those reserved.
    #[inline]
    pub fn block(self, index: u64) -> [u32; 4] {
        let at = self.first.wrapping_add(index);
        philox([at as u32, (at >> 32) as u32, 0, 0], self.key())
    }

    #[inline(always)]
    fn key(self) -> [u32; 2] {
        [self.seed as u32, (self.seed >> 32) as u32]
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(self, index: u64) -> u64 {
        let [low, high, ..] = self.block(index);
        u64::from(high) << 32 | u64::from(low)
    }

    /// A number from 0 (included) to 1, with all 53 bits that an `f64` has.
    #[inline]
    pub fn unit_f64(self, index: u64) -> f64 {
        unit_from_bits(self.bits(index))
    }

    /// Two numbers from 0 (included) to 1.
    #[inline]
    pub fn unit_pair(self, index: u64) -> [f64; 2] {
        let [a, b, c, d] = self.block(index);
        [
            unit_from_bits(u64::from(b) << 32 | u64::from(a)),
            unit_from_bits(u64::from(d) << 32 | u64::from(c)),
        ]
    }

    /// A number from 0 (included) to 1, with the 24 bits that an `f32` has.
    #[inline]
    pub fn unit_f32(self, index: u64) -> f32 {
        let [word, ..] = self.block(index);
        (word >> 8) as f32 * (1.0 / (1 << 24) as f32)
    }

    /// Two independent numbers of the standard normal distribution.
    #[inline]
    pub fn gaussian_pair(self, index: u64) -> [f64; 2] {
        let [a, b] = self.unit_pair(index);
        // 1 - a is never zero, so the logarithm is finite.
        let radius = (-2.0 * (1.0 - a).ln()).sqrt();
        let (sine, cosine) = (std::f64::consts::TAU * b).sin_cos();
        [radius * cosine, radius * sine]
    }

    /// An integer from 0 (included) to `bound`, which must be positive.
    #[inline]
    pub fn below(self, index: u64, bound: u64) -> u64 {
        // 128 bits times the bound, shifted: the bias is below 2^-64.
        ((u128::from(self.bits(index)) * u128::from(bound)) >> 64) as u64
    }
}

#[inline]
fn unit_from_bits(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_all() {
        let (a, b) = (Generator::new(7), Generator::new(7));
        a.reserve(3);
        let (first, second) = (a.reserve(2), b.reserve(5));
        assert_eq!(first.block(0), second.block(3));
        assert_ne!(first.block(0), first.block(1));
        a.manual_seed(7);
        assert_eq!(a.reserve(1).block(0), second.block(0));
    }

    #[test]
    fn a_state_can_be_restored() {
        let generator = Generator::new(u64::MAX - 5);
        generator.reserve(10);
        let state = generator.state();
        let fork = generator.fork();
        let before = generator.reserve(1).block(0);
        generator.set_state(&state).unwrap();
        assert_eq!(generator.reserve(1).block(0), before);
        assert_eq!(fork.reserve(1).block(0), before);
        assert!(generator.set_state(&state[1..]).is_err());
    }

    #[test]
    fn distributions_are_as_they_should_be() {
        const N: u64 = 20_000;
        let draws = Generator::new(1).reserve(N);
        let mean = (0..N).map(|it| draws.unit_f64(it)).sum::<f64>() / N as f64;
        assert!((mean - 0.5).abs() < 0.01, "{mean}");
        assert!((0..N).all(|it| (0.0..1.0).contains(&draws.unit_f32(it))));
        assert!((0..N).all(|it| draws.below(it, 3) < 3));
        let pairs = (0..N).flat_map(|it| draws.gaussian_pair(it));
        let (sum, squares) = pairs.fold((0.0, 0.0), |(a, b), it| (a + it, b + it * it));
        assert!((sum / (2 * N) as f64).abs() < 0.02);
        assert!((squares / (2 * N) as f64 - 1.0).abs() < 0.03);
    }
}
