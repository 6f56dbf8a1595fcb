//! Storages over the memory of another one, where writes are counted apart.

use std::ptr::NonNull;

use super::{INFERENCE, LENT, Storage};
use crate::Result;
use crate::tensor::shared::Shared;

impl Storage {
    /// The storage that has the memory: another one, if this one only
    /// [counts apart](Storage::counted_apart).
    #[inline]
    pub fn root(&self) -> &Storage {
        self.0.rare.get().and_then(|it| it.root()).unwrap_or(self)
    }

    /// The same memory, where what is written through the new handle is counted apart, from a number
    /// on. The memory stays where it is as long as the new handle lives.
    ///
    /// # Errors
    ///
    /// `Runtime` if another thread is moving the memory; `Memory` if the system refuses.
    pub fn counted_apart(&self, version: u32) -> Result<Storage> {
        let root = self.root();
        let lent = root.lend()?;
        let start = NonNull::new(root.ready_ptr()).expect("memory is somewhere");
        // SAFETY: every byte is initialised, and what is lent neither moves nor goes before its owner.
        let mut storage =
            unsafe { Storage::foreign(start, root.capacity(), Box::new(lent), true) }?;
        if let Some(buffer) = Shared::get_mut(&mut storage.0) {
            buffer.flags = LENT | (root.0.flags & INFERENCE);
            *buffer.version.get_mut() = version;
        }
        Ok(storage)
    }
}
