//! The kernels of one overload.

use std::sync::OnceLock;

use super::{DispatchKey, KeySet};
use crate::{Error, Result, ensure};

/// The kernels of one overload, by dispatch key.
///
/// Those known at compile time are there from the start; others can be
/// registered once per key while the program runs. Reading takes no lock.
pub struct KernelTable<F> {
    name: &'static str,
    built_in: [Option<F>; DispatchKey::COUNT],
    registered: [OnceLock<F>; DispatchKey::COUNT],
}

impl<F: Copy> KernelTable<F> {
    /// The table of the overload `name`, with kernels for `CPU`, `Meta`,
    /// `CompositeImplicit` and `CompositeExplicit`, in this order.
    pub const fn new(name: &'static str, kernels: [Option<F>; DispatchKey::COUNT]) -> Self {
        KernelTable {
            name,
            built_in: kernels,
            registered: [const { OnceLock::new() }; DispatchKey::COUNT],
        }
    }

    /// The kernel for a call: the backend's own, else `CompositeExplicit`, else
    /// `CompositeImplicit`.
    ///
    /// # Errors
    ///
    /// `NotImplemented` if there is none.
    #[inline]
    pub fn get(&self, keys: KeySet) -> Result<F> {
        match self.built_in[keys.backend() as usize] {
            Some(kernel) => Ok(kernel),
            None => self.find(keys.backend()),
        }
    }

    /// The kernel for exactly this key.
    pub fn at(&self, key: DispatchKey) -> Option<F> {
        match self.built_in[key as usize] {
            Some(kernel) => Some(kernel),
            None => self.registered[key as usize].get().copied(),
        }
    }

    /// Registers a kernel for a key that has none.
    ///
    /// # Errors
    ///
    /// `Runtime` if the key has a kernel.
    pub fn register(&self, key: DispatchKey, kernel: F) -> Result<()> {
        let is_new = self.built_in[key as usize].is_none()
            && self.registered[key as usize].set(kernel).is_ok();
        ensure!(is_new, Runtime, "{} has a kernel for {key} already", self.name);
        Ok(())
    }

    /// The name of the overload.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    // The compiler makes one for each type of kernels, which is enough.
    #[inline(never)]
    fn find(&self, backend: DispatchKey) -> Result<F> {
        for key in [backend, DispatchKey::CompositeExplicit, DispatchKey::CompositeImplicit] {
            if let Some(kernel) = self.at(key) {
                return Ok(kernel);
            }
        }
        Err(no_kernel(self.name, backend, &|key| self.at(key).is_some()))
    }
}

#[cold]
fn no_kernel(name: &str, backend: DispatchKey, has: &dyn Fn(DispatchKey) -> bool) -> Error {
    let keys = DispatchKey::ALL.into_iter().filter(|&key| has(key));
    let names: Vec<&str> = keys.map(DispatchKey::name).collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    Error::not_implemented(format_args!(
        "{name} has no kernel for {backend} tensors; there are kernels for: {names}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    type Kernel = fn() -> i32;

    #[test]
    fn the_backend_goes_first_then_the_composites() {
        static TABLE: KernelTable<Kernel> =
            KernelTable::new("it.one", [Some(|| 0), None, Some(|| 2), None]);
        let meta = KeySet::EMPTY.with(DispatchKey::Meta);
        assert_eq!(TABLE.get(KeySet::EMPTY).unwrap()(), 0);
        assert_eq!(TABLE.get(meta).unwrap()(), 2);
        TABLE.register(DispatchKey::CompositeExplicit, || 3).unwrap();
        assert_eq!(TABLE.get(meta).unwrap()(), 3);
        TABLE.register(DispatchKey::Meta, || 1).unwrap();
        assert_eq!(TABLE.get(meta).unwrap()(), 1);
        assert!(TABLE.register(DispatchKey::Meta, || 9).is_err());
        assert!(TABLE.register(DispatchKey::Cpu, || 9).is_err());
    }

    #[test]
    fn a_miss_says_what_there_is() {
        static TABLE: KernelTable<Kernel> =
            KernelTable::new("it.two", [Some(|| 0), None, None, None]);
        let error = TABLE.get(KeySet::EMPTY.with(DispatchKey::Meta)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotImplemented);
        assert_eq!(
            error.message(),
            "it.two has no kernel for Meta tensors; there are kernels for: CPU"
        );
    }
}
