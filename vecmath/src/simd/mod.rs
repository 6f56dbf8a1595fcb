//! Functions of whole registers, for processors with AVX-512: their tables stand in registers, too.
//!
//! Each does nothing and says so if the processor at hand lacks these instructions.

use std::arch::x86_64::*;

pub(crate) mod double;
pub(crate) mod single;
#[expect(clippy::approx_constant, reason = "some numbers of a table are known by name")]
pub(crate) mod tables;

/// Applies a function of registers to each number, and says whether the processor has them.
macro_rules! registers {
    ($ty:ident $mask:ident $count:literal
     $load:ident $store:ident $mask_load:ident $mask_store:ident $all:ident $first:ident
     $($(#[$attribute:meta])* $name:ident = $function:path;)*) => {$(
        $(#[$attribute])*
        pub(crate) fn $name(numbers: &mut [$ty]) -> bool {
            #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")]
            fn each(numbers: &mut [$ty]) {
                let (registers, rest) = numbers.as_chunks_mut::<$count>();
                for it in registers {
                    // SAFETY: the numbers are as many as a register has.
                    unsafe { $store(it.as_mut_ptr(), $function($load(it.as_ptr()))) };
                }
                match rest {
                    [] => {}
                    // A number that was just written is read faster alone.
                    [one] => *one = $first($function($all(*one))),
                    _ => {
                        let mask = !($mask::MAX << rest.len());
                        let others = $all(0.5);
                        // SAFETY: the numbers of the mask are there.
                        unsafe {
                            let last = $mask_load(others, mask, rest.as_ptr());
                            $mask_store(rest.as_mut_ptr(), mask, $function(last));
                        }
                    }
                }
            }

            let has_registers = Isa::detect() >= Isa::Avx512;
            if has_registers {
                // SAFETY: the processor was asked for these instructions.
                unsafe { each(numbers) };
            }
            has_registers
        }
    )*};
}

pub(crate) use registers;

macro_rules! broadcasts {
    ($($name:ident $ty:ty => $register:ty: $zero:ident $broadcast:ident;)*) => {$(
        /// Each of some numbers in a register of its own. What `array::map` is given is a function of
        /// its own, which is not compiled for these instructions unless it is inlined.
        #[target_feature(enable = "avx512f")]
        #[inline]
        pub(crate) fn $name<const N: usize>(numbers: &[$ty; N]) -> [$register; N] {
            let mut all = [$zero(); N];
            for (register, number) in all.iter_mut().zip(numbers) {
                *register = $broadcast(*number);
            }
            all
        }
    )*};
}

broadcasts! {
    broadcast_pd f64 => __m512d: _mm512_setzero_pd _mm512_set1_pd;
    broadcast_ps f32 => __m512: _mm512_setzero_ps _mm512_set1_ps;
}
