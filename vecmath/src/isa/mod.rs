//! Instruction sets: which ones inner loops are compiled for, and which one the processor at hand has.

mod multiversion;

use std::sync::atomic::{AtomicU8, Ordering};

/// An instruction set that inner loops are compiled for.
///
/// Additions, products and the like give the same bits with each of them: nothing
/// is contracted to a fused multiply-add (FMA). Functions that
/// [`multiversion!`](crate::multiversion) compiles as such may differ in the last place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Isa {
    /// What the crate was compiled for.
    #[default]
    Baseline,
    /// Vectors of 32 bytes, on `x86_64`.
    Avx2,
    /// Vectors of 64 bytes, and masks of elements.
    Avx512,
}

/// The environment variable by which users ask for a lower one.
pub const VARIABLE: &str = "OPWRIGHT_CPU";

/// One more than the detected one; 0 before detection.
static DETECTED: AtomicU8 = AtomicU8::new(0);

impl Isa {
    /// All of them, the lowest first.
    pub const ALL: [Isa; 3] = [Isa::Baseline, Isa::Avx2, Isa::Avx512];

    /// Whether the baseline has FMA: an instruction for `mul_add`.
    pub const HAS_FMA: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));

    /// The highest one that the processor at hand has, or a lower one if `OPWRIGHT_CPU` names it.
    #[inline]
    pub fn detect() -> Isa {
        Isa::cached().unwrap_or_else(detect_uncached)
    }

    /// What [`Isa::detect`] returned before, if it was called.
    #[inline(always)]
    pub fn cached() -> Option<Isa> {
        match DETECTED.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Isa::Baseline),
            2 => Some(Isa::Avx2),
            _ => Some(Isa::Avx512),
        }
    }

    /// What `OPWRIGHT_CPU` calls it.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Baseline => "baseline",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
        }
    }

    /// Whether the processor at hand has it.
    fn is_available(self) -> bool {
        match self {
            Isa::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => crate::with_features! { Avx2 is_available },
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => crate::with_features! { Avx512 is_available },
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Avx2 | Isa::Avx512 => false,
        }
    }
}

#[cold]
fn detect_uncached() -> Isa {
    let highest = Isa::ALL.into_iter().rfind(|it| it.is_available()).unwrap_or_default();
    let isa = requested().map_or(highest, |it| it.min(highest));
    DETECTED.store(isa as u8 + 1, Ordering::Relaxed);
    isa
}

/// The one that `OPWRIGHT_CPU` names.
fn requested() -> Option<Isa> {
    by_name(&variable()?)
}

fn by_name(text: &str) -> Option<Isa> {
    Isa::ALL.into_iter().find(|it| it.name().eq_ignore_ascii_case(text.trim()))
}

/// The value of `OPWRIGHT_CPU`, unless it is empty.
fn variable() -> Option<String> {
    let text = std::env::var_os(VARIABLE)?.to_string_lossy().into_owned();
    (!text.trim().is_empty()).then_some(text)
}

/// The value of `OPWRIGHT_CPU`, if it names no instruction set.
pub fn ignored() -> Option<String> {
    variable().filter(|it| by_name(it).is_none())
}

/// An item that is compiled for an instruction set, or whether the processor at hand has this one. The
/// only list of the target features that each consists of.
#[doc(hidden)]
#[macro_export]
macro_rules! with_features {
    (Avx2 $($item:tt)*) => {
        $crate::with_features! { @of ["avx2" "fma"] $($item)* }
    };
    (Avx512 $($item:tt)*) => {
        $crate::with_features! {
            @of ["avx512f" "avx512dq" "avx512bw" "avx512vl" "avx2" "fma" "bmi2" "popcnt"] $($item)*
        }
    };
    (Neon $($item:tt)*) => {
        $crate::with_features! { @of ["neon"] $($item)* }
    };
    (@of [$($feature:tt)*] is_available) => {
        true $(&& std::arch::is_x86_feature_detected!($feature))*
    };
    (@of [$($feature:tt)*] $($item:tt)*) => {
        #[target_feature($(enable = $feature),*)]
        $($item)*
    };
}
