//! Comparison sort that can be interrupted.

use std::cmp::Ordering;

use opwright_runtime::interrupt;

/// Fewer keys are in order before anybody could interrupt.
const WORTH_CHECKING: usize = 1 << 20;

/// Sorts keys with neither registers nor memory.
pub(super) fn sort_by_comparing<K: Ord>(keys: &mut [K]) {
    if keys.len() < WORTH_CHECKING {
        return keys.sort_unstable();
    }
    keys.sort_unstable_by(checked(K::cmp));
}

/// A comparison with a check for an interrupt once in so many.
pub(super) fn checked<T>(
    mut compare: impl FnMut(&T, &T) -> Ordering,
) -> impl FnMut(&T, &T) -> Ordering {
    let mut compared = 0;
    move |a, b| {
        compared += 1;
        interrupt::check_at(compared);
        compare(a, b)
    }
}
