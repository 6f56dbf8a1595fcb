//! The functions of operators, and the table of them for who looks for one by name.

use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::OnceLock;

/// `ow_operator`
#[derive(Debug)]
#[repr(C)]
pub struct Operator {
    name: *const c_char,
    schema: *const c_char,
    function: *const c_char,
}

// SAFETY: the texts live forever and do not change.
unsafe impl Sync for Operator {}
// SAFETY: the same.
unsafe impl Send for Operator {}

/// The names of overloads, their schemas and their functions.
#[derive(Debug)]
pub struct Operators {
    printed: &'static [[&'static str; 3]],
    rows: OnceLock<Vec<Operator>>,
}

impl Operators {
    /// This table.
    pub const fn new(printed: &'static [[&'static str; 3]]) -> Operators {
        Operators { printed, rows: OnceLock::new() }
    }

    /// The same for C, in order of names.
    pub(crate) fn rows(&self) -> &[Operator] {
        self.rows.get_or_init(|| {
            let mut printed = self.printed.to_vec();
            printed.sort_unstable();
            let row = |[name, schema, function]: [&str; 3]| Operator {
                name: forever(name),
                schema: forever(schema),
                function: forever(function),
            };
            printed.into_iter().map(row).collect()
        })
    }
}

fn forever(text: &str) -> *const c_char {
    CString::new(text).map_or(ptr::null(), |it| it.into_raw().cast_const())
}

/// The table of a library.
#[doc(hidden)]
#[macro_export]
macro_rules! __operators {
    ($($function:ident: $marker:path;)*) => {
        static OPERATORS: $crate::Operators = $crate::Operators::new(&[$([
            <$marker as $crate::runtime::Op>::NAME,
            <$marker as $crate::runtime::Op>::SCHEMA,
            ::core::stringify!($function),
        ]),*]);
    };
}

/// The functions of operators with one signature.
#[doc(hidden)]
#[macro_export]
macro_rules! __entries {
    ($body:ident $parameters:tt $($function:ident: $marker:path = $words:literal;)*) => {
        $($crate::__entry! { $body $parameters $function: $marker = $words })*
    };
}

/// The function of an operator.
#[doc(hidden)]
#[macro_export]
macro_rules! __entry {
    (
        $body:ident ($($parameter:ident: $ty:ty),*)
        $function:ident: $marker:path = $words:literal
    ) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $function($($parameter: $ty),*) -> $crate::Status {
            // SAFETY: who calls it keeps what the header says of its arguments.
            unsafe { $body(<$marker>::call, $words, $($parameter),*) }
        }
    };
}
