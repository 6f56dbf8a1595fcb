//! Memory of small things that died young, kept for the next ones.
//!
//! A result of a small operator lives for a moment, and the next one is of the
//! same size. Each thread keeps some blocks of one size; all else, and what is
//! too much, is left to the global allocator.
//!
//! Tools that watch memory do not see that a block is used after it was given
//! back. `OPWRIGHT_KEEP_MEMORY=0` in the environment keeps nothing.

use std::alloc::{Layout, alloc, dealloc};
use std::cell::{Cell, UnsafeCell};
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The size of a block: that of a storage with its elements inside.
pub(crate) const SIZE: usize = 160;

/// What all allocators align to.
pub(crate) const ALIGNMENT: usize = 16;

/// How many blocks a thread keeps.
const MOST: usize = 64;

/// The layout of a block.
const BLOCK: Layout = match Layout::from_size_align(SIZE, ALIGNMENT) {
    Ok(layout) => layout,
    Err(_) => panic!("no layout"),
};

/// The blocks of a thread.
struct Blocks {
    count: Cell<usize>,
    /// How many there may be; nothing before the environment was asked.
    most: Cell<usize>,
    blocks: UnsafeCell<[MaybeUninit<NonNull<u8>>; MOST]>,
}

thread_local! {
    static BLOCKS: Blocks = const {
        Blocks {
            count: Cell::new(0),
            most: Cell::new(0),
            blocks: UnsafeCell::new([MaybeUninit::uninit(); MOST]),
        }
    };

    /// Apart, because every look at something that is dropped asks whether it was.
    static END: End = const { End };
}

/// Gives the blocks of a thread back when it ends.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        BLOCKS.with(Blocks::clear);
    }
}

/// Whether memory is kept at all; the environment may say that it is not.
pub fn is_kept() -> bool {
    static IS_KEPT: OnceLock<bool> = OnceLock::new();
    *IS_KEPT.get_or_init(|| std::env::var_os("OPWRIGHT_KEEP_MEMORY").is_none_or(|it| it != "0"))
}

/// Memory for [`SIZE`] bytes; none if the system refuses.
#[inline]
pub(crate) fn take() -> Option<NonNull<u8>> {
    BLOCKS.with(Blocks::pop).or_else(allocate)
}

/// Gives memory back.
///
/// # Safety
///
/// It is from [`take`], perhaps of another thread, and nobody uses it.
#[inline]
pub(crate) unsafe fn give(block: NonNull<u8>) {
    if !BLOCKS.with(|it| it.push(block)) {
        // SAFETY: by the caller's promise it was allocated with this layout.
        unsafe { dealloc(block.as_ptr(), BLOCK) };
    }
}

#[cold]
fn allocate() -> Option<NonNull<u8>> {
    // SAFETY: the size is not zero.
    let block = NonNull::new(unsafe { alloc(BLOCK) });
    match block {
        Some(_) => RESERVE.fill(),
        None => RESERVE.open(),
    }
    block
}

/// Memory that is given back to the allocator when there is no other, for who
/// says so: an error and an exception need some, too.
struct Reserve(AtomicPtr<u8>);

static RESERVE: Reserve = Reserve(AtomicPtr::new(ptr::null_mut()));

impl Reserve {
    const LAYOUT: Layout = match Layout::from_size_align(1 << 14, ALIGNMENT) {
        Ok(layout) => layout,
        Err(_) => panic!("no layout"),
    };

    /// Sees to it that there is one.
    #[inline]
    fn fill(&self) {
        if self.0.load(Ordering::Relaxed).is_null() {
            self.fill_empty();
        }
    }

    #[cold]
    fn fill_empty(&self) {
        // SAFETY: the size is not zero. If there is no memory, there is no reserve.
        let memory = unsafe { alloc(Reserve::LAYOUT) };
        Reserve::free(self.0.swap(memory, Ordering::AcqRel));
    }

    fn open(&self) {
        Reserve::free(self.0.swap(ptr::null_mut(), Ordering::AcqRel));
    }

    fn free(memory: *mut u8) {
        if !memory.is_null() {
            // SAFETY: what is swapped out was allocated with this layout, and is nobody else's.
            unsafe { dealloc(memory, Reserve::LAYOUT) };
        }
    }
}

impl Blocks {
    #[inline]
    fn pop(&self) -> Option<NonNull<u8>> {
        let last = self.count.get().checked_sub(1)?;
        self.count.set(last);
        // SAFETY: there are so many, and only this thread looks, one function at a time.
        Some(unsafe { (*self.blocks.get()).get_unchecked(last).assume_init() })
    }

    /// Keeps a block if there is room.
    #[inline]
    fn push(&self, block: NonNull<u8>) -> bool {
        let count = self.count.get();
        if count >= self.most.get() && !self.has_room(count) {
            return false;
        }
        // SAFETY: there is room, and only this thread looks, one function at a time.
        unsafe { (*self.blocks.get()).get_unchecked_mut(count).write(block) };
        self.count.set(count + 1);
        true
    }

    /// As [`Blocks::push`] sees it first: a thread that ends keeps nothing.
    #[cold]
    fn has_room(&self, count: usize) -> bool {
        let is_alive = END.try_with(|_| ()).is_ok();
        self.most.set(if is_kept() && is_alive { MOST } else { 0 });
        count < self.most.get()
    }

    fn clear(&self) {
        self.most.set(0);
        while let Some(block) = self.pop() {
            // SAFETY: a block that nobody uses, allocated with this layout.
            unsafe { dealloc(block.as_ptr(), BLOCK) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken() -> NonNull<u8> {
        take().expect("there is memory")
    }

    #[test]
    fn the_last_block_comes_back_first() {
        let (first, second) = (taken(), taken());
        assert_ne!(first, second);
        // SAFETY: both are from `take`, and nobody uses them.
        unsafe {
            give(first);
            give(second);
        }
        assert_eq!((taken(), taken()), (second, first));
        // SAFETY: as above.
        unsafe {
            give(first);
            give(second);
        }
    }

    #[test]
    fn too_many_go_back_to_the_allocator() {
        let blocks: Vec<NonNull<u8>> = (0..2 * MOST).map(|_| taken()).collect();
        for &block in &blocks {
            // SAFETY: all are from `take`, and nobody uses them.
            unsafe { give(block) };
        }
        assert_eq!(BLOCKS.with(|it| it.count.get()), MOST);
    }

    #[test]
    fn blocks_go_from_thread_to_thread() {
        let address = std::thread::spawn(|| taken().as_ptr().expose_provenance()).join().unwrap();
        let block = NonNull::new(ptr::with_exposed_provenance_mut(address)).unwrap();
        // SAFETY: it is from `take`, of a thread that has ended.
        unsafe { give(block) };
    }
}
