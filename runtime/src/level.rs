//! What the processor at hand can do beyond what every one of its kind does.

/// A set of instructions that inner loops can be compiled for.
///
/// A new one is a variant here, its question to the processor in
/// [`Level::detect`], and an arm in what `#[native_op]` prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// What the crate was compiled for.
    #[default]
    Baseline,
}

impl Level {
    /// The highest one that the processor at hand has.
    #[inline]
    pub fn detect() -> Level {
        Level::Baseline
    }
}
