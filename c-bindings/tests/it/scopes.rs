//! Scopes free what calls have returned.

use std::ptr;
use std::thread;

use opwright_c_bindings::{Tensor, fixed};

/// A number.
fn number() -> *mut Tensor {
    let (data, mut result) = (1.0_f64, ptr::null_mut());
    // SAFETY: there is one number, and no size.
    let status = unsafe {
        fixed::tensor_from_data((&raw const data).cast(), ptr::null(), 0, 9, &mut result)
    };
    assert!(status.is_null());
    result
}

/// How many handles there are more than before.
fn more(act: impl FnOnce()) -> i64 {
    // SAFETY: it takes nothing.
    let live = || unsafe { fixed::live_handles() };
    let before = live();
    act();
    live() - before
}

#[test]
fn what_is_left_is_freed() {
    let _turn = crate::alone();
    let left = more(|| {
        // SAFETY: handles are not used after they are freed.
        unsafe {
            fixed::scope_begin();
            let (freed, _) = (number(), number());
            fixed::tensor_free(freed);
            fixed::scope_begin();
            let (kept, _) = (number(), number());
            fixed::scope_keep(kept);
            assert_eq!(fixed::scope_end(), 1);
            assert_eq!(fixed::tensor_ndim(kept), 0);
            assert_eq!(fixed::scope_end(), 2);
            assert_eq!(fixed::scope_end(), 0);
        }
    });
    assert_eq!(left, 0);
}

#[test]
fn what_is_kept_in_the_outermost_is_the_callers() {
    let _turn = crate::alone();
    let left = more(|| {
        // SAFETY: handles are not used after they are freed.
        unsafe {
            let before = number();
            fixed::scope_begin();
            let kept = number();
            fixed::scope_keep(kept);
            fixed::scope_keep(before);
            fixed::scope_keep(ptr::null_mut());
            assert_eq!(fixed::scope_end(), 0);
            fixed::tensor_free(kept);
            fixed::tensor_free(before);
        }
    });
    assert_eq!(left, 0);
}

#[test]
fn another_thread_may_free_what_is_recorded() {
    let _turn = crate::alone();
    let left = more(|| {
        // SAFETY: handles are not used after they are freed.
        unsafe {
            fixed::scope_begin();
            let address = number().expose_provenance();
            let other = thread::spawn(move || {
                let own = number();
                fixed::tensor_free(ptr::with_exposed_provenance_mut(address));
                fixed::tensor_free(own);
                fixed::scope_begin();
            });
            other.join().expect("no panic");
            assert_eq!(fixed::scope_end(), 0);
        }
    });
    assert_eq!(left, 0);
}

#[test]
fn a_thread_that_ends_closes_its_scopes() {
    let _turn = crate::alone();
    let left = more(|| {
        let ending = || {
            // SAFETY: they take nothing.
            unsafe {
                fixed::scope_begin();
                let _ = (number(), number());
                fixed::scope_begin();
                let _ = number();
            }
        };
        thread::spawn(ending).join().expect("no panic");
    });
    assert_eq!(left, 0);
}

/// What others free while a scope goes on does not pile up, and what they have freed is not freed
/// again, whatever has its memory then.
#[test]
fn others_free_much_of_what_is_recorded() {
    let _turn = crate::alone();
    let left = more(|| {
        // SAFETY: handles are not used after they are freed.
        unsafe {
            fixed::scope_begin();
            for _ in 0..5 {
                let addresses: Vec<usize> =
                    (0..1000).map(|_| number().expose_provenance()).collect();
                let free = move || {
                    for address in addresses {
                        fixed::tensor_free(ptr::with_exposed_provenance_mut(address));
                    }
                };
                thread::spawn(free).join().expect("no panic");
            }
            let kept = number();
            fixed::scope_keep(kept);
            assert_eq!(fixed::scope_end(), 0);
            fixed::tensor_free(kept);
        }
    });
    assert_eq!(left, 0);
}

/// The child of a fork has one thread, and what the others held at that moment stays so for ever.
#[cfg(unix)]
#[test]
fn a_child_does_not_wait_for_threads_that_it_does_not_have() {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};

    unsafe extern "C" {
        fn fork() -> i32;
        fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
        fn kill(process: i32, signal: i32) -> i32;
        fn _exit(status: i32) -> !;
    }
    const WNOHANG: i32 = 1;
    const SIGKILL: i32 = 9;

    /// Makes and frees numbers in scopes.
    fn busy() {
        // SAFETY: handles are not used after they are freed.
        unsafe {
            fixed::scope_begin();
            let (kept, freed) = (number(), number());
            fixed::tensor_free(freed);
            fixed::scope_keep(kept);
            fixed::scope_end();
            fixed::tensor_free(kept);
        }
    }

    // Only with debug assertions all handles are in one list, behind a lock.
    if cfg!(debug_assertions) {
        return;
    }
    let _turn = crate::alone();
    let before = number().expose_provenance();
    let is_over = AtomicBool::new(false);
    thread::scope(|threads| {
        for _ in 0..3 {
            threads.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    busy();
                }
            });
        }
        let mut hung = 0;
        for _ in 0..60 {
            // SAFETY: the child calls the library alone, and then ends.
            let child = unsafe { fork() };
            if child == 0 {
                for _ in 0..100 {
                    busy();
                }
                // SAFETY: this process has a copy of it, which it frees once, and ends.
                unsafe {
                    fixed::tensor_free(ptr::with_exposed_provenance_mut(before));
                    _exit(0);
                }
            }
            let (start, mut status) = (Instant::now(), 0);
            // SAFETY: it is a child of this process, and there is room for its status.
            while unsafe { waitpid(child, &raw mut status, WNOHANG) } == 0 {
                if start.elapsed() > Duration::from_secs(10) {
                    hung += 1;
                    // SAFETY: it is a child of this process.
                    unsafe {
                        kill(child, SIGKILL);
                        waitpid(child, &raw mut status, 0);
                    }
                }
                thread::sleep(Duration::from_millis(1));
            }
        }
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(hung, 0, "of 60 children");
    });
    // SAFETY: this process has not freed it.
    unsafe { fixed::tensor_free(ptr::with_exposed_provenance_mut(before)) };
}
