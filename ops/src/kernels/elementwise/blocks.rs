//! Functions of blocks of numbers, compiled for each set of instructions.

use opwright_runtime::multiversion;

use super::analytic::Analytic;

macro_rules! blocks {
    ($($name:ident)*) => {
        multiversion! {$(
            #[doc = concat!("As [`Analytic::", stringify!($name), "`], of each.")]
            pub(crate) fn $name<const FUSED: bool, T>(block: &mut [T])
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
    logistic hyperbolic_sine hyperbolic_cosine hyperbolic_tangent arc_sine arc_cosine arc_tangent
    area_sine area_cosine area_tangent
}

// What is special is looked for once, not selected for each.
macro_rules! mostly_usual {
    ($($name:ident, $is_usual:ident, $usual:ident;)*) => {
        multiversion! {$(
            #[doc = concat!("As [`Analytic::", stringify!($name), "`], of each.")]
            pub(crate) fn $name<const FUSED: bool, T>(block: &mut [T])
            where
                [T: Analytic]
            {
                if block.iter().fold(true, |all, it| all & it.$is_usual()) {
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
    exponential, is_usual_exponent, usual_exponential;
    power_of_two, is_usual_exponent, usual_power_of_two;
    expm1, is_usual_exponent, usual_expm1;
    logarithm, has_usual_logarithm, usual_logarithm;
    binary_logarithm, has_usual_logarithm, usual_binary_logarithm;
    decimal_logarithm, has_usual_logarithm, usual_decimal_logarithm;
    log1p, has_usual_log1p, usual_log1p;
    sine, is_usual_angle, usual_sine;
    cosine, is_usual_angle, usual_cosine;
    tangent, is_usual_angle, usual_tangent;
}

multiversion! {
    /// As [`Analytic::power`], of each and one of as many exponents.
    pub(super) fn power<const FUSED: bool, T>(block: &mut [T], exponents: &[T])
    where
        [T: Analytic]
    {
        let pairs = block.iter().zip(exponents);
        if pairs.fold(true, |all, (x, exponent)| all & x.has_usual_power(*exponent)) {
            for (x, exponent) in block.iter_mut().zip(exponents) {
                *x = x.usual_power::<FUSED>(*exponent);
            }
        } else {
            for (x, exponent) in block.iter_mut().zip(exponents) {
                *x = x.power::<FUSED>(*exponent);
            }
        }
    }

    /// The same with one exponent for all.
    pub(super) fn power_to<const FUSED: bool, T>(block: &mut [T], exponent: T)
    where
        [T: Analytic]
    {
        if block.iter().fold(true, |all, x| all & x.has_usual_power(exponent)) {
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
