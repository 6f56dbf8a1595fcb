//! Lanes: registers of floating-point numbers, as one trait that each instruction set implements.
//!
//! Functions by table lookup are written once over [`Lanes`], in the files `lanes.rs` of each family. All
//! of such a function is inlined into a loop that is compiled for the instruction set, so no body asks
//! which one it is.

use std::hint::cold_path;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Not, Sub};

/// A register of numbers. Products and sums in one method are rounded once (FMA).
pub(crate) trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    type Element: FloatBits;
    type Bits: Bits<Element = <Self::Element as FloatBits>::Bits, Mask = Self::Mask>;
    type Mask: Mask;

    /// How many numbers it has.
    const COUNT: usize;

    /// The same number in all lanes.
    fn splat(x: Self::Element) -> Self;
    /// The first numbers, which are at least [`COUNT`](Lanes::COUNT).
    fn load(numbers: &[Self::Element]) -> Self;
    /// Writes all lanes to the first of at least [`COUNT`](Lanes::COUNT) numbers.
    fn store(self, numbers: &mut [Self::Element]);
    /// The number in the first lane.
    fn first(self) -> Self::Element;

    /// `self * b + c`
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// `self * b - c`
    fn mul_sub(self, b: Self, c: Self) -> Self;
    /// `c - self * b`
    fn neg_mul_add(self, b: Self, c: Self) -> Self;
    /// `-(self * b) - c`
    fn neg_mul_sub(self, b: Self, c: Self) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// The lesser one, or `other` if either is NaN.
    fn min(self, other: Self) -> Self;
    /// The greater one, or `other` if either is NaN.
    fn max(self, other: Self) -> Self;
    fn floor(self) -> Self;
    /// The nearest integer; of two, the even one.
    fn round_ties_even(self) -> Self;

    fn lt(self, other: Self) -> Self::Mask;
    fn eq(self, other: Self) -> Self::Mask;
    /// Whether the sign bit is set.
    fn is_negative(self) -> Self::Mask;
    /// `yes` where the mask is set, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    fn to_bits(self) -> Self::Bits;
    fn from_bits(bits: Self::Bits) -> Self;
    /// The entries of a table of 16 or 32 numbers at indices in the lowest bits.
    fn lookup<const N: usize>(table: &[Self::Element; N], indices: Self::Bits) -> Self;

    /// A constant that both types of numbers have.
    #[inline(always)]
    fn constant(x: f64) -> Self {
        Self::splat(FloatBits::from_f64(x))
    }
    /// Fewer numbers, and `fill` in the other lanes.
    #[inline(always)]
    fn load_part(numbers: &[Self::Element], fill: Self::Element) -> Self {
        let mut block = [fill; MOST_LANES];
        block[..numbers.len()].copy_from_slice(numbers);
        Self::load(&block)
    }
    /// Writes the first lanes to fewer numbers.
    #[inline(always)]
    fn store_part(self, numbers: &mut [Self::Element]) {
        let mut block = [self.first(); MOST_LANES];
        self.store(&mut block);
        numbers.copy_from_slice(&block[..numbers.len()]);
    }
    /// `1 / self`, with 14 bits at least.
    #[inline(always)]
    fn recip_approx(self) -> Self {
        Self::constant(1.0) / self
    }
    /// `1 / sqrt(self)`, with 14 bits at least.
    #[inline(always)]
    fn rsqrt_approx(self) -> Self {
        Self::constant(1.0) / self.sqrt()
    }
    /// `self * 2^floor(n)`
    #[inline(always)]
    fn scale(self, n: Self) -> Self {
        // Up to here `2^n` is a normal number.
        let most = Self::constant(Self::Element::BIAS - 1.0);
        let n = n.floor();
        if n.abs().not_le(most).any() {
            cold_path();
            // In two steps, the first of which is not rounded.
            let twice = most + most;
            let n = twice.min((Self::constant(0.0) - twice).max(n));
            let half = (n * Self::constant(0.5)).floor();
            return self * half.power_of_two() * (n - half).power_of_two();
        }
        self * n.power_of_two()
    }
    /// `2^self`, if it is an integer and the power a normal number.
    #[inline(always)]
    fn power_of_two(self) -> Self {
        // Adding this leaves the biased exponent in the lowest bits.
        let shift = Self::constant(1.5 * Self::Element::UNITS + Self::Element::BIAS);
        Self::from_bits((self + shift).to_bits().shl(Self::Element::FRACTION_BITS))
    }
    /// `|self| / 2^exponent`, from 1 to 2, if it is finite and not zero.
    #[inline(always)]
    fn mantissa(self) -> Self {
        let (normal, _) = self.normal();
        let fraction = normal.to_bits() & Self::Bits::splat(Self::Element::FRACTION_MASK);
        Self::from_bits(fraction | Self::constant(1.0).to_bits())
    }
    /// The binary exponent of the magnitude, as a number.
    #[inline(always)]
    fn exponent(self) -> Self {
        let (normal, bias) = self.normal();
        // As the lowest digits of a number without a fraction.
        let units = Self::constant(Self::Element::UNITS);
        let exponent = normal.to_bits().shr(Self::Element::FRACTION_BITS) | units.to_bits();
        let e = Self::from_bits(exponent) - (units + bias);
        let is_special = normal.is_not_positive();
        if is_special.any() {
            cold_path();
            let is_zero = normal.eq(Self::constant(0.0));
            let special = Self::select(is_zero, Self::constant(f64::NEG_INFINITY), normal);
            return Self::select(is_special, special, e);
        }
        e
    }
    /// The magnitude as a normal number, unless it is zero, and what its biased exponent is more than
    /// that of the number.
    #[inline(always)]
    fn normal(self) -> (Self, Self) {
        let (a, bias) = (self.abs(), Self::constant(Self::Element::BIAS));
        let is_subnormal = a.lt(Self::splat(FloatBits::MIN_POSITIVE));
        if is_subnormal.any() {
            cold_path();
            let more = Self::constant(Self::Element::UNITS);
            let bias_of_more = bias + Self::constant(f64::from(Self::Element::FRACTION_BITS));
            let normal = Self::select(is_subnormal, a * more, a);
            return (normal, Self::select(is_subnormal, bias_of_more, bias));
        }
        (a, bias)
    }
    /// The nearest multiple of `2^-BITS`; of two, the even one.
    #[inline(always)]
    fn round_to<const BITS: u32>(self) -> Self {
        const { assert!(BITS < 8) };
        let unit = f64::from(1_u32 << BITS);
        (self * Self::constant(unit)).round_ties_even() * Self::constant(1.0 / unit)
    }
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Mask {
        other.lt(self)
    }
    /// Not equal, or NaN.
    #[inline(always)]
    fn ne(self, other: Self) -> Self::Mask {
        !self.eq(other)
    }
    /// Not less, or NaN.
    #[inline(always)]
    fn not_lt(self, other: Self) -> Self::Mask {
        !self.lt(other)
    }
    /// Not less or equal, or NaN.
    #[inline(always)]
    fn not_le(self, other: Self) -> Self::Mask {
        !(self.lt(other) | self.eq(other))
    }
    #[inline(always)]
    fn is_nan(self) -> Self::Mask {
        self.ne(self)
    }
    /// NaN, zeros, infinities and what is negative.
    #[inline(always)]
    fn is_not_positive(self) -> Self::Mask {
        !(self.gt(Self::constant(0.0)) & self.lt(Self::constant(f64::INFINITY)))
    }
    /// The same and subnormal numbers.
    #[inline(always)]
    fn is_not_positive_normal(self) -> Self::Mask {
        let is_less = self.lt(Self::splat(FloatBits::MIN_POSITIVE));
        is_less | self.not_lt(Self::constant(f64::INFINITY))
    }
    /// With the sign bit set where that of `x` is.
    #[inline(always)]
    fn or_sign_of(self, x: Self) -> Self {
        Self::from_bits(self.to_bits() | (x.to_bits() & Self::constant(-0.0).to_bits()))
    }
    /// With the sign bit flipped where that of `x` is set.
    #[inline(always)]
    fn xor_sign_of(self, x: Self) -> Self {
        Self::from_bits(self.to_bits() ^ (x.to_bits() & Self::constant(-0.0).to_bits()))
    }
    /// Each of some numbers in all lanes of its own.
    #[inline(always)]
    fn splats<const N: usize>(numbers: &[Self::Element; N]) -> [Self; N] {
        let mut all = [Self::splat(numbers[0]); N];
        for (lanes, number) in all.iter_mut().zip(numbers) {
            *lanes = Self::splat(*number);
        }
        all
    }
    /// A polynomial of it by Horner's scheme, the constant term first.
    #[inline(always)]
    fn polynomial<const N: usize>(self, terms: &[Self::Element; N]) -> Self {
        let mut y = Self::splat(terms[N - 1]);
        for term in terms[..N - 1].iter().rev() {
            y = y.mul_add(self, Self::splat(*term));
        }
        y
    }
    /// A piecewise polynomial of it, whose coefficients stand in tables, the constant terms first.
    #[inline(always)]
    fn piecewise<const N: usize>(self, tables: &[[Self::Element; N]], indices: Self::Bits) -> Self {
        let (last, others) = tables.split_last().expect("a polynomial has a term");
        let mut y = Self::lookup(last, indices);
        for table in others.iter().rev() {
            y = y.mul_add(self, Self::lookup(table, indices));
        }
        y
    }
    /// NaN stays.
    #[inline(always)]
    fn at_most(self, most: Self::Element) -> Self {
        Self::splat(most).min(self)
    }
    /// NaN stays.
    #[inline(always)]
    fn clamp(self, least: Self::Element, most: Self::Element) -> Self {
        Self::splat(least).max(self).at_most(most)
    }
    /// A function of blocks, which is compiled by itself, of the lanes.
    #[inline(always)]
    fn by_block(self, function: fn(&mut [Self::Element])) -> Self {
        let mut block = [self.first(); MOST_LANES];
        self.store(&mut block);
        function(&mut block[..Self::COUNT]);
        Self::load(&block)
    }
    /// The same of two blocks.
    #[inline(always)]
    fn by_block_with(
        self,
        other: Self,
        function: fn(&mut [Self::Element], &[Self::Element]),
    ) -> Self {
        let (mut block, mut others) = ([self.first(); MOST_LANES], [self.first(); MOST_LANES]);
        self.store(&mut block);
        other.store(&mut others);
        function(&mut block[..Self::COUNT], &others[..Self::COUNT]);
        Self::load(&block)
    }
}

/// As many lanes as no register has more of.
pub(crate) const MOST_LANES: usize = 16;

/// A register of unsigned integers as wide as the numbers.
pub(crate) trait Bits:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    type Element: Copy;
    type Mask: Mask;

    fn splat(x: Self::Element) -> Self;
    fn wrapping_sub(self, other: Self) -> Self;
    fn shl(self, by: u32) -> Self;
    fn shr(self, by: u32) -> Self;
    fn lt(self, other: Self) -> Self::Mask;
    #[inline(always)]
    fn le(self, other: Self) -> Self::Mask {
        !other.lt(self)
    }
    /// `yes` where the mask is set, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Whether any of these bits is set.
    fn has(self, bits: Self::Element) -> Self::Mask;
}

/// A bit for each lane.
pub(crate) trait Mask:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    fn any(self) -> bool;
}

/// Lanes of `f64`.
pub(crate) trait F64s: Lanes<Element = f64> {}
impl<V: Lanes<Element = f64>> F64s for V {}

/// Lanes of `f32`.
pub(crate) trait F32s: Lanes<Element = f32> {
    /// Signed integers as numbers.
    fn from_signed(bits: Self::Bits) -> Self;
}

/// A floating-point type, and how its bits are divided.
pub(crate) trait FloatBits: Copy {
    type Bits: Copy;

    const MIN_POSITIVE: Self;
    /// How many bits the fraction has.
    const FRACTION_BITS: u32;
    /// These bits.
    const FRACTION_MASK: Self::Bits;
    /// `2^FRACTION_BITS`: from here on there are no fractions.
    const UNITS: f64;
    /// By how much the exponent in the bits is more.
    const BIAS: f64;

    fn from_f64(x: f64) -> Self;
}

macro_rules! numbers {
    ($($ty:ident $bits:ident)*) => {$(
        impl FloatBits for $ty {
            type Bits = $bits;

            const MIN_POSITIVE: $ty = $ty::MIN_POSITIVE;
            const FRACTION_BITS: u32 = $ty::MANTISSA_DIGITS - 1;
            const FRACTION_MASK: $bits = (1 << Self::FRACTION_BITS) - 1;
            const UNITS: f64 = (1_u64 << Self::FRACTION_BITS) as f64;
            const BIAS: f64 = ($ty::MAX_EXP - 1) as f64;

            #[inline(always)]
            fn from_f64(x: f64) -> $ty {
                x as $ty
            }
        }
    )*};
}

numbers! { f32 u32 f64 u64 }
