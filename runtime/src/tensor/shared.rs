//! An intrusive reference count: a box that handles share.
//!
//! Like `std::sync::Arc` without weak references, which nobody here needs: most
//! tensors have one handle and die young, and then neither making nor dropping
//! one takes an atomic read-modify-write.

use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

use crate::block_cache::{self, CacheBlock};
use crate::{Error, Result};

/// A handle to a shared value; the last one drops it.
pub(super) struct Shared<T> {
    inner: NonNull<SharedInner<T>>,
    owns: PhantomData<SharedInner<T>>,
}

#[repr(C)]
struct SharedInner<T> {
    count: AtomicUsize,
    value: T,
}

// SAFETY: handles give shared access from all their threads, and any of them
// may be the one that drops the value.
unsafe impl<T: Send + Sync> Send for Shared<T> {}
// SAFETY: as above; a shared handle can be cloned.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

/// What can be shared.
pub(super) trait SharedValue {
    /// Changes a value that was made in inference mode, as it is new.
    fn note_inference(&mut self);
}

impl<T> Shared<T> {
    /// How far a value is behind the start of its block.
    pub(super) const VALUE_OFFSET: usize = std::mem::offset_of!(SharedInner<T>, value);

    #[inline]
    pub(super) fn is_same(a: &Shared<T>, b: &Shared<T>) -> bool {
        a.inner == b.inner
    }

    /// The number of handles.
    #[inline]
    pub(super) fn count(this: &Shared<T>) -> usize {
        this.inner().count.load(Ordering::Acquire)
    }

    /// The value, if this is the only handle.
    #[inline]
    pub(super) fn get_mut(this: &mut Shared<T>) -> Option<&mut T> {
        if Shared::count(this) != 1 {
            return None;
        }
        // SAFETY: there is no other handle, and none can come up while this one
        // is borrowed.
        Some(unsafe { &mut this.inner.as_mut().value })
    }

    #[inline]
    fn inner(&self) -> &SharedInner<T> {
        // SAFETY: the box lives as long as a handle does.
        unsafe { self.inner.as_ref() }
    }
}

impl<T: SharedValue> Shared<T> {
    /// A handle to a value; `Memory` if the system refuses.
    #[inline]
    pub(super) fn new(value: T) -> Result<Shared<T>> {
        Shared::made_by(|| value)
    }

    /// As [`Shared::new`], for values that are large enough to be made where
    /// they will stay.
    #[inline(always)]
    pub(super) fn made_by(make: impl FnOnce() -> T) -> Result<Shared<T>> {
        // SAFETY: there is room for a value.
        Shared::emplace(|place: *mut T| unsafe { place.write(make()) })
    }

    /// A handle to a value that is made where it will stay; the memory of one
    /// that panics in `make` is lost.
    #[inline(always)]
    pub(super) fn emplace(make: impl FnOnce(*mut T)) -> Result<Shared<T>> {
        let Some(block) = block_cache::take() else { return Err(no_block()) };
        Ok(Shared::emplace_in(block, make))
    }

    /// The same in a block, which is left to the value.
    #[inline(always)]
    pub(super) fn emplace_in(block: CacheBlock, make: impl FnOnce(*mut T)) -> Shared<T> {
        const { assert!(size_of::<SharedInner<T>>() <= block_cache::SIZE) };
        const { assert!(align_of::<SharedInner<T>>() <= block_cache::ALIGNMENT) };
        let inner = block.memory.cast::<SharedInner<T>>();
        // SAFETY: a block is new memory that nobody else has, and there is room as asserted.
        unsafe {
            (&raw mut (*inner.as_ptr()).count).write(AtomicUsize::new(1));
            make(&raw mut (*inner.as_ptr()).value);
            if block.is_marked {
                (*inner.as_ptr()).value.note_inference();
            }
        }
        Shared { inner, owns: PhantomData }
    }

    /// As [`Shared::made_by`], in a block.
    #[inline(always)]
    pub(super) fn made_in(block: CacheBlock, make: impl FnOnce() -> T) -> Shared<T> {
        // SAFETY: there is room for a value.
        Shared::emplace_in(block, |place: *mut T| unsafe { place.write(make()) })
    }
}

impl<T: Clone + SharedValue> Shared<T> {
    /// The value, copied first if there are other handles.
    #[inline]
    pub(super) fn make_mut(this: &mut Shared<T>) -> Result<&mut T> {
        if Shared::count(this) != 1 {
            *this = Shared::new(T::clone(this))?;
        }
        // SAFETY: there is no other handle, and none can come up while this one
        // is borrowed.
        Ok(unsafe { &mut this.inner.as_mut().value })
    }
}

#[cold]
pub(super) fn no_block() -> Error {
    Error::memory(format_args!("not enough memory: tried to allocate {} bytes", block_cache::SIZE))
}

impl<T> Deref for Shared<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.inner().value
    }
}

impl<T> Clone for Shared<T> {
    #[inline]
    fn clone(&self) -> Shared<T> {
        // A new handle needs no ordering: it comes from one that is alive.
        let before = self.inner().count.fetch_add(1, Ordering::Relaxed);
        if before > isize::MAX as usize {
            // So many forgotten handles would let the count wrap around.
            std::process::abort();
        }
        Shared { inner: self.inner, owns: PhantomData }
    }
}

impl<T> Drop for Shared<T> {
    #[inline]
    fn drop(&mut self) {
        let count = &self.inner().count;
        // A handle that is alone stays alone, as new ones come from others only.
        if count.load(Ordering::Acquire) != 1 {
            if count.fetch_sub(1, Ordering::Release) != 1 {
                return;
            }
            // What other threads did with the value is over before it is dropped.
            fence(Ordering::Acquire);
        }
        // SAFETY: this was the last handle to memory from `Shared::new`.
        unsafe {
            self.inner.drop_in_place();
            block_cache::free(self.inner.cast());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    impl SharedValue for Arc<()> {
        fn note_inference(&mut self) {}
    }

    impl SharedValue for i32 {
        fn note_inference(&mut self) {}
    }

    #[test]
    fn the_last_handle_drops_the_value() {
        let witness = Arc::new(());
        let first = Shared::new(Arc::clone(&witness)).unwrap();
        let second = first.clone();
        assert!(Shared::is_same(&first, &second));
        drop(first);
        assert_eq!(Arc::strong_count(&witness), 2);
        drop(second);
        assert_eq!(Arc::strong_count(&witness), 1);
    }

    #[test]
    fn only_a_lone_handle_changes_the_value() {
        let mut first = Shared::new(1).unwrap();
        let second = first.clone();
        assert!(Shared::get_mut(&mut first).is_none());
        *Shared::make_mut(&mut first).unwrap() += 1;
        assert_eq!((*first, *second), (2, 1));
        assert!(Shared::get_mut(&mut first).is_some());
    }

    #[test]
    fn threads_share_handles() {
        let witness = Arc::new(());
        let shared = Shared::new(Arc::clone(&witness)).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let mine = shared.clone();
                scope.spawn(move || {
                    for _ in 0..100 {
                        drop(mine.clone());
                    }
                });
            }
        });
        assert_eq!(Shared::count(&shared), 1);
        drop(shared);
        assert_eq!(Arc::strong_count(&witness), 1);
    }
}
