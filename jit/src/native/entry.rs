//! Entry and call of a function of another library, for a compiled function.

use std::mem::MaybeUninit;
use std::num::NonZeroUsize;

use opwright_runtime::Error;

use super::failure::NativeFailure;
#[cfg(feature = "functions")]
use crate::entry::Frame;

/// A function of another library: it reads its arguments, a word each, writes its results, and returns
/// 0; or writes why it failed, and returns something else.
///
/// Numbers are words as compiled functions have them: whole numbers and truth values extended to 64
/// bits, real ones by their bits.
pub type NativeFn =
    unsafe extern "C" fn(args: *const u64, results: *mut u64, failed: *mut NativeFailure) -> u32;

/// The same function for machine code, which has its arguments in registers: floats as they are, others
/// as words; behind them are results and failure as for [`NativeFn`]. Its true type depends on what it
/// takes.
pub type DirectFn = unsafe extern "C" fn();

/// Where a function of another library is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NativeEntry {
    words: NonZeroUsize,
    direct: Option<NonZeroUsize>,
}

impl NativeEntry {
    /// That of addresses; none if there is no function. The second one may be 0.
    ///
    /// # Safety
    ///
    /// The first is the address of a [`NativeFn`], the second that of a [`DirectFn`] or 0; both stay.
    pub unsafe fn of_addresses(words: usize, direct: usize) -> Option<NativeEntry> {
        Some(NativeEntry { words: NonZeroUsize::new(words)?, direct: NonZeroUsize::new(direct) })
    }

    /// The function over words.
    pub fn words(self) -> NativeFn {
        let address = std::ptr::with_exposed_provenance::<()>(self.words.get());
        // SAFETY: whoever made the entry says that this is the address of such a function.
        unsafe { std::mem::transmute::<*const (), NativeFn>(address) }
    }

    /// The addresses of both: what takes words, and what takes registers if that is there.
    #[cfg(any(feature = "cranelift", feature = "cc"))]
    pub(crate) fn addresses(self) -> (usize, Option<usize>) {
        (self.words.get(), self.direct.map(NonZeroUsize::get))
    }

    /// Calls it for a compiled function; not 0 says that it failed, which the frame then knows.
    ///
    /// # Safety
    ///
    /// There are as many arguments as it reads, and room for as many results as it writes; the frame is
    /// that of the running program.
    #[cfg(feature = "functions")]
    pub(crate) unsafe fn call(self, frame: &mut Frame, args: &[u64], results: &mut [u64]) -> u32 {
        // SAFETY: the caller says so.
        match unsafe { run(self.words(), args, results) } {
            Ok(()) => 0,
            Err(error) => {
                frame.attempt(|_| Err::<(), Error>(error));
                1
            }
        }
    }
}

/// Calls such a function with the words of a slice.
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
