//! How far the stack of a thread reaches.

use std::cell::Cell;

/// What is left for functions that compiled code calls, and for whoever makes the error.
const MARGIN: usize = 256 << 10;

/// The address below which compiled code does not nest further in this thread.
pub(super) fn limit() -> usize {
    thread_local! {
        static LIMIT: Cell<usize> = const { Cell::new(0) };
    }
    LIMIT.with(|limit| {
        if limit.get() == 0 {
            limit.set(above_margin(bounds()));
        }
        limit.get()
    })
}

/// The end of a stack that starts at an address and has a size, and a margin above it.
fn above_margin(bounds: Option<(usize, usize)>) -> usize {
    match bounds {
        Some((start, size)) => start + MARGIN.min(size / 4),
        None => {
            // Nothing is known of the stack but that this much is there on every system.
            let here = 0_u8;
            std::ptr::from_ref(&here).addr().saturating_sub(MARGIN / 2)
        }
    }
}

/// The lowest address of this thread's stack, and its size.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn bounds() -> Option<(usize, usize)> {
    let mut attributes = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    let mut start = std::ptr::null_mut();
    let mut size = 0;
    // SAFETY: the attributes are written by the first call, read by the second and freed by the
    // third, and only if the first succeeded.
    let found = unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let found = libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut start, &raw mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        found
    };
    (found == 0).then(|| (start.addr(), size))
}

/// The lowest address of this thread's stack, and its size.
#[cfg(target_vendor = "apple")]
fn bounds() -> Option<(usize, usize)> {
    // SAFETY: both read what the system keeps of the thread that asks.
    let (end, size) = unsafe {
        let thread = libc::pthread_self();
        (libc::pthread_get_stackaddr_np(thread).addr(), libc::pthread_get_stacksize_np(thread))
    };
    Some((end.checked_sub(size)?, size))
}

/// The lowest address of this thread's stack, and its size: unknown here.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn bounds() -> Option<(usize, usize)> {
    None
}
