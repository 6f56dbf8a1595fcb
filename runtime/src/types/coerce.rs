//! Coercion modes: how loosely a value is taken.

/// How loosely a value is taken for one of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coerce {
    /// As it is, or not at all.
    Strict,
    /// Converted, if nothing is lost.
    Lossless,
    /// The same, and real numbers of the host's language may be rounded to the default dtype.
    Natural,
    /// Converted, whatever is lost.
    Any,
}

impl Coerce {
    /// From the flags `strict` and `allow_downcast`, which may be unset; `strict` wins.
    ///
    /// ```
    /// use opwright_runtime::types::Coerce;
    ///
    /// assert_eq!(Coerce::of(true, Some(true)), Coerce::Strict);
    /// assert_eq!(Coerce::of(false, None), Coerce::Natural);
    /// ```
    pub const fn of(strict: bool, allow_downcast: Option<bool>) -> Coerce {
        match (strict, allow_downcast) {
            (true, _) => Coerce::Strict,
            (false, None) => Coerce::Natural,
            (false, Some(false)) => Coerce::Lossless,
            (false, Some(true)) => Coerce::Any,
        }
    }
}
