//! The default dtype of floating results.

use std::sync::atomic::{AtomicU8, Ordering};

use super::DType;
use crate::{Result, ensure};

static DEFAULT: AtomicU8 = AtomicU8::new(DType::Float32 as u8);

/// The dtype that Python floats, integer quotients and new tensors get.
#[inline]
pub fn default_dtype() -> DType {
    DType::ALL[usize::from(DEFAULT.load(Ordering::Relaxed))]
}

/// Makes `dtype` the default, for the whole process.
///
/// # Errors
///
/// `Type` if `dtype` is not a real floating type.
pub fn set_default_dtype(dtype: DType) -> Result<()> {
    ensure!(
        dtype.is_floating(),
        Type,
        "only floating-point types are supported as the default type, not {dtype}"
    );
    DEFAULT.store(dtype as u8, Ordering::Relaxed);
    Ok(())
}
