//! The one error type of the library.
//!
//! An [`Error`] carries a kind, which callers map to an exception class, a
//! message, and the name of the operator in which it arose. It is one pointer
//! wide, so that `Result<Tensor>` stays small on the path that succeeds. One that
//! says that there is no memory needs none.

mod content;

use std::fmt;

use self::content::{Content, Message, Owned, ShortMessage};
use crate::ErrorKind;

/// The result of everything that can fail here.
///
/// ```
/// use opwright_runtime::{Result, Tensor, ensure};
///
/// fn first(x: &Tensor) -> Result<f64> {
///     ensure!(x.numel() > 0, Value, "there is no first element");
///     Ok(x.to_vec::<f64>()?[0])
/// }
///
/// assert_eq!(first(&Tensor::from_slice(&[2], &[0.5, 2.0])?)?, 0.5);
/// let error = first(&Tensor::from_slice::<f64>(&[0], &[])?).unwrap_err();
/// assert_eq!(error.message(), "there is no first element");
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operator did not produce a result.
///
/// ```
/// use opwright_runtime::{Error, ErrorKind};
///
/// let error = Error::value("expected a positive number, got -1");
/// assert_eq!(error.kind(), ErrorKind::Value);
/// // The generated entry point adds the name of the operator.
/// assert_eq!(error.in_op("root").to_string(), "root(): expected a positive number, got -1");
/// ```
pub struct Error(Owned);

impl Error {
    /// An error of any kind.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl fmt::Display) -> Error {
        if kind == ErrorKind::Memory {
            return Error::memory(message);
        }
        Error(Owned::boxed(Content { kind, message: Message::Long(shortened(message)), op: None }))
    }

    /// An argument is of a type that does not fit.
    #[cold]
    pub fn wrong_type(message: impl fmt::Display) -> Error {
        Error::new(ErrorKind::Type, message)
    }

    /// An argument has a fitting type but an impossible value.
    #[cold]
    pub fn value(message: impl fmt::Display) -> Error {
        Error::new(ErrorKind::Value, message)
    }

    /// An index or a dimension is out of range.
    #[cold]
    pub fn out_of_range(message: impl fmt::Display) -> Error {
        Error::new(ErrorKind::Index, message)
    }

    /// Shapes, dtypes or devices do not go together.
    #[cold]
    pub fn runtime(message: impl fmt::Display) -> Error {
        Error::new(ErrorKind::Runtime, message)
    }

    /// There is no kernel for this dtype or device.
    #[cold]
    pub fn not_implemented(message: impl fmt::Display) -> Error {
        Error::new(ErrorKind::NotImplemented, message)
    }

    /// The system has not enough memory. The message, at most 80 bytes, is kept where memory is set
    /// aside for it.
    #[cold]
    pub fn memory(message: impl fmt::Display) -> Error {
        let message = Message::Short(ShortMessage::of(message));
        Error(Owned::reserved(Content { kind: ErrorKind::Memory, message, op: None }))
    }

    /// A size or a number does not fit its representation.
    #[cold]
    pub fn overflow(message: impl fmt::Display) -> Error {
        Error::new(ErrorKind::Overflow, message)
    }

    /// A matrix is singular or not positive-definite, or an algorithm does not converge.
    #[cold]
    pub fn lin_alg(message: impl fmt::Display) -> Error {
        Error::new(ErrorKind::LinAlg, message)
    }

    /// The same error, said to come from operator `op`.
    ///
    /// The last caller wins: it is the outermost, the one that a person called.
    #[cold]
    pub fn in_op(mut self, op: &'static str) -> Error {
        self.0.op = Some(op);
        self
    }

    /// The same error, said to come from the operator of this overload: `add` of `add.Tensor`.
    #[cold]
    #[inline(never)]
    pub fn in_overload(self, overload: &'static str) -> Error {
        self.in_op(overload.split_once('.').map_or(overload, |(base, _)| base))
    }

    /// The kind.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The message, without the operator's name.
    pub fn message(&self) -> &str {
        self.0.message.as_str()
    }

    /// The operator that a person called, if it is known.
    pub fn op(&self) -> Option<&'static str> {
        self.0.op
    }
}

/// No message is longer than this, whatever list an argument was.
const LONGEST: usize = 1 << 14;

fn shortened(message: impl fmt::Display) -> String {
    struct Truncated(String);

    impl fmt::Write for Truncated {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            if self.0.len() + text.len() > LONGEST {
                self.0.push_str("...");
                return Err(fmt::Error);
            }
            self.0.push_str(text);
            Ok(())
        }
    }

    let mut short = Truncated(String::new());
    // It fails where the message is cut.
    let _ = fmt::write(&mut short, format_args!("{message}"));
    short.0
}

impl Clone for Error {
    fn clone(&self) -> Error {
        let content = Content::clone(&self.0);
        Error(match content.kind {
            ErrorKind::Memory => Owned::reserved(content),
            _ => Owned::boxed(content),
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.op {
            Some(op) => write!(f, "{op}(): {}", self.message()),
            None => f.write_str(self.message()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({:?})", self.0.kind, self.to_string())
    }
}

impl std::error::Error for Error {}

/// Returns an error: `fail!(Value, "expected {} items", n)`.
///
/// The first word is a variant of [`ErrorKind`].
#[macro_export]
macro_rules! fail {
    ($kind:ident, $($message:tt)+) => {
        return ::core::result::Result::Err($crate::Error::new(
            $crate::ErrorKind::$kind,
            ::core::format_args!($($message)+),
        ))
    };
}

/// Returns an error unless a condition holds:
/// `ensure!(n > 0, Value, "expected some items")`.
#[macro_export]
macro_rules! ensure {
    ($condition:expr, $kind:ident, $($message:tt)+) => {
        if !$condition {
            $crate::fail!($kind, $($message)+);
        }
    };
}

/// What is in an `Ok`, as `?` has it; an error is returned.
///
/// For generated code, of which there is much: `?` may convert an error, and what rustc makes of that
/// is twice as long.
#[doc(hidden)]
#[macro_export]
macro_rules! ok {
    ($result:expr $(,)?) => {
        match $result {
            ::core::result::Result::Ok(value) => value,
            ::core::result::Result::Err(error) => return ::core::result::Result::Err(error),
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positive(n: i64) -> Result<i64> {
        ensure!(n > 0, Value, "expected a positive number, got {n}");
        Ok(n)
    }

    #[test]
    fn the_outermost_operator_is_named() {
        let error = positive(-1).unwrap_err().in_op("inner").in_op("outer");
        assert_eq!(error.kind(), ErrorKind::Value);
        assert_eq!(error.message(), "expected a positive number, got -1");
        assert_eq!(error.to_string(), "outer(): expected a positive number, got -1");
    }

    #[test]
    fn a_message_is_cut() {
        let error = Error::value(format_args!("sizes {:?}", [7; 100_000]));
        assert!(error.message().starts_with("sizes [7, 7") && error.message().ends_with("..."));
        assert!(error.message().len() < 1 << 15);
    }

    #[test]
    fn errors_of_memory_stay_apart() {
        let make = |at: usize| Error::memory(format_args!("no bytes for {at}")).in_op("op");
        // More than places are set aside for.
        let mut errors: Vec<Error> = (0..100).map(make).collect();
        errors.extend(errors.clone());
        for (at, error) in errors.iter().enumerate() {
            assert_eq!(error.kind(), ErrorKind::Memory);
            assert_eq!(error.to_string(), format!("op(): no bytes for {}", at % 100));
        }
        drop(errors);
        let long = Error::new(ErrorKind::Memory, "é".repeat(100));
        assert!(long.message().len() <= 80);
        let threads: Vec<_> = (0..4).map(|at| std::thread::spawn(move || make(at))).collect();
        for (at, thread) in threads.into_iter().enumerate() {
            let error = thread.join().expect("no panic");
            assert_eq!(error.message(), format!("no bytes for {at}"));
        }
    }

    #[test]
    fn an_error_is_one_pointer() {
        assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
    }
}
