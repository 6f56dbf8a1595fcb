//! The memory of tensors: aligned, counted, zero until written.
//!
//! Memory is never handed out before it is initialised. A buffer made by
//! [`Storage::fresh`] is not filled when it is made, because most kernels
//! write all of it at once; [`Storage::ready_ptr`], through which everybody
//! else goes, fills it with zeros first.
//!
//! Such a buffer belongs to the call that made it. Who writes to it without
//! filling it has its only handle, and what a call hands to Python is settled:
//! so a read never meets a write that it could undo, and nobody who holds a lock
//! waits for a thread that fills.
//!
//! Memory can move, see [`moving`]; a pointer stays good all the same.

mod apart;
mod buffer_cache;
mod file;
mod mapping;
mod moving;

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::any::Any;
use std::cell::UnsafeCell;
use std::mem::{ManuallyDrop, MaybeUninit, offset_of};
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering};

pub(crate) use self::buffer_cache::clear as clear_buffer_cache;
pub use self::moving::PinnedStorage;

use self::moving::{Holder, Rare};
use super::pages;
use super::shared::{Shared, SharedValue, no_block};
use crate::block_cache::{self, CacheBlock};
use crate::{Element, Error, Result, interrupt};

/// Every buffer of ours starts at a multiple of this.
pub const ALIGNMENT: usize = 64;

/// Buffers up to this size live beside their reference count.
const INLINE: usize = 64;

/// What an allocator aligns to anyway. Asking for more is slower and keeps
/// the system from handing out pages that are known to be zero.
const NATURAL: usize = 16;

/// Shared memory; a clone is another handle.
#[derive(Clone)]
pub struct Storage(Shared<StorageBuffer>);

#[repr(C)]
struct StorageBuffer {
    /// Into `inline`, to memory from the allocator, or to that of the owner; never null.
    start: AtomicPtr<u8>,
    bytes: AtomicUsize,
    /// What memory has that is somebody else's, is lent, or moves.
    rare: ManuallyDrop<OnceLock<Box<Rare>>>,
    state: AtomicU8,
    /// How far the first `start` is behind what the allocator gave.
    padding: u8,
    /// [`LENT`] and [`INFERENCE`].
    flags: u8,
    /// How often operators have written to it, modulo 2³².
    version: AtomicU32,
    /// At a multiple of [`NATURAL`] in its block, so that there is room for the
    /// aligned bytes.
    inline: UnsafeCell<[MaybeUninit<u64>; (INLINE + ALIGNMENT - NATURAL) / 8]>,
}

const _: () = {
    let offset = Shared::<StorageBuffer>::VALUE_OFFSET + offset_of!(StorageBuffer, inline);
    assert!(offset.is_multiple_of(NATURAL));
};

/// Somebody else may come upon the memory without a handle.
const LENT: u8 = 1;
/// It was made in inference mode, where nobody counts who writes.
const INFERENCE: u8 = 2;

/// From here on memory that is zero costs no more than other memory: allocators
/// have it from the system, page by page, when somebody touches it. And they give
/// it back at once, so that it is [cached](buffer_cache).
const MAPPED: usize = 32 << 20;

/// How many bytes are filled with zeros between two checks for an interrupt.
const FILLED_AT_ONCE: usize = 4 << 20;

/// Nobody wrote to it yet.
const FRESH: u8 = 0;
/// One thread is filling it with zeros.
const FILLING: u8 = 1;
/// Every byte is initialised.
const READY: u8 = 2;

// SAFETY: the pointers are to memory that the buffer owns or keeps alive, and
// nothing in a buffer depends on the thread that made it.
unsafe impl Send for StorageBuffer {}
// SAFETY: shared access to the bytes is governed by the aliasing contract of
// `Tensor`; what changes in the buffer itself is atomic.
unsafe impl Sync for StorageBuffer {}

impl Storage {
    /// Memory that reads as zeros, but costs nothing until somebody reads it, and a block for who
    /// refers to it.
    ///
    /// # Errors
    ///
    /// `Memory` if the system refuses, `Overflow` if no system could agree.
    #[inline(always)]
    pub(super) fn fresh(bytes: usize) -> Result<(Storage, CacheBlock)> {
        if bytes <= INLINE {
            let [own, other] = block_cache::take_two().ok_or_else(no_block)?;
            return Ok((Storage::inline_in(own, bytes, FRESH), other));
        }
        let storage = Storage::apart(bytes)?;
        Ok((storage, block_cache::take().ok_or_else(no_block)?))
    }

    /// The same of what does not fit beside its count.
    fn apart(bytes: usize) -> Result<Storage> {
        if bytes > MAPPED {
            return Storage::large(bytes);
        }
        Storage::heap(bytes, alloc, FRESH)
    }

    fn large(bytes: usize) -> Result<Storage> {
        let layout = heap_layout(bytes).ok_or_else(|| too_many(bytes))?;
        match buffer_cache::take(layout) {
            Some(base) => Storage::over(base, layout, bytes, FRESH),
            None => Storage::heap(bytes, alloc_zeroed, READY),
        }
    }

    /// Memory full of zeros.
    ///
    /// # Errors
    ///
    /// As [`Storage::fresh`].
    pub(crate) fn zeroed(bytes: usize) -> Result<Storage> {
        if bytes <= INLINE {
            let storage = Storage::inline(bytes, FRESH)?;
            storage.fill_with_zeros();
            return Ok(storage);
        }
        Storage::heap(bytes, alloc_zeroed, READY)
    }

    /// Memory with one element in it.
    ///
    /// # Errors
    ///
    /// As [`Storage::fresh`].
    #[inline]
    pub(super) fn of_one<T: Element>(value: T) -> Result<Storage> {
        const { assert!(size_of::<T>() <= INLINE) };
        let storage = Storage::inline(size_of::<T>(), READY)?;
        // SAFETY: there is room, aligned for any element, and nobody else has it.
        unsafe { storage.raw_ptr().cast::<T>().write(value) };
        Ok(storage)
    }

    /// Memory that `owner` keeps alive; `is_lent` if others may come upon it.
    ///
    /// # Errors
    ///
    /// `Memory` if the system refuses.
    ///
    /// # Safety
    ///
    /// `data` is valid for reads and writes of `bytes` initialised bytes as
    /// long as `owner` lives.
    pub(crate) unsafe fn foreign(
        data: NonNull<u8>,
        bytes: usize,
        owner: Box<dyn Any + Send + Sync>,
        is_lent: bool,
    ) -> Result<Storage> {
        Shared::emplace(|place: *mut StorageBuffer| {
            // SAFETY: there is room for a buffer.
            unsafe {
                StorageBuffer::write(place, data, bytes, READY);
                (*place).flags = if is_lent { LENT } else { 0 };
                let holder = if is_lent { Holder::Lender } else { Holder::Us };
                (*place).rare = ManuallyDrop::new(OnceLock::from(Rare::boxed(
                    data,
                    bytes,
                    holder,
                    Some(owner),
                )));
            }
        })
        .map(Storage)
    }

    #[inline]
    fn inline(bytes: usize, state: u8) -> Result<Storage> {
        let block = block_cache::take().ok_or_else(no_block)?;
        Ok(Storage::inline_in(block, bytes, state))
    }

    #[inline(always)]
    fn inline_in(block: CacheBlock, bytes: usize, state: u8) -> Storage {
        Storage(Shared::emplace_in(block, |place: *mut StorageBuffer| {
            // SAFETY: there is room for a buffer, whose inline memory is large
            // enough for the aligned bytes.
            unsafe {
                let start = align_up((&raw mut (*place).inline).cast());
                StorageBuffer::write(place, NonNull::new_unchecked(start), bytes, state);
            }
        }))
    }

    fn heap(bytes: usize, allocate: unsafe fn(Layout) -> *mut u8, state: u8) -> Result<Storage> {
        let layout = heap_layout(bytes).ok_or_else(|| too_many(bytes))?;
        let base = allocated(allocate, layout).ok_or_else(|| {
            Error::memory(format_args!("not enough memory: tried to allocate {bytes} bytes"))
        })?;
        pages::prefer_large(base.as_ptr(), layout.size());
        Storage::over(base, layout, bytes, state)
    }

    /// So many bytes of memory that was allocated with this layout, and is nobody else's.
    fn over(base: NonNull<u8>, layout: Layout, bytes: usize, state: u8) -> Result<Storage> {
        let buffer = Shared::emplace(|place: *mut StorageBuffer| {
            // SAFETY: there is room for a buffer, and the layout has room for the padding.
            unsafe {
                let start = NonNull::new_unchecked(align_up(base.as_ptr()));
                StorageBuffer::write(place, start, bytes, state);
                (*place).padding = start.offset_from(base) as u8;
            }
        });
        count(layout.size() as i64);
        buffer.map(Storage).inspect_err(|_| {
            count(-(layout.size() as i64));
            // SAFETY: allocated with this layout, and no buffer has it.
            unsafe { dealloc(base.as_ptr(), layout) };
        })
    }

    /// The bytes of all storages that live, foreign memory and small ones, which stand beside their
    /// counts, excepted.
    ///
    /// ```
    /// use opwright_runtime::{DType, Device, Storage, Tensor};
    ///
    /// let x = Tensor::allocate(&[1 << 20], DType::Float64, Device::Cpu)?;
    /// assert!(Storage::live_bytes() >= 8 << 20);
    /// # drop(x);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn live_bytes() -> i64 {
        LIVE.load(Ordering::Relaxed)
    }

    /// The size in bytes; a tensor that was made before the storage shrank may reach further.
    #[inline]
    pub fn bytes(&self) -> usize {
        // Who sees the size of larger memory then sees the memory as well.
        self.0.bytes.load(Ordering::Acquire)
    }

    /// What tells a storage from all others as long as it lives.
    #[inline]
    pub fn id(&self) -> usize {
        (&raw const *self.0).addr()
    }

    /// Whether both are handles of the same memory, however writes to it are counted.
    #[inline]
    pub fn is_same(&self, other: &Storage) -> bool {
        Shared::is_same(&self.root().0, &other.root().0)
    }

    /// Whether it was made in inference mode.
    #[inline]
    pub(super) fn is_inference(&self) -> bool {
        self.0.flags & INFERENCE != 0
    }

    /// Whether there are so many handles, and no other process has the memory.
    #[inline]
    pub(super) fn is_held_by(&self, count: usize) -> bool {
        Shared::count(&self.0) == count && !self.is_shared()
    }

    /// Whether the memory is that of somebody else, or of another storage.
    #[inline]
    pub(super) fn is_lent(&self) -> bool {
        self.0.flags & LENT != 0
    }

    /// Whether nobody wrote to it yet, or asked what is there.
    #[inline]
    pub(super) fn is_fresh(&self) -> bool {
        self.0.state.load(Ordering::Acquire) != READY
    }

    /// How often operators have written to it.
    #[inline]
    pub(super) fn version(&self) -> u32 {
        self.0.version.load(Ordering::Relaxed)
    }

    /// Counts that an operator has written to it.
    #[inline]
    pub(super) fn bump_version(&self) {
        self.0.version.fetch_add(1, Ordering::Relaxed);
    }

    /// Says how often it was written to.
    pub(super) fn set_version(&self, version: u32) {
        self.0.version.store(version, Ordering::Relaxed);
    }

    /// The number of handles.
    #[inline]
    pub fn use_count(&self) -> usize {
        Shared::count(&self.0)
    }

    /// The address, the same for all handles and in all states until the memory moves.
    #[inline]
    pub fn address(&self) -> usize {
        self.raw_ptr().addr()
    }

    /// The address behind the last byte that a tensor may reach.
    #[inline]
    pub(super) fn end(&self) -> usize {
        self.address() + self.capacity()
    }

    /// A pointer to bytes that are initialised.
    #[inline]
    pub fn ready_ptr(&self) -> *mut u8 {
        if self.is_fresh() {
            self.fill_with_zeros();
        }
        self.raw_ptr()
    }

    /// A pointer to bytes that may not be initialised.
    #[inline]
    pub(crate) fn raw_ptr(&self) -> *mut u8 {
        self.0.start.load(Ordering::Acquire)
    }

    /// Says that every byte is initialised now.
    ///
    /// # Safety
    ///
    /// It is.
    #[inline]
    pub(crate) unsafe fn assume_ready(&self) {
        self.0.state.store(READY, Ordering::Release);
    }

    #[cold]
    fn fill_with_zeros(&self) {
        let state = &self.0.state;
        match state.compare_exchange(FRESH, FILLING, Ordering::Acquire, Ordering::Acquire) {
            Ok(_) => {
                let filling = Filling(state);
                // It has never moved: what moves is filled before.
                let bytes = self.bytes();
                let zeros = match bytes > MAPPED {
                    true => pages::made_zeros(self.raw_ptr(), bytes),
                    false => 0..0,
                };
                for range in [0..zeros.start, zeros.end..bytes] {
                    for start in range.clone().step_by(FILLED_AT_ONCE) {
                        interrupt::check();
                        let count = FILLED_AT_ONCE.min(range.end - start);
                        // SAFETY: the bytes are within the buffer, and whoever else
                        // wants to look at them waits for the state below.
                        unsafe { self.raw_ptr().add(start).write_bytes(0, count) };
                    }
                }
                std::mem::forget(filling);
                state.store(READY, Ordering::Release);
            }
            Err(_) => {
                while state.load(Ordering::Acquire) == FILLING {
                    std::thread::yield_now();
                }
                if state.load(Ordering::Acquire) == FRESH {
                    self.fill_with_zeros();
                }
            }
        }
    }
}

/// While it lives, the bytes are being filled; an interrupt puts it off.
struct Filling<'a>(&'a AtomicU8);

impl Drop for Filling<'_> {
    fn drop(&mut self) {
        self.0.store(FRESH, Ordering::Release);
    }
}

#[inline]
fn align_up(ptr: *mut u8) -> *mut u8 {
    ptr.wrapping_add(ptr.addr().wrapping_neg() % ALIGNMENT)
}

/// What allocators gave for storages that live.
static LIVE: AtomicI64 = AtomicI64::new(0);

fn count(bytes: i64) {
    LIVE.fetch_add(bytes, Ordering::Relaxed);
}

/// What a buffer asks the allocator for; none if there are too many bytes.
fn heap_layout(bytes: usize) -> Option<Layout> {
    let padded = bytes.checked_add(ALIGNMENT)?;
    Layout::from_size_align(padded, NATURAL).ok()
}

#[cold]
fn too_many(bytes: usize) -> Error {
    Error::overflow(format_args!("{bytes} bytes are too many"))
}

/// Memory from the allocator; if it has none, once more without the buffer cache.
fn allocated(allocate: unsafe fn(Layout) -> *mut u8, layout: Layout) -> Option<NonNull<u8>> {
    // SAFETY: the layout is not of size zero, as it has the padding.
    let memory = || NonNull::new(unsafe { allocate(layout) });
    memory().or_else(|| {
        buffer_cache::clear();
        memory()
    })
}

impl StorageBuffer {
    /// Makes a buffer, and leaves the inline memory as it is.
    ///
    /// # Safety
    ///
    /// There is room for a buffer at `place`.
    #[inline]
    unsafe fn write(place: *mut StorageBuffer, start: NonNull<u8>, bytes: usize, state: u8) {
        // SAFETY: the caller's promise; the inline memory need not be initialised.
        unsafe {
            (&raw mut (*place).start).write(AtomicPtr::new(start.as_ptr()));
            (&raw mut (*place).bytes).write(AtomicUsize::new(bytes));
            (&raw mut (*place).rare).write(ManuallyDrop::new(OnceLock::new()));
            (&raw mut (*place).state).write(AtomicU8::new(state));
            (&raw mut (*place).version).write(AtomicU32::new(0));
            (&raw mut (*place).padding).write(0);
            (&raw mut (*place).flags).write(0);
        }
    }

    fn free(&mut self, start: *mut u8, bytes: usize) {
        let layout = heap_layout(bytes).expect("it was allocated");
        count(-(layout.size() as i64));
        // SAFETY: this is what the allocator gave for this layout, and nobody uses it.
        unsafe {
            let base = start.sub(self.padding.into());
            if bytes > MAPPED {
                buffer_cache::free(NonNull::new_unchecked(base), layout);
            } else {
                dealloc(base, layout);
            }
        }
    }

    /// Frees what the allocator gave first, if the memory was ever moved or lent.
    #[cold]
    fn free_first(&mut self) {
        if let Some((start, bytes)) = self.rare.get().and_then(|it| it.first())
            && bytes > INLINE
        {
            self.free(start.as_ptr(), bytes);
        }
    }
}

impl SharedValue for StorageBuffer {
    fn note_inference(&mut self) {
        self.flags |= INFERENCE;
    }
}

impl Drop for StorageBuffer {
    #[inline]
    fn drop(&mut self) {
        let (start, bytes) = (*self.start.get_mut(), *self.bytes.get_mut());
        if self.rare.get().is_some() {
            self.free_first();
            // SAFETY: the buffer is going, and nothing asks for it after this.
            unsafe { ManuallyDrop::drop(&mut self.rare) };
        } else if bytes > INLINE {
            self.free(start, bytes);
        }
    }
}

impl std::fmt::Debug for Storage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Storage({} bytes)", self.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use std::sync::Arc;

    /// A storage to which nobody refers.
    pub(super) fn fresh(bytes: usize) -> Result<Storage> {
        let (storage, block) = Storage::fresh(bytes)?;
        // SAFETY: the block was made for another, which there is not.
        unsafe { block_cache::free(block.memory) };
        Ok(storage)
    }

    fn contents(storage: &Storage) -> Vec<u8> {
        // SAFETY: all of these bytes are initialised.
        unsafe { std::slice::from_raw_parts(storage.ready_ptr(), storage.bytes()) }.to_vec()
    }

    #[test]
    fn memory_is_aligned_and_zero() {
        for bytes in [0, 1, INLINE, INLINE + 1, 4096, 1 << 20] {
            for make in [fresh, Storage::zeroed] {
                let storage = make(bytes).unwrap();
                assert_eq!(storage.address() % ALIGNMENT, 0);
                assert!(contents(&storage).iter().all(|&it| it == 0), "{bytes}");
            }
        }
    }

    #[test]
    fn too_much_is_an_error() {
        assert_eq!(fresh(usize::MAX).unwrap_err().kind(), ErrorKind::Overflow);
        assert_eq!(fresh(isize::MAX as usize).unwrap_err().kind(), ErrorKind::Overflow);
        assert_eq!(Storage::zeroed(1 << 60).unwrap_err().kind(), ErrorKind::Memory);
    }

    #[test]
    fn readers_meet_at_the_first_read() {
        let storage = fresh(1 << 16).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert!(contents(&storage).iter().all(|&it| it == 0)));
            }
        });
    }

    #[test]
    fn handles_that_count_apart_share_the_memory() {
        let storage = Storage::zeroed(16).unwrap();
        storage.bump_version();
        let apart = storage.counted_apart(7).unwrap().counted_apart(0).unwrap();
        apart.bump_version();
        apart.bump_version();
        assert_eq!((storage.version(), apart.version()), (1, 2));
        assert_eq!(storage.address(), apart.address());
        assert!(apart.is_same(&storage) && apart.root().is_same(&apart));
        assert!(!storage.is_held_by(1) && apart.is_lent());
        drop(storage);
        assert_eq!(contents(&apart), [0; 16]);
    }

    #[test]
    fn the_owner_of_foreign_memory_is_dropped_last() {
        let owner = Arc::new(vec![1_u8, 2, 3]);
        let data = NonNull::new(owner.as_ptr().cast_mut()).unwrap();
        // SAFETY: the vector lives as long as its owner, and nobody writes.
        let storage =
            unsafe { Storage::foreign(data, 3, Box::new(Arc::clone(&owner)), true) }.unwrap();
        assert_eq!(contents(&storage), [1, 2, 3]);
        drop(storage);
        assert_eq!(Arc::strong_count(&owner), 1);
    }
}
