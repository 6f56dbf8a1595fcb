//! Functions of angles: of most of them they are calculated in registers, of what is too large one by
//! one.

use std::arch::x86_64::*;

use crate::Isa;

use crate::{double, single};

pub(crate) trait Angle: Copy + Default {
    /// Whether it is not too large; NaN goes on as such.
    fn is_in_range(self) -> bool;

    /// Whether none is too large, and the processor has the registers.
    fn are_in_range(numbers: &[Self]) -> bool;
}

macro_rules! angles {
    ($($ty:ident $module:ident $count:literal
       $load:ident $range:ident $bits:ident $max:ident $greatest:ident)*) => {$(
        impl Angle for $ty {
            #[inline]
            fn is_in_range(self) -> bool {
                self.is_nan() || self.abs() <= $module::MOST_IN_RANGE
            }

            fn are_in_range(numbers: &[$ty]) -> bool {
                #[target_feature(enable = "avx512f,avx512dq")]
                fn all(numbers: &[$ty]) -> bool {
                    /// Of two the greater one, without its sign. Of NaN and a number it is either.
                    const MAGNITUDE: i32 = 0x0b;

                    let (registers, rest) = numbers.as_chunks::<$count>();
                    let (pairs, last) = registers.as_chunks::<2>();
                    let mut most = _mm512_setzero_si512();
                    for [a, b] in pairs {
                        // SAFETY: the numbers are as many as a register has.
                        let (a, b) = unsafe { ($load(a.as_ptr()), $load(b.as_ptr())) };
                        most = $max(most, $bits($range::<MAGNITUDE>(a, b)));
                    }
                    let are_less = $greatest(most) <= $module::MOST_IN_RANGE.to_bits();
                    let mut others = last.as_flattened().iter().chain(rest);
                    are_less && others.all(|it| it.is_in_range())
                }

                if Isa::detect() < Isa::Avx512 {
                    return false;
                }
                if let [one] = numbers {
                    return one.is_in_range();
                }
                // SAFETY: the processor was asked for these instructions.
                let all = unsafe { all(numbers) };
                all || numbers.iter().all(|it| it.is_in_range())
            }
        }
    )*};
}

angles! {
    f32 single 16
    _mm512_loadu_ps _mm512_range_ps _mm512_castps_si512 _mm512_max_epu32 _mm512_reduce_max_epu32
    f64 double 8
    _mm512_loadu_pd _mm512_range_pd _mm512_castpd_si512 _mm512_max_epu64 _mm512_reduce_max_epu64
}

/// Applies a function of registers, and another to what is too large for it; says whether the
/// processor has them.
pub(crate) fn with_fallback<T: Angle>(
    numbers: &mut [T],
    function: fn(&mut [T]) -> bool,
    far: fn(T) -> T,
) -> bool {
    /// So many at once may be too large.
    const FEW: usize = 16;

    if T::are_in_range(numbers) {
        return function(numbers);
    }
    numbers.chunks_mut(FEW).all(|some| {
        let mut angles = [T::default(); FEW];
        angles[..some.len()].copy_from_slice(some);
        let is_done = function(some);
        if is_done {
            for (y, x) in some.iter_mut().zip(angles).filter(|(_, x)| !x.is_in_range()) {
                *y = far(x);
            }
        }
        is_done
    })
}
