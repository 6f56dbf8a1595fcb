//! The codes of what this crate reports; the schema crate has those below `E0600`.

/// A source file, or the arguments of an attribute, do not parse.
pub const SYNTAX: &str = "E0601";
/// A kernel stands where the operator tables cannot reach it.
pub const PRIVATE_MODULE: &str = "E0602";
/// A kernel is annotated for an operator that does not exist.
pub const UNKNOWN_OPERATOR: &str = "E0603";
/// An entry names a kernel that no function is.
pub const MISSING_KERNEL: &str = "E0604";
/// A function is annotated for an operator that has no use for it.
pub const SUPERFLUOUS_KERNEL: &str = "E0605";
/// Two functions are kernels for the same key.
pub const TWO_KERNELS: &str = "E0606";
/// A structured operator has no rule.
pub const MISSING_RULE: &str = "E0607";
/// A structured operator names a rule that the runtime does not have.
pub const UNKNOWN_RULE: &str = "E0608";
/// A schema has a type that no kernel can take.
pub const NO_SUCH_VALUE: &str = "E0609";
/// A file cannot be read or written.
pub const FILE: &str = "E0610";
/// A Python signature can never be reached.
pub const UNREACHABLE: &str = "E0620";
/// An `out=` overload has no overload without `out`.
pub const ORPHAN_OUT: &str = "E0621";
/// Two overloads have the same Python signature.
pub const SAME_SIGNATURE: &str = "E0622";
