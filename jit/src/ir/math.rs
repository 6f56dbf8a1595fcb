//! Functions of real numbers that programs call: one table, which every back end reads.

use std::fmt;

/// A row of [`MATH`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MathFn(pub u16);

/// A function of real numbers. All back ends call these very functions, so results agree to the bit.
#[derive(Clone, Copy)]
pub struct Math {
    /// What `math` and numpy call it.
    pub name: &'static str,
    /// It over `f64`.
    pub f64: F64,
    /// It over `f32`, if that differs from rounding the result over `f64`.
    pub f32: F32,
}

/// A function of one or two numbers of 64 bits.
#[derive(Clone, Copy)]
/// Of so many numbers.
pub enum F64 {
    One(extern "C" fn(f64) -> f64),
    Two(extern "C" fn(f64, f64) -> f64),
}

/// A function of one or two numbers of 32 bits.
#[derive(Clone, Copy)]
pub enum F32 {
    One(extern "C" fn(f32) -> f32),
    Two(extern "C" fn(f32, f32) -> f32),
}

macro_rules! rows {
    ($($name:ident($($arg:ident),+) = $f64:expr, $f32:expr;)*) => {
        mod rows64 {
            $(pub(super) extern "C" fn $name($($arg: f64),+) -> f64 { $f64($($arg),+) })*
        }
        mod rows32 {
            $(pub(super) extern "C" fn $name($($arg: f32),+) -> f32 { $f32($($arg),+) })*
        }
        /// The functions, in a fixed order.
        pub static MATH: &[Math] = &[$(Math {
            name: stringify!($name),
            f64: rows!(@kind F64 rows64::$name $($arg)+),
            f32: rows!(@kind F32 rows32::$name $($arg)+),
        }),*];
    };
    (@kind $kind:ident $path:path => $a:ident) => { $kind::One($path) };
    (@kind $kind:ident $module:ident::$name:ident $a:ident) => { $kind::One($module::$name) };
    (@kind $kind:ident $module:ident::$name:ident $a:ident $b:ident) => { $kind::Two($module::$name) };
}

rows! {
    exp(x) = f64::exp, f32::exp;
    exp2(x) = f64::exp2, f32::exp2;
    expm1(x) = f64::exp_m1, f32::exp_m1;
    log(x) = f64::ln, f32::ln;
    log2(x) = f64::log2, f32::log2;
    log10(x) = f64::log10, f32::log10;
    log1p(x) = f64::ln_1p, f32::ln_1p;
    sin(x) = f64::sin, f32::sin;
    cos(x) = f64::cos, f32::cos;
    tan(x) = f64::tan, f32::tan;
    asin(x) = f64::asin, f32::asin;
    acos(x) = f64::acos, f32::acos;
    atan(x) = f64::atan, f32::atan;
    sinh(x) = f64::sinh, f32::sinh;
    cosh(x) = f64::cosh, f32::cosh;
    tanh(x) = f64::tanh, f32::tanh;
    asinh(x) = f64::asinh, f32::asinh;
    acosh(x) = f64::acosh, f32::acosh;
    atanh(x) = f64::atanh, f32::atanh;
    cbrt(x) = f64::cbrt, f32::cbrt;
    erf(x) = libm::erf, libm::erff;
    erfc(x) = libm::erfc, libm::erfcf;
    gamma(x) = libm::tgamma, libm::tgammaf;
    lgamma(x) = libm::lgamma, libm::lgammaf;
    pow(x, y) = f64::powf, f32::powf;
    atan2(x, y) = f64::atan2, f32::atan2;
    hypot(x, y) = f64::hypot, f32::hypot;
    fmod(x, y) = |x: f64, y: f64| x % y, |x: f32, y: f32| x % y;
    copysign(x, y) = f64::copysign, f32::copysign;
    nextafter(x, y) = libm::nextafter, libm::nextafterf;
    remainder(x, y) = libm::remainder, libm::remainderf;
    round_to(x, digits) = super::round_to, |x: f32, digits: f32| super::round_to(f64::from(x), f64::from(digits)) as f32;
    floordiv(x, y) = super::floor_div, super::floor_div_f32;
    floormod(x, y) = super::floor_mod, super::floor_mod_f32;
}

/// Rounded to so many decimal digits, correctly: through the decimal text of the number.
fn round_to(x: f64, digits: f64) -> f64 {
    if !x.is_finite() || digits > 330.0 {
        return x;
    }
    if digits < -308.0 {
        return 0.0_f64.copysign(x);
    }
    if digits >= 0.0 {
        return format!("{x:.*}", digits as usize).parse().unwrap_or(x);
    }
    // Digits in front of the point: those of the whole number, whose half goes to the even.
    let unit = 10_f64.powi(-digits as i32);
    let scaled = (x / unit).round_ties_even();
    scaled * unit
}

/// The remainder with the sign of the divisor, as Python's `%` gives it.
fn floor_mod(x: f64, y: f64) -> f64 {
    let remainder = x % y;
    if remainder == 0.0 {
        return 0.0_f64.copysign(y);
    }
    if (remainder < 0.0) == (y < 0.0) { remainder } else { remainder + y }
}

/// The quotient toward minus infinity, as Python's `//` gives it.
fn floor_div(x: f64, y: f64) -> f64 {
    if y == 0.0 {
        return x / y;
    }
    let remainder = x % y;
    let mut quotient = (x - remainder) / y;
    if remainder != 0.0 && (remainder < 0.0) != (y < 0.0) {
        quotient -= 1.0;
    }
    if quotient == 0.0 {
        return 0.0_f64.copysign(x / y);
    }
    let floor = quotient.floor();
    if quotient - floor > 0.5 { floor + 1.0 } else { floor }
}

fn floor_mod_f32(x: f32, y: f32) -> f32 {
    let remainder = x % y;
    if remainder == 0.0 {
        return 0.0_f32.copysign(y);
    }
    if (remainder < 0.0) == (y < 0.0) { remainder } else { remainder + y }
}

fn floor_div_f32(x: f32, y: f32) -> f32 {
    if y == 0.0 {
        return x / y;
    }
    let remainder = x % y;
    let mut quotient = (x - remainder) / y;
    if remainder != 0.0 && (remainder < 0.0) != (y < 0.0) {
        quotient -= 1.0;
    }
    if quotient == 0.0 {
        return 0.0_f32.copysign(x / y);
    }
    let floor = quotient.floor();
    if quotient - floor > 0.5 { floor + 1.0 } else { floor }
}

impl Math {
    /// The words of its result, over the words of its operands.
    pub fn call(&self, is_narrow: bool, a: u64, b: u64) -> u64 {
        if is_narrow {
            let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            let result = match self.f32 {
                F32::One(function) => function(a),
                F32::Two(function) => function(a, b),
            };
            return u64::from(result.to_bits());
        }
        let (a, b) = (f64::from_bits(a), f64::from_bits(b));
        let result = match self.f64 {
            F64::One(function) => function(a),
            F64::Two(function) => function(a, b),
        };
        result.to_bits()
    }
}

impl MathFn {
    /// The function of a name.
    pub fn named(name: &str) -> Option<MathFn> {
        let at = MATH.iter().position(|it| it.name == name)?;
        u16::try_from(at).ok().map(MathFn)
    }

    /// Its row.
    pub fn row(self) -> &'static Math {
        &MATH[usize::from(self.0)]
    }

    /// Of how many numbers it is.
    pub fn arity(self) -> usize {
        match self.row().f64 {
            F64::One(_) => 1,
            F64::Two(_) => 2,
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        self.row().name
    }
}

impl fmt::Debug for MathFn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
