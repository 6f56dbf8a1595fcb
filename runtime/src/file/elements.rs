//! Serialization of elements as little-endian bytes.

use std::io::{Read, Write};
use std::ptr;

use super::failed;
use crate::{DType, Device, Error, Result, Tensor, ensure};

/// How many bytes are copied at once.
const CHUNK: usize = 1 << 16;

/// The bytes of so many elements of these sizes.
pub(super) fn size(shape: &[i64], dtype: DType) -> Result<u64> {
    let mut sizes = shape.iter().map(|&it| u64::try_from(it).ok());
    let count = sizes.try_fold(1_u64, |all, it| all.checked_mul(it?));
    // A size of zero does not excuse others that no tensor can have.
    let largest = shape.iter().try_fold(1_i64, |all, &it| all.checked_mul(it.max(1)));
    let bytes = count.and_then(|it| it.checked_mul(dtype.size() as u64));
    bytes
        .filter(|_| largest.is_some())
        .ok_or_else(|| Error::runtime(format_args!("no tensor has the sizes {shape:?}")))
}

/// Writes the bytes of a tensor without gaps.
pub(super) fn write(dense: &Tensor, to: &mut dyn Write) -> Result<()> {
    let (bytes, start) = (dense.numel() * dense.dtype().size(), dense.data_ptr().cast_const());
    let mut chunk = crate::buffer::filled(bytes.min(CHUNK), 0_u8)?;
    for at in (0..bytes).step_by(CHUNK) {
        let part = &mut chunk[..CHUNK.min(bytes - at)];
        // SAFETY: a tensor without gaps has so many bytes, initialised ones.
        unsafe { ptr::copy_nonoverlapping(start.add(at), part.as_mut_ptr(), part.len()) };
        to_little_endian(part, dense.dtype());
        to.write_all(part).map_err(|it| failed(&it))?;
    }
    Ok(())
}

/// A new tensor of these elements, of which `left` bytes are there.
pub(super) fn read(
    from: &mut dyn Read,
    shape: &[i64],
    dtype: DType,
    is_big_endian: bool,
    left: u64,
) -> Result<Tensor> {
    let claimed = size(shape, dtype)?;
    ensure!(
        claimed <= left,
        Runtime,
        "a tensor of shape {shape:?} has {claimed} bytes, of which {left} are there"
    );
    let tensor = Tensor::allocate(shape, dtype, Device::Cpu)?;
    let (bytes, start) = (tensor.numel() * dtype.size(), tensor.data_ptr());
    let mut chunk = crate::buffer::filled(bytes.min(CHUNK), 0_u8)?;
    for at in (0..bytes).step_by(CHUNK) {
        let part = &mut chunk[..CHUNK.min(bytes - at)];
        from.read_exact(part).map_err(|it| failed(&it))?;
        if is_big_endian != cfg!(target_endian = "big") {
            reverse(part, dtype);
        }
        if dtype == DType::Bool {
            part.iter_mut().for_each(|it| *it = u8::from(*it != 0));
        }
        // SAFETY: a new tensor has so many bytes, without gaps.
        unsafe { ptr::copy_nonoverlapping(part.as_ptr(), start.add(at), part.len()) };
    }
    Ok(tensor)
}

fn to_little_endian(part: &mut [u8], dtype: DType) {
    if cfg!(target_endian = "big") {
        reverse(part, dtype);
    }
}

/// Turns the bytes of each number around.
fn reverse(part: &mut [u8], dtype: DType) {
    part.chunks_exact_mut(dtype.to_real().size()).for_each(<[u8]>::reverse);
}
