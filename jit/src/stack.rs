//! Stack limits of a thread.

use std::cell::Cell;

/// What is left for functions that compiled code calls, and for whoever makes the error.
const MARGIN: usize = 256 << 10;

/// The address below which compiled code does not nest further in this thread.
pub(crate) fn limit() -> usize {
    thread_local! {
        static BOUNDS: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
    }
    let bounds = BOUNDS.with(|known| {
        // A stack without a size holds nothing, so whoever does not know says that.
        let bounds = known.get().unwrap_or_else(|| bounds().unwrap_or_default());
        known.set(Some(bounds));
        bounds
    });
    let here = 0_u8;
    above_margin(bounds, std::ptr::from_ref(&here).addr())
}

/// The end of a stack that starts at an address and has a size, and a margin above it. An address
/// outside of it lies on a stack that somebody made without a thread.
fn above_margin((start, size): (usize, usize), here: usize) -> usize {
    if (start..start.saturating_add(size)).contains(&here) {
        start + MARGIN.min(size / 4)
    } else {
        // Nothing is known but that this much is there on every system.
        here.saturating_sub(MARGIN / 4)
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

#[cfg(test)]
mod tests {
    use super::{MARGIN, above_margin, limit};

    #[test]
    fn leaves_a_margin() {
        let here = 0_u8;
        assert!(limit() < std::ptr::from_ref(&here).addr());
        assert_eq!(above_margin((0x10_0000, 0x80_0000), 0x20_0000), 0x10_0000 + MARGIN);
        assert_eq!(above_margin((0x10_0000, 0x1_0000), 0x10_ffff), 0x10_4000);
    }

    #[test]
    fn knows_other_stacks() {
        for (start, size) in [(0, 0), (0x10_0000, 0x80_0000)] {
            assert_eq!(above_margin((start, size), 0x1000_0000), 0x1000_0000 - MARGIN / 4);
        }
    }
}
