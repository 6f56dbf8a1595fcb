//! The keys that calls of a thread exclude: those of a layer and above, while the layer runs.

use std::cell::Cell;
use std::marker::PhantomData;

use super::key::{DispatchKey, KeySet};

thread_local! {
    /// The lowest layer that calls of this thread go below; none if they begin at the top.
    static CEILING: Cell<Option<DispatchKey>> = const { Cell::new(None) };
}

/// Runs what is inside without a key and those above it: its calls go to the highest key below.
///
/// Only calls of this thread, and only where a layer is among the keys of the arguments: the
/// backends are never left out.
///
/// ```
/// use opwright_runtime::{DispatchKey, dispatch};
///
/// // What the gradient layer calls itself is not recorded.
/// let result = dispatch::below(DispatchKey::Autograd, || 1 + 1);
/// assert_eq!(result, 2);
/// ```
#[inline]
pub fn below<R>(key: DispatchKey, run: impl FnOnce() -> R) -> R {
    let _guard = ExcludeKeys::new(key);
    run()
}

/// As long as it lives, calls of this thread go below a key: what [`below`] does, without a closure
/// for generated code to be compiled with.
///
/// ```
/// use opwright_runtime::{DispatchKey, dispatch};
///
/// let _guard = dispatch::ExcludeKeys::new(DispatchKey::Autograd);
/// ```
#[must_use = "it ends where it is dropped"]
pub struct ExcludeKeys {
    before: Option<DispatchKey>,
    // It is for the thread that made it.
    _thread: PhantomData<*const ()>,
}

impl ExcludeKeys {
    /// From here on.
    #[inline]
    pub fn new(key: DispatchKey) -> ExcludeKeys {
        let lowest = |before: DispatchKey| before.min(key);
        let before = CEILING.replace(Some(CEILING.get().map_or(key, lowest)));
        ExcludeKeys { before, _thread: PhantomData }
    }
}

/// Puts back what was there before, also if the call unwinds.
impl Drop for ExcludeKeys {
    #[inline]
    fn drop(&mut self) {
        CEILING.set(self.before);
    }
}

/// The keys of a call, without those that this thread is below.
#[inline]
pub(super) fn allowed(keys: KeySet) -> KeySet {
    match CEILING.get() {
        Some(key) if key.is_layer() => keys.below(key),
        Some(_) | None => keys,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded() -> KeySet {
        KeySet::EMPTY.with(DispatchKey::Meta).with(DispatchKey::Autograd)
    }

    #[test]
    fn a_layer_is_left_out_until_the_end() {
        assert_eq!(allowed(recorded()), recorded());
        below(DispatchKey::Autograd, || {
            assert_eq!(allowed(recorded()).highest(), DispatchKey::Meta);
            below(DispatchKey::Autograd, || ());
            assert_eq!(allowed(recorded()).highest(), DispatchKey::Meta);
        });
        assert_eq!(allowed(recorded()), recorded());
    }

    #[test]
    fn what_unwinds_leaves_the_keys_as_they_were() {
        let panicked = std::panic::catch_unwind(|| below(DispatchKey::Autograd, || panic!("seen")));
        assert!(panicked.is_err());
        assert_eq!(allowed(recorded()), recorded());
    }

    #[test]
    fn other_threads_are_where_they_were() {
        below(DispatchKey::Autograd, || {
            std::thread::scope(|it| {
                it.spawn(|| assert_eq!(allowed(recorded()), recorded()));
            });
        });
    }
}
