//! `.npy`: one tensor, as numpy writes arrays.

use std::io::{Read, Write};

use super::{bytes, claimed, elements, failed, literal};
use crate::dtype::TypeCode;
use crate::{DType, Error, Result, Tensor, buffer, ensure, view};

const MAGIC: &[u8] = b"\x93NUMPY";
/// Headers and elements begin at multiples of this.
const ALIGNMENT: usize = 64;
/// A longer header says nothing that is read.
const LONGEST_HEADER: u64 = 1 << 16;

/// A tensor as it is in a file.
#[derive(Debug)]
pub struct Image {
    header: Vec<u8>,
    dense: Tensor,
}

impl Image {
    /// The image of a tensor.
    ///
    /// # Errors
    ///
    /// `Type` if numpy has no such dtype, `NotImplemented` for tensors without elements' memory,
    /// `Memory`.
    pub fn of(tensor: &Tensor) -> Result<Image> {
        tensor.check_readable()?;
        let header = header(tensor.shape(), tensor.dtype())?;
        Ok(Image { header, dense: tensor.to_contiguous()? })
    }

    /// How many bytes it has.
    #[expect(clippy::len_without_is_empty, reason = "it has a header")]
    pub fn len(&self) -> u64 {
        (self.header.len() + self.dense.numel() * self.dense.dtype().size()) as u64
    }

    /// Writes it.
    ///
    /// # Errors
    ///
    /// `Runtime` if that fails.
    pub fn write(&self, to: &mut dyn Write) -> Result<()> {
        to.write_all(&self.header).map_err(|it| failed(&it))?;
        elements::write(&self.dense, to)
    }
}

fn header(shape: &[i64], dtype: DType) -> Result<Vec<u8>> {
    let descr = descr(dtype)?;
    let sizes: String = shape.iter().map(|it| format!("{it}, ")).collect();
    let sizes = if shape.len() > 1 { sizes.trim_end_matches(", ") } else { sizes.trim_end() };
    let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({sizes}), }}");
    // Version 1 has two bytes for the length, version 2 has four.
    let short = (MAGIC.len() + 4 + text.len() + 1).next_multiple_of(ALIGNMENT);
    let is_short = short <= usize::from(u16::MAX);
    let head = MAGIC.len() + if is_short { 4 } else { 6 };
    let whole = (head + text.len() + 1).next_multiple_of(ALIGNMENT);
    let mut out = buffer::with_capacity(whole)?;
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(if is_short { &[1, 0] } else { &[2, 0] });
    out.extend_from_slice(&((whole - head) as u32).to_le_bytes()[..head - MAGIC.len() - 2]);
    out.extend_from_slice(text.as_bytes());
    out.resize(whole - 1, b' ');
    out.push(b'\n');
    Ok(out)
}

/// What numpy calls a dtype.
fn descr(dtype: DType) -> Result<String> {
    let (order, letter) = match dtype.type_code() {
        TypeCode::Bool => ('|', 'b'),
        TypeCode::Int => ('<', 'i'),
        TypeCode::UInt => ('<', 'u'),
        TypeCode::Float => ('<', 'f'),
        TypeCode::Complex => ('<', 'c'),
        TypeCode::BFloat => {
            return Err(Error::wrong_type(format_args!(
                "files of numpy have no {dtype}; `.safetensors` have"
            )));
        }
    };
    let order = if dtype.size() == 1 { '|' } else { order };
    Ok(format!("{order}{letter}{}", dtype.size()))
}

/// The dtype of this name, and whether bytes are the other way round.
fn dtype(descr: &str) -> Result<(DType, bool)> {
    let unknown = || Error::runtime(format_args!("its elements are '{descr}', which is no dtype"));
    let mut letters = descr.chars();
    let order = letters.next().filter(|it| "<>|=".contains(*it)).ok_or_else(unknown)?;
    let code = match letters.next().ok_or_else(unknown)? {
        'b' => TypeCode::Bool,
        'i' => TypeCode::Int,
        'u' => TypeCode::UInt,
        'f' => TypeCode::Float,
        'c' => TypeCode::Complex,
        _ => return Err(unknown()),
    };
    let size = letters.as_str().parse().map_err(|_| unknown())?;
    let is_big = order == '>' || (order == '=' && cfg!(target_endian = "big"));
    Ok((DType::from_type_code(code, size).ok_or_else(unknown)?, is_big))
}

/// Reads a tensor from bytes, of which there are no more than `left`.
///
/// # Errors
///
/// `Runtime` if they are no such file, `Memory`.
pub fn read(from: &mut dyn Read, left: u64) -> Result<Tensor> {
    let start = claimed(from, 8, left)?;
    ensure!(start.starts_with(MAGIC), Runtime, "it is no `.npy` file");
    let width = if start[6] == 1 { 2 } else { 4 };
    ensure!((1..=3).contains(&start[6]), Runtime, "its format is {}.{}", start[6], start[7]);
    let length = bytes(from, width)?;
    let length = length.iter().rev().fold(0, |all, it| all << 8 | u64::from(*it));
    ensure!(length <= LONGEST_HEADER, Runtime, "its header has {length} bytes");
    let left = left.saturating_sub(8 + width as u64);
    let text = claimed(from, length, left)?;
    let text = String::from_utf8(text).map_err(|_| Error::runtime("its header is no text"))?;
    let header = literal::parse(&text)?;
    let (dtype, is_big_endian) = dtype(&header.descr)?;
    let mut shape = header.shape;
    if !header.fortran_order {
        return elements::read(from, &shape, dtype, is_big_endian, left - length);
    }
    shape.reverse();
    let turned = elements::read(from, &shape, dtype, is_big_endian, left - length)?;
    view::permute(&turned, &(0..shape.len()).rev().collect::<Vec<_>>())
}
