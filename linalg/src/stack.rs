//! Memory for intermediate results.

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
    /// What products take themselves, once in each thread: twice the last cache of most processors.
    const PACKED: usize = 64 << 20;
    let bytes = request.size_bytes();
    let memory = MemBuffer::try_new(request).map_err(|_| {
        Error::memory(format_args!("not enough memory: tried to allocate {bytes} bytes"))
    })?;
    if bytes > SMALL {
        buffer::check_room(PACKED)?;
    }
    Ok(memory)
}
