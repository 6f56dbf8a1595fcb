//! Functions of blocks of numbers, compiled for each set of instructions.

use crate::analytic::Analytic;
use crate::multiversion;

macro_rules! blocks {
    ($visibility:vis fn $($name:ident)*) => {
        multiversion! {$(
            #[doc = concat!("As [`Analytic::", stringify!($name), "`], of each.")]
            $visibility fn $name<const FUSED: bool, T>(block: &mut [T])
            where
                [T: Analytic]
            {
                for x in block {
                    *x = x.$name::<FUSED>();
                }
            }
        )*}
    };
}

blocks! {
    pub fn arc_sine area_cosine area_tangent
}

/// What is there for whole registers, too.
macro_rules! by_registers {
    ($($name:ident, $registers:ident;)*) => {$(
        #[doc = concat!("As [`Analytic::", stringify!($name), "`], of each.")]
        pub fn $name<T: Analytic>(block: &mut [T]) {
            if !T::$registers(block) {
                one_by_one::$name(block);
            }
        }
    )*};
}

by_registers! {
    exponential, exponentials;
    expm1, expm1s;
    power_of_two, powers_of_two;
    logarithm, logarithms;
    binary_logarithm, binary_logarithms;
    decimal_logarithm, decimal_logarithms;
    hyperbolic_sine, hyperbolic_sines;
    hyperbolic_cosine, hyperbolic_cosines;
    hyperbolic_tangent, hyperbolic_tangents;
    arc_cosine, arc_cosines;
    arc_tangent, arc_tangents;
    area_sine, area_sines;
    logistic, logistics;
    sine, sines;
    cosine, cosines;
    tangent, tangents;
}

// What is special is looked for once, not selected for each.
macro_rules! mostly_usual {
    ($visibility:vis fn $($name:ident, $are_usual:ident, $usual:ident;)*) => {
        multiversion! {$(
            #[doc = concat!("As [`Analytic::", stringify!($name), "`], of each.")]
            $visibility fn $name<const FUSED: bool, T>(block: &mut [T])
            where
                [T: Analytic]
            {
                if T::$are_usual(block) {
                    for x in block {
                        *x = x.$usual::<FUSED>();
                    }
                } else {
                    for x in block {
                        *x = x.$name::<FUSED>();
                    }
                }
            }
        )*}
    };
}

mostly_usual! {
    pub fn log1p, have_usual_log1p, usual_log1p;
}

/// As [`Analytic::power`], of each and one of as many exponents.
pub fn power<T: Analytic>(block: &mut [T], exponents: &[T]) {
    if !T::powers(block, exponents) {
        one_by_one::power(block, exponents);
    }
}

/// The same with one exponent for all.
pub fn power_to<T: Analytic>(block: &mut [T], exponent: T) {
    if !T::powers(block, &[exponent]) {
        one_by_one::power_to(block, exponent);
    }
}

mod one_by_one {
    use super::*;

    blocks! { pub(super) fn hyperbolic_sine hyperbolic_cosine hyperbolic_tangent arc_cosine arc_tangent area_sine }

    mostly_usual! {
        pub(super) fn
        exponential, are_usual_exponents, usual_exponential;
        expm1, are_usual_exponents, usual_expm1;
        power_of_two, are_usual_exponents, usual_power_of_two;
        logarithm, have_usual_logarithms, usual_logarithm;
        binary_logarithm, have_usual_logarithms, usual_binary_logarithm;
        decimal_logarithm, have_usual_logarithms, usual_decimal_logarithm;
        logistic, are_usual_exponents, usual_logistic;
        sine, are_usual_angles, usual_sine;
        cosine, are_usual_angles, usual_cosine;
        tangent, are_usual_angles, usual_tangent;
    }

    multiversion! {
        /// As [`super::power`].
        pub(super) fn power<const FUSED: bool, T>(block: &mut [T], exponents: &[T])
        where
            [T: Analytic]
        {
            if T::have_usual_logarithms(block) && T::are_usual_powers(exponents) {
                for (x, exponent) in block.iter_mut().zip(exponents) {
                    *x = x.usual_power::<FUSED>(*exponent);
                }
            } else {
                for (x, exponent) in block.iter_mut().zip(exponents) {
                    *x = x.power::<FUSED>(*exponent);
                }
            }
        }

        /// As [`super::power_to`].
        pub(super) fn power_to<const FUSED: bool, T>(block: &mut [T], exponent: T)
        where
            [T: Analytic]
        {
            if T::have_usual_logarithms(block) && T::are_usual_powers(&[exponent]) {
                for x in block {
                    *x = x.usual_power::<FUSED>(exponent);
                }
            } else {
                for x in block {
                    *x = x.power::<FUSED>(exponent);
                }
            }
        }
    }
}
