//! Lanes of one number: the reference that other lanes are compared with.

use super::lanes::{Bits, Lanes, Mask};

macro_rules! lanes {
    ($ty:ident $bits:ident $signed:ident $scale:path, $split:path) => {
        impl Lanes for $ty {
            type Element = $ty;
            type Bits = $bits;
            type Mask = bool;

            const COUNT: usize = 1;

            fn constant(x: f64) -> $ty {
                x as $ty
            }
            fn splat(x: $ty) -> $ty {
                x
            }
            fn load(numbers: &[$ty]) -> $ty {
                numbers[0]
            }
            fn load_part(_: &[$ty], fill: $ty) -> $ty {
                fill
            }
            fn store(self, numbers: &mut [$ty]) {
                numbers[0] = self;
            }
            fn store_part(self, _: &mut [$ty]) {}
            fn first(self) -> $ty {
                self
            }
            fn mul_add(self, b: $ty, c: $ty) -> $ty {
                $ty::mul_add(self, b, c)
            }
            fn mul_sub(self, b: $ty, c: $ty) -> $ty {
                $ty::mul_add(self, b, -c)
            }
            fn neg_mul_add(self, b: $ty, c: $ty) -> $ty {
                $ty::mul_add(-self, b, c)
            }
            fn neg_mul_sub(self, b: $ty, c: $ty) -> $ty {
                $ty::mul_add(-self, b, -c)
            }
            fn abs(self) -> $ty {
                $ty::abs(self)
            }
            fn sqrt(self) -> $ty {
                $ty::sqrt(self)
            }
            fn min(self, other: $ty) -> $ty {
                if self < other { self } else { other }
            }
            fn max(self, other: $ty) -> $ty {
                if self > other { self } else { other }
            }
            fn recip_approx(self) -> $ty {
                1.0 / self
            }
            fn rsqrt_approx(self) -> $ty {
                1.0 / $ty::sqrt(self)
            }
            fn scale(self, n: $ty) -> $ty {
                $scale(self, n.floor() as i32)
            }
            fn mantissa(self) -> $ty {
                let x = $ty::abs(self);
                if x == 0.0 || x == $ty::INFINITY { 1.0 } else { 2.0 * $split(x).0 }
            }
            fn exponent(self) -> $ty {
                match $ty::abs(self) {
                    0.0 => $ty::NEG_INFINITY,
                    x if x < $ty::INFINITY => ($split(x).1 - 1) as $ty,
                    x => x,
                }
            }
            fn round_to<const BITS: u32>(self) -> $ty {
                const { assert!(BITS < 8) };
                let unit = (1_u32 << BITS) as $ty;
                (self * unit).round_ties_even() / unit
            }
            fn lt(self, other: $ty) -> bool {
                self < other
            }
            fn gt(self, other: $ty) -> bool {
                self > other
            }
            fn eq(self, other: $ty) -> bool {
                self == other
            }
            fn ne(self, other: $ty) -> bool {
                self != other
            }
            fn not_lt(self, other: $ty) -> bool {
                self >= other || self.is_nan() || other.is_nan()
            }
            fn not_le(self, other: $ty) -> bool {
                self > other || self.is_nan() || other.is_nan()
            }
            fn is_nan(self) -> bool {
                $ty::is_nan(self)
            }
            fn is_negative(self) -> bool {
                self.is_sign_negative()
            }
            fn is_not_positive(self) -> bool {
                !(self > 0.0 && self < $ty::INFINITY)
            }
            fn is_not_positive_normal(self) -> bool {
                !($ty::MIN_POSITIVE..$ty::INFINITY).contains(&self)
            }
            fn select(mask: bool, yes: $ty, no: $ty) -> $ty {
                if mask { yes } else { no }
            }
            fn or_sign_of(self, x: $ty) -> $ty {
                if x.is_sign_negative() { -$ty::abs(self) } else { self }
            }
            fn xor_sign_of(self, x: $ty) -> $ty {
                if x.is_sign_negative() { -self } else { self }
            }
            fn to_bits(self) -> $bits {
                $ty::to_bits(self)
            }
            fn from_bits(bits: $bits) -> $ty {
                $ty::from_bits(bits)
            }
            fn from_signed(bits: $bits) -> $ty {
                bits as $signed as $ty
            }
            fn lookup<const N: usize>(table: &[$ty; N], indices: $bits) -> $ty {
                table[indices as usize % N]
            }
        }

        impl Bits for $bits {
            type Element = $bits;
            type Mask = bool;

            fn splat(x: $bits) -> $bits {
                x
            }
            fn wrapping_sub(self, other: $bits) -> $bits {
                $bits::wrapping_sub(self, other)
            }
            fn shl<const BY: u32>(self) -> $bits {
                self << BY
            }
            fn shr<const BY: u32>(self) -> $bits {
                self >> BY
            }
            fn lt(self, other: $bits) -> bool {
                self < other
            }
            fn le(self, other: $bits) -> bool {
                self <= other
            }
            fn select(mask: bool, yes: $bits, no: $bits) -> $bits {
                if mask { yes } else { no }
            }
            fn has(self, bits: $bits) -> bool {
                self & bits != 0
            }
        }
    };
}

lanes! { f64 u64 i64 libm::scalbn, libm::frexp }
lanes! { f32 u32 i32 libm::scalbnf, libm::frexpf }

impl Mask for bool {
    fn any(self) -> bool {
        self
    }
}
