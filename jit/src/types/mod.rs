//! Types of compiled values: immutable, interned, compared by address.

mod number;
mod parts;
mod text;

use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use opwright_runtime::lock::{Lazy, Lock};

pub use self::number::Int;
pub use self::parts::{Prim, Prims};

/// An object of the host language, under the number that the host keeps it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Obj(pub u32);

/// A type. Equal types have the same address.
#[derive(Clone, Copy)]
pub struct Ty(&'static TyKind);

/// How the elements of an array lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayLayout {
    /// Row-major, without gaps.
    C,
    /// Column-major, without gaps.
    F,
    /// With any strides.
    Any,
}

/// The type of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Array {
    /// The type of an element: a number or a bool.
    pub dtype: Ty,
    /// How many dimensions it has.
    pub ndim: usize,
    /// How its elements lie.
    pub layout: ArrayLayout,
    /// Whether nothing may be written to it.
    pub is_readonly: bool,
}

/// What is looped over without being a value in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Iter {
    /// `enumerate(items, start)`.
    Enumerate,
    /// `zip(a, b, ...)`.
    Zip,
    /// `reversed(range)`.
    Reversed,
    /// `np.ndindex(shape)`.
    NdIndex,
    /// `np.ndenumerate(array)`.
    NdEnumerate,
}

/// What kind of type a type is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TyKind {
    /// `bool`.
    Bool,
    /// Whole numbers of a width.
    Int(Int),
    /// Real numbers of 16, 32 or 64 bits.
    Float(u8),
    /// Complex numbers of 64 or 128 bits.
    Complex(u8),
    /// `None`.
    None,
    /// Tuples.
    Tuple(Box<[Ty]>),
    /// Instances of a class of `collections.namedtuple`, with the names of its members.
    NamedTuple(Obj, Box<[Box<str>]>, Box<[Ty]>),
    /// A value of a type, or `None`.
    Optional(Ty),
    /// Arrays.
    Array(Array),
    /// `a.flat` of an array.
    Flat(Ty),
    /// `range`s of `int64`.
    Range,
    /// What loops run over.
    Iter(Iter, Box<[Ty]>),
    /// A constant text.
    Text(Box<str>),
    /// Text that comes from outside, and can go there again.
    Unicode,
    /// `...`.
    Ellipsis,
    /// `a:b:c` in an index, each part a type: `None` if it is left out.
    Slice(Box<[Ty]>),
    /// A function of the host: jitted, overloaded, built in, or one with a source.
    Function(Obj),
    /// Elements that are computed where they are used, see `infer::elementwise`.
    Lazy(u32),
    /// A function within the function that is compiled.
    Closure(u32),
    /// A module.
    Module(Obj),
    /// A class whose instances have no type here.
    Class(Obj),
    /// A class of exceptions.
    Exception(Obj),
    /// An exception that was made, with the types of its arguments.
    Raised(Obj, Box<[Ty]>),
    /// A text made of values, where something is raised.
    Formatted(Box<[Ty]>),
    /// A dtype, or the class of a number, such as `np.float32`: what calls convert to.
    DType(Ty),
    /// A method of a value, by name.
    Bound(Ty, Box<str>),
    /// A type of the user's own, see [`User`].
    User(User),
}

/// A type that the host knows: a subclass of its base of types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct User {
    /// The instance of the class of types.
    pub object: Obj,
    /// What it is called.
    pub name: Box<str>,
    /// What its values consist of.
    pub form: Representation,
    /// The members in order, if it is a struct.
    pub members: Box<[(Box<str>, Ty)]>,
}

/// What the values of a user's type consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Representation {
    /// Nobody said: it can be typed, but not passed.
    Unknown,
    /// Its members.
    Value,
    /// Its members, and the object that they came from if there is one.
    Frozen,
    /// An object in memory, which is written in place.
    Reference,
}

impl Deref for Ty {
    type Target = TyKind;

    fn deref(&self) -> &TyKind {
        self.0
    }
}

impl PartialEq for Ty {
    fn eq(&self, other: &Ty) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Ty {}

impl Hash for Ty {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).addr().hash(state);
    }
}

impl fmt::Debug for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

static INTERNED: Lock<Option<HashSet<&'static TyKind>>> = Lock::new(None);

macro_rules! common {
    ($($(#[$doc:meta])* $name:ident = $kind:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name() -> Ty {
            static TY: Lazy<Ty> = Lazy::new();
            *TY.get_or_init(|| Ty::new($kind))
        }
    )*};
}

impl Ty {
    /// The type of a kind.
    pub fn new(kind: TyKind) -> Ty {
        let mut all = INTERNED.lock();
        let all = all.get_or_insert_default();
        if let Some(found) = all.get(&kind) {
            return Ty(found);
        }
        // Types are few, and whoever holds one may compare it at any time.
        let kept: &'static TyKind = Box::leak(Box::new(kind));
        all.insert(kept);
        Ty(kept)
    }

    common! {
        /// `bool`.
        bool = TyKind::Bool;
        /// `int64`.
        int64 = TyKind::Int(Int::I64);
        /// `uint64`.
        uint64 = TyKind::Int(Int { bits: 64, is_signed: false });
        /// `float32`.
        float32 = TyKind::Float(32);
        /// `float64`.
        float64 = TyKind::Float(64);
        /// `complex64`.
        complex64 = TyKind::Complex(64);
        /// `complex128`.
        complex128 = TyKind::Complex(128);
        /// `None`.
        none = TyKind::None;
        /// `range`.
        range = TyKind::Range;
        /// `...`.
        ellipsis = TyKind::Ellipsis;
    }

    /// Whole numbers of a width.
    pub fn int(bits: u8, is_signed: bool) -> Ty {
        Ty::new(TyKind::Int(Int { bits, is_signed }))
    }

    /// Tuples of these.
    pub fn tuple(items: impl Into<Box<[Ty]>>) -> Ty {
        Ty::new(TyKind::Tuple(items.into()))
    }

    /// A value of this type or none; the type itself if it has `None` already.
    pub fn optional(self) -> Ty {
        match *self {
            TyKind::Optional(_) | TyKind::None => self,
            _ => Ty::new(TyKind::Optional(self)),
        }
    }

    /// Arrays.
    pub fn array(dtype: Ty, ndim: usize, layout: ArrayLayout) -> Ty {
        Ty::new(TyKind::Array(Array { dtype, ndim, layout, is_readonly: false }))
    }

    /// A constant text.
    pub fn text(text: &str) -> Ty {
        Ty::new(TyKind::Text(text.into()))
    }

    /// The items of a tuple, if it is one.
    pub fn items(&self) -> Option<&'static [Ty]> {
        match self.0 {
            TyKind::Tuple(items) | TyKind::NamedTuple(_, _, items) => Some(items),
            _ => None,
        }
    }

    /// Whether it is an array, there or still to be computed.
    pub fn is_array(&self) -> bool {
        matches!(self.0, TyKind::Array(_) | TyKind::Lazy(_))
    }

    /// What it is as an array, if it is one.
    pub fn as_array(&self) -> Option<&'static Array> {
        match self.0 {
            TyKind::Array(array) => Some(array),
            _ => None,
        }
    }
}
