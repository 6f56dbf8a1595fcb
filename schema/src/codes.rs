//! Every error code with its title. Codes are stable: one that is no longer
//! used is not given to another mistake.
//!
//! `E00` files and YAML, `E01` syntax of a schema, `E02` rules of one schema,
//! `E03` keys of an entry, `E04` operators together, `E05` the other files,
//! `E06` annotated functions and kernels (reported by the generator).
//!
//! What each means is told by its page in `docs/src/codes`.

/// Declares the codes of a crate: a constant for each, and the table of all.
#[doc(hidden)]
#[macro_export]
macro_rules! codes {
    ($($name:ident = $code:literal, $title:literal;)*) => {
        $(#[doc = concat!("`", $code, "`: ", $title, ".")] pub const $name: &str = $code;)*

        /// Code and title of each mistake, in order of code.
        pub const TABLE: &[(&str, &str)] = &[$(($code, $title)),*];
    };
}

crate::codes! {
    UNREADABLE = "E0001", "a file cannot be used";
    YAML = "E0002", "the file is not valid YAML";
    NOT_A_LIST = "E0003", "the file is not a list of entries";
    NOT_A_MAPPING = "E0004", "an entry is not a mapping";
    DUPLICATE_KEY = "E0005", "a key occurs twice";
    ALIAS = "E0006", "YAML aliases are not supported";

    NAME = "E0101", "not a name";
    EXPECTED = "E0102", "something is missing";
    NOT_CANONICAL = "E0103", "not in canonical form";
    UNKNOWN_TYPE = "E0104", "unknown type";
    TYPE_SUFFIX = "E0105", "a type that cannot be written like this";
    ANNOTATION = "E0106", "an alias annotation that cannot be written like this";
    DEFAULT = "E0107", "not a default";
    STAR = "E0108", "`*` is misplaced";
    OPERATOR_NAME = "E0109", "a reserved form of operator name";
    NESTED_TOO_DEEP = "E0110", "a type is nested too deeply";
    NOT_A_PARAMETER = "E0111", "a parameter that is not a type and a name";
    TRAILING = "E0112", "something follows the end";
    STRING_DEFAULT = "E0113", "a string default with what it cannot contain";
    OPEN_STRING = "E0114", "a string without an end";
    LIST_SIZE = "E0115", "not the size of a list";

    DUPLICATE_PARAMETER = "E0201", "two parameters have one name";
    DEFAULT_ORDER = "E0202", "a required parameter follows one with a default";
    DEFAULT_TYPE = "E0203", "a default does not fit its type";
    OUT_ORDER = "E0204", "an ordinary parameter follows an out parameter";
    OUT_RETURN = "E0205", "out parameters and returns do not correspond";
    RETURNED_MUTABLE = "E0206", "a mutated positional parameter is returned";
    MUTABLE_BEFORE_SELF = "E0207", "a parameter before `self` is mutated";
    MIXED_RETURNS = "E0208", "some returns are mutated and some are fresh";
    UNBOUND_RETURN = "E0209", "a mutated return is not a parameter";
    INPLACE_SELF = "E0210", "an in-place operator does not mutate `self`";
    INPLACE_RETURN = "E0211", "an in-place operator does not return `self`";
    OPTIONS_NOT_FUNCTIONAL = "E0212", "tensor options on an operator that is not functional";
    FUNCTIONAL_OVERLOAD = "E0213", "an overload called functional is not functional";
    DANGLING_ALIAS = "E0214", "a return aliases no parameter";
    HIDDEN_INPLACE = "E0215", "an operator mutates and returns `self` under a plain name";
    PARTLY_NAMED_RETURNS = "E0216", "only some returns have names";
    DUPLICATE_RETURN = "E0217", "two returns have one name";
    OPTIONS_TWICE = "E0218", "two sets of tensor options";
    UNWRITTEN_OUT = "E0219", "an out parameter that is not written to";
    TOO_MANY_PARAMETERS = "E0220", "too many parameters";
    RESULT_NAME = "E0221", "a result has a name that Python does not take";

    UNKNOWN_KEY = "E0301", "unknown key";
    MISSING_KEY = "E0302", "a key is missing";
    WRONG_VALUE = "E0303", "a value of the wrong form";
    UNKNOWN_VALUE = "E0304", "an unknown value";
    NAMESPACE = "E0305", "too many namespaces";
    UNKNOWN_DISPATCH_KEY = "E0306", "unknown dispatch key";
    UNSUPPORTED_DISPATCH_KEY = "E0307", "a dispatch key that takes no kernels";
    DUPLICATE_DISPATCH_KEY = "E0308", "two kernels for one dispatch key";
    KERNEL_NAME = "E0309", "not the name of a kernel";
    REDUNDANT_DISPATCH = "E0310", "a dispatch table that says nothing";
    COMPOSITE_DISPATCH = "E0311", "two composite kernels";
    MISSING_DISPATCH = "E0312", "an operator that needs a dispatch table";
    STRUCTURED = "E0313", "structured keys that contradict each other";
    KEYS_CLASH = "E0314", "two keys exclude each other";
    METHOD = "E0315", "a method that cannot be one";
    UNKNOWN_PARAMETER = "E0316", "no parameter has this name";
    UNKNOWN_TAG = "E0317", "unknown tag";
    MISSING_TAG = "E0318", "a tag is missing";
    KEYWORD_PARAMETER = "E0319", "a parameter is called like a Python keyword";
    RESERVED_PARAMETER = "E0320", "a reserved parameter name";
    UFUNC = "E0321", "not an inner loop";
    PRECOMPUTED = "E0322", "not a precomputed parameter";
    DEVICE_CHECK = "E0323", "an operator on lists checks devices";
    KEYWORD_OPERATOR = "E0324", "an operator is called like a Python keyword";

    DUPLICATE_OPERATOR = "E0401", "two operators have one name";
    SAME_RUST_NAME = "E0402", "two operators get one Rust name";
    AMBIGUOUS_VARIANT = "E0403", "two variants of one kind";
    ORPHAN_OUT = "E0404", "an out variant without a base";
    UNKNOWN_DELEGATE = "E0405", "a structured delegate that does not exist";
    DELEGATE = "E0406", "a structured group that does not hold together";
    INPLACE_VIEW = "E0407", "an in-place view without an out-of-place operator";
    AUTOGEN = "E0408", "autogen names what cannot be generated";
    GROUP_NAMESPACE = "E0409", "variants in different namespaces";
    NO_FUNCTIONAL = "E0410", "variants without a functional one";
    NO_TENSOR_RESULT = "E0411", "a function on tensors that returns none";
    FORWARD = "E0412", "an alias of an operator that cannot stand for it";
    FORWARD_ARGUMENT = "E0413", "an alias that passes what the operator does not take";
    SAME_C_NAME = "E0414", "two operators have one C name";
    SAME_GO_NAME = "E0415", "two operators have one Go name";

    TAGS_FILE = "E0501", "not a declaration of a tag";
    DEPRECATED_CALL = "E0502", "not a call";
    DEPRECATED_TARGET = "E0503", "a deprecated signature without a target";
    DERIVATIVE_OPERATOR = "E0511", "a formula for an unknown operator";
    DERIVATIVE_INPUT = "E0512", "a formula for something that is no input";
    DERIVATIVE_TWICE = "E0513", "two formulas for one input";
    DERIVATIVE_NAME = "E0514", "a formula names something unknown";
    DERIVATIVE_GRADS = "E0515", "a formula mixes the forms of the output's gradient";
    DERIVATIVE_OUTPUT = "E0516", "output differentiability does not fit the outputs";
    DERIVATIVE_DISPATCH = "E0517", "unknown autograd key";
    DERIVATIVE_FORMULA = "E0518", "not a formula";
    DERIVATIVE_RESERVED = "E0519", "a reserved parameter name";
    DERIVATIVE_AUTOMATIC = "E0520", "a tangent that does not follow";
    REWRITE_PATTERN = "E0521", "not a pattern";
    REWRITE_OPERATOR = "E0522", "a rewrite names an unknown operator";
    REWRITE_NAME = "E0523", "a replacement names what its pattern does not";
    REWRITE_TWICE = "E0524", "two rewrites have one name";
    REWRITE_CONDITION = "E0525", "not a condition of a rewrite";
    NO_GRADIENT = "E0526", "a gradient of something that has none";
}

/// The title of a code.
pub fn title(code: &str) -> Option<&'static str> {
    TABLE.iter().find(|(known, _)| *known == code).map(|(_, title)| *title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_unique() {
        assert!(TABLE.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
