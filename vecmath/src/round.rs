//! Rounding to integers.

/// Rounding to integers.
pub trait Round: Copy {
    /// The nearest integer, and of two equally near ones the even one.
    fn to_nearest(self) -> Self;
    /// The greatest integer that is not above.
    fn down(self) -> Self;
    /// The least integer that is not below.
    fn up(self) -> Self;
    /// Without the fraction.
    fn towards_zero(self) -> Self;
}

macro_rules! round {
    ($($ty:ident)*) => {$(
        impl Round for $ty {
            #[inline(always)]
            fn to_nearest(self) -> $ty {
                // From here on there are no fractions, so adding it drops them.
                const WHOLE: $ty = (1_u64 << ($ty::MANTISSA_DIGITS - 1)) as $ty;
                let rounded = (self.abs() + WHOLE) - WHOLE;
                if self.abs() < WHOLE { rounded.copysign(self) } else { self }
            }
            #[inline(always)]
            fn down(self) -> $ty {
                let nearest = self.to_nearest();
                if nearest > self { nearest - 1.0 } else { nearest }
            }
            #[inline(always)]
            fn up(self) -> $ty {
                let nearest = self.to_nearest();
                if nearest < self { (nearest + 1.0).copysign(self) } else { nearest }
            }
            #[inline(always)]
            fn towards_zero(self) -> $ty {
                self.abs().down().copysign(self)
            }
        }
    )*};
}

round! { f32 f64 }

macro_rules! whole {
    ($($ty:ident)*) => {$(
        impl Round for $ty {
            #[inline(always)]
            fn to_nearest(self) -> $ty {
                self
            }
            #[inline(always)]
            fn down(self) -> $ty {
                self
            }
            #[inline(always)]
            fn up(self) -> $ty {
                self
            }
            #[inline(always)]
            fn towards_zero(self) -> $ty {
                self
            }
        }
    )*};
}

whole! { u8 u16 u32 i8 i16 i32 i64 }
