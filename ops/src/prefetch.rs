//! Software prefetch: what is read soon is asked for before.

/// Asks for the lines of the cache with so many bytes, if there are such.
#[inline(always)]
pub(crate) fn prefetch<T>(start: *const T, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in (0..bytes).step_by(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every processor of this kind has it, and what is not there is not fetched.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_byte_add(line).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (start, bytes);
}
