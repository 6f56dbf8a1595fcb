//! Resizable storages, whose memory moves under the tensors over it.
//!
//! A thread in the middle of a kernel has a pointer and a geometry, and nobody can ask it to wait.
//! So a place that memory has left is kept until the last handle goes, and memory never moves to a
//! smaller place: what a tensor reached once, it reaches for good. A storage that shrinks gives
//! pages back to the system, which there read as zeros.
//!
//! What others have a view of without a handle does not move, see [`Storage::lend`].

use std::alloc::{alloc_zeroed, dealloc};
use std::any::Any;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::mapping::Mapping;
use super::{INLINE, Storage, align_up, allocated, count, heap_layout, too_many};
use crate::lock::Lock;
use crate::tensor::pages;
use crate::{Error, Result, ensure};

type Owner = Box<dyn Any + Send + Sync>;

/// What few buffers need.
pub(super) struct Rare {
    /// Who has the memory that the buffer began with, if it is neither inline nor from the
    /// allocator.
    owner: Option<Owner>,
    start: NonNull<u8>,
    /// How many bytes there are from there on.
    bytes: usize,
    pub(super) holder: Holder,
    /// How many bytes there are at the place where the memory is now.
    capacity: AtomicUsize,
    pub(super) is_shared: AtomicBool,
    /// How many views others have without a handle; [`MOVING`] while there can be none.
    views: AtomicUsize,
    /// Where it has been since, and is.
    places: Lock<Vec<Owner>>,
}

/// In place of the number of views, while the memory moves.
const MOVING: usize = usize::MAX;

/// Who decides where the memory is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holder {
    Us,
    Lender,
    File,
}

/// Keeps the memory of a storage where it is.
///
/// What is made of it for somebody without a handle, such as a view that another library has, stays
/// as good as what is read through tensors.
pub struct PinnedStorage(Storage);

/// While it lives, nobody else moves the memory or gets a view.
struct Moving<'a>(&'a Rare);

/// Memory of the allocator.
struct Heap {
    base: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the memory is the allocator's, and of no thread.
unsafe impl Send for Heap {}
// SAFETY: its own fields never change.
unsafe impl Sync for Heap {}

impl Rare {
    pub(super) fn boxed(
        start: NonNull<u8>,
        bytes: usize,
        holder: Holder,
        owner: Option<Owner>,
    ) -> Box<Rare> {
        Box::new(Rare {
            owner,
            start,
            bytes,
            holder,
            capacity: AtomicUsize::new(bytes),
            is_shared: AtomicBool::new(false),
            views: AtomicUsize::new(0),
            places: Lock::default(),
        })
    }

    /// The memory that the buffer began with, if it is the buffer's own.
    pub(super) fn first(&self) -> Option<(NonNull<u8>, usize)> {
        self.owner.is_none().then_some((self.start, self.bytes))
    }

    /// The storage whose memory it is, and stays while this one lives.
    pub(super) fn root(&self) -> Option<&Storage> {
        self.owner.as_deref()?.downcast_ref().map(|PinnedStorage(root)| root)
    }

    fn keep(&self, place: Owner) {
        self.places.lock().push(place);
    }

    fn has_moved(&self) -> bool {
        !self.places.lock().is_empty()
    }

    fn begin(&self) -> Result<Moving<'_>> {
        let begun = self.views.compare_exchange(0, MOVING, Ordering::Acquire, Ordering::Relaxed);
        match begun {
            Ok(_) => Ok(Moving(self)),
            Err(MOVING) => Err(in_motion()),
            Err(_) => Err(Error::runtime(
                "the memory of this storage cannot move, as an array or a memoryview over it would \
                 not follow; delete that first",
            )),
        }
    }
}

#[cold]
fn in_motion() -> Error {
    Error::runtime("another thread is moving the memory of this storage; wait for it")
}

impl Drop for Moving<'_> {
    fn drop(&mut self) {
        self.0.views.store(0, Ordering::Release);
    }
}

impl Storage {
    fn rare(&self) -> &Rare {
        self.0.rare.get_or_init(|| {
            let start = NonNull::new(self.raw_ptr()).expect("memory is somewhere");
            // Without `Rare` the memory is where and as large as it was in the beginning.
            Rare::boxed(start, self.bytes(), Holder::Us, None)
        })
    }

    /// How many bytes a tensor may reach.
    #[inline]
    pub(super) fn capacity(&self) -> usize {
        match self.0.rare.get() {
            Some(rare) => rare.capacity.load(Ordering::Acquire),
            None => self.bytes(),
        }
    }

    /// Makes the storage larger, by zeros, or smaller. Tensors over it see their elements as
    /// before; those behind the end read as zeros when it has grown again.
    ///
    /// # Errors
    ///
    /// `Runtime` if somebody else decides about the memory, if others have views of it, or if
    /// another thread is moving it; `Memory` and `Overflow` if there is not enough.
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    ///
    /// let x = Tensor::from_slice(&[2], &[1_i64, 2])?;
    /// let storage = x.storage().expect("it has elements").clone();
    /// storage.resize(1 << 10)?;
    /// assert_eq!((storage.bytes(), x.to_vec::<i64>()?), (1 << 10, vec![1, 2]));
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn resize(&self, bytes: usize) -> Result<()> {
        if bytes == self.bytes() {
            return Ok(());
        }
        self.check_resizable()?;
        self.ready_ptr();
        let rare = self.rare();
        let _moving = rare.begin()?;
        let before = self.bytes();
        let capacity = rare.capacity.load(Ordering::Acquire);
        if bytes <= before {
            self.shrink(before, bytes);
        } else if bytes <= capacity {
            // SAFETY: as many bytes are there, and all of them are initialised.
            unsafe { self.raw_ptr().add(before).write_bytes(0, bytes - before) };
        } else {
            self.grow(rare, before, bytes)?;
        }
        self.0.bytes.store(bytes, Ordering::Release);
        Ok(())
    }

    fn check_resizable(&self) -> Result<()> {
        let rare = self.0.rare.get();
        let holder = rare.map_or(Holder::Us, |it| it.holder);
        ensure!(
            holder != Holder::Lender,
            Runtime,
            "a storage over memory of another library cannot be resized; clone it first"
        );
        ensure!(
            holder != Holder::File,
            Runtime,
            "a storage over a file cannot be resized; map the file again with another size"
        );
        ensure!(
            !self.is_shared(),
            Runtime,
            "a storage that processes share cannot be resized, as others would not see it; clone \
             it first"
        );
        Ok(())
    }

    /// Whether [`resize`](Storage::resize) may be called at all.
    pub fn is_resizable(&self) -> bool {
        self.check_resizable().is_ok()
    }

    fn shrink(&self, before: usize, bytes: usize) {
        if before > INLINE && self.is_from_allocator() {
            pages::give_back(self.raw_ptr().wrapping_add(bytes), before - bytes);
        }
    }

    fn is_from_allocator(&self) -> bool {
        let rare = self.rare();
        rare.owner.is_none() && (rare.bytes > INLINE || rare.has_moved())
    }

    fn grow(&self, rare: &Rare, before: usize, bytes: usize) -> Result<()> {
        let capacity = rare.capacity.load(Ordering::Acquire);
        // A storage that grows again and again leaves fewer places behind if each is twice as large.
        let ample = if rare.has_moved() { bytes.max(capacity.saturating_mul(2)) } else { bytes };
        let place = match Heap::zeroed(ample) {
            Err(_) if ample > bytes => Heap::zeroed(bytes)?,
            place => place?,
        };
        let (start, old) = (place.start(), self.raw_ptr());
        // SAFETY: so many bytes are at the old place, and at the new one, which is no one else's.
        unsafe { start.as_ptr().copy_from_nonoverlapping(old, before) };
        rare.capacity.store(place.bytes, Ordering::Release);
        rare.keep(Box::new(place));
        self.0.start.store(start.as_ptr(), Ordering::Release);
        Ok(())
    }

    /// Moves the memory to where processes that come from this one share it. Tensors over it see
    /// it there; memory of another library is left to that, and no longer shared with it.
    ///
    /// # Errors
    ///
    /// `Runtime` without the feature `shm`, if the system refuses, if others have views of the
    /// memory, or if another thread is moving it.
    pub fn share_memory(&self) -> Result<()> {
        if self.is_shared() {
            return Ok(());
        }
        self.ready_ptr();
        let rare = self.rare();
        let _moving = rare.begin()?;
        if self.is_shared() {
            return Ok(());
        }
        let capacity = rare.capacity.load(Ordering::Acquire);
        let place = shared_place(capacity.max(1))?;
        let start = place.start().as_ptr();
        // SAFETY: so many bytes are at the old place, and at the new one, which is no one else's.
        unsafe { start.copy_from_nonoverlapping(self.raw_ptr(), capacity) };
        rare.keep(Box::new(place));
        self.0.start.store(start, Ordering::Release);
        rare.is_shared.store(true, Ordering::Release);
        Ok(())
    }

    /// Whether other processes see what is written to it: after
    /// [`share_memory`](Storage::share_memory), or of a file that is written through to.
    pub fn is_shared(&self) -> bool {
        self.root().0.rare.get().is_some_and(|it| it.is_shared.load(Ordering::Acquire))
    }

    /// Keeps the memory where it is as long as the result lives.
    ///
    /// # Errors
    ///
    /// `Runtime` if another thread is moving it.
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    ///
    /// let x = Tensor::from_slice(&[2], &[1_i64, 2])?;
    /// let storage = x.storage().expect("it has elements");
    /// let lent = storage.lend()?;
    /// assert!(storage.resize(64).is_err());
    /// drop(lent);
    /// storage.resize(64)?;
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn lend(&self) -> Result<PinnedStorage> {
        let more = |count| if count == MOVING { None } else { Some(count + 1) };
        let views = &self.rare().views;
        match views.fetch_update(Ordering::Acquire, Ordering::Relaxed, more) {
            Ok(_) => Ok(PinnedStorage(self.clone())),
            Err(_) => Err(in_motion()),
        }
    }
}

#[cfg(feature = "shm")]
fn shared_place(bytes: usize) -> Result<Mapping> {
    Mapping::of_memory(bytes)
        .map_err(|it| Error::runtime(format_args!("cannot share {bytes} bytes of memory: {it}")))
}

#[cfg(not(feature = "shm"))]
fn shared_place(_: usize) -> Result<Mapping> {
    Err(Error::runtime("memory cannot be shared: this module was built without the feature `shm`"))
}

impl Drop for PinnedStorage {
    fn drop(&mut self) {
        self.0.rare().views.fetch_sub(1, Ordering::Release);
    }
}

impl Heap {
    /// So many bytes, all of them zero.
    fn zeroed(bytes: usize) -> Result<Heap> {
        let layout = heap_layout(bytes).ok_or_else(|| too_many(bytes))?;
        let base = allocated(alloc_zeroed, layout).ok_or_else(|| {
            Error::memory(format_args!("not enough memory: tried to allocate {bytes} bytes"))
        })?;
        pages::prefer_large(base.as_ptr(), layout.size());
        count(layout.size() as i64);
        Ok(Heap { base, bytes })
    }

    fn start(&self) -> NonNull<u8> {
        NonNull::new(align_up(self.base.as_ptr())).expect("it is not below what was allocated")
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        let layout = heap_layout(self.bytes).expect("it was allocated");
        count(-(layout.size() as i64));
        // SAFETY: `zeroed` allocated it with this layout.
        unsafe { dealloc(self.base.as_ptr(), layout) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DType, Tensor, view};

    fn storage_of(tensor: &Tensor) -> &Storage {
        tensor.storage().expect("it is in main memory")
    }

    #[test]
    fn tensors_follow_their_memory() {
        for count in [2_i64, 100, 1 << 16] {
            let values: Vec<i64> = (0..count).collect();
            let x = Tensor::from_vec(&[count], values.clone()).unwrap();
            let last = view::narrow(&x, 0, count - 1, 1).unwrap();
            for bytes in [1 << 20, 8, 1 << 22, 0, 3 << 22] {
                storage_of(&x).resize(bytes).unwrap();
                assert_eq!(storage_of(&x).bytes(), bytes);
                if bytes > 1 << 20 {
                    assert_eq!(x.first::<i64>().unwrap(), Some(0));
                }
                // Never out of the memory, whatever is there.
                last.to_vec::<i64>().unwrap();
            }
        }
    }

    #[test]
    fn what_grows_keeps_elements_and_gets_zeros() {
        let x = Tensor::from_slice(&[3], &[1_i64, 2, 3]).unwrap();
        let storage = storage_of(&x);
        for count in [4, 9, 30, 31, 1000] {
            storage.resize(count * 8).unwrap();
            let all = Tensor::over_storage(storage, DType::Int64, &[count as i64], &[1], 0);
            let all = all.unwrap().to_vec::<i64>().unwrap();
            assert_eq!(all[..3], [1, 2, 3]);
            assert!(all[3..].iter().all(|&it| it == 0));
        }
        storage.resize(8).unwrap();
        storage.resize(24).unwrap();
        assert_eq!(x.to_vec::<i64>().unwrap(), [1, 0, 0]);
    }

    #[test]
    fn a_tensor_behind_the_end_still_overlaps_itself() {
        let x = Tensor::from_slice(&[4], &[1_i64, 2, 3, 4]).unwrap();
        storage_of(&x).resize(0).unwrap();
        let tail = view::narrow(&x, 0, 1, 3).unwrap();
        let mut head = view::narrow(&x, 0, 0, 3).unwrap();
        assert!(head.copy_from(&tail).is_err());
    }

    #[test]
    fn too_large_is_an_error_and_changes_nothing() {
        let x = Tensor::from_slice(&[1], &[7_i64]).unwrap();
        assert!(storage_of(&x).resize(usize::MAX).is_err());
        assert!(storage_of(&x).resize(1 << 62).is_err());
        assert_eq!(x.to_vec::<i64>().unwrap(), [7]);
        storage_of(&x).resize(16).unwrap();
    }

    #[test]
    fn readers_go_on_while_memory_moves() {
        let x = Tensor::filled(&[1 << 12], 5.into(), DType::Int64, crate::Device::Cpu).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                let x = x.clone();
                scope.spawn(move || {
                    for _ in 0..200 {
                        assert_eq!(x.to_vec::<i64>().unwrap().len(), 1 << 12);
                    }
                });
            }
            for round in 1..40 {
                storage_of(&x).resize((1 << 15) + round * 4096).unwrap();
            }
        });
        assert!(x.to_vec::<i64>().unwrap().iter().all(|&it| it == 5));
    }

    #[test]
    #[cfg(all(feature = "shm", target_os = "linux", not(miri)))]
    fn shared_memory_stays_visible_and_in_place() {
        let x = Tensor::from_slice(&[3], &[1_i64, 2, 3]).unwrap();
        let lent = storage_of(&x).lend().unwrap();
        assert!(storage_of(&x).share_memory().is_err());
        drop(lent);
        storage_of(&x).share_memory().unwrap();
        assert!(storage_of(&x).is_shared());
        assert_eq!(x.to_vec::<i64>().unwrap(), [1, 2, 3]);
        assert!(storage_of(&x).resize(400).is_err());
    }
}
