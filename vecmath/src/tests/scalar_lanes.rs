//! Functions over lanes, of one lane: distances from correctly rounded results on every processor, and
//! the same bits as SIMD lanes, but for functions that begin with an approximate reciprocal.

use super::{check, doubles, singles};
use crate::{erf, exp, hyperbolic, log, pow, trig};

macro_rules! functions {
    ($ty:ident $module:ident $numbers:ident:
     $($test:ident $function:path, $exact:ident $most:literal $($registers:ident)?;)*) => {
        mod $module {
            use super::*;

            $(
                #[test]
                fn $test() {
                    check(stringify!($test), $most, $numbers(), $function, core_math::$exact);
                    $(
                        #[cfg(target_arch = "x86_64")]
                        {
                            let mut block: Vec<$ty> = $numbers().collect();
                            if crate::simd::$module::$registers(&mut block) {
                                for (x, y) in $numbers().zip(block) {
                                    check(stringify!($test), 0, [x].into_iter(), |_| y, $function);
                                }
                            }
                        }
                    )?
                }
            )*
        }
    };
}

functions! {
    f64 double doubles:
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
    f32 single singles:
    exp exp::lanes::exp_f32, expf 1 exp;
    exp2 exp::lanes::exp2_f32, exp2f 1 exp2;
    log log::lanes::log_f32, logf 1 log;
    log2 log::lanes::log2_f32, log2f 1 log2;
    log10 log::lanes::log10_f32, log10f 1 log10;
    acos trig::inverse::lanes::acos_f32, acosf 1;
    sinh hyperbolic::lanes::sinh_f32, sinhf 1 sinh;
    cosh hyperbolic::lanes::cosh_f32, coshf 1 cosh;
    tanh hyperbolic::lanes::tanh_f32, tanhf 1 tanh;
    erf erf::lanes::erf_f32, erff 1 erf;
    erfc erf::lanes::erfc_f32, erfcf 2 erfc;
}

#[test]
fn angles() {
    let angles = || doubles().filter(|&it| crate::double::is_in_range(it));
    check("sin", 1, angles(), trig::lanes::sin_f64, core_math::sin);
    check("cos", 1, angles(), trig::lanes::cos_f64, core_math::cos);
    check("tan", 1, angles(), trig::lanes::tan_f64, core_math::tan);
    let angles = || singles().filter(|it| it.abs() <= crate::single::MOST_IN_RANGE);
    check("tan", 1, angles(), trig::lanes::tan_f32, core_math::tanf);
}

#[test]
fn functions_of_two() {
    for y in super::SPECIAL {
        let pow = |x: f64| pow::lanes::pow_f64(x, y);
        check("pow", 1, doubles().step_by(7), pow, |x| core_math::pow(x, y));
        let atan2 = |x: f64| trig::inverse::lanes::atan2_f64(x, y);
        check("atan2", 1, doubles().step_by(7), atan2, |x| core_math::atan2(x, y));
        let y = y as f32;
        let pow = |x: f32| pow::lanes::pow_f32(x, y);
        check("pow", 1, singles().step_by(7), pow, |x| core_math::powf(x, y));
    }
}
