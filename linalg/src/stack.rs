//! Memory for intermediate results.

use std::cell::Cell;

use faer::dyn_stack::{MemBuffer, StackReq};
use opwright_runtime::{Error, Result, buffer};

/// As much as a decomposition asks for.
///
/// # Errors
///
/// `Memory` if there is not enough, or not enough for the blocks besides that products
/// are made of.
pub(crate) fn memory(request: StackReq) -> Result<MemBuffer> {
    /// Products of less pack nothing.
    const SMALL: usize = 1 << 14;
    let bytes = request.size_bytes();
    let memory = MemBuffer::try_new(request).map_err(|_| {
        Error::memory(format_args!("not enough memory: tried to allocate {bytes} bytes"))
    })?;
    if bytes > SMALL {
        check_packed()?;
    }
    Ok(memory)
}

/// Fails unless this thread has, or could have, the blocks that products are made of.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub(crate) fn check_packed() -> Result<()> {
    /// Twice the last cache of most processors.
    const PACKED: usize = 64 << 20;
    thread_local! {
        /// Each thread takes them once.
        static ARE_THERE: Cell<bool> = const { Cell::new(false) };
    }
    if !ARE_THERE.get() {
        buffer::check_room(PACKED)?;
        ARE_THERE.set(true);
    }
    Ok(())
}
