//! String-valued enumerations as arguments and results: values have the words.

use opwright_tables::{StrEnum, StrVariant, str_enum_rows};

use super::given::Given;
use super::read::Read;
use super::value::Value;
use crate::{Error, Result};

/// The variant of this word.
///
/// # Errors
///
/// What the row of the enumeration says of any other word.
///
/// ```
/// use opwright_runtime::PaddingMode;
/// use opwright_runtime::op::variant;
///
/// assert_eq!(variant::<PaddingMode>("reflect")?, PaddingMode::Reflect);
/// assert!(variant::<PaddingMode>("mirror").is_err());
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub fn variant<T: StrVariant>(word: &str) -> Result<T> {
    T::from_word(word).ok_or_else(|| refused(T::ROW, word))
}

/// This word, if it is one of the enumeration.
///
/// # Errors
///
/// As [`variant`].
pub fn checked(row: &StrEnum, word: String) -> Result<Value> {
    if row.variant(&word).is_some() { Ok(Value::Str(word)) } else { Err(refused(row, &word)) }
}

#[cold]
fn refused(row: &StrEnum, word: &str) -> Error {
    Error::new(row.kind, row.message(word))
}

macro_rules! values {
    ({} $(
        $(#[$doc:meta])* $enum:ident $name:literal $kind:ident $message:literal { $($variants:tt)* }
    )*) => {$(
        impl From<crate::$enum> for Value {
            fn from(variant: crate::$enum) -> Value {
                Value::Str(variant.word().to_owned())
            }
        }

        impl Given for crate::$enum {
            fn given(&self) -> Result<Value> {
                Ok((*self).into())
            }
        }

        impl Read for crate::$enum {
            type As<'a> = crate::$enum;

            fn read(value: &mut Value) -> Result<crate::$enum> {
                variant(value.text()?)
            }
        }
    )*};
}

str_enum_rows! { values {} }
