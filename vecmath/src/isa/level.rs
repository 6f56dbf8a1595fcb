//! What the processor at hand can do beyond what every one of its kind does.

use std::sync::atomic::{AtomicU8, Ordering};

/// A set of instructions that inner loops are compiled for.
///
/// Additions, products and the like give the same bits at each of them: nothing
/// is contracted to a fused operation. Functions that
/// [`multiversion!`](crate::multiversion) compiles as such may differ in the last place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// What the crate was compiled for.
    #[default]
    Baseline,
    /// Vectors of 32 bytes, on `x86_64`.
    Avx2,
    /// Vectors of 64 bytes, and masks of elements.
    Avx512,
}

/// The variable by which users ask for a lower one.
pub const VARIABLE: &str = "OPWRIGHT_CPU";

/// One more than the level, once it is known.
static KNOWN: AtomicU8 = AtomicU8::new(0);

impl Level {
    /// All of them, the lowest first.
    pub const ALL: [Level; 3] = [Level::Baseline, Level::Avx2, Level::Avx512];

    /// Whether the lowest one has an instruction for `mul_add`.
    pub const IS_FUSED: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));

    /// The highest one that the processor at hand has, or a lower one if `OPWRIGHT_CPU` names it.
    #[inline]
    pub fn detect() -> Level {
        Level::known().unwrap_or_else(first)
    }

    /// The same, if somebody has asked before.
    #[inline(always)]
    pub fn known() -> Option<Level> {
        match KNOWN.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Level::Baseline),
            2 => Some(Level::Avx2),
            _ => Some(Level::Avx512),
        }
    }

    /// What `OPWRIGHT_CPU` calls it.
    pub fn name(self) -> &'static str {
        match self {
            Level::Baseline => "baseline",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }

    /// Whether the processor at hand has it.
    fn is_there(self) -> bool {
        match self {
            Level::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                Level::Avx2.is_there()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Level::Avx2 | Level::Avx512 => false,
        }
    }
}

#[cold]
fn first() -> Level {
    let highest = Level::ALL.into_iter().rfind(|it| it.is_there()).unwrap_or_default();
    let level = asked().map_or(highest, |it| it.min(highest));
    KNOWN.store(level as u8 + 1, Ordering::Relaxed);
    level
}

/// The one that `OPWRIGHT_CPU` names.
fn asked() -> Option<Level> {
    named(&said()?)
}

fn named(text: &str) -> Option<Level> {
    Level::ALL.into_iter().find(|it| it.name().eq_ignore_ascii_case(text.trim()))
}

/// What `OPWRIGHT_CPU` says, if it is set to anything.
fn said() -> Option<String> {
    let text = std::env::var_os(VARIABLE)?.to_string_lossy().into_owned();
    (!text.trim().is_empty()).then_some(text)
}

/// What `OPWRIGHT_CPU` says, if that is no level's name.
pub fn ignored() -> Option<String> {
    said().filter(|it| named(it).is_none())
}
