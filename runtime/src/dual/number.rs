//! Dual numbers: arithmetic and order.

use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use num_traits::{Num, NumCast, One, ToPrimitive, Zero};

use super::{Dual, Slope, along};
use crate::dtype::{Float, Number, Ordered, Real};

impl<T: Slope> Number for Dual<T> {
    type Wide = Dual<T>;
    const ZERO: Dual<T> = Dual { value: T::ZERO, slope: T::ZERO };
    const ONE: Dual<T> = Dual { value: T::ONE, slope: T::ZERO };

    #[inline(always)]
    fn plus(self, other: Dual<T>) -> Dual<T> {
        Dual { value: self.value.plus(other.value), slope: self.slope.plus(other.slope) }
    }
    #[inline(always)]
    fn minus(self, other: Dual<T>) -> Dual<T> {
        Dual { value: self.value.minus(other.value), slope: self.slope.minus(other.slope) }
    }
    #[inline(always)]
    fn times(self, other: Dual<T>) -> Dual<T> {
        let slope = along(self.slope, other.value).plus(along(other.slope, self.value));
        Dual { value: self.value.times(other.value), slope }
    }
    #[inline(always)]
    fn negated(self) -> Dual<T> {
        Dual { value: self.value.negated(), slope: self.slope.negated() }
    }
}

impl<T: Slope + Ordered> Ordered for Dual<T> {
    const LOWEST: Dual<T> = Dual { value: T::LOWEST, slope: T::ZERO };
    const HIGHEST: Dual<T> = Dual { value: T::HIGHEST, slope: T::ZERO };

    #[inline(always)]
    fn is_nan(value: Self) -> bool {
        T::is_nan(value.value)
    }
}

impl<T: Slope + Real> Real for Dual<T> {}

impl<T: Slope + Float> Add for Dual<T> {
    type Output = Dual<T>;

    #[inline(always)]
    fn add(self, other: Dual<T>) -> Dual<T> {
        self.plus(other)
    }
}

impl<T: Slope + Float> Sub for Dual<T> {
    type Output = Dual<T>;

    #[inline(always)]
    fn sub(self, other: Dual<T>) -> Dual<T> {
        self.minus(other)
    }
}

impl<T: Slope + Float> Mul for Dual<T> {
    type Output = Dual<T>;

    #[inline(always)]
    fn mul(self, other: Dual<T>) -> Dual<T> {
        self.times(other)
    }
}

impl<T: Slope + Float> Div for Dual<T> {
    type Output = Dual<T>;

    #[inline(always)]
    fn div(self, other: Dual<T>) -> Dual<T> {
        let value = self.value / other.value;
        let first = if self.slope.vanishes() { T::ZERO } else { self.slope / other.value };
        Dual { value, slope: first - along(other.slope, value / other.value) }
    }
}

impl<T: Slope + Float> Rem for Dual<T> {
    type Output = Dual<T>;

    #[inline(always)]
    fn rem(self, other: Dual<T>) -> Dual<T> {
        let times = (self.value / other.value).trunc();
        let slope = self.slope - along(other.slope, times);
        Dual { value: self.value % other.value, slope }
    }
}

impl<T: Slope + Float> Neg for Dual<T> {
    type Output = Dual<T>;

    #[inline(always)]
    fn neg(self) -> Dual<T> {
        self.negated()
    }
}

impl<T: Slope + Float> Zero for Dual<T> {
    #[inline(always)]
    fn zero() -> Dual<T> {
        Dual::ZERO
    }
    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.value.is_zero()
    }
}

impl<T: Slope + Float> One for Dual<T> {
    #[inline(always)]
    fn one() -> Dual<T> {
        Dual::ONE
    }
}

impl<T: Slope + Float> Num for Dual<T> {
    type FromStrRadixErr = T::FromStrRadixErr;

    fn from_str_radix(text: &str, radix: u32) -> Result<Dual<T>, T::FromStrRadixErr> {
        T::from_str_radix(text, radix).map(Dual::constant)
    }
}

impl<T: Slope + Float> ToPrimitive for Dual<T> {
    fn to_i64(&self) -> Option<i64> {
        self.value.to_i64()
    }
    fn to_u64(&self) -> Option<u64> {
        self.value.to_u64()
    }
    fn to_f32(&self) -> Option<f32> {
        self.value.to_f32()
    }
    fn to_f64(&self) -> Option<f64> {
        self.value.to_f64()
    }
}

impl<T: Slope + Float> NumCast for Dual<T> {
    #[inline(always)]
    fn from<N: ToPrimitive>(number: N) -> Option<Dual<T>> {
        <T as NumCast>::from(number).map(Dual::constant)
    }
}
