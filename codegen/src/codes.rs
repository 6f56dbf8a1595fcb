//! The codes of what this crate reports; the schema crate has those below `E0600`.

opwright_schema::codes! {
    SYNTAX = "E0601", "an annotation that does not parse";
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
    NO_SET = "E0613", "operators to take in of which nothing is known";
    UNREACHABLE = "E0620", "a signature that Python never reaches";
    ORPHAN_OUT = "E0621", "an `out=` overload without its base in Python";
    SAME_SIGNATURE = "E0622", "two overloads have one signature in Python";
    RESERVED = "E0623", "an operator is called like something else that Python finds there";
    NAMES = "E0630", "a parameter is called otherwise than in the schema";
    TYPES = "E0632", "a kernel of other types than its schema";
    UNREAD = "E0633", "an annotation where none is looked for";
    UNREACHED = "E0634", "an annotation in a file that belongs to no module";
    NO_MODULE = "E0635", "a crate that does not say which module it is";
    C_LIBRARY = "E0636", "not a library for C";
    FILE_SYNTAX = "E0640", "a file that does not parse";
    UNKNOWN_OPTION = "E0641", "an unknown option";
    OPTION_VALUE = "E0642", "an option without its value, or with one that it does not take";
    OPTION_TWICE = "E0643", "an option that is said twice";
    OPTIONS_CLASH = "E0644", "options that exclude each other";
    OPTION_PLACE = "E0645", "an option that belongs elsewhere";
    UNKNOWN_DTYPES = "E0646", "an unknown dtype or group of dtypes";
    UNKNOWN_PROMOTION = "E0647", "an unknown rule of promotion";
    ESCAPES = "E0648", "a schema that is written with escapes";
    NO_DTYPES = "E0649", "a generic kernel that does not say for which dtypes";
    NOT_GENERIC = "E0650", "dtypes of a kernel that is not generic";
    NARROW_TRAIT = "E0651", "dtypes that do not have the kernel's trait";
    GENERICS = "E0652", "a kernel that is generic over too much";
    NO_PARAMETER_NAME = "E0653", "a parameter without a name";
    LISTED = "E0654", "a list of parameters that are not the function's";
    NO_SCHEMA_TYPE = "E0655", "a parameter of a type that no schema has";
    NO_RESULT = "E0656", "a result that no operator has";
    NO_LITERAL = "E0657", "a default that is no literal";
    NOT_AN_ELEMENT = "E0658", "an element-wise kernel of more than elements";
    UNDECIDED = "E0659", "elements of which no tensor says the type";
    NOT_ELEMENTWISE = "E0660", "an element-wise kernel of another kind of operator";
    LOOP = "E0661", "an element-wise kernel of too many tensors";
    PARAMETER_COUNT = "E0662", "a kernel of another number of parameters or results";
    NOT_A_NUMBER = "E0663", "a parameter with the type of the elements that is no number";
    MUTABLE_VIEW = "E0664", "a kernel over views that writes to one";
    NATIVE_TYPE = "E0665", "a type of the crate that schemas cannot name";
    FORMULA = "E0666", "a formula of which nothing can be made";
    HELPER = "E0667", "a helper that formulas cannot call";
    GRADIENT = "E0668", "a function that gives no gradient";
    UNKNOWN_CALL = "E0670", "a formula calls what does not exist";
    NO_FORMULA = "E0671", "an input without a formula";
    OVERWRITTEN = "E0672", "a formula reads what the call overwrites";
    SHARED_RESULT = "E0673", "a formula reads a result that shares the memory of an input";
    UNUSED_FORMULAS = "E0674", "formulas that nothing uses";
    CORE_DIMS = "E0675", "not a signature of core dimensions";
    CORE_SCHEMA = "E0676", "core dimensions of other tensors than the schema's";
    CORE_RANK = "E0677", "an array of another rank than its core dimensions";
    UNRECORDED = "E0680", "a composite kernel that goes around the operators";
}

/// This code as the tables have it, if one has.
pub(crate) fn find(code: &str) -> Option<&'static str> {
    let mut known = TABLE.iter().chain(opwright_schema::codes::TABLE);
    known.find(|(known, _)| *known == code).map(|(known, _)| *known)
}

/// The title of a code, whichever crate reports it.
pub fn title(code: &str) -> Option<&'static str> {
    let own = TABLE.iter().find(|(known, _)| *known == code).map(|(_, title)| *title);
    own.or_else(|| opwright_schema::codes::title(code))
}
