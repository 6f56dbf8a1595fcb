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
