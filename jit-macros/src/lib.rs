//! The attributes `#[overload]` and `#[cast]`.
//!
//! It stands in a crate of its own, so that crates of operators are not compiled again when it
//! changes. Like all macros here it reads no file, and leaves to rustc what rustc reports well: that a
//! type is none that compiled functions have is a trait that it lacks.

use proc_macro::TokenStream;

mod cast;
mod function;
mod overload;

/// Lets compiled functions of Python call a function of Rust, as the overload of a name.
///
/// ```
/// # mod ops {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui/fixture/ops.rs"));
/// # }
/// use opwright_jit_macros::overload;
///
/// /// The mean of two numbers.
/// #[overload]
/// fn mean_of(a: f64, b: f64) -> f64 {
///     f64::midpoint(a, b)
/// }
///
/// /// The same of whole numbers, under the same name in Python.
/// #[overload(mean_of)]
/// fn mean_of_integers(a: i64, b: i64) -> i64 {
///     i64::midpoint(a, b)
/// }
/// # fn main() {
/// // The author's functions stay what they are.
/// assert_eq!(mean_of(1.0, 2.0), 1.5);
/// assert_eq!(mean_of::OVERLOAD.signature(), "float64(float64, float64)");
/// assert_eq!(mean_of_integers::OVERLOAD.name, "mean_of");
/// # }
/// ```
///
/// `opwright::module!(my_ops, overloads = [mean_of, mean_of_integers])` gives the module the function
/// `my_ops.mean_of`, which plain Python calls, too.
///
/// It takes up to eight numbers (`bool`, `i8` to `i64`, `u8` to `u64`, `f32`, `f64`), and returns one, a
/// tuple of up to four, or a `Result` of these, whose error is an exception at the call. A panic is
/// a `RuntimeError`.
#[proc_macro_attribute]
pub fn overload(args: TokenStream, input: TokenStream) -> TokenStream {
    overload::overload(args.into(), input.into()).into()
}

/// Lets compiled functions of Python convert values by a function of Rust: from one type to another, of
/// which one at least is a struct with `#[derive(NativeType)]`; the other is one, too, or a number.
///
/// ```ignore
/// use opwright::{NativeType, cast};
///
/// opwright::module!(my_ops, casts = [middle]);
///
/// #[derive(NativeType, Clone, PartialEq)]
/// struct Interval {
///     lo: f64,
///     hi: f64,
/// }
///
/// /// The number that stands for an interval.
/// #[cast]
/// fn middle(of: &Interval) -> f64 {
///     f64::midpoint(of.lo, of.hi)
/// }
/// ```
///
/// `extending.register_native(my_ops.Interval)` then registers what `lower_cast` registers for functions
/// of Python, with the same consequences: overloads that ask for the target, declared signatures,
/// assignments to places that have a type, and results use it; a cast to `bool` is the truth of a value.
/// If two casts of the same types are registered, a use of them is an `AmbiguousOverloadError` that names
/// both.
///
/// The function takes its value, or a reference to it, and returns the other one or a `Result` of it,
/// whose error is an exception where the value is converted. A panic is a `RuntimeError`.
#[proc_macro_attribute]
pub fn cast(args: TokenStream, input: TokenStream) -> TokenStream {
    cast::cast(args.into(), input.into()).into()
}
