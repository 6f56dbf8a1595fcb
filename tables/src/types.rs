//! The types of the schema language, a row each: their words in Rust, Python, C and Go, and which
//! objects of Python they accept how gladly.
//!
//! Lists and optionals have no rows: what holds for them follows from the row of what they hold.

use crate::{Device, Layout, MemoryFormat, Reduction, StrEnum};

/// Everything that is known of a type.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its word in a schema.
    pub name: &'static str,
    /// Its type in Rust, as a kernel's parameter has it: a primitive type, a type of the runtime, or
    /// the path of a type of the crate that is built. None if it has no such type.
    pub rust: Option<&'static str>,
    /// The owned form of the same.
    pub owned: Option<&'static str>,
    /// Whether parameters are values, not references.
    pub is_copied: bool,
    /// The values of this type, as the runtime's `Value` tells them apart.
    pub values: Values,
    /// What messages and signatures call it.
    pub shown: &'static str,
    /// What Python may pass: words of stubs, an alternative each.
    pub takes: &'static [&'static str],
    /// What Python gets: a word of stubs.
    pub gives: &'static str,
    /// What a parameter accepts, and at which cost.
    pub costs: &'static [(Class, u8)],
    /// The same of a list of them.
    pub list_costs: &'static [(Class, u8)],
    /// The words that can be defaults, and what they are in Rust: numbers, or variants of the type.
    /// Those of dtypes are in [their table](crate::dtype).
    pub words: &'static [(&'static str, &'static str)],
    /// How upstream's argument parser spells it and a list of it, between which the order of
    /// overloads decides if nothing else does.
    pub upstream: [&'static str; 2],
    /// The types of its parameters in C and Go, if they have it. In C, what begins with `_` gets the
    /// library's prefix, and results of pointer types are not `const`. Types of a crate have none in
    /// Go: an empty text.
    pub foreign: Option<[&'static str; 2]>,
}

/// Sorts of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Tensors
    Tensor,
    /// Truth values
    Bool,
    /// Integers
    Int,
    /// Real numbers
    Float,
    /// Numbers of any kind
    Number,
    /// Texts
    Str,
    /// Constants of an enumeration
    Named,
    /// Constants of an enumeration, which values and callers in C and Go have as integers
    Numbered,
    /// Words of an enumeration, which values and callers have as texts
    StrEnum(&'static StrEnum),
    /// Objects of some other kind
    Object,
    /// None: who passes one knows the type from elsewhere, and the call is refused
    Empty,
    /// None, not even a type in the runtime
    Absent,
}

/// A class of Python objects that no parameter tells apart any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `None`.
    Nothing,
    /// `True` and `False`.
    Bool,
    /// A Python integer, or numpy's.
    Int,
    /// A Python float, or numpy's.
    Float,
    /// A Python complex number, or numpy's.
    Complex,
    /// Something else with `__index__`.
    Index,
    /// A string.
    Str,
    /// A zero-dimensional tensor of integers.
    IntTensor,
    /// A zero-dimensional tensor of another dtype.
    NumberTensor,
    /// A one-element tensor with dimensions, of integers.
    LongTensor,
    /// Any other tensor.
    Tensor,
    /// An empty list.
    Empty,
    /// A list of integers.
    Ints,
    /// A list of bools.
    Bools,
    /// A list that starts with a real number.
    Floats,
    /// A list with complex numbers.
    Complexes,
    /// A list of tensors.
    Tensors,
    /// A list of tensors and `None`s.
    OptionalTensors,
    /// A list of strings.
    Strs,
    /// A dtype.
    Dtype,
    /// A Python type that stands for a dtype.
    PythonType,
    /// A layout.
    Layout,
    /// A device.
    Device,
    /// A memory format.
    MemoryFormat,
    /// A random number generator.
    Generator,
    /// A storage.
    Storage,
    /// A stream.
    Stream,
    /// A quantization scheme.
    QScheme,
    /// An object of a class that only one schema type knows.
    Foreign,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 29] = [
        Class::Nothing,
        Class::Bool,
        Class::Int,
        Class::Float,
        Class::Complex,
        Class::Index,
        Class::Str,
        Class::IntTensor,
        Class::NumberTensor,
        Class::LongTensor,
        Class::Tensor,
        Class::Empty,
        Class::Ints,
        Class::Bools,
        Class::Floats,
        Class::Complexes,
        Class::Tensors,
        Class::OptionalTensors,
        Class::Strs,
        Class::Dtype,
        Class::PythonType,
        Class::Layout,
        Class::Device,
        Class::MemoryFormat,
        Class::Generator,
        Class::Storage,
        Class::Stream,
        Class::QScheme,
        Class::Foreign,
    ];
}

/// The cost of one kind of number where any is taken.
const ANY: u8 = 1;
/// The cost of a value of another kind that is converted.
pub const CONVERTED: u8 = 2;

/// Hands the rows of all types but custom classes to another macro: `type_rows! { name }` becomes
/// `name! { valued { .. } str_enum { .. } empty { .. } absent { .. } }`, where a row is
/// `Variant "word" => row;`, behind its documentation. The runtime has values of the first two, no
/// values of the third, and does not know the last. The second are those of
/// [their table](crate::str_enum).
#[doc(hidden)]
#[macro_export]
macro_rules! type_rows {
    ($callback:ident) => {
        $crate::str_enum_rows! { $crate::type_rows_beside { $callback } }
    };
}

/// The same, with the rows of string-valued enumerations at hand.
#[doc(hidden)]
#[macro_export]
macro_rules! type_rows_beside {
    (
        { $callback:ident }
        $($(#[$doc:meta])* $enum:ident $name:literal $kind:ident $message:literal { $($variants:tt)* })*
    ) => {
        $callback! {
            valued {
                /// `Tensor`.
                Tensor "Tensor" => row(Values::Tensor).rust("Tensor").lent("Tensor").shown("Tensor")
                    .python(&["Tensor"], "Tensor")
                    .costs(&[
                        (Class::IntTensor, 0),
                        (Class::NumberTensor, 0),
                        (Class::LongTensor, 0),
                        (Class::Tensor, 0),
                    ])
                    .list_costs(&[(Class::Tensors, 0), (Class::Empty, 5)])
                    .upstream("Tensor", "TensorList").foreign("const _tensor *", "Tensor");
                /// `int`.
                Int "int" => row(Values::Int).rust("i64").shown("int").python(&["int"], "int")
                    .costs(&[(Class::Int, 0), (Class::IntTensor, CONVERTED)])
                    .list_costs(&[(Class::Empty, 0), (Class::Ints, 0)])
                    .words(Reduction::DEFAULTS)
                    .upstream("int64_t", "IntArrayRef").foreign("int64_t", "int64");
                /// `SymInt`: an integer, accepted more loosely.
                SymInt "SymInt" => row(Values::Int).rust("i64").shown("int")
                    .python(&["SupportsIndex"], "int")
                    .costs(&[
                        (Class::Int, 0),
                        (Class::Index, CONVERTED),
                        (Class::IntTensor, CONVERTED),
                        (Class::LongTensor, CONVERTED),
                    ])
                    .list_costs(&[(Class::Ints, 0), (Class::Empty, 1)])
                    .upstream("SymInt", "SymIntArrayRef").foreign("int64_t", "int64");
                /// `bool`.
                Bool "bool" => row(Values::Bool).rust("bool").shown("bool").python(&["bool"], "bool")
                    .costs(&[(Class::Bool, 0)])
                    .list_costs(&[(Class::Bools, 0), (Class::Empty, 0)])
                    .upstream("bool", "::std::array<bool>").foreign("bool", "bool");
                /// `SymBool`.
                SymBool "SymBool" => row(Values::Bool).rust("bool").shown("bool")
                    .python(&["bool"], "bool").costs(&[(Class::Bool, 0)])
                    .upstream("bool", "List").foreign("bool", "bool");
                /// `float`.
                Float "float" => row(Values::Float).rust("f64").shown("float")
                    .python(&["float"], "float")
                    .costs(&[
                        (Class::Float, 0),
                        (Class::Bool, CONVERTED),
                        (Class::Int, CONVERTED),
                        (Class::IntTensor, CONVERTED),
                        (Class::NumberTensor, CONVERTED),
                    ])
                    .list_costs(&[
                        (Class::Floats, 0),
                        (Class::Empty, CONVERTED),
                        (Class::Ints, CONVERTED),
                        (Class::Bools, CONVERTED),
                    ])
                    .upstream("double", "ArrayRef<double>").foreign("double", "float64");
                /// `Scalar`: bool, integer, float or complex number.
                Scalar "Scalar" => row(Values::Number).rust("Scalar").shown("Number")
                    .python(&["Number"], "Number")
                    .costs(&[
                        (Class::Bool, ANY),
                        (Class::Int, ANY),
                        (Class::Float, ANY),
                        (Class::Complex, ANY),
                        (Class::IntTensor, CONVERTED),
                        (Class::NumberTensor, CONVERTED),
                    ])
                    .list_costs(&[
                        (Class::Ints, ANY),
                        (Class::Bools, ANY),
                        (Class::Floats, ANY),
                        (Class::Complexes, ANY),
                        (Class::Empty, 3),
                    ])
                    .upstream("Scalar", "ScalarList").foreign("_scalar", "Scalar");
                /// `str`.
                Str "str" => row(Values::Str).rust("str").lent("String").shown("str")
                    .python(&["str"], "str").costs(&[(Class::Str, 0)])
                    .list_costs(&[(Class::Strs, 0), (Class::Empty, 4)])
                    .upstream("c10::string_view", "List").foreign("const char *", "string");
                /// `ScalarType`: a dtype.
                ScalarType "ScalarType" => row(Values::Named).rust("DType").shown("dtype")
                    .python(&["dtype"], "dtype")
                    .costs(&[(Class::Dtype, 0), (Class::PythonType, CONVERTED)])
                    .upstream("ScalarType", "List").foreign("_dtype", "DType");
                /// `Layout`.
                Layout "Layout" => row(Values::Named).rust("Layout").shown("layout")
                    .python(&["layout"], "layout").costs(&[(Class::Layout, 0)])
                    .words(Layout::WORDS)
                    .upstream("Layout", "List").foreign("_layout", "Layout");
                /// `Device`.
                Device "Device" => row(Values::Object).rust("Device").shown("device")
                    .python(&["device", "str", "int"], "device")
                    .costs(&[(Class::Device, 0), (Class::Str, CONVERTED), (Class::Int, CONVERTED)])
                    .words(Device::WORDS)
                    .upstream("Device", "List").foreign("_device", "Device");
                /// `DeviceIndex`.
                DeviceIndex "DeviceIndex" => row(Values::Int).rust("i64").shown("int")
                    .python(&["int"], "int").costs(&[(Class::Int, 0), (Class::IntTensor, CONVERTED)])
                    .list_costs(&[(Class::Empty, 0), (Class::Ints, 0)])
                    .upstream("DeviceIndex", "List").foreign("int64_t", "int64");
                /// `MemoryFormat`.
                MemoryFormat "MemoryFormat" => row(Values::Named).rust("MemoryFormat")
                    .shown("memory_format").python(&["memory_format"], "memory_format")
                    .costs(&[(Class::MemoryFormat, 0)])
                    .words(MemoryFormat::WORDS)
                    .upstream("MemoryFormat", "List").foreign("_memory_format", "MemoryFormat");
                /// `Reduction`: its word, or its number.
                Reduction "Reduction" => row(Values::Numbered).rust("Reduction")
                    .shown("reduction").python(&["Reduction", "int"], "int")
                    .costs(&[
                        (Class::Int, 0),
                        (Class::Str, 0),
                        (Class::IntTensor, CONVERTED),
                    ])
                    .words(Reduction::WORDS)
                    .upstream("int64_t", "IntArrayRef").foreign("int64_t", "int64");
                /// `Generator`.
                Generator "Generator" => row(Values::Object).rust("Generator").lent("Generator")
                    .shown("Generator").python(&["Generator"], "Generator")
                    .costs(&[(Class::Generator, 0)])
                    .upstream("Generator", "List").foreign("_generator *", "*Generator");
                /// `Storage`.
                Storage "Storage" => row(Values::Object).rust("Storage").lent("Storage")
                    .shown("Storage").python(&["Storage"], "Storage")
                    .costs(&[(Class::Storage, 0)])
                    .upstream("Storage", "List").foreign("const _storage *", "*Storage");
            }
            str_enum {$(
                $(#[$doc])*
                $enum $name => row(Values::StrEnum($crate::str_enum::$enum::ROW)).rust($name)
                    .shown("str").python(&[$name], "str")
                    .costs(&[(Class::Str, 0)])
                    .list_costs(&[(Class::Strs, 0), (Class::Empty, 4)])
                    .words($crate::str_enum::$enum::ROW.words)
                    .upstream("c10::string_view", "List").foreign("const char *", "string");
            )*}
            empty {
                /// `Dimname`.
                Dimname "Dimname" => row(Values::Empty).rust("Dimname").shown("name")
                    .python(&["str", "None"], "str")
                    // A dimension without a name.
                    .costs(&[(Class::Str, 0), (Class::Nothing, CONVERTED)])
                    .list_costs(&[(Class::Strs, 0), (Class::Empty, 4)])
                    .upstream("Dimname", "DimnameList");
                /// `Stream`.
                Stream "Stream" => row(Values::Empty).rust("Stream").shown("Stream")
                    .costs(&[(Class::Stream, 0)]).upstream("Stream", "List");
            }
            absent {
                /// `DimVector`: a list of integers.
                DimVector "DimVector" => row(Values::Absent).upstream("DimVector", "List");
                /// `QScheme`.
                QScheme "QScheme" => row(Values::Absent).shown("QScheme")
                    .costs(&[(Class::QScheme, 0)]).upstream("QScheme", "List");
                /// `GraphModule`.
                GraphModule "GraphModule" => row(Values::Absent).costs(&[(Class::Foreign, 0)])
                    .upstream("GraphModule", "List");
            }
        }
    };
}

macro_rules! rows {
    ($($section:ident { $($(#[$doc:meta])* $base:ident $name:literal => $row:expr;)* })*) => {
        /// All but those of custom classes, in the order of the table.
        pub static ROWS: &[Row] = &[$($($row.called($name),)*)*];
    };
}

type_rows! { rows }

/// The row of all custom classes.
pub static CLASS: Row =
    row(Values::Absent).costs(&[(Class::Foreign, 0)]).upstream("Class", "List").called("Class");

/// A row that says nothing but what its values are: Python passes any object.
pub const fn row(values: Values) -> Row {
    Row {
        name: "",
        rust: None,
        owned: None,
        is_copied: false,
        values,
        shown: "object",
        takes: &["object"],
        gives: "object",
        costs: &[],
        list_costs: &[],
        words: &[],
        upstream: [""; 2],
        foreign: None,
    }
}

/// What a row says beyond that.
impl Row {
    /// The same under this name.
    #[must_use]
    pub const fn called(self, name: &'static str) -> Row {
        Row { name, ..self }
    }

    /// The Rust type, which parameters have by value.
    #[must_use]
    pub const fn rust(self, name: &'static str) -> Row {
        Row { rust: Some(name), owned: Some(name), is_copied: true, ..self }
    }

    /// Parameters are references; this is the owned form.
    #[must_use]
    pub const fn lent(self, owned: &'static str) -> Row {
        Row { owned: Some(owned), is_copied: false, ..self }
    }

    /// What messages and signatures call it.
    #[must_use]
    pub const fn shown(self, shown: &'static str) -> Row {
        Row { shown, ..self }
    }

    /// What Python may pass, and what it gets.
    #[must_use]
    pub const fn python(self, takes: &'static [&'static str], gives: &'static str) -> Row {
        Row { takes, gives, ..self }
    }

    /// What a parameter accepts, and at which cost.
    #[must_use]
    pub const fn costs(self, costs: &'static [(Class, u8)]) -> Row {
        Row { costs, ..self }
    }

    /// The same of a list of them.
    #[must_use]
    pub const fn list_costs(self, list_costs: &'static [(Class, u8)]) -> Row {
        Row { list_costs, ..self }
    }

    /// The words that can be defaults.
    #[must_use]
    pub const fn words(self, words: &'static [(&'static str, &'static str)]) -> Row {
        Row { words, ..self }
    }

    /// How upstream's parser spells it and a list of it.
    #[must_use]
    pub const fn upstream(self, one: &'static str, list: &'static str) -> Row {
        Row { upstream: [one, list], ..self }
    }

    /// The types of its parameters in C and Go.
    #[must_use]
    pub const fn foreign(self, c: &'static str, go: &'static str) -> Row {
        Row { foreign: Some([c, go]), ..self }
    }
}
