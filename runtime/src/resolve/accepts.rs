//! Kinds of parameters, and the set of kinds that an argument satisfies.

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $shown:literal,)*) => {
        /// What a parameter takes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Kind {
            $($(#[$doc])* $name,)*
        }

        impl Kind {
            /// All kinds.
            pub const ALL: &'static [Kind] = &[$(Kind::$name),*];

            /// The kind as messages show it.
            pub const fn shown(self) -> &'static str {
                match self {
                    $(Kind::$name => $shown,)*
                }
            }
        }
    };
}

kinds! {
    /// A tensor.
    Tensor = "Tensor",
    /// A tensor, or a number that becomes a zero-dimensional one.
    TensorOrNumber = "Tensor or Number",
    /// A list of tensors.
    TensorList = "tuple of Tensors",
    /// A list of tensors and `None`s.
    OptionalTensorList = "tuple of Tensors or None",
    /// A number of any kind.
    Scalar = "Number",
    /// A list of numbers.
    ScalarList = "tuple of Numbers",
    /// An integer.
    Int = "int",
    /// An integer, or anything that can be an index.
    SymInt = "int",
    /// A real number.
    Float = "float",
    /// `True` or `False`.
    Bool = "bool",
    /// A string.
    Str = "str",
    /// A list of integers.
    IntList = "tuple of ints",
    /// A list of integers, or one that is repeated.
    IntListOrInt = "int or tuple of ints",
    /// A list of real numbers.
    FloatList = "tuple of floats",
    /// A list of bools.
    BoolList = "tuple of bools",
    /// A dtype, or a Python type that stands for one.
    DType = "dtype",
    /// A layout.
    Layout = "layout",
    /// A device, or its name.
    Device = "device",
    /// A memory format.
    MemoryFormat = "memory_format",
    /// A random number generator.
    Generator = "Generator",
    /// A tensor's storage.
    Storage = "Storage",
    /// A stream of a device.
    Stream = "Stream",
    /// The name of a dimension.
    Dimname = "name",
    /// A list of names of dimensions.
    DimnameList = "tuple of names",
    /// A quantization scheme.
    QScheme = "qscheme",
    /// Any object.
    Object = "object",
}

/// The kinds that an argument satisfies, and whether it is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepts(u64);

impl Accepts {
    /// No kind at all.
    pub const NOTHING: Accepts = Accepts(0);
    /// The argument is `None`, which nullable parameters take.
    pub const NONE: Accepts = Accepts(1 << 63);
    /// Computing the set ran, or converting the argument will run, code of the
    /// caller's; borrowed handles are not safe beside such an argument.
    pub const FOREIGN: Accepts = Accepts(1 << 62);

    /// The argument, or an element of it, takes over the call.
    pub const OVERRIDE: Accepts = Accepts(1 << 61);
    /// All kinds, and no mark.
    pub const EVERYTHING: Accepts = Accepts::of(Kind::ALL);

    /// The set of these kinds.
    pub const fn of(kinds: &[Kind]) -> Accepts {
        let mut bits = 0;
        let mut at = 0;
        while at < kinds.len() {
            bits |= 1 << kinds[at] as u8;
            at += 1;
        }
        Accepts(bits)
    }

    /// Both sets together.
    pub const fn or(self, other: Accepts) -> Accepts {
        Accepts(self.0 | other.0)
    }

    /// What both sets have.
    pub const fn and(self, other: Accepts) -> Accepts {
        Accepts(self.0 & other.0)
    }

    /// Whether the argument can fill a parameter of this kind.
    #[inline(always)]
    pub const fn kind(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    /// Whether every mark of `other` is in this set.
    #[inline(always)]
    pub const fn has(self, other: Accepts) -> bool {
        self.0 & other.0 == other.0
    }
}
