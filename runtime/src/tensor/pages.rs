//! Large pages for large buffers.
//!
//! A page of memory is made when it is first touched, which takes longer than
//! adding up what is on it. The system makes pages of megabytes instead of
//! kilobytes if asked to.

/// Asks for large pages under so many bytes, if that is worth it.
#[cfg(all(target_os = "linux", not(miri)))]
pub(super) fn prefer_large(start: *mut u8, bytes: usize) {
    use std::ffi::{c_int, c_void};

    unsafe extern "C" {
        fn madvise(start: *mut c_void, bytes: usize, advice: c_int) -> c_int;
    }

    /// Smaller buffers are mostly used again, with pages that are there already.
    const WORTH_ASKING: usize = 4 << 20;

    /// `MADV_HUGEPAGE` of `<sys/mman.h>`.
    const LARGE_PAGES: c_int = 14;
    const PAGE: usize = 4096;

    if bytes < WORTH_ASKING {
        return;
    }
    let skipped = start.addr().wrapping_neg() % PAGE;
    let whole = (bytes - skipped) / PAGE * PAGE;
    // SAFETY: the range is within the caller's memory, and the advice changes
    // nothing that a program can see. If it is refused, all goes on as before.
    unsafe { madvise(start.wrapping_add(skipped).cast(), whole, LARGE_PAGES) };
}

/// Asks for large pages under so many bytes, if that is worth it.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(super) fn prefer_large(_start: *mut u8, _bytes: usize) {}
