//! Elementary functions of blocks of numbers, compiled for each instruction set.

use crate::elementary::Elementary;
use crate::multiversion;

macro_rules! blocks {
    ($visibility:vis fn $($name:ident)*) => {
        multiversion! {$(
            #[doc = concat!("As [`Elementary::", stringify!($name), "`], of each.")]
            $visibility fn $name<const FMA: bool, T>(block: &mut [T])
            where
                [T: Elementary]
            {
                for x in block {
                    *x = x.$name::<FMA>();
                }
            }
        )*}
    };
}

blocks! {
    pub fn asin acosh atanh
}

/// What is there for whole registers, too.
macro_rules! by_registers {
    ($($name:ident, $registers:ident;)*) => {$(
        #[doc = concat!("As [`Elementary::", stringify!($name), "`], of each.")]
        pub fn $name<T: Elementary>(block: &mut [T]) {
            if !T::$registers(block) {
                one_by_one::$name(block);
            }
        }
    )*};
}

by_registers! {
    exp, exp_lanes;
    expm1, expm1_lanes;
    exp2, exp2_lanes;
    log, log_lanes;
    log2, log2_lanes;
    log10, log10_lanes;
    sinh, sinh_lanes;
    cosh, cosh_lanes;
    tanh, tanh_lanes;
    acos, acos_lanes;
    atan, atan_lanes;
    asinh, asinh_lanes;
    sigmoid, sigmoid_lanes;
    sin, sin_lanes;
    cos, cos_lanes;
    tan, tan_lanes;
}

// Special values are looked for once per block, not selected for each number.
macro_rules! with_fallback {
    ($visibility:vis fn $($name:ident, $are_in_range:ident, $in_range:ident;)*) => {
        multiversion! {$(
            #[doc = concat!("As [`Elementary::", stringify!($name), "`], of each.")]
            $visibility fn $name<const FMA: bool, T>(block: &mut [T])
            where
                [T: Elementary]
            {
                if T::$are_in_range(block) {
                    for x in block {
                        *x = x.$in_range::<FMA>();
                    }
                } else {
                    for x in block {
                        *x = x.$name::<FMA>();
                    }
                }
            }
        )*}
    };
}

with_fallback! {
    pub fn log1p, log1p_is_in_range, log1p_in_range;
}

/// As [`Elementary::pow`], of each and one of as many exponents.
pub fn pow<T: Elementary>(block: &mut [T], exponents: &[T]) {
    if !T::pow_lanes(block, exponents) {
        one_by_one::pow(block, exponents);
    }
}

/// The same with one exponent for all.
pub fn pow_to<T: Elementary>(block: &mut [T], exponent: T) {
    if !T::pow_lanes(block, &[exponent]) {
        one_by_one::pow_to(block, exponent);
    }
}

pub(crate) mod one_by_one {
    use super::*;

    blocks! { pub(crate) fn sinh cosh tanh acos atan asinh }

    with_fallback! {
        pub(crate) fn
        exp, exp_is_in_range, exp_in_range;
        expm1, exp_is_in_range, expm1_in_range;
        exp2, exp_is_in_range, exp2_in_range;
        log, log_is_in_range, log_in_range;
        log2, log_is_in_range, log2_in_range;
        log10, log_is_in_range, log10_in_range;
        sigmoid, exp_is_in_range, sigmoid_in_range;
        sin, trig_is_in_range, sin_in_range;
        cos, trig_is_in_range, cos_in_range;
        tan, trig_is_in_range, tan_in_range;
    }

    multiversion! {
        /// As [`super::pow`].
        pub(crate) fn pow<const FMA: bool, T>(block: &mut [T], exponents: &[T])
        where
            [T: Elementary]
        {
            if T::log_is_in_range(block) && T::pow_is_in_range(exponents) {
                for (x, exponent) in block.iter_mut().zip(exponents) {
                    *x = x.pow_in_range::<FMA>(*exponent);
                }
            } else {
                for (x, exponent) in block.iter_mut().zip(exponents) {
                    *x = x.pow::<FMA>(*exponent);
                }
            }
        }

        /// As [`super::pow_to`].
        pub(crate) fn pow_to<const FMA: bool, T>(block: &mut [T], exponent: T)
        where
            [T: Elementary]
        {
            if T::log_is_in_range(block) && T::pow_is_in_range(&[exponent]) {
                for x in block {
                    *x = x.pow_in_range::<FMA>(exponent);
                }
            } else {
                for x in block {
                    *x = x.pow::<FMA>(exponent);
                }
            }
        }
    }
}
