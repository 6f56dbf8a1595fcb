//! Block cache: a free list per thread of blocks of one size class, for small tensors.
//!
//! A result of a small operator lives for a moment, and the next one is of the same size. Blocks of
//! other sizes, and those beyond the list's capacity, are the global allocator's.
//!
//! Tools that watch memory do not see that a block is used after it was freed:
//! `OPWRIGHT_KEEP_MEMORY=0` in the environment turns the cache off.

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

/// The capacity of the free list of a thread.
const CAPACITY: usize = 64;

/// The layout of a block.
const BLOCK: Layout = match Layout::from_size_align(SIZE, ALIGNMENT) {
    Ok(layout) => layout,
    Err(_) => panic!("no layout"),
};

/// Memory for a new thing.
pub(crate) struct CacheBlock {
    pub(crate) memory: NonNull<u8>,
    /// Whether the thread [marks](mark) what it makes.
    pub(crate) is_marked: bool,
}

/// The free list of a thread.
struct FreeList {
    count: Cell<usize>,
    /// The capacity; 0 before the environment was read.
    capacity: Cell<usize>,
    is_marking: Cell<bool>,
    /// While the thread marks: how many there are. Then the count is 0, so that who takes a block or
    /// gives one back comes to the functions that know of marks, and nobody else looks.
    hidden: Cell<usize>,
    blocks: UnsafeCell<[MaybeUninit<NonNull<u8>>; CAPACITY]>,
}

thread_local! {
    static FREE_LIST: FreeList = const {
        FreeList {
            count: Cell::new(0),
            capacity: Cell::new(0),
            is_marking: Cell::new(false),
            hidden: Cell::new(0),
            blocks: UnsafeCell::new([MaybeUninit::uninit(); CAPACITY]),
        }
    };

    /// Apart, because every look at something that is dropped asks whether it was.
    static END: End = const { End };
}

/// Frees the blocks of a thread when it ends.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        FREE_LIST.with(FreeList::clear);
    }
}

/// Whether freed memory is cached at all; the environment may turn it off.
pub fn is_enabled() -> bool {
    static IS_KEPT: OnceLock<bool> = OnceLock::new();
    *IS_KEPT.get_or_init(|| std::env::var_os("OPWRIGHT_KEEP_MEMORY").is_none_or(|it| it != "0"))
}

/// Memory for [`SIZE`] bytes; none if the system refuses.
#[inline]
pub(crate) fn take() -> Option<CacheBlock> {
    match FREE_LIST.with(FreeList::pop) {
        Some(memory) => Some(CacheBlock { memory, is_marked: false }),
        None => take_slow(),
    }
}

/// The same for two things at once.
#[inline(always)]
pub(crate) fn take_two() -> Option<[CacheBlock; 2]> {
    match FREE_LIST.with(FreeList::pop_two) {
        Some(two) => Some(two.map(|memory| CacheBlock { memory, is_marked: false })),
        None => take_two_slow(),
    }
}

/// Says whether the blocks that this thread takes are marked from now on.
pub(crate) fn mark(is_marking: bool) {
    FREE_LIST.with(|it| it.mark(is_marking));
}

/// Frees a block: to the free list of this thread, or to the allocator if that is full.
///
/// # Safety
///
/// It is from [`take`], perhaps of another thread, and nobody uses it.
#[inline]
pub(crate) unsafe fn free(block: NonNull<u8>) {
    if !FREE_LIST.with(|it| it.push(block)) {
        // SAFETY: by the caller's promise it was allocated with this layout.
        unsafe { dealloc(block.as_ptr(), BLOCK) };
    }
}

#[cold]
fn take_slow() -> Option<CacheBlock> {
    let is_marked = FREE_LIST.with(|it| it.is_marking.get());
    let memory = FREE_LIST.with(FreeList::pop_hidden).or_else(allocate)?;
    Some(CacheBlock { memory, is_marked })
}

#[cold]
fn take_two_slow() -> Option<[CacheBlock; 2]> {
    let first = take()?;
    match take() {
        Some(second) => Some([first, second]),
        None => {
            // SAFETY: it was taken just now.
            unsafe { free(first.memory) };
            None
        }
    }
}

fn allocate() -> Option<NonNull<u8>> {
    // SAFETY: the size is not zero.
    let block = NonNull::new(unsafe { alloc(BLOCK) });
    match block {
        Some(_) => RESERVE.fill(),
        None => RESERVE.open(),
    }
    block
}

/// Emergency memory, given back to the allocator when there is no other: the error and the
/// exception that report it need some, too.
struct Reserve(AtomicPtr<u8>);

static RESERVE: Reserve = Reserve(AtomicPtr::new(ptr::null_mut()));

impl Reserve {
    const LAYOUT: Layout = match Layout::from_size_align(1 << 16, ALIGNMENT) {
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

impl FreeList {
    #[inline]
    fn pop_two(&self) -> Option<[NonNull<u8>; 2]> {
        let before = self.count.get().checked_sub(2)?;
        self.count.set(before);
        // SAFETY: there are so many, and only this thread looks, one function at a time.
        let blocks = unsafe { &*self.blocks.get() };
        // SAFETY: there are so many, and those that are counted were written.
        Some([before, before + 1].map(|at| unsafe { blocks.get_unchecked(at).assume_init() }))
    }

    #[inline]
    fn pop(&self) -> Option<NonNull<u8>> {
        let last = self.count.get().checked_sub(1)?;
        self.count.set(last);
        // SAFETY: there are so many, and only this thread looks, one function at a time.
        Some(unsafe { (*self.blocks.get()).get_unchecked(last).assume_init() })
    }

    /// A block of a thread that marks.
    fn pop_hidden(&self) -> Option<NonNull<u8>> {
        let last = self.hidden.get().checked_sub(1)?;
        self.hidden.set(last);
        // SAFETY: there are so many, and only this thread looks, one function at a time.
        Some(unsafe { (*self.blocks.get()).get_unchecked(last).assume_init() })
    }

    /// Keeps a block if there is room.
    #[inline]
    fn push(&self, block: NonNull<u8>) -> bool {
        if self.count.get() >= self.capacity.get() {
            return self.push_slow(block);
        }
        self.place(&self.count, block);
        true
    }

    /// As [`FreeList::push`] sees it first: a thread that ends keeps nothing.
    #[cold]
    fn push_slow(&self, block: NonNull<u8>) -> bool {
        let is_alive = END.try_with(|_| ()).is_ok();
        let capacity = if is_enabled() && is_alive { CAPACITY } else { 0 };
        let count = if self.is_marking.get() {
            &self.hidden
        } else {
            self.capacity.set(capacity);
            &self.count
        };
        let has_room = count.get() < capacity;
        if has_room {
            self.place(count, block);
        }
        has_room
    }

    /// Puts a block behind those that are counted, of which there are fewer than [`CAPACITY`].
    #[inline]
    fn place(&self, count: &Cell<usize>, block: NonNull<u8>) {
        let at = count.get();
        // SAFETY: there is room, and only this thread looks, one function at a time.
        unsafe { (*self.blocks.get()).get_unchecked_mut(at).write(block) };
        count.set(at + 1);
    }

    fn mark(&self, is_marking: bool) {
        if self.is_marking.replace(is_marking) == is_marking {
            return;
        }
        if is_marking {
            self.hidden.set(self.count.take());
            self.capacity.set(0);
        } else {
            self.count.set(self.hidden.take());
        }
    }

    fn clear(&self) {
        self.mark(false);
        self.capacity.set(0);
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
        take().expect("there is memory").memory
    }

    #[test]
    fn what_a_thread_marks_is_marked_and_nothing_else() {
        let block = taken();
        // SAFETY: it is from `take`, and nobody uses it.
        unsafe { free(block) };
        mark(true);
        let marked = take().expect("there is memory");
        assert!(marked.is_marked && marked.memory == block);
        // SAFETY: as above.
        unsafe { free(marked.memory) };
        mark(false);
        let plain = take().expect("there is memory");
        assert!(!plain.is_marked && plain.memory == block);
        // SAFETY: as above.
        unsafe { free(plain.memory) };
    }

    #[test]
    fn the_last_block_comes_back_first() {
        let (first, second) = (taken(), taken());
        assert_ne!(first, second);
        // SAFETY: both are from `take`, and nobody uses them.
        unsafe {
            free(first);
            free(second);
        }
        assert_eq!((taken(), taken()), (second, first));
        // SAFETY: as above.
        unsafe {
            free(first);
            free(second);
        }
    }

    #[test]
    fn too_many_go_back_to_the_allocator() {
        let blocks: Vec<NonNull<u8>> = (0..2 * CAPACITY).map(|_| taken()).collect();
        for &block in &blocks {
            // SAFETY: all are from `take`, and nobody uses them.
            unsafe { free(block) };
        }
        assert_eq!(FREE_LIST.with(|it| it.count.get()), CAPACITY);
    }

    #[test]
    fn blocks_go_from_thread_to_thread() {
        let address = std::thread::spawn(|| taken().as_ptr().expose_provenance()).join().unwrap();
        let block = NonNull::new(ptr::with_exposed_provenance_mut(address)).unwrap();
        // SAFETY: it is from `take`, of a thread that has ended.
        unsafe { free(block) };
    }
}
