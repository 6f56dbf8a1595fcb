//! Lanes of AVX-512: registers of 64 bytes, with masks, FMA, tables of two registers, and instructions
//! for exponents and mantissas.

use std::arch::x86_64::*;

use super::functions::{
    self, Functions, are_at_most, each, each_with, functions, load_at, store_at, with_fallback,
};
use super::lanes::{Bits, F32s, Lanes, Mask};
use super::registers::{call, memory, methods, register};
use crate::single::far_tan;
use crate::{Isa, with_features};

macro_rules! lanes {
    (
        $name:ident($register:ident) of $ty:ident, $count:literal,
        $bits:ident of $unsigned:ident $signed:ident, $mask:ident, $select:ident,
        [$add:ident $sub:ident $mul:ident $div:ident]
        [$fmadd:ident $fmsub:ident $fnmadd:ident $fnmsub:ident]
        [$splat:ident $load:ident $store:ident $mask_load:ident $mask_store:ident $first:ident]
        [$abs:ident $sqrt:ident $min:ident $max:ident $rcp:ident $rsqrt:ident]
        [$scalef:ident $getmant:ident $getexp:ident $roundscale:ident]
        [$cmp:ident $fpclass:ident $to_bits:ident $from_bits:ident]
        [$splat_bits:ident $select_bits:ident $sub_bits:ident $shl:ident $shr:ident $cmplt:ident $cmple:ident $test:ident $movepi:ident]
        $permute:ident
    ) => {
        register! { $name($register): Add add $add Sub sub $sub Mul mul $mul Div div $div }
        register! {
            $bits(__m512i):
            BitAnd bitand _mm512_and_si512
            BitOr bitor _mm512_or_si512
            BitXor bitxor _mm512_xor_si512
        }

        impl $name {
            #[inline(always)]
            fn rounded<const HOW: i32>(self) -> $name {
                $name(call!($roundscale::<HOW>(self.0)))
            }
            #[inline(always)]
            fn compared<const HOW: i32>(self, other: $name) -> $mask {
                call!($cmp::<HOW>(self.0, other.0))
            }
        }

        impl Lanes for $name {
            type Element = $ty;
            type Bits = $bits;
            type Mask = $mask;

            memory! { $ty, $count: $splat $load $store $first }
            methods! {
                $name:
                mul_add(b c) $fmadd mul_sub(b c) $fmsub
                neg_mul_add(b c) $fnmadd neg_mul_sub(b c) $fnmsub
                abs() $abs sqrt() $sqrt min(other) $min max(other) $max
                recip_approx() $rcp rsqrt_approx() $rsqrt scale(n) $scalef exponent() $getexp;
                $bits: to_bits() $to_bits;
            }

            #[inline(always)]
            fn load_part(numbers: &[$ty], fill: $ty) -> $name {
                let mask = !($mask::MAX << numbers.len());
                // SAFETY: the numbers of the mask are those of the slice.
                $name(unsafe { $mask_load($splat(fill), mask, numbers.as_ptr()) })
            }
            #[inline(always)]
            fn store_part(self, numbers: &mut [$ty]) {
                let mask = !($mask::MAX << numbers.len());
                // SAFETY: the numbers of the mask are those of the slice.
                unsafe { $mask_store(numbers.as_mut_ptr(), mask, self.0) }
            }
            #[inline(always)]
            fn floor(self) -> $name {
                self.rounded::<0x09>()
            }
            #[inline(always)]
            fn round_ties_even(self) -> $name {
                self.rounded::<0x08>()
            }
            #[inline(always)]
            fn round_to<const BITS: u32>(self) -> $name {
                const { assert!(BITS == 0 || BITS == 5 || BITS == 6, "an immediate operand") };
                match BITS {
                    0 => self.rounded::<0x08>(),
                    5 => self.rounded::<0x50>(),
                    _ => self.rounded::<0x60>(),
                }
            }
            #[inline(always)]
            fn mantissa(self) -> $name {
                $name(call!($getmant::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_ZERO>(self.0)))
            }
            #[inline(always)]
            fn lt(self, other: $name) -> $mask {
                self.compared::<_CMP_LT_OQ>(other)
            }
            #[inline(always)]
            fn eq(self, other: $name) -> $mask {
                self.compared::<_CMP_EQ_OQ>(other)
            }
            #[inline(always)]
            fn ne(self, other: $name) -> $mask {
                self.compared::<_CMP_NEQ_UQ>(other)
            }
            #[inline(always)]
            fn not_lt(self, other: $name) -> $mask {
                self.compared::<_CMP_NLT_UQ>(other)
            }
            #[inline(always)]
            fn not_le(self, other: $name) -> $mask {
                self.compared::<_CMP_NLE_UQ>(other)
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
            fn from_bits(bits: $bits) -> $name {
                $name(call!($from_bits(bits.0)))
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

        impl Bits for $bits {
            type Element = $unsigned;
            type Mask = $mask;

            methods! { $bits: wrapping_sub(other) $sub_bits; }

            #[inline(always)]
            fn splat(x: $unsigned) -> $bits {
                $bits(call!($splat_bits(x as $signed)))
            }
            #[inline(always)]
            fn shl(self, by: u32) -> $bits {
                $bits(call!($shl(self.0, _mm_cvtsi32_si128(by as i32))))
            }
            #[inline(always)]
            fn shr(self, by: u32) -> $bits {
                $bits(call!($shr(self.0, _mm_cvtsi32_si128(by as i32))))
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
    [_mm512_cmp_pd_mask _mm512_fpclass_pd_mask _mm512_castpd_si512 _mm512_castsi512_pd]
    [_mm512_set1_epi64 _mm512_mask_mov_epi64 _mm512_sub_epi64 _mm512_sll_epi64 _mm512_srl_epi64
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
    [_mm512_cmp_ps_mask _mm512_fpclass_ps_mask _mm512_castps_si512 _mm512_castsi512_ps]
    [_mm512_set1_epi32 _mm512_mask_mov_epi32 _mm512_sub_epi32 _mm512_sll_epi32 _mm512_srl_epi32
     _mm512_cmplt_epu32_mask _mm512_cmple_epu32_mask _mm512_test_epi32_mask _mm512_movepi32_mask]
    _mm512_permutex2var_ps
}

impl F32s for F32x16 {
    #[inline(always)]
    fn from_signed(bits: U32x16) -> F32x16 {
        F32x16(call!(_mm512_cvtepi32_ps(bits.0)))
    }
}

/// What is calculated by these lanes.
pub(crate) struct Avx512;

impl Avx512 {
    fn is_available() -> bool {
        Isa::detect() >= Isa::Avx512
    }
}

functions! {
    Avx512: F64x8 of f64 in double:
    exp exp2 expm1 sqrt sigmoid silu log log2 log10 atan sinh cosh asinh erf erfc;
    angles sin or f64::sin, cos or f64::cos, tan or f64::tan;
    of two pow atan2;
}

functions! {
    Avx512: F32x16 of f32 in single:
    exp exp2 sqrt sigmoid silu log log2 log10 acos sinh cosh tanh erf erfc gelu;
    angles tan or far_tan;
    of two pow;
}
