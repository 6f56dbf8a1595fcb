//! Base types of the schema language: those of [the table](opwright_tables::types), custom classes,
//! and types of the crate that is built.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use opwright_tables::type_rows;
use opwright_tables::types::{CLASS, ROWS, row};

pub use opwright_tables::types::{CONVERTED, Class, Row, Values};

use crate::dtypes;

macro_rules! types {
    ($($section:ident { $($(#[$doc:meta])* $base:ident $name:literal => $row:expr;)* })*) => {
        /// A base type of the schema language.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum BaseType {
            $($($(#[$doc])* $base,)*)*
            /// `__torch__.torch.classes.` and this.
            Class(String),
            /// A type of the crate that is built.
            Native(NativeType),
        }

        impl BaseType {
            /// All but custom classes and types of a crate, in the order of the table.
            const ALL: &'static [BaseType] = &[$($(BaseType::$base,)*)*];

            /// The names of all base types but custom classes and types of a crate.
            pub const NAMES: &'static [&'static str] = &[$($($name,)*)*];
        }
    };
}

type_rows! { types }

/// A type of the crate that is built: a Rust type with `#[native_type]` or
/// `#[derive(NativeType)]`.
#[derive(Clone, Copy, Debug)]
pub struct NativeType {
    row: &'static Row,
    number: u8,
    /// How stubs define its class; empty if the module has none that is known of.
    class: &'static str,
    is_derived: bool,
    in_c: Option<&'static InC>,
}

/// What C sees of a type of a crate.
#[derive(Clone, Debug)]
pub struct InC {
    /// What it is called, without the prefix.
    pub name: String,
    /// The tag of the struct, if the crate says one: it has no prefix, whatever the library's is.
    pub tag: Option<String>,
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
    /// Whether a new value has something in it if nothing is said.
    pub has_default: bool,
}

impl NativeType {
    /// The most that a crate can have: the resolver has kinds for no more.
    pub const MOST: usize = 11;

    /// The one of this name, the `number`th of its crate; its Rust type has this path. Its
    /// description is kept for the rest of the process.
    pub fn new(name: &str, path: &str, number: u8) -> NativeType {
        let name: &'static str = String::from(name).leak();
        let row = row(Values::Object).called(name).shown(name).costs(&[(Class::Foreign, 0)]);
        let path: &'static str = String::from(path).leak();
        let row = row.rust(path).lent(path).upstream(name, "List");
        NativeType {
            row: Box::leak(Box::new(row)),
            number,
            class: "",
            is_derived: false,
            in_c: None,
        }
    }

    /// The same as what `#[derive(NativeType)]` makes of a struct, whose class stubs define so. The
    /// text is kept for the rest of the process.
    #[must_use]
    pub fn derived(self, class: String) -> NativeType {
        let row = self.row.python(Box::leak(Box::new([self.name()])), self.name());
        NativeType { row: Box::leak(Box::new(row)), class: class.leak(), is_derived: true, ..self }
    }

    /// The same where the crate writes the class itself, whose objects are not all that it accepts. The
    /// text is kept for the rest of the process.
    #[must_use]
    pub fn written(self, class: String) -> NativeType {
        NativeType { class: class.leak(), ..self }
    }

    /// The same where C sees this of it, and Go calls it so, which is kept for the rest of the process.
    #[must_use]
    pub fn seen_in_c(self, seen: InC, go: String) -> NativeType {
        let name = &seen.name;
        let [c, go] = match seen.is_by_value {
            true => [format!("_{name}"), go],
            false => [format!("const _{name} *"), format!("*{go}")],
        };
        let row = Box::leak(Box::new(self.row.foreign(c.leak(), go.leak())));
        NativeType { row, in_c: Some(Box::leak(Box::new(seen))), ..self }
    }

    /// What C sees of it, if anything.
    pub fn in_c(&self) -> Option<&'static InC> {
        self.in_c
    }

    /// How stubs define its class, if the module has it.
    pub fn class(&self) -> Option<&'static str> {
        Some(self.class).filter(|it| !it.is_empty())
    }

    /// Whether `#[derive(NativeType)]` makes its class, so that values of it are objects of that.
    pub fn is_derived(&self) -> bool {
        self.is_derived
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
    Of(&'a [NativeType]),
    /// Unknown: any word that is like none of the table's.
    Unknown,
}

impl Natives<'_> {
    /// There are none.
    pub const NONE: Natives<'static> = Natives::Of(&[]);

    /// The one of this name; `is_like_another` says whether it is probably a mistake.
    pub fn find(self, name: &str, is_like_another: impl FnOnce() -> bool) -> Option<NativeType> {
        match self {
            Natives::Of(known) => known.iter().find(|it| it.name() == name).copied(),
            Natives::Unknown => (!is_like_another()).then(|| NativeType::new(name, name, 0)),
        }
    }
}

impl PartialEq for NativeType {
    fn eq(&self, other: &NativeType) -> bool {
        self.name() == other.name()
    }
}

impl Eq for NativeType {}

impl PartialOrd for NativeType {
    fn partial_cmp(&self, other: &NativeType) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for NativeType {
    fn cmp(&self, other: &NativeType) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl Hash for NativeType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl BaseType {
    /// The base type of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        BaseType::all().find(|it| it.row().name == name).cloned()
    }

    /// All but custom classes and types of a crate.
    pub fn all() -> impl Iterator<Item = &'static BaseType> {
        BaseType::ALL.iter()
    }

    /// What is known of it.
    pub fn row(&self) -> &'static Row {
        match self {
            BaseType::Class(_) => &CLASS,
            BaseType::Native(native) => native.row,
            named => {
                let at = BaseType::ALL.iter().position(|it| it == named);
                at.and_then(|it| ROWS.get(it)).unwrap_or(&CLASS)
            }
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

    /// Whether its values are texts, of which an enumeration has few.
    pub fn is_text(&self) -> bool {
        matches!(self.row().values, Values::Str | Values::StrEnum(_))
    }

    /// Whether its values are numbers.
    pub fn is_number(&self) -> bool {
        matches!(self.row().values, Values::Int | Values::Float | Values::Number)
    }
}

#[cfg(test)]
mod tests {
    use super::BaseType;

    #[test]
    fn rows_are_found_by_their_names() {
        for (base, name) in BaseType::all().zip(BaseType::NAMES) {
            assert_eq!(BaseType::from_name(name).as_ref(), Some(base));
            assert_eq!((base.name(), base.row().name), (*name, *name));
        }
    }
}
