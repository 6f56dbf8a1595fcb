//! Square roots of blocks: Newton–Raphson with a correctly rounded last step (Markstein).
//!
//! The processor's own instruction waits for one root after the other. Where vectors have 64 bytes,
//! an estimate of 14 bits that is made exact by FMA takes half of the time. The last
//! step, `g + (x - g²) / (2 √x)` with one rounding, gives the root nearest to the exact one, so that
//! the bits are the same everywhere: P. Markstein, Computation of elementary functions on the IBM
//! RISC System/6000 processor, 1990. The tests try all numbers whose root is so near to the middle
//! between two others that it could be missed.

use num_complex::Complex;

use crate::elementary::Elementary;
use crate::{Isa, multiversion};

/// What has square roots.
pub trait Roots: Elementary {
    /// Replaces numbers by their roots.
    fn roots(block: &mut [Self]);
}

multiversion! {
    fn one_by_one<T>(block: &mut [T])
    where
        [T: Elementary]
    {
        for x in block {
            *x = x.root();
        }
    }
}

macro_rules! reals {
    ($($ty:ident)*) => {$(
        impl Roots for $ty {
            fn roots(block: &mut [$ty]) {
                #[cfg(target_arch = "x86_64")]
                if Isa::detect() >= Isa::Avx512 {
                    // SAFETY: the processor was asked for these instructions.
                    return unsafe { avx512::$ty(block) };
                }
                one_by_one(block);
            }
        }
    )*};
}

reals! { f32 f64 }

impl Roots for Complex<f64> {
    fn roots(block: &mut [Complex<f64>]) {
        one_by_one(block);
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    macro_rules! roots {
        (
            $(#[$about:meta])*
            $ty:ident: $vector:ty, $lanes:literal, $in_range:expr,
            $load:ident $store:ident $set:ident $root:ident $estimate:ident
            $product:ident $sum:ident $rest:ident $mask:ident $steps:literal
        ) => {
            $(#[$about])*
            #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")]
            pub(super) fn $ty(block: &mut [$ty]) {
                let (vectors, others) = block.as_chunks_mut::<$lanes>();
                for vector in vectors {
                    // SAFETY: there are as many numbers as the vector has.
                    let x = unsafe { $load(vector.as_ptr()) };
                    let (least, most) = $in_range;
                    // What is 0, negative, infinite or no number is none of these.
                    let is_in_range = $mask::<_CMP_GE_OQ>(x, $set(least))
                        & $mask::<_CMP_LE_OQ>(x, $set(most));
                    let result = if is_in_range.count_zeros() == 0 { exact(x) } else { $root(x) };
                    // SAFETY: as above.
                    unsafe { $store(vector.as_mut_ptr(), result) };
                }
                for x in others {
                    *x = x.sqrt();
                }

                #[inline]
                #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")]
                fn exact(x: $vector) -> $vector {
                    let half = $set(0.5);
                    // 1. The root and half of its reciprocal, to 14 bits.
                    let estimate = $estimate(x);
                    let (mut g, mut h) = ($product(x, estimate), $product(estimate, half));
                    // 2. Each step doubles the bits.
                    for _ in 0..$steps {
                        let r = $rest(g, h, half);
                        (g, h) = ($sum(g, r, g), $sum(h, r, h));
                    }
                    // 3. What is missing of the square is known exactly.
                    $sum($rest(g, g, x), h, g)
                }
            }
        };
    }

    roots! {
        /// Of `f32`. From `least` on, what is missing of the square is no subnormal number.
        f32: __m512, 16, (1e-20, f32::MAX),
        _mm512_loadu_ps _mm512_storeu_ps _mm512_set1_ps _mm512_sqrt_ps _mm512_rsqrt14_ps
        _mm512_mul_ps _mm512_fmadd_ps _mm512_fnmadd_ps _mm512_cmp_ps_mask 1
    }

    roots! {
        /// Of `f64`, as of `f32`.
        f64: __m512d, 8, (1e-270, f64::MAX),
        _mm512_loadu_pd _mm512_storeu_pd _mm512_set1_pd _mm512_sqrt_pd _mm512_rsqrt14_pd
        _mm512_mul_pd _mm512_fmadd_pd _mm512_fnmadd_pd _mm512_cmp_pd_mask 2
    }
}

#[cfg(test)]
mod tests {
    use super::Roots;

    fn check_f64(numbers: &mut Vec<f64>) {
        let expected: Vec<f64> = numbers.iter().map(|it| it.sqrt()).collect();
        let given = numbers.clone();
        f64::roots(numbers);
        for ((x, root), exact) in given.iter().zip(&*numbers).zip(&expected) {
            assert_eq!(root.to_bits(), exact.to_bits(), "{x:e}");
        }
        numbers.clear();
    }

    #[test]
    fn every_exponent_and_what_is_special() {
        let mut numbers = vec![0.0, -0.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, 5e-324];
        numbers.resize(19, f64::MIN_POSITIVE);
        check_f64(&mut numbers);
        for exponent in 0..2047_u64 {
            let fractions = [0, 1, 2, (1 << 52) - 1, (1 << 52) - 2, 0x8_0000_0000_0001];
            numbers.extend(fractions.map(|it| f64::from_bits(exponent << 52 | it)));
        }
        check_f64(&mut numbers);
        let mut single: Vec<f32> = (0..=u32::MAX).step_by(9973).map(f32::from_bits).collect();
        let given = single.clone();
        f32::roots(&mut single);
        for (x, root) in given.iter().zip(&single) {
            let exact = x.sqrt();
            assert!(root.to_bits() == exact.to_bits() || root.is_nan() && exact.is_nan(), "{x:e}");
        }
    }

    /// A root lies in the middle between two numbers if its 54 bits end in 1, and `m² + d` then is
    /// the number itself, for the least `d`, if it ends in as many zeros as its square has more bits.
    #[test]
    fn roots_next_to_the_middle_between_two_numbers() {
        let mut numbers = Vec::new();
        for d in (-8191_i64..8192).filter(|it| it.rem_euclid(8) == 7) {
            for zeros in [54, 55] {
                for m in square_roots(d.wrapping_neg() as u64, zeros) {
                    for m in [m, m | 1 << 53, m.wrapping_sub(1 << 54) & ((1 << 54) - 1)] {
                        let sum = u128::from(m) * u128::from(m);
                        let square = sum.wrapping_add_signed(d.into()) >> zeros;
                        if m >> 53 == 1 && square >> 52 == 1 {
                            numbers.push(square as f64);
                        }
                    }
                }
            }
        }
        assert!(numbers.len() > 4000, "{}", numbers.len());
        check_f64(&mut numbers);
    }

    /// The odd numbers below 2⁵⁴ whose squares end in the last bits of `of`, which is 1 modulo 8.
    fn square_roots(of: u64, bits: u32) -> [u64; 4] {
        let mut root = 1_u64;
        // Each bit of the root decides about the next one of the square.
        for bit in 3..bits {
            if (root.wrapping_mul(root) ^ of) >> bit & 1 == 1 {
                root = root.wrapping_add(1 << (bit - 1));
            }
        }
        let half = 1_u64 << (bits - 1);
        let all = [root, root.wrapping_neg(), root.wrapping_add(half), half.wrapping_sub(root)];
        all.map(|it| it & ((1 << 54) - 1))
    }
}
