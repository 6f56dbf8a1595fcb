//! Scopes: a thread that has opened one records the tensors that its calls return, so that one call
//! frees all of them.
//!
//! Nothing here is locked, so that the child of a fork never waits for a thread that it does not have.
//! A thread alone touches what it has recorded. Who frees a handle that another thread has recorded
//! drops the value, marks the block as freed, and leaves its memory to that thread.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicUsize, Ordering};

use opwright_runtime as rt;

use crate::handle::{self, Tensor};

/// Which thread has recorded a handle, by an address that it alone has.
#[derive(Debug)]
pub(crate) struct Recorder(AtomicUsize);

/// No thread has.
const NOBODY: usize = 0;
/// The value is dropped, and the memory belongs to the thread that has recorded it.
const FREED: usize = 1;

impl Recorder {
    pub(crate) fn nobody() -> Recorder {
        Recorder(AtomicUsize::new(NOBODY))
    }

    pub(crate) fn is_nobody(&self) -> bool {
        self.0.load(Ordering::Relaxed) == NOBODY
    }

    /// Gives the memory to the thread that has recorded the handle; the value is dropped.
    pub(crate) fn give_memory(&self) {
        self.0.store(FREED, Ordering::Release);
    }
}

thread_local! {
    /// How many scopes this thread has opened.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    static OWN: RefCell<Own> = const { RefCell::new(Own(Vec::new())) };
}

/// The scopes of this thread, the innermost last: what is left in them is freed when it ends.
struct Own(Vec<HandleScope>);

impl Drop for Own {
    fn drop(&mut self) {
        DEPTH.set(0);
        for scope in self.0.drain(..) {
            scope.free();
        }
    }
}

/// What calls have returned while a scope was the innermost one.
#[derive(Default)]
struct HandleScope {
    handles: HashSet<usize>,
    /// How many may be there before those that others have freed are looked for.
    bound: usize,
}

/// Fewer are not looked through.
const FEW: usize = 1024;

impl HandleScope {
    fn record(&mut self, handle: usize) -> rt::Result<()> {
        if self.handles.len() >= self.bound.max(FEW) {
            self.sweep();
        }
        let has_room = self.handles.try_reserve(1);
        has_room.map_err(|_| rt::Error::memory("not enough memory for a scope"))?;
        self.handles.insert(handle);
        Ok(())
    }

    /// Gives back the memory of what other threads have freed.
    fn sweep(&mut self) {
        self.handles.retain(|it| !discard_freed(*it));
        self.bound = 2 * self.handles.len();
    }

    /// Frees what is left, and says how much that was.
    fn free(self) -> i64 {
        let mut count = 0;
        for it in self.handles {
            if !discard_freed(it) {
                recorder(it).0.store(NOBODY, Ordering::Relaxed);
                // SAFETY: a recorded handle was handed out, and freeing it would have marked it.
                unsafe { handle::free(pointer(it)) };
                count += 1;
            }
        }
        count
    }
}

fn pointer(handle: usize) -> *mut Tensor {
    ptr::with_exposed_provenance_mut(handle)
}

fn recorder<'a>(handle: usize) -> &'a Recorder {
    // SAFETY: the memory of a recorded handle stays until its scope, which has called this, gives it
    // back.
    unsafe { handle::recorder(pointer(handle)) }
}

/// Gives back the memory of a recorded handle that another thread has freed, if one has.
fn discard_freed(handle: usize) -> bool {
    let is_freed = recorder(handle).0.load(Ordering::Acquire) == FREED;
    if is_freed && let Some(handle) = NonNull::new(pointer(handle)) {
        // SAFETY: its value is dropped, and only its scope, which has called this, knows it.
        unsafe { handle::discard_memory(handle) };
    }
    is_freed
}

/// The number of this thread, which none has that lives.
fn thread(own: &RefCell<Own>) -> usize {
    ptr::from_ref(own).addr()
}

/// Does something with the scopes of this thread, unless it is ending.
fn with_own<T>(act: impl FnOnce(&mut Vec<HandleScope>, usize) -> T) -> Option<T> {
    OWN.try_with(|own| Some(act(&mut own.try_borrow_mut().ok()?.0, thread(own)))).ok().flatten()
}

/// Opens a scope within those that are open.
pub(crate) fn begin() {
    with_own(|scopes, _| {
        scopes.push(HandleScope::default());
        DEPTH.set(scopes.len());
    });
}

/// Closes the innermost scope: frees what it has recorded and nobody has freed, and counts it.
pub(crate) fn end() -> i64 {
    let closed = with_own(|scopes, _| {
        let closed = scopes.pop();
        DEPTH.set(scopes.len());
        closed
    });
    closed.flatten().map_or(0, HandleScope::free)
}

/// Hands what the innermost scope has recorded to the one around it, or to the caller.
pub(crate) fn keep(handle: usize) {
    with_own(|scopes, _| {
        let at = scopes.iter().rposition(|it| it.handles.contains(&handle))?;
        if let Some(around) = at.checked_sub(1) {
            scopes[around].record(handle).ok()?;
        } else {
            recorder(handle).0.store(NOBODY, Ordering::Relaxed);
        }
        scopes[at].handles.remove(&handle).then_some(())
    });
}

/// Records a handle, if a scope of this thread is open.
#[inline]
pub(crate) fn record(handle: usize, recorder: &Recorder) -> rt::Result<()> {
    if DEPTH.get() == 0 { Ok(()) } else { record_in_innermost(handle, recorder) }
}

#[cold]
fn record_in_innermost(handle: usize, recorder: &Recorder) -> rt::Result<()> {
    let recorded = with_own(|scopes, thread| {
        let Some(innermost) = scopes.last_mut() else { return Ok(()) };
        innermost.record(handle)?;
        recorder.0.store(thread, Ordering::Relaxed);
        Ok(())
    });
    recorded.unwrap_or(Ok(()))
}

/// Takes out a recorded handle that is freed. Says no if another thread has recorded it, which then
/// needs its memory.
#[cold]
pub(crate) fn forget(handle: usize, recorder: &Recorder) -> bool {
    let forgotten = with_own(|scopes, thread| {
        let is_own = recorder.0.load(Ordering::Relaxed) == thread;
        if is_own {
            scopes.iter_mut().rev().any(|it| it.handles.remove(&handle));
        }
        is_own
    });
    forgotten.unwrap_or(false)
}
