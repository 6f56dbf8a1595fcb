//! Lanes of NEON, which every AArch64 has: registers of 16 bytes. Each entry of a table is loaded.

use std::arch::aarch64::*;

use super::functions::{
    self, Functions, are_at_most, each, each_with, functions, load_at, store_at, with_fallback,
};
use super::lanes::{Bits, F32s, Lanes, Mask};
use super::registers::{call, memory, methods, register};
use crate::with_features;

macro_rules! lanes {
    (
        $name:ident($register:ident) of $ty:ident, $count:literal,
        $bits:ident($bits_register:ident) of $unsigned:ident $signed:ident, $mask:ident,
        [$add:ident $sub:ident $mul:ident $div:ident $fma:ident $fms:ident $neg:ident]
        [$splat:ident $load:ident $store:ident $get:path]
        [$abs:ident $sqrt:ident $floor:ident $round:ident $lt:ident $eq:ident $select:ident]
        [$to_bits:ident $from_bits:ident $to_signed:ident $ltz:ident]
        [$and:ident $or:ident $xor:ident $splat_bits:ident $splat_signed:ident $store_bits:ident $sub_bits:ident
         $shift:ident $lt_bits:ident $test:ident $select_bits:ident $($to_words:ident)?]
    ) => {
        register! { $name($register): Add add $add Sub sub $sub Mul mul $mul Div div $div }
        register! { $bits($bits_register): BitAnd bitand $and BitOr bitor $or BitXor bitxor $xor }
        register! { $mask($bits_register): BitAnd bitand $and BitOr bitor $or BitXor bitxor $xor }

        impl Lanes for $name {
            type Element = $ty;
            type Bits = $bits;
            type Mask = $mask;

            memory! { $ty, $count: $splat $load $store $get }
            methods! {
                $name: abs() $abs sqrt() $sqrt floor() $floor round_ties_even() $round;
                $bits: to_bits() $to_bits;
                $mask: lt(other) $lt eq(other) $eq;
            }

            #[inline(always)]
            fn mul_add(self, b: $name, c: $name) -> $name {
                $name(call!($fma(c.0, self.0, b.0)))
            }
            #[inline(always)]
            fn mul_sub(self, b: $name, c: $name) -> $name {
                $name(call!($fma($neg(c.0), self.0, b.0)))
            }
            #[inline(always)]
            fn neg_mul_add(self, b: $name, c: $name) -> $name {
                $name(call!($fms(c.0, self.0, b.0)))
            }
            #[inline(always)]
            fn neg_mul_sub(self, b: $name, c: $name) -> $name {
                $name(call!($fms($neg(c.0), self.0, b.0)))
            }
            // The instructions for it make NaN of either.
            #[inline(always)]
            fn min(self, other: $name) -> $name {
                $name::select(self.lt(other), self, other)
            }
            #[inline(always)]
            fn max(self, other: $name) -> $name {
                $name::select(other.lt(self), self, other)
            }
            #[inline(always)]
            fn is_negative(self) -> $mask {
                $mask(call!($ltz($to_signed(self.0))))
            }
            #[inline(always)]
            fn select(mask: $mask, yes: $name, no: $name) -> $name {
                $name(call!($select(mask.0, yes.0, no.0)))
            }
            #[inline(always)]
            fn from_bits(bits: $bits) -> $name {
                $name(call!($from_bits(bits.0)))
            }
            #[inline(always)]
            fn lookup<const N: usize>(table: &[$ty; N], indices: $bits) -> $name {
                let mut at = [0; $count];
                // SAFETY: the array is as long as the register.
                unsafe { $store_bits(at.as_mut_ptr(), indices.0) };
                $name::load(&at.map(|it: $unsigned| table[it as usize % N]))
            }
        }

        impl Bits for $bits {
            type Element = $unsigned;
            type Mask = $mask;

            methods! { $bits: wrapping_sub(other) $sub_bits; $mask: lt(other) $lt_bits; }

            #[inline(always)]
            fn splat(x: $unsigned) -> $bits {
                $bits(call!($splat_bits(x)))
            }
            #[inline(always)]
            fn shl(self, by: u32) -> $bits {
                $bits(call!($shift(self.0, $splat_signed(by as $signed))))
            }
            #[inline(always)]
            fn shr(self, by: u32) -> $bits {
                $bits(call!($shift(self.0, $splat_signed(-(by as $signed)))))
            }
            #[inline(always)]
            fn select(mask: $mask, yes: $bits, no: $bits) -> $bits {
                $bits(call!($select_bits(mask.0, yes.0, no.0)))
            }
            #[inline(always)]
            fn has(self, bits: $unsigned) -> $mask {
                $mask(call!($test(self.0, $splat_bits(bits))))
            }
        }

        impl std::ops::Not for $mask {
            type Output = $mask;
            #[inline(always)]
            fn not(self) -> $mask {
                self ^ $mask(call!($splat_bits($unsigned::MAX)))
            }
        }

        impl Mask for $mask {
            #[inline(always)]
            fn any(self) -> bool {
                call!(vmaxvq_u32($($to_words)?(self.0))) != 0
            }
        }
    };
}

lanes! {
    F64x2(float64x2_t) of f64, 2, U64x2(uint64x2_t) of u64 i64, M64x2,
    [vaddq_f64 vsubq_f64 vmulq_f64 vdivq_f64 vfmaq_f64 vfmsq_f64 vnegq_f64]
    [vdupq_n_f64 vld1q_f64 vst1q_f64 vgetq_lane_f64::<0>]
    [vabsq_f64 vsqrtq_f64 vrndmq_f64 vrndnq_f64 vcltq_f64 vceqq_f64 vbslq_f64]
    [vreinterpretq_u64_f64 vreinterpretq_f64_u64 vreinterpretq_s64_f64 vcltzq_s64]
    [vandq_u64 vorrq_u64 veorq_u64 vdupq_n_u64 vdupq_n_s64 vst1q_u64 vsubq_u64
     vshlq_u64 vcltq_u64 vtstq_u64 vbslq_u64 vreinterpretq_u32_u64]
}

lanes! {
    F32x4(float32x4_t) of f32, 4, U32x4(uint32x4_t) of u32 i32, M32x4,
    [vaddq_f32 vsubq_f32 vmulq_f32 vdivq_f32 vfmaq_f32 vfmsq_f32 vnegq_f32]
    [vdupq_n_f32 vld1q_f32 vst1q_f32 vgetq_lane_f32::<0>]
    [vabsq_f32 vsqrtq_f32 vrndmq_f32 vrndnq_f32 vcltq_f32 vceqq_f32 vbslq_f32]
    [vreinterpretq_u32_f32 vreinterpretq_f32_u32 vreinterpretq_s32_f32 vcltzq_s32]
    [vandq_u32 vorrq_u32 veorq_u32 vdupq_n_u32 vdupq_n_s32 vst1q_u32 vsubq_u32
     vshlq_u32 vcltq_u32 vtstq_u32 vbslq_u32]
}

impl F32s for F32x4 {
    #[inline(always)]
    fn from_signed(bits: U32x4) -> F32x4 {
        F32x4(call!(vcvtq_f32_s32(vreinterpretq_s32_u32(bits.0))))
    }
}

/// What is calculated by these lanes.
pub(crate) struct Neon;

impl Neon {
    fn is_available() -> bool {
        true
    }
}

functions! {
    Neon: F64x2 of f64 in double:
    expm1 atan sinh erf;
    angles sin or f64::sin, cos or f64::cos, tan or f64::tan;
    of two pow atan2;
}

functions! { Neon: F32x4 of f32 in single: acos erf; angles; of two; }
