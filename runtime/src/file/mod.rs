//! Files of tensors: `.npy`, `.npz` and `.safetensors`, read from bytes and written to them.
//!
//! Nothing here opens a path, and no code hides in what is read. The formats are read by hand: they
//! are small, every module contains this crate, and a size that a file claims is compared with the
//! bytes that there are before anything is allocated.
//!
//! ```
//! use opwright_runtime::{Tensor, file::npy};
//!
//! let x = Tensor::from_slice(&[2, 2], &[1.0, 2.0, 3.0, 4.0])?;
//! let image = npy::Image::of(&x)?;
//! let mut bytes = Vec::new();
//! image.write(&mut bytes)?;
//! let y = npy::read(&mut &bytes[..], image.len())?;
//! assert_eq!(y.to_vec::<f64>()?, [1.0, 2.0, 3.0, 4.0]);
//! # Ok::<(), opwright_runtime::Error>(())
//! ```

mod crc;
mod elements;
mod json;
mod literal;
pub mod npy;
pub mod npz;
pub mod safetensors;

use std::io::{self, Read};

use crate::{Error, Result, Tensor, buffer, ensure};

/// What several tensors in a file are called.
pub type Named = Vec<(String, Tensor)>;

/// A mistake while reading or writing.
pub fn failed(error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::OutOfMemory => Error::memory("not enough memory"),
        io::ErrorKind::UnexpectedEof => Error::runtime("it ends too early"),
        _ => Error::runtime(error),
    }
}

/// So many bytes, which are there.
fn bytes(from: &mut dyn Read, count: usize) -> Result<Vec<u8>> {
    let mut bytes = buffer::filled(count, 0_u8)?;
    from.read_exact(&mut bytes).map_err(|it| failed(&it))?;
    Ok(bytes)
}

/// So many bytes, of which no more than `left` are there.
fn claimed(from: &mut dyn Read, count: u64, left: u64) -> Result<Vec<u8>> {
    ensure!(count <= left, Runtime, "it claims {count} bytes, of which {left} are there");
    let count = usize::try_from(count).map_err(|_| Error::memory("not enough memory"))?;
    bytes(from, count)
}

/// No name is there twice.
fn check_names(tensors: &[(&str, &Tensor)]) -> Result<()> {
    let mut names = buffer::collected(tensors.iter().map(|it| it.0))?;
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Error::value(format_args!("two tensors are called '{}'", pair[0]))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
