//! Lanes of one number, for loops that the compiler vectorizes, and as the reference that registers are
//! compared with. A lookup is a load.

use super::lanes::{Bits, Lanes, Mask};

macro_rules! lanes {
    ($ty:ident $bits:ident $signed:ident $scale:path, $split:path) => {
        impl Lanes for $ty {
            type Element = $ty;
            type Bits = $bits;
            type Mask = bool;

            const COUNT: usize = 1;

            #[inline(always)]
            fn constant(x: f64) -> $ty {
                x as $ty
            }
            #[inline(always)]
            fn splat(x: $ty) -> $ty {
                x
            }
            #[inline(always)]
            fn load(numbers: &[$ty]) -> $ty {
                numbers[0]
            }
            #[inline(always)]
            fn load_part(_: &[$ty], fill: $ty) -> $ty {
                fill
            }
            #[inline(always)]
            fn store(self, numbers: &mut [$ty]) {
                numbers[0] = self;
            }
            #[inline(always)]
            fn store_part(self, _: &mut [$ty]) {}
            #[inline(always)]
            fn first(self) -> $ty {
                self
            }
            #[inline(always)]
            fn mul_add(self, b: $ty, c: $ty) -> $ty {
                $ty::mul_add(self, b, c)
            }
            #[inline(always)]
            fn mul_sub(self, b: $ty, c: $ty) -> $ty {
                $ty::mul_add(self, b, -c)
            }
            #[inline(always)]
            fn neg_mul_add(self, b: $ty, c: $ty) -> $ty {
                $ty::mul_add(-self, b, c)
            }
            #[inline(always)]
            fn neg_mul_sub(self, b: $ty, c: $ty) -> $ty {
                $ty::mul_add(-self, b, -c)
            }
            #[inline(always)]
            fn abs(self) -> $ty {
                $ty::abs(self)
            }
            #[inline(always)]
            fn sqrt(self) -> $ty {
                $ty::sqrt(self)
            }
            #[inline(always)]
            fn min(self, other: $ty) -> $ty {
                if self < other { self } else { other }
            }
            #[inline(always)]
            fn max(self, other: $ty) -> $ty {
                if self > other { self } else { other }
            }
            #[inline(always)]
            fn recip_approx(self) -> $ty {
                1.0 / self
            }
            #[inline(always)]
            fn rsqrt_approx(self) -> $ty {
                1.0 / $ty::sqrt(self)
            }
            #[inline(always)]
            fn scale(self, n: $ty) -> $ty {
                $scale(self, n.floor() as i32)
            }
            #[inline(always)]
            fn mantissa(self) -> $ty {
                let x = $ty::abs(self);
                if x == 0.0 || x == $ty::INFINITY { 1.0 } else { 2.0 * $split(x).0 }
            }
            #[inline(always)]
            fn exponent(self) -> $ty {
                match $ty::abs(self) {
                    0.0 => $ty::NEG_INFINITY,
                    x if x < $ty::INFINITY => ($split(x).1 - 1) as $ty,
                    x => x,
                }
            }
            #[inline(always)]
            fn round_to<const BITS: u32>(self) -> $ty {
                const { assert!(BITS < 8) };
                let unit = (1_u32 << BITS) as $ty;
                (self * unit).round_ties_even() / unit
            }
            #[inline(always)]
            fn lt(self, other: $ty) -> bool {
                self < other
            }
            #[inline(always)]
            fn gt(self, other: $ty) -> bool {
                self > other
            }
            #[inline(always)]
            fn eq(self, other: $ty) -> bool {
                self == other
            }
            #[inline(always)]
            fn ne(self, other: $ty) -> bool {
                self != other
            }
            #[inline(always)]
            fn not_lt(self, other: $ty) -> bool {
                self >= other || self.is_nan() || other.is_nan()
            }
            #[inline(always)]
            fn not_le(self, other: $ty) -> bool {
                self > other || self.is_nan() || other.is_nan()
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                $ty::is_nan(self)
            }
            #[inline(always)]
            fn is_negative(self) -> bool {
                self.is_sign_negative()
            }
            #[inline(always)]
            fn is_not_positive(self) -> bool {
                !(self > 0.0 && self < $ty::INFINITY)
            }
            #[inline(always)]
            fn is_not_positive_normal(self) -> bool {
                !($ty::MIN_POSITIVE..$ty::INFINITY).contains(&self)
            }
            #[inline(always)]
            fn select(mask: bool, yes: $ty, no: $ty) -> $ty {
                if mask { yes } else { no }
            }
            #[inline(always)]
            fn or_sign_of(self, x: $ty) -> $ty {
                if x.is_sign_negative() { -$ty::abs(self) } else { self }
            }
            #[inline(always)]
            fn xor_sign_of(self, x: $ty) -> $ty {
                if x.is_sign_negative() { -self } else { self }
            }
            #[inline(always)]
            fn to_bits(self) -> $bits {
                $ty::to_bits(self)
            }
            #[inline(always)]
            fn from_bits(bits: $bits) -> $ty {
                $ty::from_bits(bits)
            }
            #[inline(always)]
            fn from_signed(bits: $bits) -> $ty {
                bits as $signed as $ty
            }
            #[inline(always)]
            fn lookup<const N: usize>(table: &[$ty; N], indices: $bits) -> $ty {
                table[indices as usize % N]
            }
        }

        impl Bits for $bits {
            type Element = $bits;
            type Mask = bool;

            #[inline(always)]
            fn splat(x: $bits) -> $bits {
                x
            }
            #[inline(always)]
            fn wrapping_sub(self, other: $bits) -> $bits {
                $bits::wrapping_sub(self, other)
            }
            #[inline(always)]
            fn shl<const BY: u32>(self) -> $bits {
                self << BY
            }
            #[inline(always)]
            fn shr<const BY: u32>(self) -> $bits {
                self >> BY
            }
            #[inline(always)]
            fn lt(self, other: $bits) -> bool {
                self < other
            }
            #[inline(always)]
            fn le(self, other: $bits) -> bool {
                self <= other
            }
            #[inline(always)]
            fn select(mask: bool, yes: $bits, no: $bits) -> $bits {
                if mask { yes } else { no }
            }
            #[inline(always)]
            fn has(self, bits: $bits) -> bool {
                self & bits != 0
            }
        }
    };
}

lanes! { f64 u64 i64 libm::scalbn, libm::frexp }
lanes! { f32 u32 i32 libm::scalbnf, libm::frexpf }

impl Mask for bool {
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
}
