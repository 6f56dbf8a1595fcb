//! The rules of the runtime, which entries and annotations name.

use opwright_diagnostics::diag::nearest;
use proc_macro2::Ident;
use syn::Result;

use crate::codes;
use crate::mistake::mistake;

/// Functions of the runtime's module `structured::rule`.
pub const RULES: [&str; 5] =
    ["elementwise", "elementwise_bool", "elementwise_float", "elementwise_real", "like_first"];

/// Those that promote dtypes and stretch shapes: `structured::rule::of_dtype` has them for dtypes.
pub(crate) fn is_elementwise(name: &str) -> bool {
    RULES.contains(&name) && name != "like_first"
}

/// The one whose results are truth values.
pub(crate) const RULE_OF_TRUTH: &str = "elementwise_bool";

/// A rule in an annotation.
///
/// # Errors
///
/// If there is none of this name; names the nearest one.
pub(crate) fn read(word: &Ident) -> Result<Ident> {
    let name = word.to_string();
    if RULES.contains(&name.as_str()) {
        return Ok(word.clone());
    }
    let message = match nearest(&name, RULES) {
        Some(near) => format!("there is no rule `{name}`; did you mean `{near}`?"),
        None => format!("there is no rule `{name}`; there are `{}`", RULES.join("`, `")),
    };
    Err(mistake(codes::UNKNOWN_RULE, word.span(), message))
}
