//! Functions of real numbers that programs call: one table, which every back end reads.

use std::fmt;

use opwright_vecmath::gamma;

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
    /// It over several numbers at once, if that takes less than one after the other.
    pub blocks: Option<BlockFns>,
}

/// A function of as many numbers as there are, in their place: each has the bits that it has alone.
/// What it is given are the numbers, the second operands of functions of two, and how many there are.
#[derive(Clone, Copy)]
pub struct BlockFns {
    /// It over `f64`.
    pub f64: unsafe extern "C" fn(*mut f64, *const f64, usize),
    /// It over `f32`.
    pub f32: unsafe extern "C" fn(*mut f32, *const f32, usize),
}

/// A function of one or two numbers of 64 bits.
#[derive(Clone, Copy)]
pub enum F64 {
    /// One.
    One(extern "C" fn(f64) -> f64),
    /// Two.
    Two(extern "C" fn(f64, f64) -> f64),
}

/// A function of one or two numbers of 32 bits.
#[derive(Clone, Copy)]
pub enum F32 {
    /// One.
    One(extern "C" fn(f32) -> f32),
    /// Two.
    Two(extern "C" fn(f32, f32) -> f32),
}

macro_rules! rows {
    ($($name:ident($($arg:ident),+) = $f64:expr, $f32:expr $(, $block:path)?;)*) => {
        rows!(@module rows64 f64 $($name($($arg),+) = $f64 $(, $block)?;)*);
        rows!(@module rows32 f32 $($name($($arg),+) = $f32 $(, $block)?;)*);
        /// The functions, in a fixed order.
        pub static MATH: &[Math] = &[$(Math {
            name: stringify!($name),
            f64: rows!(@kind F64 rows64::$name $($arg)+),
            f32: rows!(@kind F32 rows32::$name $($arg)+),
            blocks: rows!(@blocks $name $($block)?),
        }),*];
    };
    (@module $module:ident $ty:ident
     $($name:ident($($arg:ident),+) = $function:expr $(, $block:path)?;)*) => {
        mod $module {
            use opwright_vecmath::{blocks, polar, scalar, special};

            $(pub(super) extern "C" fn $name($($arg: $ty),+) -> $ty { $function($($arg),+) })*

            /// Those over several numbers.
            pub(super) mod several {
                use super::*;

                $(rows!(@several $ty $name ($($arg)+) $($block)?);)*
            }
        }
    };
    (@several $ty:ident $name:ident ($($arg:ident)+)) => {};
    (@several $ty:ident $name:ident ($($arg:ident)+) $block:path) => {
        pub(in super::super) unsafe extern "C" fn $name(
            numbers: *mut $ty,
            others: *const $ty,
            count: usize,
        ) {
            // SAFETY: the caller passes so many numbers, which nobody else writes to.
            let numbers = unsafe { std::slice::from_raw_parts_mut(numbers, count) };
            rows!(@call $block, numbers others count $($arg)+);
        }
    };
    (@call $block:path, $numbers:ident $others:ident $count:ident $a:ident) => {{
        let _ = $others;
        $block($numbers);
    }};
    (@call $block:path, $numbers:ident $others:ident $count:ident $a:ident $b:ident) => {{
        // SAFETY: the caller passes as many second operands to functions of two.
        let others = unsafe { std::slice::from_raw_parts($others, $count) };
        $block($numbers, others);
    }};
    (@blocks $name:ident) => { None };
    (@blocks $name:ident $block:path) => {
        Some(BlockFns { f64: rows64::several::$name, f32: rows32::several::$name })
    };
    (@kind $kind:ident $module:ident::$name:ident $a:ident) => { $kind::One($module::$name) };
    (@kind $kind:ident $module:ident::$name:ident $a:ident $b:ident) => { $kind::Two($module::$name) };
}

rows! {
    exp(x) = scalar::exp, scalar::exp, blocks::exp;
    exp2(x) = scalar::exp2, scalar::exp2, blocks::exp2;
    expm1(x) = scalar::expm1, scalar::expm1, blocks::expm1;
    log(x) = scalar::log, scalar::log, blocks::log;
    log2(x) = scalar::log2, scalar::log2, blocks::log2;
    log10(x) = scalar::log10, scalar::log10, blocks::log10;
    log1p(x) = scalar::log1p, scalar::log1p, blocks::log1p;
    sin(x) = scalar::sin, scalar::sin, blocks::sin;
    cos(x) = scalar::cos, scalar::cos, blocks::cos;
    tan(x) = scalar::tan, scalar::tan, blocks::tan;
    asin(x) = scalar::asin, scalar::asin, blocks::asin;
    acos(x) = scalar::acos, scalar::acos, blocks::acos;
    atan(x) = scalar::atan, scalar::atan, blocks::atan;
    sinh(x) = scalar::sinh, scalar::sinh, blocks::sinh;
    cosh(x) = scalar::cosh, scalar::cosh, blocks::cosh;
    tanh(x) = scalar::tanh, scalar::tanh, blocks::tanh;
    asinh(x) = scalar::asinh, scalar::asinh, blocks::asinh;
    acosh(x) = scalar::acosh, scalar::acosh, blocks::acosh;
    atanh(x) = scalar::atanh, scalar::atanh, blocks::atanh;
    cbrt(x) = scalar::cbrt, scalar::cbrt;
    erf(x) = scalar::erf, scalar::erf, special::erf;
    erfc(x) = scalar::erfc, scalar::erfc, special::erfc;
    gamma(x) = scalar::gamma, scalar::gamma;
    lgamma(x) = scalar::lgamma, scalar::lgamma;
    pow(x, y) = scalar::pow, scalar::pow, blocks::pow;
    atan2(x, y) = scalar::atan2, scalar::atan2, polar::atan2;
    hypot(x, y) = scalar::hypot, scalar::hypot, polar::hypot;
    fmod(x, y) = scalar::fmod, scalar::fmod;
    copysign(x, y) = scalar::copysign, scalar::copysign;
    nextafter(x, y) = libm::nextafter, libm::nextafterf;
    remainder(x, y) = libm::remainder, libm::remainderf;
    round_to(x, digits) = super::round_to, super::round_to_f32;
    floordiv(x, y) = super::floor_div, super::floor_div_f32;
    floormod(x, y) = super::floor_mod, super::floor_mod_f32;
    digamma(x) = opwright_vecmath::gamma::digamma, super::digamma_f32;
    polygamma(order, x) = opwright_vecmath::gamma::polygamma, super::polygamma_f32;
}

fn digamma_f32(x: f32) -> f32 {
    gamma::digamma(f64::from(x)) as f32
}

fn polygamma_f32(order: f32, x: f32) -> f32 {
    gamma::polygamma(f64::from(order), f64::from(x)) as f32
}

fn round_to_f32(x: f32, digits: f32) -> f32 {
    round_to(f64::from(x), f64::from(digits)) as f32
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

macro_rules! floor_functions {
    ($ty:ty, $floor_mod:ident, $floor_div:ident) => {
        /// The remainder with the sign of the divisor, as Python's `%` gives it.
        fn $floor_mod(x: $ty, y: $ty) -> $ty {
            let remainder = x % y;
            if remainder == 0.0 {
                return (0.0 as $ty).copysign(y);
            }
            if (remainder < 0.0) == (y < 0.0) { remainder } else { remainder + y }
        }

        /// The quotient toward minus infinity, as Python's `//` gives it.
        fn $floor_div(x: $ty, y: $ty) -> $ty {
            if y == 0.0 {
                return x / y;
            }
            let remainder = x % y;
            let mut quotient = (x - remainder) / y;
            if remainder != 0.0 && (remainder < 0.0) != (y < 0.0) {
                quotient -= 1.0;
            }
            if quotient == 0.0 {
                return (0.0 as $ty).copysign(x / y);
            }
            let floor = quotient.floor();
            if quotient - floor > 0.5 { floor + 1.0 } else { floor }
        }
    };
}

floor_functions!(f64, floor_mod, floor_div);
floor_functions!(f32, floor_mod_f32, floor_div_f32);

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

#[cfg(test)]
mod tests {
    use super::{F32, F64, MATH};

    const SPECIAL: [f64; 14] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MIN_POSITIVE / 8.0,
        -f64::MAX,
        1e300,
        1e22,
        -745.2,
        -1e-40,
    ];

    /// Numbers of all sizes, and special ones in between.
    fn numbers() -> Vec<f64> {
        let mut state = 7_u64;
        let mut next = || {
            state =
                state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let sizes = [0.1, 1.0, 3.0, 40.0, 800.0, 1e6];
        let plain = (0..600).map(|it| (next() - 0.3) * sizes[it % sizes.len()]);
        let mut all: Vec<f64> = plain.collect();
        all.extend(SPECIAL);
        all.extend((0..200).map(|it| if it % 9 == 0 { SPECIAL[it % 14] } else { next() * 2.0 }));
        all
    }

    /// The bits; numbers that are none are alike.
    fn bits(number: f64) -> u64 {
        if number.is_nan() { u64::MAX } else { number.to_bits() }
    }

    #[test]
    fn several_numbers_have_the_bits_of_each() {
        let (numbers, mut others) = (numbers(), numbers());
        others.rotate_left(41);
        for row in MATH {
            let Some(blocks) = row.blocks else { continue };
            for count in [2, 3, 4, 5, 8, 16, 19] {
                for (a, b) in numbers.chunks_exact(count).zip(others.chunks_exact(count)) {
                    let mut found = a.to_vec();
                    // SAFETY: so many numbers are there.
                    unsafe { (blocks.f64)(found.as_mut_ptr(), b.as_ptr(), count) };
                    for ((a, b), found) in a.iter().zip(b).zip(found) {
                        let expected = match row.f64 {
                            F64::One(function) => function(*a),
                            F64::Two(function) => function(*a, *b),
                        };
                        assert_eq!(bits(found), bits(expected), "{} of {a:e}, {b:e}", row.name);
                    }
                    let [a, b] =
                        [a, b].map(|it| it.iter().map(|it| *it as f32).collect::<Vec<_>>());
                    let mut found = a.clone();
                    // SAFETY: so many numbers are there.
                    unsafe { (blocks.f32)(found.as_mut_ptr(), b.as_ptr(), count) };
                    for ((a, b), found) in a.iter().zip(&b).zip(found) {
                        let expected = match row.f32 {
                            F32::One(function) => function(*a),
                            F32::Two(function) => function(*a, *b),
                        };
                        let [found, expected] = [found, expected].map(|it| bits(it.into()));
                        assert_eq!(found, expected, "{} of {a:e}, {b:e} (f32)", row.name);
                    }
                }
            }
        }
    }
}
