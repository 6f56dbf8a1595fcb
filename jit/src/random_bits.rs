//! Random bits that a call has taken from the default generator, and not used yet.

use opwright_runtime::Generator;
use opwright_vecmath::double::{log, sin_cos_of_turns};

/// What is left of the blocks that a call has taken.
#[derive(Debug, Default)]
pub(crate) struct Remainder {
    bits: Option<u64>,
    normal: Option<f64>,
}

/// `2^-53`: what the upper bits of 64 are multiplied by to lie between 0 and 1.
pub(crate) const UNIT: f64 = 1.0 / (1_u64 << 53) as f64;

impl Remainder {
    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        match self.bits.take() {
            Some(bits) => bits,
            None => {
                let [first, second] = block();
                self.bits = Some(second);
                first
            }
        }
    }

    /// A number of the standard normal distribution, by G. Box and M. Muller, 1958.
    pub(crate) fn normal(&mut self) -> f64 {
        if let Some(number) = self.normal.take() {
            return number;
        }
        let [first, second] = block();
        let radius = (-2.0 * log::<false>(((first >> 11) as f64 + 1.0) * UNIT)).sqrt();
        let (sine, cosine) = sin_cos_of_turns::<false>((second >> 11) as f64 * UNIT);
        self.normal = Some(radius * sine);
        radius * cosine
    }
}

fn block() -> [u64; 2] {
    let [a, b, c, d] = Generator::default_cpu().reserve(1).block(0).map(u64::from);
    [b << 32 | a, d << 32 | c]
}
