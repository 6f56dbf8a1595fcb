//! Functions of other libraries, called over words or with arguments in registers: what `#[overload]`
//! and `#[cast]` make of functions of Rust.

mod answer;
mod cast;
mod entry;
mod failure;
mod function;
mod overload;
mod word;

#[doc(hidden)]
pub use opwright_runtime as runtime;
pub use opwright_runtime::Error;

pub use self::answer::NativeResult;
pub use self::cast::{
    ByReference, ByValue, Cast, CastSide, Castable, Conversion, Converted, Fallible, NumberType,
    Structured, convert,
};
pub use self::entry::{DirectFn, NativeEntry, NativeFn, run};
pub use self::failure::NativeFailure;
pub use self::function::{NativeFunction, enter};
pub use self::overload::NativeOverload;
pub use self::word::AsWord;
