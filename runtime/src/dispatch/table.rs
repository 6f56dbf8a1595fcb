//! The kernel table of one overload: a slot for each dispatch key.

use std::mem::MaybeUninit;

use super::exclude::allowed;
use super::key::{DispatchKey, KeySet};
use super::seen;
use crate::{Error, Result};

/// The kernels of one overload, a slot for each dispatch key.
///
/// ```
/// use opwright_runtime::{DispatchKey, KernelTable, KeySet};
///
/// type Table = KernelTable<fn() -> &'static str>;
/// static TABLE: Table =
///     Table::new("greet").with(DispatchKey::Meta, || "meta").implicit(|| "composite");
/// assert_eq!(TABLE.get(KeySet::EMPTY)?(), "composite");
/// assert_eq!(TABLE.get(KeySet::EMPTY.with(DispatchKey::Meta))?(), "meta");
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub struct KernelTable<F> {
    name: &'static str,
    /// There is one in the slot of each known key.
    slots: [MaybeUninit<F>; DispatchKey::COUNT],
    known: KeySet,
}

impl<F: Copy> KernelTable<F> {
    /// The table of the overload `name`, without kernels.
    pub const fn new(name: &'static str) -> Self {
        KernelTable {
            name,
            slots: [MaybeUninit::uninit(); DispatchKey::COUNT],
            known: KeySet::EMPTY,
        }
    }

    /// The table with a kernel for a key.
    #[must_use]
    pub const fn with(mut self, key: DispatchKey, kernel: F) -> Self {
        self.slots[key as usize] = MaybeUninit::new(kernel);
        self.known = self.known.with(key);
        self
    }

    /// The table with a composite kernel, which is an operator of its own, for all backends that
    /// have none yet.
    #[must_use]
    pub const fn explicit(self, kernel: F) -> Self {
        self.fill(kernel, false)
    }

    /// The table with a composite kernel, which is what its parts are to every layer, for all keys
    /// that have none yet.
    #[must_use]
    pub const fn implicit(self, kernel: F) -> Self {
        self.fill(kernel, true)
    }

    const fn fill(mut self, kernel: F, with_layers: bool) -> Self {
        let mut at = 0;
        while at < DispatchKey::COUNT {
            let key = DispatchKey::ALL[at];
            if !self.known.contains(key) && (with_layers || !key.is_layer()) {
                self = self.with(key, kernel);
            }
            at += 1;
        }
        self
    }

    /// The kernel for a call: that of the highest key that has one.
    ///
    /// # Errors
    ///
    /// `NotImplemented` if the backend has none.
    #[inline]
    pub fn get(&self, keys: KeySet) -> Result<F> {
        let at = crate::ok!(slot(self.name, self.known, keys));
        // SAFETY: it is the slot of a known key, in which there is a kernel.
        Ok(unsafe { self.slots.as_ptr().add(at).cast::<F>().read() })
    }

    /// The kernel for exactly this key.
    pub fn at(&self, key: DispatchKey) -> Option<F> {
        // SAFETY: there is a kernel in the slot of a known key.
        self.known.contains(key).then(|| unsafe { self.slots[key as usize].assume_init() })
    }

    /// The name of the overload.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The name of the operator.
    pub fn base(&self) -> &'static str {
        self.name.split_once('.').map_or(self.name, |(base, _)| base)
    }
}

/// The place of the kernel for a call, of which each known key has one. Tables of all types share it.
#[inline]
fn slot(name: &'static str, known: KeySet, keys: KeySet) -> Result<usize> {
    if !keys.has_layers() && known.has_slot(keys.slot()) {
        return Ok(keys.slot());
    }
    highest(name, known, keys).map(|it| it as usize)
}

/// The highest key of a call among those that have a kernel.
#[cold]
#[inline(never)]
fn highest(name: &'static str, known: KeySet, keys: KeySet) -> Result<DispatchKey> {
    let keys = allowed(keys);
    if keys.has_layers() {
        seen::note(name);
    }
    for key in keys.descending() {
        if known.contains(key) {
            return Ok(key);
        }
        // A backend stands for no other one.
        if !key.is_layer() {
            return Err(no_kernel(name, key, known));
        }
    }
    Err(no_kernel(name, DispatchKey::Cpu, known))
}

#[cold]
fn no_kernel(name: &str, backend: DispatchKey, known: KeySet) -> Error {
    let keys = DispatchKey::ALL.iter().copied().filter(|&key| known.contains(key));
    let names: Vec<&str> = keys.map(DispatchKey::name).collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    Error::not_implemented(format_args!(
        "{name} has no kernel for {backend} tensors; there are kernels for: {names}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, dispatch};

    type Kernel = fn() -> i32;

    const META: KeySet = KeySet::EMPTY.with(DispatchKey::Meta);
    const RECORDED: KeySet = KeySet::EMPTY.with(DispatchKey::Autograd);

    #[test]
    fn composites_serve_what_has_no_kernel_of_its_own() {
        static EXPLICIT: KernelTable<Kernel> =
            KernelTable::<Kernel>::new("it.one").with(DispatchKey::Cpu, || 0).explicit(|| 3);
        assert_eq!(EXPLICIT.get(KeySet::EMPTY).unwrap()(), 0);
        assert_eq!(EXPLICIT.get(META).unwrap()(), 3);
        assert!(EXPLICIT.at(DispatchKey::Autograd).is_none());
        static IMPLICIT: KernelTable<Kernel> =
            KernelTable::<Kernel>::new("it.two").with(DispatchKey::Cpu, || 0).implicit(|| 2);
        assert_eq!(IMPLICIT.get(META).unwrap()(), 2);
        assert_eq!(IMPLICIT.get(RECORDED).unwrap()(), 2);
    }

    #[test]
    fn a_layer_goes_first_unless_the_call_is_below_it() {
        static TABLE: KernelTable<Kernel> = KernelTable::<Kernel>::new("it.three")
            .with(DispatchKey::Cpu, || 0)
            .with(DispatchKey::Autograd, || 1);
        assert_eq!(TABLE.get(RECORDED).unwrap()(), 1);
        let below = dispatch::below(DispatchKey::Autograd, || TABLE.get(RECORDED).unwrap()());
        assert_eq!(below, 0);
    }

    #[test]
    fn a_layer_without_a_kernel_lets_calls_through() {
        static TABLE: KernelTable<Kernel> =
            KernelTable::<Kernel>::new("it.four").with(DispatchKey::Meta, || 1);
        assert_eq!(TABLE.get(RECORDED.or(META)).unwrap()(), 1);
        assert!(TABLE.get(RECORDED).is_err());
    }

    #[test]
    fn a_miss_says_what_there_is() {
        static TABLE: KernelTable<Kernel> =
            KernelTable::<Kernel>::new("it.five").with(DispatchKey::Cpu, || 0);
        let error = TABLE.get(META).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotImplemented);
        assert_eq!(
            error.message(),
            "it.five has no kernel for Meta tensors; there are kernels for: CPU"
        );
    }
}
