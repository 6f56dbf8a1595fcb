//! Kinds of parameters, which the resolver compares.

use std::fmt;
use std::sync::OnceLock;

/// What a parameter takes: a number, of which some are for the types of the crate that is built.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind(u8);

/// The first kind of a type of the crate.
const NATIVE: u8 = 17;

/// The first kind of a list: that of a list of tensors.
const LISTS: u8 = 28;

/// What messages call the types of the crate.
static NATIVE_NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $shown:literal;)*) => {
        #[allow(non_upper_case_globals, reason = "they are the variants of an open enumeration")]
        impl Kind {
            $($(#[$doc])* pub const $name: Kind = Kind($number);)*
        }

        /// The names of kinds, and what messages call them.
        const KINDS: &[(Kind, &str, &str)] = &[$((Kind::$name, stringify!($name), $shown)),*];
    };
}

kinds! {
    /// A tensor.
    Tensor = 0, "Tensor";
    /// An integer.
    Int = 1, "int";
    /// An integer, or anything that can be an index.
    SymInt = 2, "int";
    /// `True` or `False`.
    Bool = 3, "bool";
    /// A real number.
    Float = 4, "float";
    /// A number of any kind.
    Scalar = 5, "Number";
    /// A string.
    Str = 6, "str";
    /// A dtype, or a Python type that stands for one.
    DType = 7, "dtype";
    /// A layout.
    Layout = 8, "layout";
    /// A device, or its name.
    Device = 9, "device";
    /// A memory format.
    MemoryFormat = 10, "memory_format";
    /// A random number generator.
    Generator = 11, "Generator";
    /// A tensor's storage.
    Storage = 12, "Storage";
    /// A stream of a device.
    Stream = 13, "Stream";
    /// The name of a dimension.
    Dimname = 14, "name";
    /// A quantization scheme.
    QScheme = 15, "qscheme";
    /// Any object.
    Object = 16, "object";
    /// A tensor, or a number that becomes a zero-dimensional one.
    TensorOrNumber = 56, "Tensor or Number";
    /// A list of tensors and `None`s.
    OptionalTensorList = 57, "tuple of Tensors or None";
    /// A list of integers, or one that is repeated.
    IntListOrInt = 58, "int or tuple of ints";
    /// The word or the number of a reduction.
    Reduction = 59, "reduction";
}

impl Kind {
    /// How many kinds there are for types of the crate.
    pub const NATIVES: u8 = LISTS - NATIVE;

    /// The one of the `number`th type of the crate that is built.
    ///
    /// # Panics
    ///
    /// If the index is out of range, which generated code does not ask for.
    pub const fn native(number: u8) -> Kind {
        assert!(number < Kind::NATIVES, "index of a type out of range");
        Kind(NATIVE + number)
    }

    /// The one of lists whose elements are of this kind.
    ///
    /// # Panics
    ///
    /// If it is one of lists itself.
    #[must_use]
    pub const fn list(self) -> Kind {
        assert!(self.0 < LISTS, "there are no lists of lists");
        Kind(self.0 + LISTS)
    }

    /// Of a list the kind of its elements.
    pub const fn element(self) -> Option<Kind> {
        match self {
            Kind::TensorOrNumber | Kind::Reduction => None,
            Kind::OptionalTensorList => Some(Kind::Tensor),
            Kind::IntListOrInt => Some(Kind::SymInt),
            Kind(list) if list >= LISTS => Some(Kind(list - LISTS)),
            Kind(_) => None,
        }
    }

    /// The number of the type of the crate.
    pub const fn as_native(self) -> Option<u8> {
        if self.0 >= NATIVE && self.0 < LISTS { Some(self.0 - NATIVE) } else { None }
    }

    /// The one of the type of the crate with this name.
    pub fn native_of(name: &str) -> Option<Kind> {
        let at = NATIVE_NAMES.get()?.iter().position(|it| *it == name)?;
        u8::try_from(at).ok().map(Kind::native)
    }

    pub(super) const fn bit(self) -> u64 {
        1 << self.0
    }

    /// For a set of kinds of elements the set of kinds of lists of them.
    pub(super) const fn lists(elements: u64) -> u64 {
        (elements & ((1 << LISTS) - 1)) << LISTS
    }

    /// Says what messages call the types of the crate, in the order of their kinds; once.
    pub fn name_natives(names: Vec<&'static str>) {
        // A second import of a module says the same.
        let _ = NATIVE_NAMES.set(names);
    }
}

/// As messages show it.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((.., shown)) = KINDS.iter().find(|(kind, ..)| kind == self) {
            return f.write_str(shown);
        }
        if let Some(element) = self.element() {
            return write!(f, "tuple of {element}s");
        }
        let number = self.as_native().map(usize::from);
        let names = NATIVE_NAMES.get().zip(number);
        f.write_str(names.and_then(|(names, at)| names.get(at)).unwrap_or(&"object"))
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match KINDS.iter().find(|(kind, ..)| kind == self) {
            Some((_, name, _)) => f.write_str(name),
            None => match self.element() {
                Some(element) => write!(f, "{element:?}List"),
                None => write!(f, "Kind({})", self.0),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{KINDS, Kind, LISTS};

    #[test]
    fn lists_are_called_by_their_elements() {
        assert_eq!(Kind::SymInt.list().to_string(), "tuple of ints");
        assert_eq!(Kind::Scalar.list().to_string(), "tuple of Numbers");
        assert_eq!(format!("{:?}", Kind::Tensor.list()), "TensorList");
        assert_eq!(Kind::Tensor.list().element(), Some(Kind::Tensor));
        assert_eq!((Kind::Tensor.element(), Kind::TensorOrNumber.element()), (None, None));
    }

    #[test]
    fn kinds_have_bits_of_their_own() {
        let mut all: Vec<Kind> = KINDS.iter().map(|(kind, ..)| *kind).collect();
        all.extend((0..Kind::NATIVES).map(Kind::native));
        all.extend(all.clone().into_iter().filter(|it| it.0 < LISTS).map(Kind::list));
        let bits = all.iter().fold(0, |bits, it| bits | it.bit());
        assert_eq!(bits.count_ones() as usize, all.len());
        assert_eq!(bits >> 61, 0, "marks have the others");
    }
}
