//! Reserved memory, so that allocations that cannot fail do not end the process at once.
//!
//! The collections of Rust end the process where the allocator gives nothing, and what is recorded
//! for a pass backward or makes up a graph is built of them. [`Reserve`] is an allocator that keeps a
//! block back: the first small allocation that fails lets it go and is served from it. Until a block
//! is set aside again, whoever [checks](check) gets an error of kind `Memory`: every call of an
//! operator from Python and C does, every node of a pass, and every step that builds a graph.
//!
//! What is larger than the [block](SIZE) at once has to ask [`buffer`](crate::buffer), which can fail.
//!
//! The feature `reserve` of the crates with bindings makes it the global allocator. A program that has
//! one of its own leaves the feature out and wraps that: `static MEMORY: Reserve<Own> = Reserve(Own);`.
//!
//! ```
//! use opwright_runtime::{Result, reserve};
//!
//! /// Texts, of which no two are alike.
//! fn labels(count: usize) -> Result<Vec<String>> {
//!     let mut labels = Vec::new();
//!     for at in 0..count {
//!         reserve::check()?;
//!         labels.push(format!("label {at}"));
//!     }
//!     Ok(labels)
//! }
//!
//! assert_eq!(labels(2)?, ["label 0", "label 1"]);
//! # Ok::<(), opwright_runtime::Error>(())
//! ```

use std::alloc::{GlobalAlloc, Layout, System, alloc, dealloc};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use crate::{Error, Result};

/// The size of the block in bytes. Nobody writes to it: it is a part of the address space.
pub const SIZE: usize = 8 << 20;

/// The layout of the block.
const BLOCK: Layout = match Layout::from_size_align(SIZE, align_of::<u128>()) {
    Ok(layout) => layout,
    Err(_) => panic!("no layout"),
};

static SET_ASIDE: ReservedBlock = ReservedBlock::missing();

/// An allocator with memory set aside.
pub struct Reserve<A = System>(pub A);

// SAFETY: all is handed on, and what has failed may be asked again.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Reserve<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        let ask = || unsafe { self.0.alloc(layout) };
        let memory = ask();
        if memory.is_null() { again(layout.size(), ask) } else { memory }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        let ask = || unsafe { self.0.alloc_zeroed(layout) };
        let memory = ask();
        if memory.is_null() { again(layout.size(), ask) } else { memory }
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise; a call that fails leaves the memory as it was.
        let ask = || unsafe { self.0.realloc(memory, layout, size) };
        let memory = ask();
        if memory.is_null() { again(size, ask) } else { memory }
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { self.0.dealloc(memory, layout) }
    }
}

/// A second attempt, after the block was let go; of what is as large as that there is none.
#[cold]
#[inline(never)]
fn again(size: usize, ask: impl FnOnce() -> *mut u8) -> *mut u8 {
    if size >= SIZE {
        return ptr::null_mut();
    }
    SET_ASIDE.let_go();
    ask()
}

/// Sees to it that a block is set aside.
///
/// For what builds something small many times: a call, a node of a graph, a step of a loop.
///
/// # Errors
///
/// `Memory` if there is none, and not enough to set one aside.
#[inline(always)]
pub fn check() -> Result<()> {
    if SET_ASIDE.is_missing.load(Ordering::Relaxed) { SET_ASIDE.fill() } else { Ok(()) }
}

/// A block, if it is there.
struct ReservedBlock {
    memory: AtomicPtr<u8>,
    /// Whether it was let go, or nobody has asked yet.
    is_missing: AtomicBool,
}

impl ReservedBlock {
    const fn missing() -> ReservedBlock {
        ReservedBlock { memory: AtomicPtr::new(ptr::null_mut()), is_missing: AtomicBool::new(true) }
    }

    #[cold]
    #[inline(never)]
    fn fill(&self) -> Result<()> {
        // SAFETY: the size is not zero.
        let memory = unsafe { alloc(BLOCK) };
        if memory.is_null() {
            return Err(Error::memory("not enough memory"));
        }
        // Before somebody can need it.
        self.is_missing.store(false, Ordering::Relaxed);
        // Another thread may have filled it meanwhile.
        self.put(memory);
        Ok(())
    }

    fn let_go(&self) {
        if self.put(ptr::null_mut()) {
            self.is_missing.store(true, Ordering::Relaxed);
        }
    }

    /// Frees the block, if there is one, for another.
    fn put(&self, memory: *mut u8) -> bool {
        let before = self.memory.swap(memory, Ordering::AcqRel);
        if !before.is_null() {
            // SAFETY: it was allocated so, and whoever takes the pointer away frees it.
            unsafe { dealloc(before, BLOCK) };
        }
        !before.is_null()
    }
}

impl Drop for ReservedBlock {
    fn drop(&mut self) {
        self.let_go();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Refuses what is asked for, so many times.
    struct Refusing(Cell<u32>);

    // SAFETY: what it does not refuse is handed on.
    unsafe impl GlobalAlloc for Refusing {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            if self.0.get() > 0 {
                self.0.set(self.0.get() - 1);
                return ptr::null_mut();
            }
            // SAFETY: the caller's promise.
            unsafe { System.alloc(layout) }
        }

        unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
            // SAFETY: the caller's promise.
            unsafe { System.dealloc(memory, layout) }
        }
    }

    /// What is asked for of an allocator that refuses so many times, as a list if it is given.
    fn asked(refusals: u32, size: usize) -> Option<Vec<u8>> {
        let reserve = Reserve(Refusing(Cell::new(refusals)));
        let layout = Layout::from_size_align(size, 1).unwrap();
        // SAFETY: the size is not zero, and a list frees with the system's allocator.
        unsafe {
            let memory = reserve.alloc(layout);
            (!memory.is_null()).then(|| {
                memory.write_bytes(1, size);
                let copy = std::slice::from_raw_parts(memory, size).to_vec();
                reserve.dealloc(memory, layout);
                copy
            })
        }
    }

    #[test]
    fn what_is_small_is_asked_for_again() {
        assert_eq!(asked(0, 100), Some(vec![1; 100]));
        assert_eq!(asked(1, 100), Some(vec![1; 100]));
        assert_eq!(asked(2, 100), None);
        assert_eq!(asked(1, SIZE), None);
    }

    #[test]
    fn a_block_is_filled_and_let_go() {
        let block = ReservedBlock::missing();
        let is_there = || !block.memory.load(Ordering::Relaxed).is_null();
        let is_missing = || block.is_missing.load(Ordering::Relaxed);
        assert!(is_missing() && !is_there());
        block.let_go();
        for _ in 0..2 {
            block.fill().unwrap();
            assert!(is_there() && !is_missing());
        }
        block.let_go();
        assert!(is_missing() && !is_there());
    }
}
