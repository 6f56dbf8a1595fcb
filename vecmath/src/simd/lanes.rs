//! Lanes: registers of floating-point numbers, as one trait that each instruction set implements.
//!
//! Functions by table lookup are written once over [`Lanes`], in the files `lanes.rs` of each family. All
//! of such a function is inlined into a loop that is compiled for the instruction set, so no body asks
//! which one it is.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Not, Sub};

/// A register of numbers. Products and sums in one method are rounded once (FMA).
pub(crate) trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    type Element: Copy;
    type Bits: Bits<Mask = Self::Mask>;
    type Mask: Mask;

    /// How many numbers it has.
    const COUNT: usize;

    /// A constant that both types of numbers have.
    fn constant(x: f64) -> Self;
    /// The same number in all lanes.
    fn splat(x: Self::Element) -> Self;
    /// The first numbers, which are at least [`COUNT`](Lanes::COUNT).
    fn load(numbers: &[Self::Element]) -> Self;
    /// Fewer numbers, and `fill` in the other lanes.
    fn load_part(numbers: &[Self::Element], fill: Self::Element) -> Self;
    /// Writes all lanes to the first of at least [`COUNT`](Lanes::COUNT) numbers.
    fn store(self, numbers: &mut [Self::Element]);
    /// Writes the first lanes to fewer numbers.
    fn store_part(self, numbers: &mut [Self::Element]);
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
    /// `1 / self` with 14 bits.
    fn recip_approx(self) -> Self;
    /// `1 / sqrt(self)` with 14 bits.
    fn rsqrt_approx(self) -> Self;
    /// `self * 2^floor(n)`
    fn scale(self, n: Self) -> Self;
    /// `|self| / 2^exponent`, from 1 to 2, if it is finite and not zero.
    fn mantissa(self) -> Self;
    /// The binary exponent of the magnitude, as a number.
    fn exponent(self) -> Self;
    /// The nearest multiple of `2^-BITS`; of two, the even one.
    fn round_to<const BITS: u32>(self) -> Self;

    fn lt(self, other: Self) -> Self::Mask;
    fn gt(self, other: Self) -> Self::Mask;
    fn eq(self, other: Self) -> Self::Mask;
    /// Not equal, or NaN.
    fn ne(self, other: Self) -> Self::Mask;
    /// Not less, or NaN.
    fn not_lt(self, other: Self) -> Self::Mask;
    /// Not less or equal, or NaN.
    fn not_le(self, other: Self) -> Self::Mask;
    fn is_nan(self) -> Self::Mask;
    /// Whether the sign bit is set.
    fn is_negative(self) -> Self::Mask;
    /// NaN, zeros, infinities and what is negative.
    fn is_not_positive(self) -> Self::Mask;
    /// The same and subnormal numbers.
    fn is_not_positive_normal(self) -> Self::Mask;

    /// `yes` where the mask is set, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// With the sign bit set where that of `x` is.
    fn or_sign_of(self, x: Self) -> Self;
    /// With the sign bit flipped where that of `x` is set.
    fn xor_sign_of(self, x: Self) -> Self;
    fn to_bits(self) -> Self::Bits;
    fn from_bits(bits: Self::Bits) -> Self;
    /// Signed integers as numbers.
    fn from_signed(bits: Self::Bits) -> Self;
    /// The entries of a table of 16 or 32 numbers at indices in the lowest bits.
    fn lookup<const N: usize>(table: &[Self::Element; N], indices: Self::Bits) -> Self;

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
    /// A function of one number of each lane.
    #[inline(always)]
    fn each_lane(self, function: impl Fn(Self::Element) -> Self::Element) -> Self {
        let mut block = [self.first(); MOST_LANES];
        self.store(&mut block);
        for x in &mut block[..Self::COUNT] {
            *x = function(*x);
        }
        Self::load(&block)
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
const MOST_LANES: usize = 16;

/// A register of unsigned integers as wide as the numbers.
pub(crate) trait Bits:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    type Element: Copy;
    type Mask: Mask;

    fn splat(x: Self::Element) -> Self;
    fn wrapping_sub(self, other: Self) -> Self;
    fn shl<const BY: u32>(self) -> Self;
    fn shr<const BY: u32>(self) -> Self;
    fn lt(self, other: Self) -> Self::Mask;
    fn le(self, other: Self) -> Self::Mask;
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
pub(crate) trait F64s: Lanes<Element = f64, Bits: Bits<Element = u64>> {}
/// Lanes of `f32`.
pub(crate) trait F32s: Lanes<Element = f32, Bits: Bits<Element = u32>> {}

impl<V: Lanes<Element = f64, Bits: Bits<Element = u64>>> F64s for V {}
impl<V: Lanes<Element = f32, Bits: Bits<Element = u32>>> F32s for V {}

/// The numbers of a register from `at` on, with `fill` for what lies behind the last one; nothing if
/// there are none.
#[inline(always)]
pub(crate) fn load_at<V: Lanes>(numbers: &[V::Element], at: usize, fill: V::Element) -> Option<V> {
    match numbers.get(at..)? {
        [] => None,
        // A number that was just written is read faster alone.
        [one] => Some(V::splat(*one)),
        some if some.len() < V::COUNT => Some(V::load_part(some, fill)),
        some => Some(V::load(some)),
    }
}

/// Writes a register to the numbers from `at` on, as far as there are any.
#[inline(always)]
pub(crate) fn store_at<V: Lanes>(numbers: &mut [V::Element], at: usize, y: V) {
    match &mut numbers[at..] {
        [one] => *one = y.first(),
        some if some.len() < V::COUNT => y.store_part(some),
        some => y.store(some),
    }
}

/// Whether no magnitude is above `most`; NaN does not count.
#[inline(always)]
pub(crate) fn are_at_most<V: Lanes>(numbers: &[V::Element], most: V::Element) -> bool {
    // Four chains, so that none waits for the former comparison.
    let mut greatest = [V::constant(0.0); 4];
    let mut chunks = numbers.chunks_exact(4 * V::COUNT);
    for chunk in &mut chunks {
        for (greatest, it) in greatest.iter_mut().zip(chunk.chunks_exact(V::COUNT)) {
            *greatest = V::load(it).abs().max(*greatest);
        }
    }
    let [mut all, b, c, d] = greatest;
    all = all.max(b).max(c.max(d));
    let mut chunks = chunks.remainder().chunks_exact(V::COUNT);
    for it in &mut chunks {
        all = V::load(it).abs().max(all);
    }
    let rest = chunks.remainder();
    if !rest.is_empty() {
        all = V::load_part(rest, most).abs().max(all);
    }
    !all.gt(V::splat(most)).any()
}

/// Applies a function by blocks, which is right in range alone, and another one to what is beyond; says
/// what the function says.
pub(crate) fn with_fallback<T: Copy + Default>(
    numbers: &mut [T],
    are_all_in_range: bool,
    is_in_range: impl Fn(T) -> bool,
    function: fn(&mut [T]) -> bool,
    far: fn(T) -> T,
) -> bool {
    /// So many at once may be beyond.
    const FEW: usize = 16;

    if are_all_in_range {
        return function(numbers);
    }
    numbers.chunks_mut(FEW).all(|some| {
        let mut angles = [T::default(); FEW];
        angles[..some.len()].copy_from_slice(some);
        let is_done = function(some);
        if is_done {
            for (y, x) in some.iter_mut().zip(angles).filter(|(_, x)| !is_in_range(*x)) {
                *y = far(x);
            }
        }
        is_done
    })
}
