//! Buffer cache: the newest freed large buffers of the process, for the next large results.
//!
//! Allocators return buffers of this size to the system at once, and faulting their pages in again
//! takes longer than most kernels. The system may reclaim the pages of cached buffers when memory is
//! short: they are lent to it, and the first that it takes.
//!
//! `OPWRIGHT_KEEP_MEMORY=0` in the environment turns the cache off.

use std::alloc::{Layout, dealloc};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::{Mutex, TryLockError};

use super::pages;
use crate::block_cache;

/// How many buffers are cached.
const CAPACITY: usize = 3;

/// The most bytes of a cached buffer. Less than [`MAPPED`](super::MAPPED) is not worth it: its pages
/// are small ones, and to lend many of them takes longer than a kernel.
const LARGEST: usize = 128 << 20;

/// A freed buffer.
struct FreeBuffer {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the memory is the allocator's, and of no thread.
unsafe impl Send for FreeBuffer {}

impl Drop for FreeBuffer {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout, and nobody uses it.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

/// The buffers, the newest first.
type FreeBuffers = [Option<FreeBuffer>; CAPACITY];

static CACHE: Mutex<FreeBuffers> = Mutex::new([const { None }; CAPACITY]);

/// Works on the cache, unless another thread does: nobody waits.
fn with_cache<R>(work: impl FnOnce(&mut FreeBuffers) -> R) -> Option<R> {
    match CACHE.try_lock() {
        Ok(mut buffers) => Some(work(&mut buffers)),
        Err(TryLockError::Poisoned(buffers)) => Some(work(&mut buffers.into_inner())),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// A cached buffer of this layout, with whatever is in it.
pub(super) fn take(layout: Layout) -> Option<NonNull<u8>> {
    let buffer = with_cache(|buffers| {
        let suits =
            |it: &&mut Option<FreeBuffer>| it.as_ref().is_some_and(|it| it.layout == layout);
        buffers.iter_mut().find(suits).and_then(Option::take)
    });
    Some(ManuallyDrop::new(buffer.flatten()?).start)
}

/// Frees a buffer: it replaces the oldest of the cache, or goes to the allocator.
///
/// # Safety
///
/// It was allocated with this layout, and nobody uses it.
pub(super) unsafe fn free(start: NonNull<u8>, layout: Layout) {
    let buffer = FreeBuffer { start, layout };
    let suits = layout.size() <= LARGEST && block_cache::is_enabled();
    if suits && pages::lend(start.as_ptr(), layout.size()) {
        let oldest = with_cache(|buffers| {
            buffers.rotate_right(1);
            buffers[0].replace(buffer)
        });
        // Not while the others are locked: it takes long.
        drop(oldest);
    }
}

/// Frees all of it, for who finds no other memory.
#[cold]
pub(crate) fn clear() {
    /// Whoever holds the lock holds it for a moment, but for a process that was forked meanwhile.
    const TRIES: usize = 1000;

    let taken = || with_cache(|buffers| std::mem::replace(buffers, [const { None }; CAPACITY]));
    let buffers = (0..TRIES).find_map(|_| {
        let buffers = taken();
        if buffers.is_none() {
            std::thread::yield_now();
        }
        buffers
    });
    drop(buffers);
}

#[cfg(test)]
mod tests {
    use super::super::tests::fresh;
    use super::super::{MAPPED, Storage};

    /// The tests share the cache.
    static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

    fn bytes_of(storage: &Storage) -> &[u8] {
        // SAFETY: all of these bytes are initialised, and nobody writes.
        unsafe { std::slice::from_raw_parts(storage.ready_ptr(), storage.bytes()) }
    }

    #[test]
    #[cfg_attr(any(miri, not(target_os = "linux")), ignore = "buffers are cached on Linux alone")]
    fn large_memory_serves_the_next_and_reads_as_zeros() {
        let _alone = ALONE.lock();
        let bytes = MAPPED + 4096;
        let first = fresh(bytes).unwrap();
        // SAFETY: there are so many bytes, and nobody else has them.
        unsafe {
            first.raw_ptr().write_bytes(7, bytes);
            first.assume_ready();
        }
        let address = first.address();
        drop(first);
        let other = fresh(bytes + 64).unwrap();
        assert_ne!(other.address(), address);
        let second = fresh(bytes).unwrap();
        assert_eq!(second.address(), address);
        assert!(bytes_of(&second).iter().all(|&it| it == 0));
        drop(second);
        let zeros = Storage::zeroed(bytes).unwrap();
        assert!(bytes_of(&zeros).iter().all(|&it| it == 0));
    }

    #[test]
    fn clearing_empties_the_cache() {
        let _alone = ALONE.lock();
        drop(fresh(MAPPED + 8192).unwrap());
        super::clear();
        let is_empty = super::with_cache(|buffers| buffers.iter().all(Option::is_none));
        assert_eq!(is_empty, Some(true));
    }
}
