//! Functions over lanes: of one number, distances from correctly rounded results on every processor; of
//! registers, the same bits, but with AVX-512 for functions that begin with an approximate reciprocal.

use super::{SPECIAL, check, doubles, singles};
#[cfg(target_arch = "x86_64")]
use crate::{
    Isa,
    simd::lanes::Lanes,
    simd::{F32x8, F32x16, F64x4, F64x8, each, each_with, load_at, store_at},
    with_features,
};
use crate::{erf, exp, hyperbolic, log, pow, trig};

/// Checks that a SIMD function gives the bits of the scalar one.
macro_rules! check_registers {
    ($isa:ident $lanes:ident $ty:ident $function:path, $numbers:expr) => {
        #[cfg(target_arch = "x86_64")]
        if Isa::detect() >= Isa::$isa {
            with_features! { $isa
                fn run(numbers: &mut [$ty]) {
                    each!($lanes, numbers, $function);
                }
            }

            let mut block: Vec<$ty> = $numbers.collect();
            // SAFETY: the processor has these instructions.
            unsafe { run(&mut block) };
            for (x, y) in $numbers.zip(block) {
                let name = concat!(stringify!($isa), " ", stringify!($function));
                check(name, 0, [x].into_iter(), |_| y, $function);
            }
        }
    };
}

macro_rules! functions {
    ($ty:ident $module:ident $numbers:expr, $avx2:ident $avx512:ident
     $($test:ident $function:path, $exact:ident $most:literal $($same:ident)?;)*) => {
        mod $module {
            use super::*;

            $(
                #[test]
                fn $test() {
                    check(stringify!($test), $most, $numbers, $function, core_math::$exact);
                    check_registers!(Avx2 $avx2 $ty $function, $numbers);
                    $(
                        // It does not begin with a reciprocal.
                        let _: fn($ty) -> $ty = core_math::$same;
                        check_registers!(Avx512 $avx512 $ty $function, $numbers);
                    )?
                }
            )*
        }
    };
}

functions! {
    f64 double doubles(), F64x4 F64x8
    exp exp::lanes::exp_f64, exp 1 exp;
    exp2 exp::lanes::exp2_f64, exp2 1 exp2;
    expm1 exp::lanes::expm1_f64, expm1 1 expm1;
    log log::lanes::log_f64, log 1;
    log2 log::lanes::log2_f64, log2 1;
    log10 log::lanes::log10_f64, log10 1;
    sinh hyperbolic::lanes::sinh_f64, sinh 1 sinh;
    cosh hyperbolic::lanes::cosh_f64, cosh 1 cosh;
    asinh hyperbolic::lanes::asinh_f64, asinh 1;
    atan trig::inverse::lanes::atan_f64, atan 1;
    erf erf::lanes::erf_f64, erf 1 erf;
    erfc erf::lanes::erfc_f64, erfc 2 erfc;
}

functions! {
    f32 single singles(), F32x8 F32x16
    exp exp::lanes::exp_f32, expf 1 expf;
    exp2 exp::lanes::exp2_f32, exp2f 1 exp2f;
    log log::lanes::log_f32, logf 1 logf;
    log2 log::lanes::log2_f32, log2f 1 log2f;
    log10 log::lanes::log10_f32, log10f 1 log10f;
    acos trig::inverse::lanes::acos_f32, acosf 1;
    sinh hyperbolic::lanes::sinh_f32, sinhf 1 sinhf;
    cosh hyperbolic::lanes::cosh_f32, coshf 1 coshf;
    tanh hyperbolic::lanes::tanh_f32, tanhf 1 tanhf;
    erf erf::lanes::erf_f32, erff 1 erff;
    erfc erf::lanes::erfc_f32, erfcf 2 erfcf;
}

functions! {
    f64 angles doubles().filter(|&it| crate::double::is_in_range(it)), F64x4 F64x8
    sin trig::lanes::sin_f64, sin 1 sin;
    cos trig::lanes::cos_f64, cos 1 cos;
    tan trig::lanes::tan_f64, tan 1 tan;
}

functions! {
    f32 single_angles singles().filter(|it| it.abs() <= crate::single::MOST_IN_RANGE), F32x8 F32x16
    tan trig::lanes::tan_f32, tanf 1;
}

macro_rules! functions_of_two {
    ($ty:ident $numbers:ident $avx2:ident $($test:ident $function:path, $exact:ident;)*) => {$(
        #[test]
        fn $test() {
            for y in SPECIAL {
                let y = y as $ty;
                let numbers = || $numbers().step_by(7);
                let function = |x: $ty| $function(x, y);
                check(stringify!($test), 1, numbers(), function, |x| core_math::$exact(x, y));
                #[cfg(target_arch = "x86_64")]
                if Isa::detect() >= Isa::Avx2 {
                    with_features! { Avx2
                        fn run(numbers: &mut [$ty], others: &[$ty]) {
                            each_with!($avx2, numbers, others, $function);
                        }
                    }

                    let mut block: Vec<$ty> = numbers().collect();
                    // SAFETY: the processor has these instructions.
                    unsafe { run(&mut block, &[y]) };
                    for (x, z) in numbers().zip(block) {
                        check(stringify!($test), 0, [x].into_iter(), |_| z, function);
                    }
                }
            }
        }
    )*};
}

functions_of_two! {
    f64 doubles F64x4
    pow_f64 pow::lanes::pow_f64, pow;
    atan2_f64 trig::inverse::lanes::atan2_f64, atan2;
}
functions_of_two! { f32 singles F32x8 pow_f32 pow::lanes::pow_f32, powf; }
