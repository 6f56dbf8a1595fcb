//! Live allocations of C: handles, lists, texts and errors; and memory of handles that it has freed.
//!
//! Each thread counts for itself, and keeps some memory for its next handles, so that a call need not
//! lock a number that all threads share, nor ask the allocator.

use std::alloc::Layout;
use std::cell::{Cell, OnceCell, UnsafeCell};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// What one thread at a time counts in: a line of the cache of its own. What a thread that ended has
/// counted stays there, and the next one goes on from that.
#[repr(align(64))]
struct Counter {
    count: AtomicI64,
    is_taken: AtomicBool,
    spares: UnsafeCell<Spares>,
}

// SAFETY: only the thread that has taken it looks at the spares, and taking it acquires what the one
// before has released.
unsafe impl Sync for Counter {}

/// Memory for handles, which nobody uses.
struct Spares {
    all: [*mut u8; SPARES],
    len: usize,
}

/// As many are kept; none where tools look for memory that is used after it was freed.
const SPARES: usize = if cfg!(debug_assertions) { 0 } else { 32 };

/// What they have room for.
pub(crate) const SPARE: Layout = Layout::new::<[*mut u8; 2]>();

/// As many threads count alone.
const COUNTERS: usize = 256;

static ALONE: [Counter; COUNTERS] = [const { Counter::new() }; COUNTERS];

impl Counter {
    const fn new() -> Counter {
        Counter {
            count: AtomicI64::new(0),
            is_taken: AtomicBool::new(false),
            spares: UnsafeCell::new(Spares { all: [ptr::null_mut(); SPARES], len: 0 }),
        }
    }
}

/// What all others count in, and those that are ending.
static TOGETHER: AtomicI64 = AtomicI64::new(0);

thread_local! {
    static OWN: Cell<Option<&'static Counter>> = const { Cell::new(None) };
    static TAKEN: OnceCell<ThreadCounter> = const { OnceCell::new() };
}

/// The counter of a thread, if there was one left for it.
struct ThreadCounter(Option<&'static Counter>);

impl ThreadCounter {
    fn new() -> ThreadCounter {
        let is_free = |it: &&Counter| !it.is_taken.swap(true, Ordering::Acquire);
        ThreadCounter(ALONE.iter().find(is_free))
    }
}

impl Drop for ThreadCounter {
    fn drop(&mut self) {
        OWN.set(None);
        if let Some(counter) = self.0 {
            counter.is_taken.store(false, Ordering::Release);
        }
    }
}

/// How much there is.
pub(crate) fn live() -> i64 {
    let alone: i64 = ALONE.iter().map(|it| it.count.load(Ordering::Relaxed)).sum();
    alone + TOGETHER.load(Ordering::Relaxed)
}

/// Counts what C has to free from now on, or has freed.
#[inline]
pub(crate) fn handed_out(count: i64) {
    match OWN.get() {
        // No other thread writes to it.
        Some(own) => own.count.store(own.count.load(Ordering::Relaxed) + count, Ordering::Relaxed),
        None => without_own(count),
    }
}

/// Memory for a handle, if this thread has some to spare: it is the caller's now.
#[inline]
pub(crate) fn spare() -> Option<NonNull<u8>> {
    let own = OWN.get()?;
    // SAFETY: the counter is this thread's, and nothing here comes back to it.
    let spares = unsafe { &mut *own.spares.get() };
    let last = spares.len.checked_sub(1)?;
    spares.len = last;
    spares.all.get(last).copied().and_then(NonNull::new)
}

/// Keeps memory for a handle, which the allocator gave for that, or says that there is enough.
#[inline]
pub(crate) fn keep(memory: NonNull<u8>) -> bool {
    let Some(own) = OWN.get() else { return false };
    // SAFETY: the counter is this thread's, and nothing here comes back to it.
    let spares = unsafe { &mut *own.spares.get() };
    let Some(place) = spares.all.get_mut(spares.len) else { return false };
    *place = memory.as_ptr();
    spares.len += 1;
    true
}

#[cold]
fn without_own(count: i64) {
    match TAKEN.try_with(|it| it.get_or_init(ThreadCounter::new).0) {
        Ok(Some(own)) => {
            OWN.set(Some(own));
            handed_out(count);
        }
        Ok(None) | Err(_) => {
            TOGETHER.fetch_add(count, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// Counts once more when its thread ends.
    struct Late;

    impl Drop for Late {
        fn drop(&mut self) {
            handed_out(3000);
        }
    }

    thread_local! {
        static LATE: Late = const { Late };
    }

    #[test]
    fn threads_count_together() {
        let before = live();
        let late = || {
            LATE.with(|_| ());
            handed_out(2000);
        };
        let threads: Vec<_> = (0..2 * COUNTERS).map(|_| thread::spawn(late)).collect();
        let all: i64 = threads.iter().map(|_| 5000).sum();
        threads.into_iter().for_each(|it| it.join().expect("it only counts"));
        // Other tests have a few errors at the same time.
        assert!((live() - before - all).abs() < 1000);
        handed_out(-all);
        assert!((live() - before).abs() < 1000);
    }
}
