//! Functions of one floating number, applied to every element.
//!
//! The output of a structured kernel has the dtype that its rule says, so that is
//! the dtype to calculate in.

/// Writes a function of each element: `map_floating!("exp", self_, out, |x| x.exp())`.
///
/// Integers are taken as floating numbers. The function is compiled for `f32`,
/// `f64` and `Complex<f64>`.
macro_rules! map_floating {
    ($what:expr, $input:expr, $out:expr, |$x:ident| $body:expr) => {
        calculate!($out.dtype(), $what, floating_or_complex, |T| {
            opwright_runtime::iterate::unary($input, $out, |$x: T| -> T { $body })
        })
    };
}

/// As `map_floating!`, but complex numbers are refused.
macro_rules! map_real {
    ($what:expr, $input:expr, $out:expr, |$x:ident| $body:expr) => {
        calculate!($out.dtype(), $what, floating, |T| {
            opwright_runtime::iterate::unary($input, $out, |$x: T| -> T { $body })
        })
    };
}

pub(crate) use {map_floating, map_real};
