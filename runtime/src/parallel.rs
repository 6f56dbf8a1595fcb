//! Sharing a range of work among threads.
//!
//! The calling thread works too, and takes piece after piece until none is
//! left; threads of the pool join as they wake up. So a short range costs
//! little more than it would alone. How a range is split never depends on
//! timing, only which thread gets which piece.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::{Result, ensure};

/// 0 until somebody decides; then as many as the machine has.
static THREADS: AtomicUsize = AtomicUsize::new(0);

static POOL: Mutex<Option<Pool>> = Mutex::new(None);

struct Pool {
    /// Threads do not survive a fork; a child needs a pool of its own.
    process: u32,
    helpers: usize,
    threads: Arc<ThreadPool>,
}

/// The number of threads that one call uses at most.
#[inline]
pub fn get_num_threads() -> usize {
    match THREADS.load(Ordering::Relaxed) {
        0 => default_num_threads(),
        count => count,
    }
}

#[cold]
fn default_num_threads() -> usize {
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    // Somebody else may have decided in the meantime.
    match THREADS.compare_exchange(0, count, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => count,
        Err(other) => other,
    }
}

/// Decides how many threads one call uses at most.
///
/// # Errors
///
/// `Runtime` if the number is not positive.
pub fn set_num_threads(count: usize) -> Result<()> {
    ensure!(count > 0, Runtime, "set_num_threads expects a positive integer");
    THREADS.store(count, Ordering::Relaxed);
    Ok(())
}

/// Calls `body` for pieces that make up `0..count`, each of at least `grain`
/// (but the last), on several threads if there is more than one piece.
pub fn for_ranges(count: usize, grain: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
    let threads = get_num_threads();
    let piece = count.div_ceil(threads * PIECES_PER_THREAD).max(grain).max(1);
    if count <= piece || threads == 1 {
        if count > 0 {
            body(0..count);
        }
        return;
    }
    let pieces = count.div_ceil(piece);
    for_each_piece(pieces, threads, &|index| {
        let start = index * piece;
        body(start..count.min(start + piece));
    });
}

/// More pieces than threads, so that a late thread does not hold up the rest.
const PIECES_PER_THREAD: usize = 4;

/// Calls `body` for each of `0..count`, on several threads.
pub fn for_each_index(count: usize, body: &(dyn Fn(usize) + Sync)) {
    for_each_piece(count, get_num_threads(), body);
}

fn for_each_piece(count: usize, threads: usize, body: &(dyn Fn(usize) + Sync)) {
    let helpers = threads.min(count).saturating_sub(1);
    let Some(pool) = pool(threads - 1).filter(|_| helpers > 0) else {
        (0..count).for_each(body);
        return;
    };
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return;
            }
            body(index);
        }
    };
    pool.in_place_scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(|_| work());
        }
        work();
    });
}

/// The pool with so many threads; none if the system refuses.
fn pool(helpers: usize) -> Option<Arc<ThreadPool>> {
    if helpers == 0 {
        return None;
    }
    let process = std::process::id();
    let mut slot = POOL.lock().unwrap_or_else(PoisonError::into_inner);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_is_visited_once() {
        for count in [0, 1, 7, 1000, 4097] {
            for grain in [0, 1, 100, 10_000] {
                let visits: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
                for_ranges(count, grain, &|range| {
                    for visit in &visits[range] {
                        visit.fetch_add(1, Ordering::Relaxed);
                    }
                });
                assert!(visits.iter().all(|it| it.load(Ordering::Relaxed) == 1));
            }
        }
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let result = std::panic::catch_unwind(|| {
            for_each_index(100, &|index| assert!(index != 63, "as it should"));
        });
        assert!(result.is_err());
        assert!(set_num_threads(0).is_err());
    }
}
