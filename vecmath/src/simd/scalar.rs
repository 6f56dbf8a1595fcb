//! Lanes of one number, for loops that the compiler vectorizes, and as the reference that registers are
//! compared with. A lookup is a load.

use super::lanes::{Bits, F32s, Lanes, Mask};

macro_rules! same {
    ($ty:ident: $($method:ident($($arg:ident)*);)*) => {$(
        #[inline(always)]
        fn $method(self $(, $arg: $ty)*) -> $ty {
            $ty::$method(self $(, $arg)*)
        }
    )*};
}

macro_rules! lanes {
    ($ty:ident $bits:ident) => {
        impl Lanes for $ty {
            type Element = $ty;
            type Bits = $bits;
            type Mask = bool;

            const COUNT: usize = 1;

            same! { $ty: mul_add(b c); abs(); sqrt(); floor(); round_ties_even(); }

            #[inline(always)]
            fn splat(x: $ty) -> $ty {
                x
            }
            #[inline(always)]
            fn load(numbers: &[$ty]) -> $ty {
                numbers[0]
            }
            #[inline(always)]
            fn store(self, numbers: &mut [$ty]) {
                numbers[0] = self;
            }
            #[inline(always)]
            fn first(self) -> $ty {
                self
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
            fn min(self, other: $ty) -> $ty {
                if self < other { self } else { other }
            }
            #[inline(always)]
            fn max(self, other: $ty) -> $ty {
                if self > other { self } else { other }
            }
            #[inline(always)]
            fn lt(self, other: $ty) -> bool {
                self < other
            }
            #[inline(always)]
            fn eq(self, other: $ty) -> bool {
                self == other
            }
            #[inline(always)]
            fn is_negative(self) -> bool {
                self.is_sign_negative()
            }
            #[inline(always)]
            fn select(mask: bool, yes: $ty, no: $ty) -> $ty {
                if mask { yes } else { no }
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
            fn lookup<const N: usize>(table: &[$ty; N], indices: $bits) -> $ty {
                table[indices as usize % N]
            }
        }

        impl Bits for $bits {
            type Element = $bits;
            type Mask = bool;

            same! { $bits: wrapping_sub(other); }

            #[inline(always)]
            fn splat(x: $bits) -> $bits {
                x
            }
            #[inline(always)]
            fn shl(self, by: u32) -> $bits {
                self << by
            }
            #[inline(always)]
            fn shr(self, by: u32) -> $bits {
                self >> by
            }
            #[inline(always)]
            fn lt(self, other: $bits) -> bool {
                self < other
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

lanes! { f64 u64 }
lanes! { f32 u32 }

impl F32s for f32 {
    #[inline(always)]
    fn from_signed(bits: u32) -> f32 {
        bits as i32 as f32
    }
}

impl Mask for bool {
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
}
