//! Range checks of a block: whether it is free of the special values of a function.
//!
//! Bits of positive numbers are in the order of the numbers, those of negative ones and of NaN behind them. The greatest of many is found in two instructions for each register.

macro_rules! range {
    ($name:ident $ty:ident $bits:ident $signed:ident, $exponent:literal, $coordinate:literal, $far:literal) => {
        pub(crate) mod $name {
            const LEAST: $bits = $ty::MIN_POSITIVE.to_bits();
            const INFINITY: $bits = $ty::INFINITY.to_bits();

            /// The greatest of bits that are made of each number.
            #[inline(always)]
            fn greatest(numbers: &[$ty], of: impl Fn($ty) -> $bits) -> $bits {
                numbers.iter().fold(0, |greatest, it| greatest.max(of(*it)))
            }

            /// Whether powers of `e` and of two are normal numbers.
            #[inline(always)]
            pub(crate) fn exponents(numbers: &[$ty]) -> bool {
                const MOST: $ty = $exponent;
                greatest(numbers, |it| it.abs().to_bits()) <= MOST.to_bits()
            }

            /// Whether sine, cosine and tangent are right without a call: NaN goes on
            /// as such.
            #[inline(always)]
            pub(crate) fn angles(numbers: &[$ty]) -> bool {
                const MOST: $ty = super::super::$name::MOST_IN_RANGE;
                greatest(numbers, |it| it.abs().to_bits()) <= MOST.to_bits()
                    || numbers.iter().all(|it| it.is_nan() | (it.abs() <= MOST))
            }

            /// Whether all are positive, normal and finite, as logarithms want them.
            #[inline(always)]
            pub(crate) fn positive(numbers: &[$ty]) -> bool {
                greatest(numbers, |it| it.to_bits().wrapping_sub(LEAST)) < INFINITY - LEAST
            }

            /// Whether all are above -1, and not so great that one more does not matter.
            #[inline(always)]
            pub(crate) fn above_minus_one(numbers: &[$ty]) -> bool {
                const MOST: $ty = $far;
                const LESS: $ty = -1.0;
                let most = numbers.iter().fold(0, |most, it| most.max(it.to_bits() as $signed));
                most <= MOST.to_bits() as $signed
                    && greatest(numbers, |it| it.to_bits()) < LESS.to_bits()
            }

            /// Whether all are numbers, and finite.
            #[inline(always)]
            pub(crate) fn finite(numbers: &[$ty]) -> bool {
                greatest(numbers, |it| it.abs().to_bits()) < INFINITY
            }

            /// Whether quotients of any two are normal numbers.
            #[inline(always)]
            pub(crate) fn ordinates(numbers: &[$ty]) -> bool {
                const MOST: $ty = $coordinate;
                const LEAST: $bits = (1.0 / MOST).to_bits();
                greatest(numbers, |it| it.abs().to_bits().wrapping_sub(LEAST))
                    <= MOST.to_bits() - LEAST
            }
        }
    };
}

range! { single f32 u32 i32, 87.0, 1e18, 1e10 }
range! { double f64 u64 i64, 708.0, 1e150, 1e18 }
