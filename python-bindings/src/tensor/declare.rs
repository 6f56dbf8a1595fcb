//! Signatures of the functions and methods that are written by hand.
//!
//! They are tables like the generated ones, so that arguments are bound, and
//! refused, in the same way.

use opwright_runtime::resolve::{Kind, Parameter, Signature};

/// A parameter without a default.
pub(super) const fn required(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, nullable: false, required: true, size: 0, aliases: &[] }
}

/// A parameter that may be left out, or be `None`.
pub(super) const fn optional(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, nullable: true, required: false, size: 0, aliases: &[] }
}

/// A parameter that may be left out, but not be `None`.
pub(super) const fn defaulted(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, nullable: false, required: false, size: 0, aliases: &[] }
}

/// A signature whose first `positional` parameters may be given by position.
pub(super) const fn signature(
    text: &'static str,
    params: &'static [Parameter],
    positional: u8,
) -> Signature {
    Signature { text, params, positional, variadic: false, deprecated: false }
}

/// A signature whose only positional parameter is a list of integers, or as many arguments.
pub(super) const fn variadic(text: &'static str, params: &'static [Parameter]) -> Signature {
    Signature { text, params, positional: 1, variadic: true, deprecated: false }
}

/// Functions of a module, or methods: their targets, and a table of them.
///
/// ```ignore
/// functions! {
///     method: true;
///     size = "size", c"size($self, dim=None)\n--\n\nThe shape, or one size of it.",
///         size_body, [signature("size(int dim=None)", &[optional("dim", Kind::Int)], 1)];
/// }
/// ```
macro_rules! functions {
    (method: $method:literal;
     $($name:ident = $shown:literal, $c_name:literal, $doc:literal, $body:expr,
        [$($signature:expr),+ $(,)?];)*) => {
        $(mod $name {
            use super::*;
            use opwright_runtime::resolve::OverloadSet;

            static FUNCTION: OverloadSet =
                OverloadSet::new($shown, &[$($signature),+]);

            pub(super) static TARGET: crate::call::target::Target =
                crate::call::target::Target {
                    function: &FUNCTION,
                    schemas: &[],
                    body: $body,
                    method: $method,
                    module: "",
                };

            crate::__entry!(arguments);
        })*

        /// The entries of the table of methods.
        pub(super) static ENTRIES: crate::raw::method::Methods<{ [$($shown),*].len() }> =
            crate::raw::method::Methods([
                $(crate::raw::method::with_arguments($c_name, $name::entry, $doc)),*
            ]);

        /// The functions in it.
        pub(super) static TARGETS: &[&crate::call::target::Target] = &[$(&$name::TARGET),*];
    };
}

pub(super) use functions;
