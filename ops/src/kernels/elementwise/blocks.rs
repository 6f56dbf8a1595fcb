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
    exponential power_of_two expm1 logarithm binary_logarithm decimal_logarithm log1p logistic
    hyperbolic_sine hyperbolic_cosine hyperbolic_tangent arc_sine arc_cosine arc_tangent area_sine
    area_cosine area_tangent
}

macro_rules! of_angles {
    ($($name:ident, $usual:ident;)*) => {
        multiversion! {$(
            #[doc = concat!("As [`Analytic::", stringify!($name), "`], of each.")]
            pub(super) fn $name<const FUSED: bool, T>(block: &mut [T])
            where
                [T: Analytic]
            {
                if block.iter().fold(true, |all, it| all & it.is_usual_angle()) {
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

of_angles! {
    sine, usual_sine;
    cosine, usual_cosine;
    tangent, usual_tangent;
}

multiversion! {
    /// As [`Analytic::power`], of each and one of as many exponents.
    pub(super) fn power<const FUSED: bool, T>(block: &mut [T], exponents: &[T])
    where
        [T: Analytic]
    {
        for (x, exponent) in block.iter_mut().zip(exponents) {
            *x = x.power::<FUSED>(*exponent);
        }
    }

    /// The same with one exponent for all.
    pub(super) fn power_to<const FUSED: bool, T>(block: &mut [T], exponent: T)
    where
        [T: Analytic]
    {
        for x in block {
            *x = x.power::<FUSED>(exponent);
        }
    }
}
