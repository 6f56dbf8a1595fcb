//! Handles: what C holds of a tensor, a generator or a storage.

use std::alloc::{Layout, alloc, dealloc};
use std::any::TypeId;
use std::ptr;

use opwright_runtime as rt;

use crate::count::{self, SPARE, handed_out};
use crate::optimizer;
use crate::scope::{self, Recorder};

/// What a handle points to: a value on the heap.
#[derive(Debug)]
#[repr(transparent)]
pub struct Handle<T>(pub(crate) T);

/// A type whose values C has behind handles.
pub trait Pointee: Sized + 'static {
    /// What messages call one of them: `a Tensor`.
    const NOUN: &'static str;

    /// Waits until C may look at it.
    fn settle(&self) {}
}

impl Pointee for rt::Tensor {
    const NOUN: &'static str = "a Tensor";

    /// Nobody in C waits for a thread that fills memory.
    fn settle(&self) {
        rt::Tensor::settle(self);
    }
}

impl Pointee for rt::Generator {
    const NOUN: &'static str = "a Generator";
}

impl Pointee for rt::Storage {
    const NOUN: &'static str = "a Storage";

    fn settle(&self) {
        self.ready_ptr();
    }
}

impl Pointee for optimizer::Optimizer {
    const NOUN: &'static str = "an optimizer";
}

/// `ow_tensor`
pub type Tensor = Handle<rt::Tensor>;
/// `ow_generator`
pub type Generator = Handle<rt::Generator>;
/// `ow_storage`
pub type Storage = Handle<rt::Storage>;
/// `ow_optimizer`
pub type Optimizer = Handle<optimizer::Optimizer>;

/// A handle that nobody in C has yet.
#[derive(Debug)]
pub struct Owned<T>(ptr::NonNull<Handle<T>>);

/// The memory of a handle; C sees its beginning.
#[repr(C)]
struct HandleMemory<T> {
    handle: Handle<T>,
    recorder: Recorder,
}

impl<T: 'static> Owned<T> {
    /// A handle of a value; an open scope records it, if it is a tensor.
    pub(crate) fn new(value: T) -> rt::Result<Owned<T>> {
        let layout = Layout::new::<HandleMemory<T>>();
        let spare = if layout == SPARE { count::spare() } else { None };
        // SAFETY: the layout is not empty.
        let place = spare.map_or_else(|| unsafe { alloc(layout) }, ptr::NonNull::as_ptr);
        let place = ptr::NonNull::new(place.cast::<HandleMemory<T>>())
            .ok_or_else(|| rt::Error::memory("not enough memory for a handle"))?;
        // SAFETY: there is room for it.
        unsafe {
            place.write(HandleMemory { handle: Handle(value), recorder: Recorder::nobody() })
        };
        let owned = Owned(place.cast::<Handle<T>>());
        if is_tensor::<T>() {
            // SAFETY: it was written above, and nobody else has it.
            let recorder = unsafe { &place.as_ref().recorder };
            scope::record(place.as_ptr().expose_provenance(), recorder)?;
        }
        Ok(owned)
    }

    /// Gives it to C.
    pub(crate) fn hand_out(self) -> *mut Handle<T> {
        let handle = self.0.as_ptr();
        std::mem::forget(self);
        known::add(handle.addr());
        handed_out(1);
        handle
    }
}

fn is_tensor<T: 'static>() -> bool {
    TypeId::of::<T>() == TypeId::of::<rt::Tensor>()
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: `new` has made it, and nobody else has it.
        unsafe { discard(self.0) };
    }
}

/// Who has recorded a handle.
///
/// # Safety
///
/// `Owned::new` has made it, and its memory lives as long as that.
pub(crate) unsafe fn recorder<'a, T>(handle: *mut Handle<T>) -> &'a Recorder {
    // SAFETY: the handle is the beginning of a room.
    unsafe { &(*handle.cast::<HandleMemory<T>>()).recorder }
}

/// Drops what is behind a handle, and its memory, unless a scope of another thread needs it.
///
/// # Safety
///
/// `Owned::new` has made it, and nobody uses it any more.
unsafe fn discard<T>(handle: ptr::NonNull<Handle<T>>) {
    // SAFETY: `Owned::new` has made it, and its memory is given back below.
    let recorder = unsafe { recorder(handle.as_ptr()) };
    let is_alone = recorder.is_nobody() || scope::forget(handle.addr().get(), recorder);
    // SAFETY: it is the caller's alone.
    unsafe { handle.drop_in_place() };
    if !is_alone {
        recorder.give_memory();
        return;
    }
    // SAFETY: its value is dropped.
    unsafe { discard_memory(handle) };
}

/// Gives the memory of a handle back.
///
/// # Safety
///
/// `Owned::new` has made it, its value is dropped, and nobody uses it any more.
pub(crate) unsafe fn discard_memory<T>(handle: ptr::NonNull<Handle<T>>) {
    let layout = Layout::new::<HandleMemory<T>>();
    if layout == SPARE && count::keep(handle.cast()) {
        return;
    }
    // SAFETY: an allocator gave it with this layout, be it for this handle or for one before.
    unsafe { dealloc(handle.as_ptr().cast(), layout) };
}

/// Takes a handle back and drops it; NULL is fine.
///
/// # Safety
///
/// It is NULL, or was handed out and is not used any more.
pub(crate) unsafe fn free<T>(handle: *mut Handle<T>) {
    if handle.is_null() || !known::remove(handle.addr()) {
        return;
    }
    handed_out(-1);
    // SAFETY: it was handed out, so it is not NULL and `Owned::new` has made it.
    unsafe { discard(ptr::NonNull::new_unchecked(handle)) };
}

/// Whether C can have this handle: it is unknown without debug assertions.
pub(crate) fn is_known<T>(handle: *const Handle<T>) -> bool {
    known::has(handle.addr())
}

/// Which handles there are, so that one that was freed is refused.
#[cfg(debug_assertions)]
mod known {
    use std::collections::BTreeSet;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    static KNOWN: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

    fn known() -> MutexGuard<'static, BTreeSet<usize>> {
        KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add(address: usize) {
        known().insert(address);
    }

    pub(super) fn remove(address: usize) -> bool {
        known().remove(&address)
    }

    pub(super) fn has(address: usize) -> bool {
        known().contains(&address)
    }
}

#[cfg(not(debug_assertions))]
mod known {
    pub(super) fn add(_: usize) {}

    pub(super) fn remove(_: usize) -> bool {
        true
    }

    pub(super) fn has(_: usize) -> bool {
        true
    }
}
