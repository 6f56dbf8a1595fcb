//! Scopes: a thread that has opened one records the tensors that its calls return, so that one call
//! frees all of them.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opwright_runtime as rt;

/// The handles that each open scope of a thread has recorded; the innermost is the last.
type Scopes = Mutex<Vec<HashSet<usize>>>;

/// Threads that have opened a scope, so that any thread may free what they have recorded.
static THREADS: Mutex<Vec<Arc<Scopes>>> = Mutex::new(Vec::new());

/// How many scopes are open in all threads.
static OPEN: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// How many this thread has opened.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    static OWN: RefCell<Option<Own>> = const { RefCell::new(None) };
}

/// The scopes of this thread, which end with it.
struct Own(Arc<Scopes>);

impl Own {
    fn new() -> Own {
        let scopes = Arc::new(Scopes::default());
        locked(&THREADS).push(Arc::clone(&scopes));
        Own(scopes)
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        OPEN.fetch_sub(locked(&self.0).len(), Ordering::Relaxed);
        locked(&THREADS).retain(|it| !Arc::ptr_eq(it, &self.0));
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something with the scopes of this thread, if it has had any.
fn with_own<T>(act: impl FnOnce(&mut Vec<HashSet<usize>>) -> T) -> Option<T> {
    let own = OWN.try_with(|own| own.borrow().as_ref().map(|it| Arc::clone(&it.0)));
    own.ok().flatten().map(|it| act(&mut locked(&it)))
}

/// Opens a scope within those that are open.
pub(crate) fn begin() {
    let _ = OWN.try_with(|own| {
        locked(&own.borrow_mut().get_or_insert_with(Own::new).0).push(HashSet::new());
        OPEN.fetch_add(1, Ordering::Relaxed);
        DEPTH.set(DEPTH.get() + 1);
    });
}

/// Closes the innermost scope: what it has recorded and nobody has freed.
pub(crate) fn end() -> HashSet<usize> {
    let Some(left) = with_own(Vec::pop).flatten() else { return HashSet::new() };
    OPEN.fetch_sub(1, Ordering::Relaxed);
    DEPTH.set(DEPTH.get() - 1);
    left
}

/// Hands what the innermost scope has recorded to the one around it, or to the caller.
pub(crate) fn keep(handle: usize) {
    with_own(|scopes| {
        let at = scopes.iter().rposition(|it| it.contains(&handle))?;
        scopes[at].remove(&handle);
        let around = at.checked_sub(1).and_then(|it| scopes.get_mut(it))?;
        around.try_reserve(1).ok().map(|()| around.insert(handle))
    });
}

/// Records a handle, if a scope of this thread is open.
#[inline]
pub(crate) fn record(handle: usize) -> rt::Result<()> {
    if DEPTH.get() == 0 { Ok(()) } else { record_in_innermost(handle) }
}

#[cold]
fn record_in_innermost(handle: usize) -> rt::Result<()> {
    let recorded = with_own(|scopes| {
        let Some(innermost) = scopes.last_mut() else { return Ok(()) };
        let has_room = innermost.try_reserve(1);
        has_room.map_err(|_| rt::Error::memory("not enough memory for a scope"))?;
        innermost.insert(handle);
        Ok(())
    });
    recorded.unwrap_or(Ok(()))
}

/// Takes out a handle that is freed, whichever thread has recorded it.
#[inline]
pub(crate) fn forget(handle: usize) {
    if OPEN.load(Ordering::Relaxed) > 0 {
        forget_in_any(handle);
    }
}

#[cold]
fn forget_in_any(handle: usize) {
    let remove =
        |scopes: &mut Vec<HashSet<usize>>| scopes.iter_mut().rev().any(|it| it.remove(&handle));
    if with_own(remove) != Some(true) {
        locked(&THREADS).iter().any(|it| remove(&mut locked(it)));
    }
}
