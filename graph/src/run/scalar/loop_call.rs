//! Calls of inner loops from scalar programs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use opwright_jit::entry::Frame;

use crate::run::fast_path::{BoundLoop, MOST_OPERANDS};

/// Runs the loop at an address over the words that follow it; not 0 if it reported something. What it
/// was is told by who runs the nodes one by one.
///
/// # Safety
///
/// The first word is the address of a loop; as many words follow as it reads, which are numbers of
/// its dtypes, and there is room for one more.
pub(super) unsafe extern "C" fn loop_call(
    _: *mut Frame,
    args: *const u64,
    results: *mut u64,
) -> u32 {
    // SAFETY: the caller passes the address of a part, which lives as long as the program.
    let part = unsafe { &*ptr::with_exposed_provenance::<BoundLoop>(args.read() as usize) };
    let count = part.read.len();
    let mut reads = [ptr::null::<u8>(); MOST_OPERANDS];
    for (at, read) in reads.iter_mut().take(count).enumerate() {
        *read = args.wrapping_add(at + 1).cast();
    }
    let run = || {
        // SAFETY: each word holds a number of the dtype that is read there, in its first bytes, which
        // is where elements lie on processors that begin with the least; the result has a word.
        unsafe {
            results.write(0);
            part.run(&reads[..count], results.cast(), 1)
        }
    };
    u32::from(!matches!(catch_unwind(AssertUnwindSafe(run)), Ok(Ok(()))))
}
