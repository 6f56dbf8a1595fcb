//! `log`, `log2` and `log10` by table lookup: the logarithm of an inverse with few bits from a table, and a
//! short minimax polynomial for what is left (Tang 1990). Errors: 1 ULP.

use std::hint::cold_path;

use super::tables::{
    BINARY_F32, BINARY_F64, BaseF32, BaseF64, DECIMAL_F32, DECIMAL_F64, NATURAL_F32, NATURAL_F64,
};
use crate::simd::lanes::{Bits, F32s, F64s, Mask};
use crate::single;

/// The logarithm, but for what is no positive number, plus `lost`.
///
/// Of `m * 2^e`: with `r`, the inverse of `m` in 32nds, it is
/// `e * of_two - log(r) + log(m * r)`, and `m * r` is so close to one that few terms are enough.
#[inline(always)]
fn positive_logarithm<V: F64s>(x: V, lost: V, base: &BaseF64) -> V {
    // 1. x = (1 + f) * 2^e / r, and nothing is lost of f.
    let m = x.mantissa();
    let r = m.recip_approx().round_to::<5>();
    let f = m.mul_sub(r, V::splat(1.0));
    let e = x.exponent() - r.exponent();
    // 2. e * of_two - log(r), and nothing is lost of the first part.
    let indices = r.to_bits().shr(48);
    let [of_two, of_two_rest] = V::splats(&base.of_two);
    let high = e.mul_add(of_two, V::lookup(&base.high, indices));
    let low = lost + V::lookup(&base.low, indices);
    let low = e.mul_add(of_two_rest, low);
    // 3. + log(1 + f)
    let [inverse, inverse_rest] = V::splats(&base.inverse);
    let sum = f.mul_add(inverse, high);
    let lost = f.mul_add(inverse, high - sum);
    let low = f.mul_add(inverse_rest, low + lost);
    let low = (f * f).mul_add(f.polynomial(&base.terms), low);
    sum + low
}

/// The natural logarithm of a positive number, plus `lost`.
#[inline(always)]
pub(crate) fn natural_logarithm<V: F64s>(x: V, lost: V) -> V {
    positive_logarithm(x, lost, &NATURAL_F64)
}

/// The logarithm of any number.
#[inline(always)]
fn logarithm<V: F64s>(x: V, base: &BaseF64) -> V {
    // Nothing is lost, and adding this changes nothing.
    let y = positive_logarithm(x, V::splat(-0.0), base);
    let is_special = x.is_not_positive();
    if is_special.any() {
        cold_path();
        let zero = V::splat(0.0);
        let special = V::select(x.lt(zero), V::splat(f64::NAN), x);
        let special = V::select(x.eq(zero), V::splat(f64::NEG_INFINITY), special);
        return V::select(is_special, special, y);
    }
    y
}

#[inline(always)]
pub(crate) fn log_f64<V: F64s>(x: V) -> V {
    logarithm(x, &NATURAL_F64)
}

#[inline(always)]
pub(crate) fn log2_f64<V: F64s>(x: V) -> V {
    logarithm(x, &BINARY_F64)
}

#[inline(always)]
pub(crate) fn log10_f64<V: F64s>(x: V) -> V {
    logarithm(x, &DECIMAL_F64)
}

/// The logarithm of a positive number `m * 2^e`, likewise, and `m` is from 0.71 to 1.42: where `e` is
/// zero, the first part counts, and where it is not, what is lost of the second does not.
#[inline(always)]
fn logarithm_f32<V: F32s>(x: V, base: &BaseF32, special: fn(&mut [f32])) -> V {
    /// The bits of the least `m`.
    const LEAST: u32 = 0x3f355555;

    // 1. x = m * 2^e
    let bits = x.to_bits();
    let above = bits.wrapping_sub(V::Bits::splat(LEAST));
    let exponent = above & V::Bits::splat(!0 << 23);
    let m = V::from_bits(bits.wrapping_sub(exponent));
    let e = V::from_signed(exponent);
    // 2. m = (1 + f) / r
    let indices = above.shr(18);
    let r = V::lookup(&base.inverses, indices);
    let f = m.mul_sub(r, V::splat(1.0));
    // 3. e * of_two - log(r), which is exact, + log(1 + f)
    let [of_two, of_two_rest] = V::splats(&base.of_two);
    let high = e.mul_add(of_two, V::lookup(&base.logarithms, indices));
    let [first, second, third, fourth] = V::splats(&base.terms);
    let p = fourth.mul_add(f, third).mul_add(f, second);
    let p = p.mul_add(f, first);
    let [inverse, inverse_rest] = base.inverse;
    let low = if inverse == 1.0 {
        (f * f).mul_add(p, e.mul_add(of_two_rest, f))
    } else {
        let p = f.mul_add(p, V::splat(inverse_rest));
        let low = match base.of_two {
            [_, 0.0] => f * p,
            _ => f.mul_add(p, e * of_two_rest),
        };
        f.mul_add(V::splat(inverse), low)
    };
    let y = high + low;
    let is_special = x.is_not_positive_normal();
    if is_special.any() {
        cold_path();
        return V::select(is_special, x.by_block(special), y);
    }
    y
}

#[inline(always)]
pub(crate) fn log_f32<V: F32s>(x: V) -> V {
    logarithm_f32(x, &NATURAL_F32, |block| {
        block.iter_mut().for_each(|x| *x = single::log::<false>(*x))
    })
}

#[inline(always)]
pub(crate) fn log2_f32<V: F32s>(x: V) -> V {
    logarithm_f32(x, &BINARY_F32, |block| {
        block.iter_mut().for_each(|x| *x = single::log2::<false>(*x))
    })
}

#[inline(always)]
pub(crate) fn log10_f32<V: F32s>(x: V) -> V {
    logarithm_f32(x, &DECIMAL_F32, |block| {
        block.iter_mut().for_each(|x| *x = single::log10::<false>(*x))
    })
}
