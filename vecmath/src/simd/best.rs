//! Functions of blocks by the lanes of the processor at hand.

use super::functions::{Functions, with_names};
#[cfg(target_arch = "aarch64")]
use super::neon::Neon;
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512};

/// The lanes of the processor at hand.
pub(crate) struct Best;

/// A function of the lanes of the processor at hand.
#[cfg(target_arch = "x86_64")]
macro_rules! of_best {
    ($name:ident($($arg:ident),*)) => {
        match crate::Isa::detect() {
            crate::Isa::Avx512 => Avx512::$name($($arg),*),
            crate::Isa::Avx2 => Avx2::$name($($arg),*),
            crate::Isa::Baseline => false,
        }
    };
}

#[cfg(target_arch = "aarch64")]
macro_rules! of_best {
    ($name:ident($($arg:ident),*)) => {
        Neon::$name($($arg),*)
    };
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
macro_rules! of_best {
    ($name:ident($($arg:ident),*)) => {{
        let _ = ($($arg),*);
        false
    }};
}

macro_rules! best {
    ($ty:ident $($name:ident)*; $($of_two:ident)*) => {
        impl Functions<$ty> for Best {
            $(
                #[inline(always)]
                fn $name(numbers: &mut [$ty]) -> bool {
                    of_best!($name(numbers))
                }
            )*
            $(
                #[inline(always)]
                fn $of_two(numbers: &mut [$ty], others: &[$ty]) -> bool {
                    of_best!($of_two(numbers, others))
                }
            )*
        }
    };
}

with_names! { best! { f32 } }
with_names! { best! { f64 } }
