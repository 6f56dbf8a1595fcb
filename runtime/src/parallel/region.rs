//! A parallel region: work of one thread, with which helpers of the pool help if they come in time.
//!
//! A helper that gets no processor before the work is done finds the region closed. So the caller waits
//! for helpers that have begun, and not for a processor that another program, or another library's
//! waiting threads, keep busy.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rayon::ThreadPool;

use crate::interrupt::Payload;

type Help<'a> = *const (dyn Fn() + Sync + 'a);

/// The work of a helper, wherever the thread that leads keeps it.
struct Work(Help<'static>);

// SAFETY: what it points to may be used by several threads at once, as its type says.
unsafe impl Send for Work {}
// SAFETY: the same.
unsafe impl Sync for Work {}

struct ParallelRegion {
    work: Work,
    helpers: Mutex<Helpers>,
    left: Condvar,
}

#[derive(Default)]
struct Helpers {
    is_closed: bool,
    /// How many helpers are at it.
    active: usize,
    /// What the first helper that panicked did so with.
    panic: Option<Payload>,
}

/// Runs `lead` on this thread, and `help` on so many threads of the pool as come before it is done.
///
/// Nobody is at it any more when this returns, or unwinds.
///
/// # Panics
///
/// As `lead` does, or else as the first of the helpers.
pub(super) fn run(
    pool: &ThreadPool,
    helpers: usize,
    lead: impl FnOnce(),
    help: &(dyn Fn() + Sync),
) {
    // SAFETY: only a lifetime changes, and nobody uses what has ended: helpers begin in an open region
    // alone, and `Closing` waits for those who have begun.
    let work = Work(unsafe { mem::transmute::<Help<'_>, Help<'static>>(help) });
    let region =
        Arc::new(ParallelRegion { work, helpers: Mutex::default(), left: Condvar::default() });
    let closing = Closing(&region);
    for _ in 0..helpers {
        let region = Arc::clone(&region);
        pool.spawn(move || region.help());
    }
    lead();
    drop(closing);
    let panic = region.helpers().panic.take();
    if let Some(payload) = panic {
        resume_unwind(payload);
    }
}

impl ParallelRegion {
    /// The part of a helper.
    fn help(&self) {
        let mut helpers = self.helpers();
        if helpers.is_closed {
            return;
        }
        helpers.active += 1;
        drop(helpers);
        let Work(work) = self.work;
        // SAFETY: the region was open when this helper was counted, so that who leads is waiting for it.
        let result = catch_unwind(AssertUnwindSafe(|| unsafe { (*work)() }));
        let mut helpers = self.helpers();
        helpers.active -= 1;
        if let Err(payload) = result {
            helpers.panic.get_or_insert(payload);
        }
        if helpers.active == 0 {
            self.left.notify_one();
        }
    }

    fn helpers(&self) -> MutexGuard<'_, Helpers> {
        self.helpers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets no more helpers in, and waits for those who are there, also while its owner unwinds.
struct Closing<'a>(&'a ParallelRegion);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        let Closing(region) = self;
        let mut helpers = region.helpers();
        helpers.is_closed = true;
        while helpers.active > 0 {
            helpers = region.left.wait(helpers).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use rayon::ThreadPoolBuilder;

    use super::*;

    fn pool() -> ThreadPool {
        ThreadPoolBuilder::new().num_threads(1).build().expect("a pool")
    }

    #[test]
    fn a_helper_that_comes_late_is_not_waited_for() {
        let pool = pool();
        let (release, held) = channel::<()>();
        pool.spawn(move || held.recv().expect("it is released"));
        let helped = AtomicUsize::new(0);
        let help = || {
            helped.fetch_add(1, Ordering::Relaxed);
        };
        // The only thread of the pool is held until after this.
        run(&pool, 3, || (), &help);
        release.send(()).expect("the thread waits");
        pool.install(|| ());
        assert_eq!(helped.into_inner(), 0);
    }

    #[test]
    fn who_has_begun_is_waited_for() {
        let pool = pool();
        let (begun, begins) = channel();
        let ended = AtomicUsize::new(0);
        let help = || {
            begun.send(()).expect("who leads listens");
            std::thread::sleep(Duration::from_millis(20));
            ended.fetch_add(1, Ordering::Relaxed);
        };
        let begun_of = Mutex::new(begins);
        let lead = || begun_of.lock().expect("nobody else").recv().expect("a helper begins");
        run(&pool, 1, lead, &help);
        assert_eq!(ended.into_inner(), 1);
        let failed = catch_unwind(AssertUnwindSafe(|| {
            let wait = || std::thread::sleep(Duration::from_millis(20));
            run(&pool, 1, wait, &|| panic!("as it should"));
        }));
        assert!(failed.is_err());
        // The pool is as it was.
        assert_eq!(pool.install(|| 1), 1);
    }
}
