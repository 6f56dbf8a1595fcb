//! Large memory that was given back, kept for the next large results.
//!
//! Allocators return blocks of this size to the system at once, and to have their pages made
//! anew takes longer than most kernels. The system may take the pages of what is kept when memory is
//! short: they are the first that it takes.
//!
//! `OPWRIGHT_KEEP_MEMORY=0` in the environment keeps nothing.

use std::alloc::{Layout, dealloc};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::{Mutex, TryLockError};

use super::pages;
use crate::spare;

/// How many blocks are kept.
const MOST: usize = 3;

/// How many bytes a block has at most. Less than [`MAPPED`](super::MAPPED) is not worth it: its pages
/// are small ones, and to lend many of them takes longer than a kernel.
const GREATEST: usize = 128 << 20;

/// Memory that nobody uses.
struct Block {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the memory is the allocator's, and of no thread.
unsafe impl Send for Block {}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout, and nobody uses it.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

/// The blocks, the newest first.
type Blocks = [Option<Block>; MOST];

static KEPT: Mutex<Blocks> = Mutex::new([const { None }; MOST]);

/// Works on the blocks, unless another thread does: nobody waits.
fn with_blocks<R>(work: impl FnOnce(&mut Blocks) -> R) -> Option<R> {
    match KEPT.try_lock() {
        Ok(mut blocks) => Some(work(&mut blocks)),
        Err(TryLockError::Poisoned(blocks)) => Some(work(&mut blocks.into_inner())),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Memory of this layout, with whatever is in it, if some is kept.
pub(super) fn take(layout: Layout) -> Option<NonNull<u8>> {
    let block = with_blocks(|blocks| {
        let suits = |it: &&mut Option<Block>| it.as_ref().is_some_and(|it| it.layout == layout);
        blocks.iter_mut().find(suits).and_then(Option::take)
    });
    Some(ManuallyDrop::new(block.flatten()?).start)
}

/// Gives memory back: it is kept in place of the oldest, or goes to the allocator.
///
/// # Safety
///
/// It was allocated with this layout, and nobody uses it.
pub(super) unsafe fn give(start: NonNull<u8>, layout: Layout) {
    let block = Block { start, layout };
    let suits = layout.size() <= GREATEST && spare::is_kept();
    if suits && pages::lend(start.as_ptr(), layout.size()) {
        let oldest = with_blocks(|blocks| {
            blocks.rotate_right(1);
            blocks[0].replace(block)
        });
        // Not while the others are locked: it takes long.
        drop(oldest);
    }
}

/// Gives all of it to the allocator, for who finds no other memory.
#[cold]
pub(crate) fn clear() {
    /// Who has the blocks has them for a moment, but for a process that was forked meanwhile.
    const TRIES: usize = 1000;

    let taken = || with_blocks(|blocks| std::mem::replace(blocks, [const { None }; MOST]));
    let blocks = (0..TRIES).find_map(|_| {
        let blocks = taken();
        if blocks.is_none() {
            std::thread::yield_now();
        }
        blocks
    });
    drop(blocks);
}

#[cfg(test)]
mod tests {
    use super::super::tests::fresh;
    use super::super::{MAPPED, Storage};

    /// The tests share what is kept.
    static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

    fn bytes_of(storage: &Storage) -> &[u8] {
        // SAFETY: all of these bytes are initialised, and nobody writes.
        unsafe { std::slice::from_raw_parts(storage.ready_ptr(), storage.bytes()) }
    }

    #[test]
    #[cfg_attr(any(miri, not(target_os = "linux")), ignore = "memory is kept on Linux alone")]
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
    fn what_is_cleared_is_gone() {
        let _alone = ALONE.lock();
        drop(fresh(MAPPED + 8192).unwrap());
        super::clear();
        let is_empty = super::with_blocks(|blocks| blocks.iter().all(Option::is_none));
        assert_eq!(is_empty, Some(true));
    }
}
