//! Functions of other libraries, called over words: what `#[overload]` makes of a function of Rust.

use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

pub use opwright_runtime::Error;
use opwright_runtime::ErrorKind;

#[cfg(feature = "functions")]
use crate::entry::Frame;

/// A function of another library: it reads its arguments, a word each, writes its results, and returns
/// 0; or writes why it failed, and returns something else.
///
/// Numbers are words as compiled functions have them: whole numbers and truth values extended to 64
/// bits, real ones by their bits.
pub type NativeFn =
    unsafe extern "C" fn(args: *const u64, results: *mut u64, failed: *mut NativeFailure) -> u32;

/// Why such a function failed.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct NativeFailure {
    /// The kind, as a row of [`NativeFailure::KINDS`].
    pub kind: u32,
    /// How many bytes of the text there are.
    pub len: u32,
    /// The text, in UTF-8; what is too long is cut.
    pub text: [u8; 248],
}

impl NativeFailure {
    /// No failure yet.
    pub const NONE: NativeFailure = NativeFailure { kind: 0, len: 0, text: [0; 248] };

    /// The kinds by their numbers, which libraries are compiled with: new ones come last.
    pub const KINDS: [ErrorKind; 7] = [
        ErrorKind::Runtime,
        ErrorKind::Type,
        ErrorKind::Value,
        ErrorKind::Index,
        ErrorKind::NotImplemented,
        ErrorKind::Overflow,
        ErrorKind::Memory,
    ];

    /// The failure of an error.
    pub fn of(kind: ErrorKind, text: &str) -> NativeFailure {
        let mut failure = NativeFailure::NONE;
        let kind = NativeFailure::KINDS.iter().position(|it| *it == kind).unwrap_or(0);
        failure.kind = u32::try_from(kind).unwrap_or(0);
        let mut len = text.len().min(failure.text.len());
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        failure.text[..len].copy_from_slice(&text.as_bytes()[..len]);
        failure.len = u32::try_from(len).unwrap_or(0);
        failure
    }

    /// The error that it stands for.
    pub fn error(&self) -> Error {
        let kind = NativeFailure::KINDS.get(self.kind as usize).copied();
        let text = &self.text[..(self.len as usize).min(self.text.len())];
        Error::new(kind.unwrap_or(ErrorKind::Runtime), String::from_utf8_lossy(text))
    }
}

/// Calls such a function for a compiled one: its address, then its arguments.
///
/// # Safety
///
/// The first word is the address of such a function, which stays; the others are its arguments, and
/// there is room for its results.
#[cfg(feature = "functions")]
pub(crate) unsafe extern "C" fn call(
    frame: *mut Frame,
    args: *const u64,
    results: *mut u64,
) -> u32 {
    let mut failed = MaybeUninit::uninit();
    // SAFETY: the caller says that the word is the address of such a function, and that its arguments
    // and room for its results follow.
    let code = unsafe {
        let address = std::ptr::with_exposed_provenance::<()>(args.read() as usize);
        let function: NativeFn = std::mem::transmute(address);
        function(args.add(1), results, failed.as_mut_ptr())
    };
    if code == 0 {
        return 0;
    }
    // SAFETY: the caller passes the frame of the running program; a function that does not return 0
    // has written why.
    let (frame, failed): (_, NativeFailure) = unsafe { (&mut *frame, failed.assume_init()) };
    frame.attempt(|_| Err::<(), Error>(failed.error()));
    1
}

/// The words of a slice, for those who call such functions themselves.
///
/// # Errors
///
/// What the function reports.
///
/// # Safety
///
/// The function is such a one; there are as many arguments as it reads, and room for as many results
/// as it writes.
pub unsafe fn run(function: NativeFn, args: &[u64], results: &mut [u64]) -> Result<(), Error> {
    let mut failed = MaybeUninit::<NativeFailure>::uninit();
    // SAFETY: the caller says so.
    let code = unsafe { function(args.as_ptr(), results.as_mut_ptr(), failed.as_mut_ptr()) };
    if code == 0 {
        return Ok(());
    }
    // SAFETY: a function that does not return 0 has written why.
    Err(unsafe { failed.assume_init() }.error())
}

/// A number as a word.
#[diagnostic::on_unimplemented(
    message = "compiled functions have no numbers of type `{Self}`",
    label = "not a number of theirs",
    note = "there are bool, i8 to i64, u8 to u64, f32 and f64"
)]
pub trait Word: Copy {
    /// Its type, as signatures have it.
    const TYPE: &'static str;

    /// The number of a word.
    fn read(word: u64) -> Self;

    /// The word of a number.
    fn word(self) -> u64;
}

macro_rules! words {
    ($($ty:ty = $name:literal: $word:ident => $read:expr, $number:ident => $written:expr;)*) => {$(
        impl Word for $ty {
            const TYPE: &'static str = $name;

            fn read($word: u64) -> $ty {
                $read
            }

            fn word(self) -> u64 {
                let $number = self;
                $written
            }
        }
    )*};
}

words! {
    bool = "boolean": it => it & 1 != 0, it => u64::from(it);
    i8 = "int8": it => it as i8, it => i64::from(it).cast_unsigned();
    i16 = "int16": it => it as i16, it => i64::from(it).cast_unsigned();
    i32 = "int32": it => it as i32, it => i64::from(it).cast_unsigned();
    i64 = "int64": it => it.cast_signed(), it => it.cast_unsigned();
    u8 = "uint8": it => it as u8, it => u64::from(it);
    u16 = "uint16": it => it as u16, it => u64::from(it);
    u32 = "uint32": it => it as u32, it => u64::from(it);
    u64 = "uint64": it => it, it => it;
    f32 = "float32": it => f32::from_bits(it as u32), it => u64::from(it.to_bits());
    f64 = "float64": it => f64::from_bits(it), it => it.to_bits();
}

/// What a function for compiled functions returns: a number, a tuple of them, or a `Result` of these.
#[diagnostic::on_unimplemented(
    message = "compiled functions get nothing of type `{Self}`",
    label = "not what they get",
    note = "return a number, a tuple of up to four, or a `Result` of these"
)]
pub trait Answer {
    /// The types of the words.
    const TYPES: &'static [&'static str];
    /// Whether it is a tuple.
    const IS_TUPLE: bool;

    /// Writes the words.
    ///
    /// # Errors
    ///
    /// What the function reported.
    fn write(self, results: &mut [u64]) -> Result<(), Error>;
}

impl<T: Word> Answer for T {
    const TYPES: &'static [&'static str] = &[T::TYPE];
    const IS_TUPLE: bool = false;

    fn write(self, results: &mut [u64]) -> Result<(), Error> {
        results[0] = self.word();
        Ok(())
    }
}

impl<T: Answer> Answer for Result<T, Error> {
    const TYPES: &'static [&'static str] = T::TYPES;
    const IS_TUPLE: bool = T::IS_TUPLE;

    fn write(self, results: &mut [u64]) -> Result<(), Error> {
        self?.write(results)
    }
}

macro_rules! tuples {
    ($(($($name:ident $at:tt),+);)*) => {$(
        impl<$($name: Word),+> Answer for ($($name,)+) {
            const TYPES: &'static [&'static str] = &[$($name::TYPE),+];
            const IS_TUPLE: bool = true;

            fn write(self, results: &mut [u64]) -> Result<(), Error> {
                $(results[$at] = self.$at.word();)+
                Ok(())
            }
        }
    )*};
}

tuples! {
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
}

/// A function of numbers.
#[diagnostic::on_unimplemented(
    message = "this function cannot be called by compiled functions",
    note = "it takes up to eight numbers and returns numbers, or a `Result` of them"
)]
pub trait Function<Args> {
    /// The types of its parameters.
    const PARAMS: &'static [&'static str];
    /// What it returns.
    type Answer: Answer;

    /// Calls it.
    fn call(&self, args: &[u64]) -> Self::Answer;
}

macro_rules! functions {
    ($(($($name:ident $at:tt),*);)*) => {$(
        impl<Func: Fn($($name),*) -> Returned, Returned: Answer, $($name: Word),*>
            Function<($($name,)*)> for Func
        {
            const PARAMS: &'static [&'static str] = &[$($name::TYPE),*];
            type Answer = Returned;

            fn call(&self, args: &[u64]) -> Returned {
                let _ = args;
                self($($name::read(args[$at])),*)
            }
        }
    )*};
}

functions! {
    ();
    (A 0);
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
    (A 0, B 1, C 2, D 3, E 4);
    (A 0, B 1, C 2, D 3, E 4, F 5);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
}

/// A function of Rust that compiled functions of Python call, as `#[overload]` describes it.
#[derive(Clone, Copy, Debug)]
pub struct Overload {
    /// The name that Python knows it by.
    pub name: &'static str,
    /// The names of its parameters.
    pub names: &'static [&'static str],
    /// Their types.
    pub params: &'static [&'static str],
    /// The types of its results.
    pub results: &'static [&'static str],
    /// Whether they are a tuple.
    pub is_tuple: bool,
    /// What is called.
    pub call: NativeFn,
    /// Where it stands.
    pub place: &'static str,
    /// What is said of it.
    pub doc: &'static str,
}

impl Overload {
    /// That of a function.
    pub const fn new<Args, F: Function<Args>>(
        _: &F,
        name: &'static str,
        names: &'static [&'static str],
        call: NativeFn,
        place: &'static str,
        doc: &'static str,
    ) -> Overload {
        Overload {
            name,
            names,
            params: F::PARAMS,
            results: <F::Answer as Answer>::TYPES,
            is_tuple: <F::Answer as Answer>::IS_TUPLE,
            call,
            place,
            doc,
        }
    }

    /// The signature: `float64(float64, float64)`.
    pub fn signature(&self) -> String {
        let result = match (self.is_tuple, self.results) {
            (false, [one]) => (*one).to_owned(),
            (_, several) => format!("Tuple(({}))", several.join(", ")),
        };
        format!("{result}({})", self.params.join(", "))
    }
}

/// Calls a function over words; a panic is an error.
///
/// # Safety
///
/// There are as many arguments as the function has, room for its results, and a failure to write to.
pub unsafe fn enter<Args, F: Function<Args>>(
    function: F,
    args: *const u64,
    results: *mut u64,
    failed: *mut NativeFailure,
) -> u32 {
    // SAFETY: the caller says so.
    let (args, results) = unsafe {
        let count = <F::Answer as Answer>::TYPES.len();
        (read_words(args, F::PARAMS.len()), slice::from_raw_parts_mut(results, count))
    };
    let run = AssertUnwindSafe(|| function.call(args).write(results));
    let failure = match catch_unwind(run) {
        Ok(Ok(())) => return 0,
        Ok(Err(error)) => NativeFailure::of(error.kind(), &error.to_string()),
        Err(_) => NativeFailure::of(ErrorKind::Runtime, "a function of Rust panicked"),
    };
    // SAFETY: the caller says that there is one.
    unsafe { failed.write(failure) };
    1
}

/// So many words; none where there need be no address.
///
/// # Safety
///
/// So many words can be read.
unsafe fn read_words<'a>(words: *const u64, count: usize) -> &'a [u64] {
    if count == 0 {
        return &[];
    }
    // SAFETY: the caller says so.
    unsafe { slice::from_raw_parts(words, count) }
}
