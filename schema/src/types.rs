//! The types of the schema language, a row each: their words in Rust, Python, C and Go, and which
//! objects of Python they accept how gladly.
//!
//! Lists and optionals have no rows: what holds for them follows from the row of what they hold.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use crate::dtypes;

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
    /// Those of dtypes are in the table of dtypes.
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

macro_rules! types {
    ($($(#[$doc:meta])* $base:ident $name:literal => $row:expr;)*) => {
        /// A base type of the schema language.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum BaseType {
            $($(#[$doc])* $base,)*
            /// `__torch__.torch.classes.` and this.
            Class(String),
            /// A type of the crate that is built.
            Native(Native),
        }

        /// All but those that have names of their own, custom classes and types of a crate.
        static ROWS: &[(BaseType, Row)] = &[$((BaseType::$base, $row.called($name))),*];

        impl BaseType {
            /// The names of all base types but custom classes and types of a crate.
            pub const NAMES: &'static [&'static str] = &[$($name),*];
        }
    };
}

types! {
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
        // Ways to reduce a loss.
        .words(&[("Mean", "1"), ("Sum", "2")])
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
        .words(&[("strided", "Strided")])
        .upstream("Layout", "List").foreign("_layout", "Layout");
    /// `Device`.
    Device "Device" => row(Values::Object).rust("Device").shown("device")
        .python(&["device", "str", "int"], "device")
        .costs(&[(Class::Device, 0), (Class::Str, CONVERTED), (Class::Int, CONVERTED)])
        .words(&[("cpu", "Cpu"), ("meta", "Meta")])
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
        .words(&[
            ("contiguous_format", "Contiguous"),
            ("preserve_format", "Preserve"),
            ("channels_last", "ChannelsLast"),
            ("channels_last_3d", "ChannelsLast3d"),
        ])
        .upstream("MemoryFormat", "List").foreign("_memory_format", "MemoryFormat");
    /// `Generator`.
    Generator "Generator" => row(Values::Object).rust("Generator").lent("Generator")
        .shown("Generator").python(&["Generator"], "Generator")
        .costs(&[(Class::Generator, 0)])
        .upstream("Generator", "List").foreign("_generator *", "*Generator");
    /// `Dimname`.
    Dimname "Dimname" => row(Values::Empty).rust("Dimname").shown("name")
        .python(&["str", "None"], "str")
        // A dimension without a name.
        .costs(&[(Class::Str, 0), (Class::Nothing, CONVERTED)])
        .list_costs(&[(Class::Strs, 0), (Class::Empty, 4)])
        .upstream("Dimname", "DimnameList");
    /// `DimVector`: a list of integers, see [`Type::plain`](crate::model::Type::plain).
    DimVector "DimVector" => row(Values::Absent).upstream("DimVector", "List");
    /// `QScheme`.
    QScheme "QScheme" => row(Values::Absent).shown("QScheme")
        .costs(&[(Class::QScheme, 0)]).upstream("QScheme", "List");
    /// `Storage`.
    Storage "Storage" => row(Values::Object).rust("Storage").lent("Storage")
        .shown("Storage").python(&["Storage"], "Storage")
        .costs(&[(Class::Storage, 0)])
        .upstream("Storage", "List").foreign("const _storage *", "*Storage");
    /// `Stream`.
    Stream "Stream" => row(Values::Empty).rust("Stream").shown("Stream")
        .costs(&[(Class::Stream, 0)]).upstream("Stream", "List");
    /// `GraphModule`.
    GraphModule "GraphModule" => row(Values::Absent).costs(&[(Class::Foreign, 0)])
        .upstream("GraphModule", "List");
}

/// The row of all custom classes.
static CLASS: Row =
    row(Values::Absent).costs(&[(Class::Foreign, 0)]).upstream("Class", "List").called("Class");

/// A row that says nothing but what its values are: Python passes any object.
const fn row(values: Values) -> Row {
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
    const fn called(self, name: &'static str) -> Row {
        Row { name, ..self }
    }

    /// The Rust type, which parameters have by value.
    const fn rust(self, name: &'static str) -> Row {
        Row { rust: Some(name), owned: Some(name), is_copied: true, ..self }
    }

    /// Parameters are references; this is the owned form.
    const fn lent(self, owned: &'static str) -> Row {
        Row { owned: Some(owned), is_copied: false, ..self }
    }

    const fn shown(self, shown: &'static str) -> Row {
        Row { shown, ..self }
    }

    const fn python(self, takes: &'static [&'static str], gives: &'static str) -> Row {
        Row { takes, gives, ..self }
    }

    const fn costs(self, costs: &'static [(Class, u8)]) -> Row {
        Row { costs, ..self }
    }

    const fn list_costs(self, list_costs: &'static [(Class, u8)]) -> Row {
        Row { list_costs, ..self }
    }

    const fn words(self, words: &'static [(&'static str, &'static str)]) -> Row {
        Row { words, ..self }
    }

    const fn upstream(self, one: &'static str, list: &'static str) -> Row {
        Row { upstream: [one, list], ..self }
    }

    const fn foreign(self, c: &'static str, go: &'static str) -> Row {
        Row { foreign: Some([c, go]), ..self }
    }
}

/// A type of the crate that is built: a Rust type with `#[native_type]` or
/// `#[derive(NativeType)]`.
#[derive(Clone, Copy, Debug)]
pub struct Native {
    row: &'static Row,
    number: u8,
    /// How stubs define its class; empty if the crate writes that itself.
    class: &'static str,
    in_c: Option<&'static InC>,
}

/// What C sees of a type of a crate.
#[derive(Clone, Debug)]
pub struct InC {
    /// What it is called, without the prefix.
    pub name: String,
    /// What is said of it.
    pub doc: String,
    /// Whether C has its values as they are: it consists of numbers. Else C has handles of them.
    pub is_by_value: bool,
    /// The fields that are seen outside, if it is a struct that has any.
    pub fields: Vec<FieldInC>,
}

/// A field of a struct of a crate.
#[derive(Clone, Debug)]
pub struct FieldInC {
    /// What it is called.
    pub name: String,
    /// What is said of it.
    pub doc: String,
    /// Its type as a schema says it; none if no schema can, or C is not to see it.
    pub ty: Option<String>,
    /// Whether it may be set.
    pub is_settable: bool,
}

impl Native {
    /// The most that a crate can have: the resolver has kinds for no more.
    pub const MOST: usize = 11;

    /// The one of this name, the `number`th of its crate; its Rust type has this path. Its
    /// description is kept for the rest of the process.
    pub fn new(name: &str, path: &str, number: u8) -> Native {
        let name: &'static str = String::from(name).leak();
        let row = row(Values::Object).called(name).shown(name).costs(&[(Class::Foreign, 0)]);
        let path: &'static str = String::from(path).leak();
        let row = row.rust(path).lent(path).upstream(name, "List");
        Native { row: Box::leak(Box::new(row)), number, class: "", in_c: None }
    }

    /// The same as what `#[derive(NativeType)]` makes of a struct, whose class stubs define so. The
    /// text is kept for the rest of the process.
    #[must_use]
    pub fn derived(self, class: String) -> Native {
        let row = self.row.python(Box::leak(Box::new([self.name()])), self.name());
        Native { row: Box::leak(Box::new(row)), class: class.leak(), ..self }
    }

    /// The same where C sees this of it, which is kept for the rest of the process.
    #[must_use]
    pub fn seen_in_c(self, seen: InC) -> Native {
        let name = &seen.name;
        let go = crate::names::go_field(self.name());
        let [c, go] = match seen.is_by_value {
            true => [format!("_{name}"), go],
            false => [format!("const _{name} *"), format!("*{go}")],
        };
        let row = Box::leak(Box::new(self.row.foreign(c.leak(), go.leak())));
        Native { row, in_c: Some(Box::leak(Box::new(seen))), ..self }
    }

    /// What C sees of it, if anything.
    pub fn in_c(&self) -> Option<&'static InC> {
        self.in_c
    }

    /// How stubs define its class, if `#[derive(NativeType)]` makes it.
    pub fn class(&self) -> Option<&'static str> {
        Some(self.class).filter(|it| !it.is_empty())
    }

    /// Which of its crate's it is.
    pub fn number(&self) -> u8 {
        self.number
    }

    /// Its word in a schema.
    pub fn name(&self) -> &'static str {
        self.row.name
    }

    /// The path of its Rust type.
    pub fn path(&self) -> &'static str {
        self.row.rust.unwrap_or_default()
    }
}

/// Which types of a crate a schema may name.
#[derive(Clone, Copy, Debug)]
pub enum Natives<'a> {
    /// These.
    Of(&'a [Native]),
    /// Unknown: any word that is like none of the table's.
    Unknown,
}

impl Natives<'_> {
    /// There are none.
    pub const NONE: Natives<'static> = Natives::Of(&[]);

    /// The one of this name; `is_like_another` says whether it is probably a mistake.
    pub fn find(self, name: &str, is_like_another: impl FnOnce() -> bool) -> Option<Native> {
        match self {
            Natives::Of(known) => known.iter().find(|it| it.name() == name).copied(),
            Natives::Unknown => (!is_like_another()).then(|| Native::new(name, name, 0)),
        }
    }
}

impl PartialEq for Native {
    fn eq(&self, other: &Native) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Native {}

impl PartialOrd for Native {
    fn partial_cmp(&self, other: &Native) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Native {
    fn cmp(&self, other: &Native) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl Hash for Native {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl BaseType {
    /// The base type of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        ROWS.iter().find(|(_, row)| row.name == name).map(|(base, _)| base.clone())
    }

    /// All but custom classes and types of a crate.
    pub fn all() -> impl Iterator<Item = &'static BaseType> {
        ROWS.iter().map(|(base, _)| base)
    }

    /// What is known of it.
    pub fn row(&self) -> &'static Row {
        match self {
            BaseType::Class(_) => &CLASS,
            BaseType::Native(native) => native.row,
            named => ROWS.iter().find(|(base, _)| base == named).map_or(&CLASS, |(_, row)| row),
        }
    }

    /// Its name in a schema; that of a custom class is without the prefix.
    pub fn name(&self) -> &str {
        if let BaseType::Class(name) = self { name } else { self.row().name }
    }

    /// The words that are defaults of this type.
    pub fn words(&self) -> Vec<&'static str> {
        match self {
            BaseType::ScalarType => dtypes::NAMES.clone(),
            _ => self.row().words.iter().map(|(word, _)| *word).collect(),
        }
    }

    /// What such a word is in Rust: a number, or a variant of the type.
    pub fn word(&self, word: &str) -> Option<&'static str> {
        match self {
            BaseType::ScalarType => dtypes::named(word).map(|it| it.variant),
            _ => self.row().words.iter().find(|(known, _)| *known == word).map(|(_, it)| *it),
        }
    }

    /// Whether the runtime has a type for this one.
    pub fn has_values(&self) -> bool {
        self.row().values != Values::Absent
    }

    /// Whether the runtime's type for this one has no values, so that an overload
    /// with such a parameter is declared for those who know it from elsewhere, and
    /// refused when called. It needs no kernel.
    pub fn is_empty(&self) -> bool {
        self.row().values == Values::Empty
    }

    /// Whether its values are numbers.
    pub fn is_number(&self) -> bool {
        matches!(self.row().values, Values::Int | Values::Float | Values::Number)
    }
}

#[cfg(test)]
mod tests {
    use super::{BaseType, ROWS};

    #[test]
    fn rows_are_found_by_their_names() {
        for (base, row) in ROWS {
            assert_eq!(BaseType::from_name(row.name).as_ref(), Some(base));
            assert_eq!((base.name(), base.row().name), (row.name, row.name));
        }
    }
}
