//! Functions of numbers, entered by words or by registers.

use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::slice;

use opwright_runtime::{Error, ErrorKind};

use super::answer::NativeResult;
use super::entry::DirectFn;
use super::failure::NativeFailure;
use super::word::AsWord;

/// A function of numbers.
#[diagnostic::on_unimplemented(
    message = "this function cannot be called by compiled functions",
    note = "it takes up to eight numbers and returns numbers, or a `Result` of them"
)]
pub trait NativeFunction<Args>: Copy {
    /// The types of its parameters.
    const PARAMS: &'static [&'static str];
    /// What it returns.
    type Answer: NativeResult;
    /// How machine code enters it.
    const DIRECT: DirectFn;

    /// Calls it.
    fn call(&self, args: &[u64]) -> Self::Answer;
}

/// What a function is entered by with its arguments in registers.
struct Direct<Func, Args>(PhantomData<(Func, Args)>);

macro_rules! functions {
    ($(($($name:ident $at:tt),*);)*) => {$(
        impl<Func: Fn($($name),*) -> Returned + Copy, Returned: NativeResult, $($name: AsWord),*>
            NativeFunction<($($name,)*)> for Func
        {
            const PARAMS: &'static [&'static str] = &[$($name::TYPE),*];
            type Answer = Returned;
            // SAFETY: both are addresses of functions; who calls it goes by its arguments.
            const DIRECT: DirectFn = unsafe {
                std::mem::transmute::<
                    unsafe extern "C" fn($($name::Register,)* *mut u64, *mut NativeFailure) -> u32,
                    DirectFn,
                >(Direct::<Func, ($($name,)*)>::enter)
            };

            #[inline]
            fn call(&self, args: &[u64]) -> Returned {
                let _ = args;
                self($($name::read(args[$at])),*)
            }
        }

        impl<Func: Fn($($name),*) -> Returned + Copy, Returned: NativeResult, $($name: AsWord),*>
            Direct<Func, ($($name,)*)>
        {
            #[allow(non_snake_case, reason = "each argument has the name of its type")]
            unsafe extern "C" fn enter(
                $($name: $name::Register,)*
                results: *mut u64,
                failed: *mut NativeFailure,
            ) -> u32 {
                // SAFETY: the entry is made from a value of this type, `Overload::new` takes it.
                let function: Func = unsafe { item() };
                // SAFETY: who calls it has room for the results of the function.
                let results = unsafe { slice::from_raw_parts_mut(results, Returned::TYPES.len()) };
                let call = || function($($name::of_register($name)),*).write(results);
                // SAFETY: who calls it has room for a failure.
                unsafe { finish(call, failed) }
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

/// A function by its type alone, which no two functions have in common.
///
/// # Safety
///
/// There is a value of the type.
unsafe fn item<Func: Copy>() -> Func {
    const { assert!(size_of::<Func>() == 0, "an overload is a function, not a pointer to one") };
    // SAFETY: it has no bytes that would have to be read, and the caller says that there is one.
    unsafe { NonNull::<Func>::dangling().read() }
}

/// Calls a function over words; a panic is an error.
///
/// # Safety
///
/// There are as many arguments as the function has, room for its results, and a failure to write to.
pub unsafe fn enter<Args, F: NativeFunction<Args>>(
    function: F,
    args: *const u64,
    results: *mut u64,
    failed: *mut NativeFailure,
) -> u32 {
    // SAFETY: the caller says that they are there.
    let args = unsafe { read_words(args, F::PARAMS.len()) };
    // SAFETY: the caller says that there is room.
    let results =
        unsafe { slice::from_raw_parts_mut(results, <F::Answer as NativeResult>::TYPES.len()) };
    // SAFETY: the caller says that there is a failure to write to.
    unsafe { finish(|| function.call(args).write(results), failed) }
}

/// Runs a call that writes its results, and writes why it failed; a panic is an error.
///
/// # Safety
///
/// There is a failure to write to.
pub(super) unsafe fn finish(
    call: impl FnOnce() -> Result<(), Error>,
    failed: *mut NativeFailure,
) -> u32 {
    let failure = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => return 0,
        Ok(Err(error)) => refused(&error),
        Err(_) => NativeFailure::of(ErrorKind::Runtime, "a function of Rust panicked"),
    };
    // SAFETY: the caller says that there is one.
    unsafe { failed.write(failure) };
    1
}

#[cold]
fn refused(error: &Error) -> NativeFailure {
    NativeFailure::of(error.kind(), &error.to_string())
}

/// So many words; none where there need be no address.
///
/// # Safety
///
/// So many words can be read.
pub(super) unsafe fn read_words<'a>(words: *const u64, count: usize) -> &'a [u64] {
    if count == 0 {
        return &[];
    }
    // SAFETY: the caller says so.
    unsafe { slice::from_raw_parts(words, count) }
}
