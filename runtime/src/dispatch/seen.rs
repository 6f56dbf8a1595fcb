//! Records which operators are called, for tests.

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many threads want to know, so that others need not look.
static WATCHING: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// What this thread has called, if somebody wants to know.
    static CALLED: RefCell<Option<Vec<&'static str>>> = const { RefCell::new(None) };
}

/// Runs a function, and tells which operators this thread called meanwhile with tensors that a
/// layer is on: what a layer sees. Calls without layers cost nothing more for it.
///
/// ```
/// use opwright_runtime::{DispatchKey, KernelTable, KeySet, dispatch};
///
/// static TABLE: KernelTable<fn() -> i32> = KernelTable::<fn() -> i32>::new("seven").implicit(|| 7);
/// let layered = KeySet::EMPTY.with(DispatchKey::Autograd);
/// let (kernel, names) = dispatch::seen(|| TABLE.get(layered));
/// assert_eq!((kernel?(), &names[..]), (7, &["seven"][..]));
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub fn seen<R>(run: impl FnOnce() -> R) -> (R, Vec<&'static str>) {
    WATCHING.fetch_add(1, Ordering::Relaxed);
    let restored = SeenGuard(CALLED.replace(Some(Vec::new())));
    let result = run();
    let called = CALLED.take().unwrap_or_default();
    drop(restored);
    (result, called)
}

/// Puts back what was there before, also if the call unwinds.
struct SeenGuard(Option<Vec<&'static str>>);

impl Drop for SeenGuard {
    fn drop(&mut self) {
        CALLED.set(self.0.take());
        WATCHING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Notes the call of an operator, if somebody wants to know.
#[inline]
pub(super) fn note(name: &'static str) {
    if WATCHING.load(Ordering::Relaxed) != 0 {
        note_here(name);
    }
}

#[cold]
fn note_here(name: &'static str) {
    CALLED.with_borrow_mut(|it| it.as_mut().map(|called| called.push(name)));
}
