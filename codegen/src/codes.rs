//! The codes of what this crate reports; the schema crate has those below `E0600`.

opwright_schema::codes! {
    SYNTAX = "E0601", "an annotation or a file that does not parse";
    PRIVATE_MODULE = "E0602", "a kernel that the operator tables cannot reach";
    UNKNOWN_OPERATOR = "E0603", "a kernel of an operator that does not exist";
    MISSING_KERNEL = "E0604", "a kernel is missing";
    SUPERFLUOUS_KERNEL = "E0605", "a kernel that the operator has no use for";
    TWO_KERNELS = "E0606", "two functions are kernels for one key";
    MISSING_RULE = "E0607", "a structured operator has no rule";
    UNKNOWN_RULE = "E0608", "a structured operator names a rule that does not exist";
    NO_SUCH_VALUE = "E0609", "a type that no kernel can take";
    FILE = "E0610", "a file cannot be read";
    UNKNOWN_TAKEN = "E0611", "an operator to take in that does not exist";
    TAKEN_TWICE = "E0612", "an operator to take in that the crate has itself";
    UNREACHABLE = "E0620", "a signature that Python never reaches";
    ORPHAN_OUT = "E0621", "an `out=` overload without its base in Python";
    SAME_SIGNATURE = "E0622", "two overloads have one signature in Python";
}

/// The title of a code, whichever crate reports it.
pub fn title(code: &str) -> Option<&'static str> {
    let own = TABLE.iter().find(|(known, _)| *known == code).map(|(_, title)| *title);
    own.or_else(|| opwright_schema::codes::title(code))
}
