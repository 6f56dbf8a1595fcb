//! Lanes of AVX-512: registers of 64 bytes, with masks, FMA, tables of two registers, and instructions
//! for exponents and mantissas.
//!
//! The lists at the end say which functions are faster with table lookups than with the polynomials
//! that the compiler vectorizes.

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Sub};

use super::lanes::{Bits, Lanes, Mask, are_at_most, load_at, store_at, with_fallback};
use crate::sqrt::lanes::{sqrt_f32, sqrt_f64};
use crate::{Isa, erf, exp, hyperbolic, log, pow, trig, with_features};

/// An intrinsic function of a register.
macro_rules! call {
    ($call:expr) => {
        // SAFETY: registers of these types are made in functions of this file alone that are called
        // after `Isa::detect` found AVX-512.
        unsafe { $call }
    };
}

macro_rules! lanes {
    (
        $name:ident($register:ident) of $ty:ident, $count:literal,
        $bits:ident of $unsigned:ident $signed:ident, $mask:ident, $select:ident,
        [$add:ident $sub:ident $mul:ident $div:ident]
        [$fmadd:ident $fmsub:ident $fnmadd:ident $fnmsub:ident]
        [$splat:ident $load:ident $store:ident $mask_load:ident $mask_store:ident $first:ident]
        [$abs:ident $sqrt:ident $min:ident $max:ident $rcp:ident $rsqrt:ident]
        [$scalef:ident $getmant:ident $getexp:ident $roundscale:ident]
        [$cmp:ident $fpclass:ident $to_bits:ident $from_bits:ident $from_signed:ident]
        [$splat_bits:ident $select_bits:ident $sub_bits:ident $shl:ident $shr:ident $cmplt:ident $cmple:ident $test:ident $movepi:ident]
        $permute:ident
    ) => {
        #[derive(Clone, Copy)]
        struct $name($register);

        #[derive(Clone, Copy)]
        struct $bits(__m512i);

        impl Add for $name {
            type Output = $name;
            #[inline(always)]
            fn add(self, other: $name) -> $name {
                $name(call!($add(self.0, other.0)))
            }
        }

        impl Sub for $name {
            type Output = $name;
            #[inline(always)]
            fn sub(self, other: $name) -> $name {
                $name(call!($sub(self.0, other.0)))
            }
        }

        impl Mul for $name {
            type Output = $name;
            #[inline(always)]
            fn mul(self, other: $name) -> $name {
                $name(call!($mul(self.0, other.0)))
            }
        }

        impl Div for $name {
            type Output = $name;
            #[inline(always)]
            fn div(self, other: $name) -> $name {
                $name(call!($div(self.0, other.0)))
            }
        }

        impl Lanes for $name {
            type Element = $ty;
            type Bits = $bits;
            type Mask = $mask;

            const COUNT: usize = $count;

            #[inline(always)]
            fn constant(x: f64) -> $name {
                $name::splat(x as $ty)
            }
            #[inline(always)]
            fn splat(x: $ty) -> $name {
                $name(call!($splat(x)))
            }
            #[inline(always)]
            fn load(numbers: &[$ty]) -> $name {
                let numbers = &numbers[..$count];
                // SAFETY: the slice is as long as the register.
                $name(unsafe { $load(numbers.as_ptr()) })
            }
            #[inline(always)]
            fn load_part(numbers: &[$ty], fill: $ty) -> $name {
                let mask = !($mask::MAX << numbers.len());
                // SAFETY: the numbers of the mask are those of the slice.
                $name(unsafe { $mask_load($splat(fill), mask, numbers.as_ptr()) })
            }
            #[inline(always)]
            fn store(self, numbers: &mut [$ty]) {
                let numbers = &mut numbers[..$count];
                // SAFETY: the slice is as long as the register.
                unsafe { $store(numbers.as_mut_ptr(), self.0) }
            }
            #[inline(always)]
            fn store_part(self, numbers: &mut [$ty]) {
                let mask = !($mask::MAX << numbers.len());
                // SAFETY: the numbers of the mask are those of the slice.
                unsafe { $mask_store(numbers.as_mut_ptr(), mask, self.0) }
            }
            #[inline(always)]
            fn first(self) -> $ty {
                call!($first(self.0))
            }
            #[inline(always)]
            fn mul_add(self, b: $name, c: $name) -> $name {
                $name(call!($fmadd(self.0, b.0, c.0)))
            }
            #[inline(always)]
            fn mul_sub(self, b: $name, c: $name) -> $name {
                $name(call!($fmsub(self.0, b.0, c.0)))
            }
            #[inline(always)]
            fn neg_mul_add(self, b: $name, c: $name) -> $name {
                $name(call!($fnmadd(self.0, b.0, c.0)))
            }
            #[inline(always)]
            fn neg_mul_sub(self, b: $name, c: $name) -> $name {
                $name(call!($fnmsub(self.0, b.0, c.0)))
            }
            #[inline(always)]
            fn abs(self) -> $name {
                $name(call!($abs(self.0)))
            }
            #[inline(always)]
            fn sqrt(self) -> $name {
                $name(call!($sqrt(self.0)))
            }
            #[inline(always)]
            fn min(self, other: $name) -> $name {
                $name(call!($min(self.0, other.0)))
            }
            #[inline(always)]
            fn max(self, other: $name) -> $name {
                $name(call!($max(self.0, other.0)))
            }
            #[inline(always)]
            fn recip_approx(self) -> $name {
                $name(call!($rcp(self.0)))
            }
            #[inline(always)]
            fn rsqrt_approx(self) -> $name {
                $name(call!($rsqrt(self.0)))
            }
            #[inline(always)]
            fn scale(self, n: $name) -> $name {
                $name(call!($scalef(self.0, n.0)))
            }
            #[inline(always)]
            fn mantissa(self) -> $name {
                $name(call!($getmant::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_ZERO>(self.0)))
            }
            #[inline(always)]
            fn exponent(self) -> $name {
                $name(call!($getexp(self.0)))
            }
            #[inline(always)]
            fn round_to<const BITS: u32>(self) -> $name {
                const { assert!(BITS == 0 || BITS == 5 || BITS == 6, "an immediate operand") };
                $name(call!(match BITS {
                    0 => $roundscale::<0x08>(self.0),
                    5 => $roundscale::<0x50>(self.0),
                    _ => $roundscale::<0x60>(self.0),
                }))
            }
            #[inline(always)]
            fn lt(self, other: $name) -> $mask {
                call!($cmp::<_CMP_LT_OQ>(self.0, other.0))
            }
            #[inline(always)]
            fn gt(self, other: $name) -> $mask {
                call!($cmp::<_CMP_GT_OQ>(self.0, other.0))
            }
            #[inline(always)]
            fn eq(self, other: $name) -> $mask {
                call!($cmp::<_CMP_EQ_OQ>(self.0, other.0))
            }
            #[inline(always)]
            fn ne(self, other: $name) -> $mask {
                call!($cmp::<_CMP_NEQ_UQ>(self.0, other.0))
            }
            #[inline(always)]
            fn not_lt(self, other: $name) -> $mask {
                call!($cmp::<_CMP_NLT_UQ>(self.0, other.0))
            }
            #[inline(always)]
            fn not_le(self, other: $name) -> $mask {
                call!($cmp::<_CMP_NLE_UQ>(self.0, other.0))
            }
            #[inline(always)]
            fn is_nan(self) -> $mask {
                call!($cmp::<_CMP_UNORD_Q>(self.0, self.0))
            }
            #[inline(always)]
            fn is_negative(self) -> $mask {
                call!($movepi($to_bits(self.0)))
            }
            #[inline(always)]
            fn is_not_positive(self) -> $mask {
                call!($fpclass::<0xdf>(self.0))
            }
            #[inline(always)]
            fn is_not_positive_normal(self) -> $mask {
                call!($fpclass::<0xff>(self.0))
            }
            #[inline(always)]
            fn select(mask: $mask, yes: $name, no: $name) -> $name {
                $name(call!($select(no.0, mask, yes.0)))
            }
            #[inline(always)]
            fn or_sign_of(self, x: $name) -> $name {
                $name::from_bits(self.to_bits() | (x.to_bits() & $name::splat(-0.0).to_bits()))
            }
            #[inline(always)]
            fn xor_sign_of(self, x: $name) -> $name {
                $name::from_bits(self.to_bits() ^ (x.to_bits() & $name::splat(-0.0).to_bits()))
            }
            #[inline(always)]
            fn to_bits(self) -> $bits {
                $bits(call!($to_bits(self.0)))
            }
            #[inline(always)]
            fn from_bits(bits: $bits) -> $name {
                $name(call!($from_bits(bits.0)))
            }
            #[inline(always)]
            fn from_signed(bits: $bits) -> $name {
                $name(call!($from_signed(bits.0)))
            }
            #[inline(always)]
            fn lookup<const N: usize>(table: &[$ty; N], indices: $bits) -> $name {
                const {
                    assert!(N == 2 * $count || N == 4 * $count, "a table is two or four registers");
                }
                let halves = |at: usize| {
                    let (low, high) =
                        ($name::load(&table[at..]), $name::load(&table[at + $count..]));
                    $name(call!($permute(low.0, indices.0, high.0)))
                };
                if N == 2 * $count {
                    return halves(0);
                }
                let upper = halves(2 * $count);
                $name::select(indices.has(2 * $count), upper, halves(0))
            }
        }

        impl BitAnd for $bits {
            type Output = $bits;
            #[inline(always)]
            fn bitand(self, other: $bits) -> $bits {
                $bits(call!(_mm512_and_si512(self.0, other.0)))
            }
        }

        impl BitOr for $bits {
            type Output = $bits;
            #[inline(always)]
            fn bitor(self, other: $bits) -> $bits {
                $bits(call!(_mm512_or_si512(self.0, other.0)))
            }
        }

        impl BitXor for $bits {
            type Output = $bits;
            #[inline(always)]
            fn bitxor(self, other: $bits) -> $bits {
                $bits(call!(_mm512_xor_si512(self.0, other.0)))
            }
        }

        impl Bits for $bits {
            type Element = $unsigned;
            type Mask = $mask;

            #[inline(always)]
            fn splat(x: $unsigned) -> $bits {
                $bits(call!($splat_bits(x as $signed)))
            }
            #[inline(always)]
            fn wrapping_sub(self, other: $bits) -> $bits {
                $bits(call!($sub_bits(self.0, other.0)))
            }
            #[inline(always)]
            fn shl<const BY: u32>(self) -> $bits {
                $bits(call!($shl::<BY>(self.0)))
            }
            #[inline(always)]
            fn shr<const BY: u32>(self) -> $bits {
                $bits(call!($shr::<BY>(self.0)))
            }
            #[inline(always)]
            fn lt(self, other: $bits) -> $mask {
                call!($cmplt(self.0, other.0))
            }
            #[inline(always)]
            fn le(self, other: $bits) -> $mask {
                call!($cmple(self.0, other.0))
            }
            #[inline(always)]
            fn select(mask: $mask, yes: $bits, no: $bits) -> $bits {
                $bits(call!($select_bits(no.0, mask, yes.0)))
            }
            #[inline(always)]
            fn has(self, bits: $unsigned) -> $mask {
                call!($test(self.0, $splat_bits(bits as $signed)))
            }
        }

        impl Mask for $mask {
            #[inline(always)]
            fn any(self) -> bool {
                self != 0
            }
        }
    };
}

lanes! {
    F64x8(__m512d) of f64, 8, U64x8 of u64 i64, __mmask8, _mm512_mask_mov_pd,
    [_mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd]
    [_mm512_fmadd_pd _mm512_fmsub_pd _mm512_fnmadd_pd _mm512_fnmsub_pd]
    [_mm512_set1_pd _mm512_loadu_pd _mm512_storeu_pd _mm512_mask_loadu_pd _mm512_mask_storeu_pd
     _mm512_cvtsd_f64]
    [_mm512_abs_pd _mm512_sqrt_pd _mm512_min_pd _mm512_max_pd _mm512_rcp14_pd _mm512_rsqrt14_pd]
    [_mm512_scalef_pd _mm512_getmant_pd _mm512_getexp_pd _mm512_roundscale_pd]
    [_mm512_cmp_pd_mask _mm512_fpclass_pd_mask _mm512_castpd_si512 _mm512_castsi512_pd
     _mm512_cvtepi64_pd]
    [_mm512_set1_epi64 _mm512_mask_mov_epi64 _mm512_sub_epi64 _mm512_slli_epi64 _mm512_srli_epi64
     _mm512_cmplt_epu64_mask _mm512_cmple_epu64_mask _mm512_test_epi64_mask _mm512_movepi64_mask]
    _mm512_permutex2var_pd
}

lanes! {
    F32x16(__m512) of f32, 16, U32x16 of u32 i32, __mmask16, _mm512_mask_mov_ps,
    [_mm512_add_ps _mm512_sub_ps _mm512_mul_ps _mm512_div_ps]
    [_mm512_fmadd_ps _mm512_fmsub_ps _mm512_fnmadd_ps _mm512_fnmsub_ps]
    [_mm512_set1_ps _mm512_loadu_ps _mm512_storeu_ps _mm512_mask_loadu_ps _mm512_mask_storeu_ps
     _mm512_cvtss_f32]
    [_mm512_abs_ps _mm512_sqrt_ps _mm512_min_ps _mm512_max_ps _mm512_rcp14_ps _mm512_rsqrt14_ps]
    [_mm512_scalef_ps _mm512_getmant_ps _mm512_getexp_ps _mm512_roundscale_ps]
    [_mm512_cmp_ps_mask _mm512_fpclass_ps_mask _mm512_castps_si512 _mm512_castsi512_ps
     _mm512_cvtepi32_ps]
    [_mm512_set1_epi32 _mm512_mask_mov_epi32 _mm512_sub_epi32 _mm512_slli_epi32 _mm512_srli_epi32
     _mm512_cmplt_epu32_mask _mm512_cmple_epu32_mask _mm512_test_epi32_mask _mm512_movepi32_mask]
    _mm512_permutex2var_ps
}

/// Functions of blocks by lanes. They return false, and do nothing, if the processor lacks AVX-512.
macro_rules! functions {
    ($lanes:ident of $ty:ident: $($name:ident = $function:path;)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of each.")]
        pub(crate) fn $name(numbers: &mut [$ty]) -> bool {
            with_features! { Avx512
                fn each(numbers: &mut [$ty]) {
                    let mut at = 0;
                    while let Some(x) = load_at::<$lanes>(numbers, at, 0.5) {
                        store_at(numbers, at, $function(x));
                        at += $lanes::COUNT;
                    }
                }
            }

            let is_available = Isa::detect() >= Isa::Avx512;
            if is_available {
                // SAFETY: the processor has AVX-512.
                unsafe { each(numbers) };
            }
            is_available
        }
    )*};
}

/// Functions of angles, likewise; `far` is for those beyond the range of the reduction.
macro_rules! angles {
    ($lanes:ident of $ty:ident, $most:expr, $($name:ident = $function:path, $far:path;)*) => {
        with_features! { Avx512
            fn are_in_range(numbers: &[$ty]) -> bool {
                are_at_most::<$lanes>(numbers, $most)
            }
        }

        $(
            #[doc = concat!("`", stringify!($name), "` of each.")]
            pub(crate) fn $name(numbers: &mut [$ty]) -> bool {
                mod in_range {
                    use super::*;

                    functions! { $lanes of $ty: $name = $function; }
                }

                if Isa::detect() < Isa::Avx512 {
                    return false;
                }
                let is_in_range = |x: $ty| x.is_nan() || x.abs() <= $most;
                let all = match numbers {
                    [one] => is_in_range(*one),
                    // SAFETY: the processor has AVX-512.
                    _ => unsafe { are_in_range(numbers) },
                };
                with_fallback(numbers, all, is_in_range, in_range::$name, $far)
            }
        )*
    };
}

/// Functions of two blocks, likewise.
macro_rules! functions_of_two {
    ($lanes:ident of $ty:ident: $($name:ident = $function:path;)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of each and one of the others, or the only other.")]
        pub(crate) fn $name(numbers: &mut [$ty], others: &[$ty]) -> bool {
            with_features! { Avx512
                fn each(numbers: &mut [$ty], others: &[$ty]) {
                    let only = if let [other] = others { Some($lanes::splat(*other)) } else { None };
                    let mut at = 0;
                    while let Some(x) = load_at::<$lanes>(numbers, at, 1.0) {
                        let Some(y) = only.or_else(|| load_at(others, at, 1.0)) else { break };
                        store_at(numbers, at, $function(x, y));
                        at += $lanes::COUNT;
                    }
                }
            }

            let is_available = Isa::detect() >= Isa::Avx512;
            if is_available {
                // SAFETY: the processor has AVX-512.
                unsafe { each(numbers, others) };
            }
            is_available
        }
    )*};
}

/// Functions of `f64`.
pub(crate) mod double {
    use super::*;
    use crate::double::MOST_IN_RANGE;

    functions! {
        F64x8 of f64:
        exp = exp::lanes::exp_f64;
        exp2 = exp::lanes::exp2_f64;
        expm1 = exp::lanes::expm1_f64;
        sqrt = sqrt_f64;
        sigmoid = exp::lanes::sigmoid_f64;
        silu = exp::lanes::silu_f64;
        log = log::lanes::log_f64;
        log2 = log::lanes::log2_f64;
        log10 = log::lanes::log10_f64;
        atan = trig::inverse::lanes::atan_f64;
        sinh = hyperbolic::lanes::sinh_f64;
        cosh = hyperbolic::lanes::cosh_f64;
        asinh = hyperbolic::lanes::asinh_f64;
        erf = erf::lanes::erf_f64;
        erfc = erf::lanes::erfc_f64;
    }

    angles! {
        F64x8 of f64, MOST_IN_RANGE,
        sin = trig::lanes::sin_f64, f64::sin;
        cos = trig::lanes::cos_f64, f64::cos;
        tan = trig::lanes::tan_f64, f64::tan;
    }

    functions_of_two! {
        F64x8 of f64:
        pow = pow::lanes::pow_f64;
        atan2 = trig::inverse::lanes::atan2_f64;
    }
}

/// Functions of `f32`.
pub(crate) mod single {
    use super::*;
    use crate::single::{MOST_IN_RANGE, far_tan};

    functions! {
        F32x16 of f32:
        exp = exp::lanes::exp_f32;
        exp2 = exp::lanes::exp2_f32;
        sqrt = sqrt_f32;
        sigmoid = exp::lanes::sigmoid_f32;
        silu = exp::lanes::silu_f32;
        log = log::lanes::log_f32;
        log2 = log::lanes::log2_f32;
        log10 = log::lanes::log10_f32;
        acos = trig::inverse::lanes::acos_f32;
        sinh = hyperbolic::lanes::sinh_f32;
        cosh = hyperbolic::lanes::cosh_f32;
        tanh = hyperbolic::lanes::tanh_f32;
        erf = erf::lanes::erf_f32;
        erfc = erf::lanes::erfc_f32;
        gelu = erf::lanes::gelu_f32;
    }

    angles! { F32x16 of f32, MOST_IN_RANGE, tan = trig::lanes::tan_f32, far_tan; }

    functions_of_two! { F32x16 of f32: pow = pow::lanes::pow_f32; }
}
