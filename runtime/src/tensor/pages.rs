//! Huge pages for large buffers, and pages lent back to the system.
//!
//! A page of memory is made when it is first touched, which takes longer than
//! adding up what is on it. The system makes pages of megabytes instead of
//! kilobytes if asked to.

use std::ops::Range;

/// Asks for large pages under so many bytes, if that is worth it.
#[cfg(all(target_os = "linux", not(miri)))]
pub(super) fn prefer_large(start: *mut u8, bytes: usize) {
    /// Smaller buffers are mostly used again, with pages that are there already.
    const WORTH_ASKING: usize = 4 << 20;

    if bytes >= WORTH_ASKING {
        let (start, whole) = whole_pages(start, bytes);
        // SAFETY: the range is within the caller's memory, and the advice changes
        // nothing that a program can see. If it is refused, all goes on as before.
        unsafe { system::madvise(start.cast(), whole, system::LARGE_PAGES) };
    }
}

/// Gives the pages under so many bytes back to the system: they read as zeros from now on, or are
/// what they were.
#[cfg(all(target_os = "linux", not(miri)))]
pub(super) fn give_back(start: *mut u8, bytes: usize) {
    /// What is smaller costs more than it brings.
    const WORTH_GIVING: usize = 64 << 10;

    if bytes >= WORTH_GIVING {
        let (start, whole) = whole_pages(start, bytes);
        // SAFETY: the range is within memory of the caller that nothing is expected of any more but
        // bytes, which zeros are. If it is refused, all goes on as before.
        unsafe { system::madvise(start.cast(), whole, system::NOT_NEEDED) };
    }
}

/// Has the system put pages of zeros under so many bytes, which it makes when they are touched; says
/// which of the bytes are zeros now.
#[cfg(all(target_os = "linux", not(miri)))]
pub(super) fn made_zeros(start: *mut u8, bytes: usize) -> Range<usize> {
    let (first, whole) = whole_pages(start, bytes);
    // SAFETY: the range is within memory of the caller that nothing is expected of any more but
    // bytes. Memory that others share would stay as it is, so that one byte is looked at.
    let is_zero = unsafe {
        first.write_volatile(1);
        system::madvise(first.cast(), whole, system::NOT_NEEDED) == 0 && first.read_volatile() == 0
    };
    let skipped = first.addr() - start.addr();
    if is_zero { skipped..skipped + whole } else { 0..0 }
}

/// Lets the system take the pages under so many bytes if memory is short, until somebody writes to
/// them: then they read as zeros. Whether it agrees.
#[cfg(all(target_os = "linux", not(miri)))]
pub(super) fn lend(start: *mut u8, bytes: usize) -> bool {
    let (start, whole) = whole_pages(start, bytes);
    // SAFETY: the range is within memory of the caller that nothing is expected of any more.
    unsafe { system::madvise(start.cast(), whole, system::FREE) == 0 }
}

/// A multiple of the size of a page, of whatever size a system has them on this kind of processor. What
/// is asked of a part of a page is done to all of it, and so to what lies behind a buffer.
#[cfg(all(target_os = "linux", not(miri)))]
const PAGE: usize = if cfg!(target_arch = "x86_64") { 4 << 10 } else { 64 << 10 };

/// The pages that lie wholly within so many bytes, which are at least [`PAGE`].
#[cfg(all(target_os = "linux", not(miri)))]
fn whole_pages(start: *mut u8, bytes: usize) -> (*mut u8, usize) {
    let skipped = start.addr().wrapping_neg() % PAGE;
    (start.wrapping_add(skipped), (bytes - skipped) / PAGE * PAGE)
}

#[cfg(all(target_os = "linux", not(miri)))]
mod system {
    use std::ffi::{c_int, c_void};

    unsafe extern "C" {
        pub(super) fn madvise(start: *mut c_void, bytes: usize, advice: c_int) -> c_int;
    }

    /// `MADV_HUGEPAGE` of `<sys/mman.h>`.
    pub(super) const LARGE_PAGES: c_int = 14;
    /// `MADV_DONTNEED`.
    pub(super) const NOT_NEEDED: c_int = 4;
    /// `MADV_FREE`.
    pub(super) const FREE: c_int = 8;
}

/// Asks for large pages under so many bytes, if that is worth it.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(super) fn prefer_large(_start: *mut u8, _bytes: usize) {}

/// Has the system put pages of zeros under bytes, where it can.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(super) fn made_zeros(_start: *mut u8, _bytes: usize) -> Range<usize> {
    0..0
}

/// Gives the pages under so many bytes back to the system.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(super) fn give_back(_start: *mut u8, _bytes: usize) {}

/// Lets the system take the pages under so many bytes, where it can.
#[cfg(not(all(target_os = "linux", not(miri))))]
pub(super) fn lend(_start: *mut u8, _bytes: usize) -> bool {
    false
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::{PAGE, whole_pages};

    #[test]
    fn no_page_of_the_system_reaches_beyond() {
        unsafe extern "C" {
            fn sysconf(name: std::ffi::c_int) -> std::ffi::c_long;
        }
        const _SC_PAGESIZE: std::ffi::c_int = 30;
        // SAFETY: it reads a number of the system.
        let page = unsafe { sysconf(_SC_PAGESIZE) } as usize;
        assert_eq!(PAGE % page, 0, "pages have {page} bytes");
        let mut bytes = vec![0_u8; 5 * PAGE];
        for skipped in [0, 1, PAGE - 1] {
            let start = bytes[skipped..].as_mut_ptr();
            let (first, whole) = whole_pages(start, 3 * PAGE);
            assert_eq!((first.addr() % PAGE, whole % PAGE), (0, 0));
            assert!(first >= start && first.addr() + whole <= start.addr() + 3 * PAGE);
            assert!(whole >= 2 * PAGE);
        }
    }
}
