//! Return values of functions for compiled functions.

use opwright_runtime::Error;

use super::word::AsWord;

/// What a function for compiled functions returns: a number, a tuple of them, or a `Result` of these.
#[diagnostic::on_unimplemented(
    message = "compiled functions get nothing of type `{Self}`",
    label = "not what they get",
    note = "return a number, a tuple of up to four, or a `Result` of these"
)]
pub trait NativeResult {
    /// The types of the words.
    const TYPES: &'static [&'static str];
    /// Whether it is a tuple.
    const IS_TUPLE: bool;

    /// Writes the words.
    ///
    /// # Errors
    ///
    /// What the function reported.
    fn write(self, results: &mut [u64]) -> Result<(), Error>;
}

impl<T: AsWord> NativeResult for T {
    const TYPES: &'static [&'static str] = &[T::TYPE];
    const IS_TUPLE: bool = false;

    fn write(self, results: &mut [u64]) -> Result<(), Error> {
        results[0] = self.word();
        Ok(())
    }
}

impl<T: NativeResult> NativeResult for Result<T, Error> {
    const TYPES: &'static [&'static str] = T::TYPES;
    const IS_TUPLE: bool = T::IS_TUPLE;

    fn write(self, results: &mut [u64]) -> Result<(), Error> {
        self?.write(results)
    }
}

macro_rules! tuples {
    ($(($($name:ident $at:tt),+);)*) => {$(
        impl<$($name: AsWord),+> NativeResult for ($($name,)+) {
            const TYPES: &'static [&'static str] = &[$($name::TYPE),+];
            const IS_TUPLE: bool = true;

            fn write(self, results: &mut [u64]) -> Result<(), Error> {
                $(results[$at] = self.$at.word();)+
                Ok(())
            }
        }
    )*};
}

tuples! {
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
}
