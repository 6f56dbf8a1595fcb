//! The dtypes, a row each: their words in files, attributes and Python, and their Rust types.

use std::sync::LazyLock;

/// A dtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The variant of the runtime's `DType`.
    pub variant: &'static str,
    /// Its number in the runtime and in C.
    pub number: u8,
    /// The word for it in an attribute; of a primitive type, also that type.
    pub word: &'static str,
    /// Its name in Python.
    pub name: &'static str,
    /// What classes of this dtype are called after in Python: `Float` for `FloatTensor`.
    pub title: &'static str,
    /// A second name in Python, if it has one.
    pub alias: Option<&'static str>,
    /// Further words that files have for it.
    pub words: &'static [&'static str],
    /// What its elements are.
    pub category: Category,
    /// The Rust type of its elements.
    pub rust: Rust,
}

/// Kinds of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// Truth values
    Bool,
    /// Integers
    Integral,
    /// Real floating numbers
    Floating,
    /// Complex numbers
    Complex,
}

/// Rust types of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rust {
    /// The primitive type that is called like the word.
    Primitive,
    /// The type of half precision that is called like the word in the runtime.
    Half,
    /// A complex number with parts of this primitive type.
    Complex(&'static str),
}

/// All of them, in the order of promotion.
pub static ROWS: [Row; 14] = [
    row("Bool", 0, ["bool", "bool", "Bool"], None, &[], Category::Bool, Rust::Primitive),
    row("UInt8", 1, ["u8", "uint8", "Byte"], None, &["byte"], Category::Integral, Rust::Primitive),
    row("UInt16", 12, ["u16", "uint16", "UInt16"], None, &[], Category::Integral, Rust::Primitive),
    row("UInt32", 13, ["u32", "uint32", "UInt32"], None, &[], Category::Integral, Rust::Primitive),
    row("Int8", 2, ["i8", "int8", "Char"], None, &["char"], Category::Integral, Rust::Primitive),
    row(
        "Int16",
        3,
        ["i16", "int16", "Short"],
        Some("short"),
        &[],
        Category::Integral,
        Rust::Primitive,
    ),
    row("Int32", 4, ["i32", "int32", "Int"], Some("int"), &[], Category::Integral, Rust::Primitive),
    row(
        "Int64",
        5,
        ["i64", "int64", "Long"],
        Some("long"),
        &[],
        Category::Integral,
        Rust::Primitive,
    ),
    row(
        "Float16",
        6,
        ["f16", "float16", "Half"],
        Some("half"),
        &[],
        Category::Floating,
        Rust::Half,
    ),
    row("BFloat16", 7, ["bf16", "bfloat16", "BFloat16"], None, &[], Category::Floating, Rust::Half),
    row(
        "Float32",
        8,
        ["f32", "float32", "Float"],
        Some("float"),
        &[],
        Category::Floating,
        Rust::Primitive,
    ),
    row(
        "Float64",
        9,
        ["f64", "float64", "Double"],
        Some("double"),
        &[],
        Category::Floating,
        Rust::Primitive,
    ),
    row(
        "Complex64",
        10,
        ["c64", "complex64", "ComplexFloat"],
        Some("cfloat"),
        &[],
        Category::Complex,
        Rust::Complex("f32"),
    ),
    row(
        "Complex128",
        11,
        ["c128", "complex128", "ComplexDouble"],
        Some("cdouble"),
        &["complex"],
        Category::Complex,
        Rust::Complex("f64"),
    ),
];

const fn row(
    variant: &'static str,
    number: u8,
    names: [&'static str; 3],
    alias: Option<&'static str>,
    words: &'static [&'static str],
    category: Category,
    rust: Rust,
) -> Row {
    let [word, name, title] = names;
    Row { variant, number, word, name, title, alias, words, category, rust }
}

impl Row {
    /// All names that files have for it: in Python first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        [self.name].into_iter().chain(self.alias).chain(self.words.iter().copied())
    }
}

/// The dtype of a name in a file.
pub fn named(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|it| it.names().any(|own| own == name))
}

/// The names of all, once each.
pub(crate) static NAMES: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| ROWS.iter().flat_map(Row::names).collect());

/// The names that every module has for them.
pub fn names_in_python() -> impl Iterator<Item = &'static str> {
    ROWS.iter().flat_map(|it| [it.name].into_iter().chain(it.alias))
}

/// The names that every module has for its types of tensors: `FloatTensor`.
pub static TENSOR_TYPES: LazyLock<Vec<String>> =
    LazyLock::new(|| ROWS.iter().map(|it| format!("{}Tensor", it.title)).collect());

/// The names that every module has for its storages of each dtype: `FloatStorage`.
pub static STORAGES: LazyLock<Vec<String>> =
    LazyLock::new(|| ROWS.iter().map(|it| format!("{}Storage", it.title)).collect());
