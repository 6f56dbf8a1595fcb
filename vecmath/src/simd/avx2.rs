//! Lanes of AVX2 and FMA: registers of 32 bytes. Masks are registers whose sign bits count; tables of `f32`
//! are permuted, entries of those of `f64` loaded.

use std::arch::x86_64::*;

use super::functions::{
    self, Functions, are_at_most, each, each_with, functions, load_at, store_at, with_fallback,
};
use super::lanes::{Bits, F32s, Lanes, Mask};
use super::registers::{call, memory, methods, register};
use crate::{Isa, with_features};

macro_rules! lanes {
    (
        $name:ident($register:ident) of $ty:ident, $count:literal,
        $bits:ident of $unsigned:ident $signed:ident, $mask:ident, $lookup:ident,
        [$add:ident $sub:ident $mul:ident $div:ident]
        [$fmadd:ident $fmsub:ident $fnmadd:ident $fnmsub:ident]
        [$splat:ident $load:ident $store:ident $first:ident]
        [$sqrt:ident $min:ident $max:ident $floor:ident $round:ident]
        [$cmp:ident $and:ident $andnot:ident $or:ident $xor:ident $blendv:ident $movemask:ident $to_bits:ident $from_bits:ident]
        [$splat_bits:ident $sub_bits:ident $shl:ident $shr:ident $cmpgt:ident $cmpeq:ident]
    ) => {
        register! { $name($register): Add add $add Sub sub $sub Mul mul $mul Div div $div }
        register! {
            $bits(__m256i):
            BitAnd bitand _mm256_and_si256
            BitOr bitor _mm256_or_si256
            BitXor bitxor _mm256_xor_si256
        }
        register! { $mask($register): BitAnd bitand $and BitOr bitor $or BitXor bitxor $xor }

        impl Lanes for $name {
            type Element = $ty;
            type Bits = $bits;
            type Mask = $mask;

            memory! { $ty, $count: $splat $load $store $first }
            methods! {
                $name:
                mul_add(b c) $fmadd mul_sub(b c) $fmsub
                neg_mul_add(b c) $fnmadd neg_mul_sub(b c) $fnmsub
                sqrt() $sqrt min(other) $min max(other) $max floor() $floor;
                $bits: to_bits() $to_bits;
            }

            #[inline(always)]
            fn abs(self) -> $name {
                $name(call!($andnot($splat(-0.0), self.0)))
            }
            #[inline(always)]
            fn round_ties_even(self) -> $name {
                $name(call!($round::<0x08>(self.0)))
            }
            #[inline(always)]
            fn lt(self, other: $name) -> $mask {
                $mask(call!($cmp::<_CMP_LT_OQ>(self.0, other.0)))
            }
            #[inline(always)]
            fn eq(self, other: $name) -> $mask {
                $mask(call!($cmp::<_CMP_EQ_OQ>(self.0, other.0)))
            }
            #[inline(always)]
            fn ne(self, other: $name) -> $mask {
                $mask(call!($cmp::<_CMP_NEQ_UQ>(self.0, other.0)))
            }
            #[inline(always)]
            fn not_lt(self, other: $name) -> $mask {
                $mask(call!($cmp::<_CMP_NLT_UQ>(self.0, other.0)))
            }
            #[inline(always)]
            fn not_le(self, other: $name) -> $mask {
                $mask(call!($cmp::<_CMP_NLE_UQ>(self.0, other.0)))
            }
            #[inline(always)]
            fn is_negative(self) -> $mask {
                $mask(self.0)
            }
            #[inline(always)]
            fn select(mask: $mask, yes: $name, no: $name) -> $name {
                $name(call!($blendv(no.0, yes.0, mask.0)))
            }
            #[inline(always)]
            fn from_bits(bits: $bits) -> $name {
                $name(call!($from_bits(bits.0)))
            }
            #[inline(always)]
            fn lookup<const N: usize>(table: &[$ty; N], indices: $bits) -> $name {
                $lookup(table, indices)
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
                // Of signed numbers, after a shift of both by half of the range.
                let sign = $bits::splat(1 << ($unsigned::BITS - 1));
                $mask(call!($from_bits($cmpgt((other ^ sign).0, (self ^ sign).0))))
            }
            #[inline(always)]
            fn select(mask: $mask, yes: $bits, no: $bits) -> $bits {
                $name::select(mask, $name::from_bits(yes), $name::from_bits(no)).to_bits()
            }
            #[inline(always)]
            fn has(self, bits: $unsigned) -> $mask {
                let common = self & $bits::splat(bits);
                !$mask(call!($from_bits($cmpeq(common.0, _mm256_setzero_si256()))))
            }
        }

        impl std::ops::Not for $mask {
            type Output = $mask;
            #[inline(always)]
            fn not(self) -> $mask {
                $mask(call!($xor(self.0, $from_bits(_mm256_set1_epi32(-1)))))
            }
        }

        impl Mask for $mask {
            #[inline(always)]
            fn any(self) -> bool {
                call!($movemask(self.0)) != 0
            }
        }
    };
}

lanes! {
    F64x4(__m256d) of f64, 4, U64x4 of u64 i64, M64x4, lookup_f64,
    [_mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd]
    [_mm256_fmadd_pd _mm256_fmsub_pd _mm256_fnmadd_pd _mm256_fnmsub_pd]
    [_mm256_set1_pd _mm256_loadu_pd _mm256_storeu_pd _mm256_cvtsd_f64]
    [_mm256_sqrt_pd _mm256_min_pd _mm256_max_pd _mm256_floor_pd _mm256_round_pd]
    [_mm256_cmp_pd _mm256_and_pd _mm256_andnot_pd _mm256_or_pd _mm256_xor_pd _mm256_blendv_pd
     _mm256_movemask_pd _mm256_castpd_si256 _mm256_castsi256_pd]
    [_mm256_set1_epi64x _mm256_sub_epi64 _mm256_sll_epi64 _mm256_srl_epi64 _mm256_cmpgt_epi64
     _mm256_cmpeq_epi64]
}

lanes! {
    F32x8(__m256) of f32, 8, U32x8 of u32 i32, M32x8, lookup_f32,
    [_mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps]
    [_mm256_fmadd_ps _mm256_fmsub_ps _mm256_fnmadd_ps _mm256_fnmsub_ps]
    [_mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps _mm256_cvtss_f32]
    [_mm256_sqrt_ps _mm256_min_ps _mm256_max_ps _mm256_floor_ps _mm256_round_ps]
    [_mm256_cmp_ps _mm256_and_ps _mm256_andnot_ps _mm256_or_ps _mm256_xor_ps _mm256_blendv_ps
     _mm256_movemask_ps _mm256_castps_si256 _mm256_castsi256_ps]
    [_mm256_set1_epi32 _mm256_sub_epi32 _mm256_sll_epi32 _mm256_srl_epi32 _mm256_cmpgt_epi32
     _mm256_cmpeq_epi32]
}

impl F32s for F32x8 {
    #[inline(always)]
    fn from_signed(bits: U32x8) -> F32x8 {
        F32x8(call!(_mm256_cvtepi32_ps(bits.0)))
    }
}

/// Loads of each entry, which are faster than permutations of four lanes.
#[inline(always)]
fn lookup_f64<const N: usize>(table: &[f64; N], indices: U64x4) -> F64x4 {
    let mut at = [0_u64; 4];
    // SAFETY: the array is as long as the register.
    unsafe { _mm256_storeu_si256(at.as_mut_ptr().cast(), indices.0) };
    F64x4::load(&at.map(|it| table[it as usize % N]))
}

/// Permutations of each register of eight, of which the fourth and fifth bits of the indices select.
#[inline(always)]
fn lookup_f32<const N: usize>(table: &[f32; N], indices: U32x8) -> F32x8 {
    const { assert!(N == 16 || N == 32, "a table is two or four registers") };
    let eight =
        |at: usize| F32x8(call!(_mm256_permutevar8x32_ps(F32x8::load(&table[at..]).0, indices.0)));
    let by = |bit: u32| F32x8::from_bits(indices.shl(31 - bit)).is_negative();
    let low = F32x8::select(by(3), eight(8), eight(0));
    if N == 16 {
        return low;
    }
    F32x8::select(by(4), F32x8::select(by(3), eight(24), eight(16)), low)
}

/// What is calculated by these lanes.
pub(crate) struct Avx2;

impl Avx2 {
    fn is_available() -> bool {
        Isa::detect() >= Isa::Avx2
    }
}

functions! {
    Avx2: F64x4 of f64 in double:
    expm1 atan sinh erf;
    angles sin or f64::sin, cos or f64::cos, tan or f64::tan;
    of two pow atan2;
}

functions! { Avx2: F32x8 of f32 in single: acos erf; angles; of two; }
