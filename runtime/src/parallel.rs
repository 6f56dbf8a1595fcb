//! Data parallelism: shares a range of work among threads.
//!
//! The calling thread works too, and takes piece after piece until none is
//! left; threads of the pool join as they wake up. So a short range costs
//! little more than it would alone.

mod region;

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, TryLockError};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::interrupt::{self, Crew};
use crate::{Error, Result, ensure};

/// 0 until somebody decides; then as many as the environment says or the machine has.
static THREADS: AtomicUsize = AtomicUsize::new(0);

static POOL: Mutex<Option<Pool>> = Mutex::new(None);

thread_local! {
    /// How many threads a call of this one uses at most, whatever holds for all.
    static LIMIT: Cell<usize> = const { Cell::new(usize::MAX) };
}

struct Pool {
    /// Threads do not survive a fork; a child needs a pool of its own.
    process: u32,
    helpers: usize,
    threads: Arc<ThreadPool>,
}

/// The number of threads that one call uses at most.
#[inline]
pub fn get_num_threads() -> usize {
    configured().min(LIMIT.get())
}

#[inline]
fn configured() -> usize {
    match THREADS.load(Ordering::Relaxed) {
        0 => default_num_threads(),
        count => count,
    }
}

#[cold]
fn default_num_threads() -> usize {
    let count = count_of_environment()
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    // Somebody else may have decided in the meantime.
    match THREADS.compare_exchange(0, count, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => count,
        Err(other) => other,
    }
}

/// The variables by which users decide, the first that says a number.
const VARIABLES: [&str; 2] = ["OPWRIGHT_NUM_THREADS", "OMP_NUM_THREADS"];

fn count_of_environment() -> Option<usize> {
    VARIABLES.iter().find_map(|it| positive(&said(it)?))
}

/// What a variable says, if it is set to anything.
fn said(variable: &str) -> Option<String> {
    let text = std::env::var_os(variable)?.to_string_lossy().into_owned();
    (!text.trim().is_empty()).then_some(text)
}

/// The variables that say something else than a positive number of threads, with what they say:
/// those that were asked, up to the first that says one.
pub fn ignored_variables() -> impl Iterator<Item = (&'static str, String)> {
    let asked = VARIABLES.into_iter().filter_map(|it| Some((it, said(it)?)));
    asked.take_while(|(_, text)| positive(text).is_none())
}

/// A positive number; of several, which OpenMP takes for parallel regions within each other, the
/// first.
fn positive(text: &str) -> Option<usize> {
    let first = text.split(',').next().unwrap_or_default();
    first.trim().parse().ok().filter(|&it| it > 0)
}

/// Decides how many threads one call uses at most; more than 256 are never used.
///
/// # Errors
///
/// `Runtime` if the number is not positive.
pub fn set_num_threads(count: usize) -> Result<()> {
    ensure!(count > 0, Runtime, "set_num_threads expects a positive integer");
    THREADS.store(count, Ordering::Relaxed);
    Ok(())
}

/// Runs what is inside with at most so many threads, the calling one among them.
///
/// ```
/// use opwright_runtime::parallel::{get_num_threads, limited};
///
/// assert_eq!(limited(1, get_num_threads), 1);
/// assert!(limited(usize::MAX, get_num_threads) >= 1);
/// ```
pub fn limited<R>(threads: usize, run: impl FnOnce() -> R) -> R {
    let _restored = LimitGuard(LIMIT.replace(threads.max(1)));
    run()
}

/// Puts back the limit that was there before, also if the call unwinds.
struct LimitGuard(usize);

impl Drop for LimitGuard {
    fn drop(&mut self) {
        LIMIT.set(self.0);
    }
}

/// Below so many elements there is nothing to gain from other threads.
const WORTH_TIMING: usize = 16_384;

/// How many elements are worked on to see how long the rest will take.
const SAMPLE: usize = 4096;

/// Waking another thread takes some tens of microseconds where its processor sleeps.
const WORTH_SHARING: Duration = Duration::from_micros(100);

/// How long one piece should take at least.
const PIECE: Duration = Duration::from_micros(15);

/// How long one piece should take at most, for an interrupt has to wait for it.
const LONGEST_PIECE: Duration = Duration::from_millis(10);

/// A single thread takes so many elements without a look at the clock.
const WORTH_INTERRUPTING: usize = 1 << 20;

/// More threads than any machine makes use of are not started, whatever was asked for.
const MOST_THREADS: usize = 256;

/// More pieces than threads, so that a late thread does not hold up the rest.
const PIECES_PER_THREAD: usize = 4;

/// Calls `body` for ranges that make up `0..count`, on several threads if it
/// turns out to take long. Each index stands for `weight` elements or so.
///
/// Where the ranges are cut depends on timing, so `body` must give the same
/// result for any cut.
pub fn share(count: usize, weight: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
    let elements = count.saturating_mul(weight);
    if elements < WORTH_TIMING || count < 2 {
        if count > 0 {
            body(0..count);
        }
        return;
    }
    let threads = get_num_threads().min(MOST_THREADS);
    if threads == 1 && elements < WORTH_INTERRUPTING {
        return body(0..count);
    }
    interrupt::check();
    let sample = (SAMPLE / weight.max(1)).clamp(1, count - 1);
    let start = Instant::now();
    body(0..sample);
    let nanos = start.elapsed().max(Duration::from_nanos(50)).as_nanos() as f64 / sample as f64;
    let rest = count - sample;
    if rest as f64 * nanos < WORTH_SHARING.as_nanos() as f64 {
        body(sample..count);
        return;
    }
    let taking = |time: Duration| (time.as_nanos() as f64 / nanos).ceil() as usize;
    let piece = rest.div_ceil(threads * PIECES_PER_THREAD);
    let piece = piece.clamp(taking(PIECE), taking(LONGEST_PIECE));
    for_each_piece(rest.div_ceil(piece), threads, &|index| {
        let start = sample + index * piece;
        body(start..count.min(start + piece));
    });
}

/// The same for a `body` that may fail; after that, ranges are left out.
///
/// # Errors
///
/// The first error of a range.
pub fn try_share(
    count: usize,
    weight: usize,
    body: &(dyn Fn(Range<usize>) -> Result<()> + Sync),
) -> Result<()> {
    let failure = FirstError::default();
    share(count, weight, &|range| failure.unless(|| body(range)));
    failure.into()
}

/// Calls `body` for each index below `count`, on several threads: for pieces that
/// each take long enough to wake a thread for, some tens of microseconds.
///
/// # Errors
///
/// The first error of a piece; after that, pieces are left out.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// let sum = AtomicUsize::new(0);
/// opwright_runtime::parallel::try_for_each(4, &|index| {
///     sum.fetch_add(index, Ordering::Relaxed);
///     Ok(())
/// })?;
/// assert_eq!(sum.into_inner(), 6);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub fn try_for_each(count: usize, body: &(dyn Fn(usize) -> Result<()> + Sync)) -> Result<()> {
    let failure = FirstError::default();
    let threads = get_num_threads().min(MOST_THREADS);
    for_each_piece(count, threads, &|index| failure.unless(|| body(index)));
    failure.into()
}

/// The first error of several threads.
#[derive(Default)]
struct FirstError(OnceLock<Error>);

impl FirstError {
    /// Runs what may fail, unless something has failed already.
    fn unless(&self, body: impl FnOnce() -> Result<()>) {
        if self.0.get().is_none()
            && let Err(error) = body()
        {
            // Another thread may have failed in the meantime.
            let _ = self.0.set(error);
        }
    }
}

impl From<FirstError> for Result<()> {
    fn from(failure: FirstError) -> Result<()> {
        failure.0.into_inner().map_or(Ok(()), Err)
    }
}

fn for_each_piece(count: usize, threads: usize, body: &(dyn Fn(usize) + Sync)) {
    let crew = Crew::default();
    let next = AtomicUsize::new(0);
    let work = || {
        while !crew.is_stopped() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return;
            }
            body(index);
            interrupt::check();
        }
    };
    let helpers = threads.min(count).saturating_sub(1);
    // Who is limited leaves some threads of the pool alone.
    let all = configured().min(MOST_THREADS);
    let Some(pool) = pool(all - 1).filter(|_| helpers > 0) else { return work() };
    region::run(&pool, helpers, || crew.lead(work), &|| crew.help(work));
}

/// The pool with so many threads; none if the system refuses.
fn pool(helpers: usize) -> Option<Arc<ThreadPool>> {
    if helpers == 0 {
        return None;
    }
    let process = std::process::id();
    let mut slot = match POOL.try_lock() {
        Ok(slot) => slot,
        Err(TryLockError::Poisoned(error)) => error.into_inner(),
        // Another thread is about to start the pool; until then this one works
        // alone. It must not wait: in the child of a fork there may be no such thread.
        Err(TryLockError::WouldBlock) => return None,
    };
    match slot.take() {
        Some(pool) if pool.process != process => std::mem::forget(pool),
        Some(pool) if pool.helpers == helpers => {
            let threads = Arc::clone(&pool.threads);
            *slot = Some(pool);
            return Some(threads);
        }
        _ => {}
    }
    let threads = ThreadPoolBuilder::new()
        .num_threads(helpers)
        .thread_name(|index| format!("opwright-{index}"))
        .build()
        .ok()?;
    let threads = Arc::new(threads);
    *slot = Some(Pool { process, helpers, threads: Arc::clone(&threads) });
    Some(threads)
}

/// A pointer that several threads use, each for elements of its own.
#[derive(Clone, Copy, Debug)]
pub struct Pointer<T>(pub *mut T);

// SAFETY: a pointer alone does nothing; what is read and written through it is
// for the loops to say, which give every thread elements of its own to write.
unsafe impl<T> Sync for Pointer<T> {}

impl<T> Pointer<T> {
    /// The pointer to the element at an offset.
    ///
    /// # Safety
    ///
    /// It is within the same memory, or just behind it.
    #[inline(always)]
    pub unsafe fn at(&self, offset: isize) -> *mut T {
        // SAFETY: the caller has an element there, or the end of the memory.
        unsafe { self.0.offset(offset) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_is_visited_once() {
        for count in [0, 1, 2, 7, 1000, 40_000] {
            for weight in [0, 1, 100, 1_000_000] {
                let visits: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
                share(count, weight, &|range| {
                    for visit in &visits[range] {
                        visit.fetch_add(1, Ordering::Relaxed);
                    }
                });
                assert!(visits.iter().all(|it| it.load(Ordering::Relaxed) == 1));
            }
        }
    }

    #[test]
    fn an_error_reaches_the_caller() {
        let result = try_share(40_000, 100, &|range| {
            ensure!(!range.contains(&30_000), Value, "as it should");
            Ok(())
        });
        assert_eq!(result.unwrap_err().message(), "as it should");
        assert!(try_share(40_000, 100, &|_| Ok(())).is_ok());
        let result = try_for_each(9, &|index| {
            ensure!(index != 5, Value, "as it should");
            Ok(())
        });
        assert_eq!(result.unwrap_err().message(), "as it should");
    }

    #[test]
    fn who_is_limited_works_alone() {
        let caller = std::thread::current().id();
        let work = || {
            share(40_000, 1000, &|_| assert_eq!(std::thread::current().id(), caller));
        };
        limited(1, work);
        assert!(std::panic::catch_unwind(|| limited(1, || panic!("as it should"))).is_err());
        assert_eq!(get_num_threads(), configured());
    }

    #[test]
    fn numbers_of_threads_are_positive() {
        assert_eq!(positive(" 3 "), Some(3));
        assert_eq!(positive("4,2"), Some(4));
        for text in ["", "0", "-1", "two", "1.5", ",2"] {
            assert_eq!(positive(text), None, "{text}");
        }
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let result = std::panic::catch_unwind(|| {
            share(100, 1 << 20, &|range| {
                std::thread::sleep(Duration::from_micros(100));
                assert!(!range.contains(&63), "as it should");
            });
        });
        assert!(result.is_err());
        assert!(set_num_threads(0).is_err());
    }
}
