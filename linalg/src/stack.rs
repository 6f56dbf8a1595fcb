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
    /// What products pack, at most, in memory that they take themselves.
    const PACKED: usize = 1 << 20;
    let bytes = request.size_bytes();
    let memory = MemBuffer::try_new(request).map_err(|_| {
        Error::memory(format_args!("not enough memory: tried to allocate {bytes} bytes"))
    })?;
    if bytes > PACKED {
        buffer::check_room(PACKED)?;
    }
    Ok(memory)
}
