//! Conversions between types of Rust, which `#[cast]` describes: between structs, or a struct and a
//! number. Casts of numbers are built in.

use std::slice;

use opwright_runtime::op::{Native, Value};
use opwright_runtime::types::{Derived, NativeStruct, Plain, Structure, Type};
use opwright_runtime::{Complex, Error};

use super::entry::NativeFn;
use super::failure::NativeFailure;
use super::function::{finish, read_words};
use super::word::AsWord;

/// What a conversion takes or makes. `Kind` says what it is: [`NumberType`] or [`Structured`].
#[diagnostic::on_unimplemented(
    message = "compiled functions have no values of type `{Self}`",
    label = "neither a number nor a struct of theirs",
    note = "a cast is from or to a struct with `#[derive(NativeType)]`, whose fields are numbers, bools \
            or such structs; the other side is one, too, or bool, i8 to i64, u8 to u64, f32 or f64"
)]
pub trait Castable<Kind>: Sized {
    /// Its type.
    const SIDE: CastSide;

    /// How many words it has.
    fn width() -> usize;

    /// Reads it from the first of the words.
    fn read_from(words: &mut &[u64]) -> Option<Self>;

    /// Writes it to the first of the words.
    fn write_to(self, words: &mut &mut [u64]) -> Option<()>;
}

/// Says that a type is one of numbers.
#[derive(Clone, Copy, Debug)]
pub struct NumberType;

/// Says that a type is a struct.
#[derive(Clone, Copy, Debug)]
pub struct Structured;

/// Says that a value comes in a `Result`.
#[derive(Clone, Copy, Debug)]
pub struct Fallible<Kind>(Kind);

/// Says that a function takes its value itself.
#[derive(Clone, Copy, Debug)]
pub struct ByValue;

/// Says that a function takes a reference to its value.
#[derive(Clone, Copy, Debug)]
pub struct ByReference;

/// One of the types of a conversion.
#[derive(Clone, Copy, Debug)]
pub enum CastSide {
    /// Numbers, by the name that signatures have for them.
    Number(&'static str),
    /// A struct.
    Struct(&'static Structure),
}

impl CastSide {
    /// What it is called.
    pub fn name(&self) -> &'static str {
        match self {
            CastSide::Number(name) => name,
            CastSide::Struct(structure) => structure.name,
        }
    }
}

impl<T: AsWord> Castable<NumberType> for T {
    const SIDE: CastSide = CastSide::Number(T::TYPE);

    fn width() -> usize {
        1
    }

    fn read_from(words: &mut &[u64]) -> Option<T> {
        words.split_off_first().map(|it| T::read(*it))
    }

    fn write_to(self, words: &mut &mut [u64]) -> Option<()> {
        words.split_off_first_mut().map(|it| *it = self.word())
    }
}

impl<T: Derived> Castable<Structured> for T {
    const SIDE: CastSide = CastSide::Struct(T::DERIVED);

    fn width() -> usize {
        width(T::DERIVED)
    }

    fn read_from(words: &mut &[u64]) -> Option<T> {
        read(T::DERIVED, words)?.take()
    }

    fn write_to(self, words: &mut &mut [u64]) -> Option<()> {
        write(&Native::new(self), words)
    }
}

/// How many words the fields of a struct have.
fn width(structure: &Structure) -> usize {
    let words = |ty: &dyn Type| match (ty.downcast::<NativeStruct>(), ty.downcast::<Plain>()) {
        (Some(inner), _) => width(inner.structure()),
        (_, Some(Plain::Complex128)) => 2,
        _ => 1,
    };
    structure.parts.iter().map(|it| words(&*(it.ty)())).sum()
}

fn read(structure: &'static Structure, words: &mut &[u64]) -> Option<Native> {
    let values = structure.parts.iter().map(|it| read_value(&*(it.ty)(), words));
    (structure.make)(values.collect::<Option<_>>()?)
}

fn read_value(ty: &dyn Type, words: &mut &[u64]) -> Option<Value> {
    if let Some(inner) = ty.downcast::<NativeStruct>() {
        return read(inner.structure(), words).map(Value::Native);
    }
    let mut word = || words.split_off_first().copied();
    Some(match ty.downcast::<Plain>()? {
        Plain::Double => Value::Float(f64::read(word()?)),
        Plain::Int64 => Value::Int(i64::read(word()?)),
        Plain::Boolean => Value::Bool(bool::read(word()?)),
        Plain::Complex128 => Value::Complex(Complex::new(f64::read(word()?), f64::read(word()?))),
        _ => return None,
    })
}

fn write(of: &Native, words: &mut &mut [u64]) -> Option<()> {
    let parts = of.structure()?.parts.iter();
    parts.map(|it| write_value(&(it.get)(of)?, words)).collect()
}

fn write_value(value: &Value, words: &mut &mut [u64]) -> Option<()> {
    match value {
        Value::Float(it) => it.write_to(words),
        Value::Int(it) => it.write_to(words),
        Value::Bool(it) => it.write_to(words),
        Value::Complex(it) => it.re.write_to(words).and_then(|()| it.im.write_to(words)),
        Value::Native(it) => write(it, words),
        _ => None,
    }
}

/// What a conversion returns: a value, or a `Result` of one.
pub trait Converted<Kind> {
    /// Its type.
    const SIDE: CastSide;

    /// How many words it has.
    fn width() -> usize;

    /// Writes it.
    ///
    /// # Errors
    ///
    /// What the conversion reported.
    fn write(self, words: &mut [u64]) -> Result<(), Error>;
}

impl<Kind, T: Castable<Kind>> Converted<Kind> for T {
    const SIDE: CastSide = T::SIDE;

    fn width() -> usize {
        <T as Castable<Kind>>::width()
    }

    fn write(self, mut words: &mut [u64]) -> Result<(), Error> {
        self.write_to(&mut words).ok_or_else(|| no_words(&T::SIDE))
    }
}

impl<Kind, T: Castable<Kind>> Converted<Fallible<Kind>> for Result<T, Error> {
    const SIDE: CastSide = T::SIDE;

    fn width() -> usize {
        <T as Castable<Kind>>::width()
    }

    fn write(self, words: &mut [u64]) -> Result<(), Error> {
        Converted::write(self?, words)
    }
}

#[cold]
fn no_words(side: &CastSide) -> Error {
    let name = side.name();
    Error::wrong_type(format_args!("a field of `{name}` is nothing that compiled functions have"))
}

/// A function from one type to another, which it takes itself or by reference.
#[diagnostic::on_unimplemented(
    message = "this function is no cast of compiled functions",
    note = "it takes one value and returns another, or a `Result` of it; one of them is a struct with \
            `#[derive(NativeType)]`, the other such a struct or a number"
)]
pub trait Conversion<Kinds>: Copy {
    /// What it takes.
    const SOURCE: CastSide;
    /// What it makes.
    const TARGET: CastSide;

    /// How many words it takes, and how many it makes.
    fn widths() -> (usize, usize);

    /// Converts.
    ///
    /// # Errors
    ///
    /// What it reports.
    fn convert(&self, words: &[u64], results: &mut [u64]) -> Result<(), Error>;
}

impl<Func, S, R, From, To> Conversion<(ByValue, S, From, R, To)> for Func
where
    Func: Fn(S) -> R + Copy,
    S: Castable<From>,
    R: Converted<To>,
{
    const SOURCE: CastSide = S::SIDE;
    const TARGET: CastSide = R::SIDE;

    fn widths() -> (usize, usize) {
        (S::width(), R::width())
    }

    fn convert(&self, mut words: &[u64], results: &mut [u64]) -> Result<(), Error> {
        let source = S::read_from(&mut words).ok_or_else(|| no_words(&S::SIDE))?;
        self(source).write(results)
    }
}

impl<Func, S, R, From, To> Conversion<(ByReference, S, From, R, To)> for Func
where
    Func: Fn(&S) -> R + Copy,
    S: Castable<From>,
    R: Converted<To>,
{
    const SOURCE: CastSide = S::SIDE;
    const TARGET: CastSide = R::SIDE;

    fn widths() -> (usize, usize) {
        (S::width(), R::width())
    }

    fn convert(&self, mut words: &[u64], results: &mut [u64]) -> Result<(), Error> {
        let source = S::read_from(&mut words).ok_or_else(|| no_words(&S::SIDE))?;
        self(&source).write(results)
    }
}

/// A conversion of Rust for compiled functions of Python, as `#[cast]` describes it.
#[derive(Clone, Copy, Debug)]
pub struct Cast {
    /// What it takes.
    pub source: CastSide,
    /// What it makes.
    pub target: CastSide,
    /// What is called with words.
    pub call: NativeFn,
    /// What it is called, and where it stands.
    pub place: &'static str,
}

impl Cast {
    /// That of a function.
    ///
    /// # Panics
    ///
    /// While it is compiled, if both sides are numbers.
    pub const fn new<Kinds, F: Conversion<Kinds>>(
        _: &F,
        call: NativeFn,
        place: &'static str,
    ) -> Cast {
        let (source, target) = (F::SOURCE, F::TARGET);
        assert!(
            matches!((&source, &target), (CastSide::Struct(_), _) | (_, CastSide::Struct(_))),
            "casts of numbers are built in: one side is a struct with `#[derive(NativeType)]`"
        );
        Cast { source, target, call, place }
    }
}

/// Calls a conversion over words; a panic is an error.
///
/// # Safety
///
/// There are as many words as it takes, room for what it makes, and a failure to write to.
pub unsafe fn convert<Kinds, F: Conversion<Kinds>>(
    function: F,
    words: *const u64,
    results: *mut u64,
    failed: *mut NativeFailure,
) -> u32 {
    let (taken, made) = F::widths();
    // SAFETY: the caller says that they are there.
    let words = unsafe { read_words(words, taken) };
    // SAFETY: the caller says that there is room; there is an address even for nothing.
    let results = unsafe { slice::from_raw_parts_mut(results, made) };
    // SAFETY: the caller says that there is a failure to write to.
    unsafe { finish(|| function.convert(words, results), failed) }
}
