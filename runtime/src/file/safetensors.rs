//! `.safetensors`: several tensors behind a header in JSON.

use std::io::{Read, Write};

use super::json::{self, Rest};
use super::{Named, check_names, claimed, elements, failed};
use crate::{DType, Error, Result, Tensor, buffer, ensure, fail};

/// A longer header is refused, as other readers do.
const LONGEST_HEADER: u64 = 100_000_000;
/// What is said of the file as a whole.
const METADATA: &str = "__metadata__";

/// The dtypes that the format has.
const NAMES: [(DType, &str); 14] = [
    (DType::Bool, "BOOL"),
    (DType::UInt8, "U8"),
    (DType::UInt16, "U16"),
    (DType::UInt32, "U32"),
    (DType::UInt64, "U64"),
    (DType::Int8, "I8"),
    (DType::Int16, "I16"),
    (DType::Int32, "I32"),
    (DType::Int64, "I64"),
    (DType::Float16, "F16"),
    (DType::BFloat16, "BF16"),
    (DType::Float32, "F32"),
    (DType::Float64, "F64"),
    (DType::Complex64, "C64"),
];

/// Tensors that can be written.
#[derive(Debug)]
pub struct Image {
    header: Vec<u8>,
    /// Those with the largest elements first, so that all of them are aligned.
    dense: Vec<Tensor>,
}

impl Image {
    /// The image of tensors under their names.
    ///
    /// # Errors
    ///
    /// `Value` for a name that is there twice or has another meaning, `Type` if the format has no
    /// such dtype, `NotImplemented` for tensors without elements' memory, `Memory`.
    pub fn of(tensors: &[(&str, &Tensor)]) -> Result<Image> {
        check_names(tensors)?;
        let mut order = buffer::collected(0..tensors.len())?;
        order.sort_by_key(|&it| std::cmp::Reverse(tensors[it].1.dtype().size()));
        let (mut begins, mut at) = (buffer::filled(tensors.len(), 0)?, 0);
        for &it in &order {
            begins[it] = at;
            at += tensors[it].1.numel() * tensors[it].1.dtype().size();
        }
        let entries = tensors.iter().zip(begins).map(|((name, it), at)| entry(name, it, at));
        let mut text = format!("{{{}}}", buffer::try_collected(entries)?.join(","));
        // Elements begin at a multiple of eight.
        text += &" ".repeat(text.len().next_multiple_of(8) - text.len());
        let length = text.len() as u64;
        ensure!(length <= LONGEST_HEADER, Value, "the names and sizes have {length} bytes");
        let mut header = length.to_le_bytes().to_vec();
        buffer::extend(&mut header, text.bytes())?;
        let dense = buffer::try_collected(order.iter().map(|&it| tensors[it].1.to_contiguous()))?;
        Ok(Image { header, dense })
    }

    /// Writes it.
    ///
    /// # Errors
    ///
    /// `Runtime` if that fails.
    pub fn write(&self, to: &mut dyn Write) -> Result<()> {
        to.write_all(&self.header).map_err(|it| failed(&it))?;
        self.dense.iter().try_for_each(|it| elements::write(it, to))
    }
}

/// What a header says of a tensor.
fn entry(name: &str, tensor: &Tensor, at: usize) -> Result<String> {
    tensor.check_readable()?;
    ensure!(name != METADATA, Value, "no tensor can be called '{name}'");
    let dtype = tensor.dtype();
    let Some((_, word)) = NAMES.iter().find(|it| it.0 == dtype) else {
        fail!(Type, "'{name}' is {dtype}, which `.safetensors` has not; `.npz` has");
    };
    let sizes: Vec<String> = tensor.shape().iter().map(i64::to_string).collect();
    let (sizes, end) = (sizes.join(","), at + tensor.numel() * dtype.size());
    let name = json::quoted(name);
    Ok(format!(r#"{name}:{{"dtype":"{word}","shape":[{sizes}],"data_offsets":[{at},{end}]}}"#))
}

/// A tensor that a header names.
struct Claim {
    name: String,
    dtype: DType,
    shape: Vec<i64>,
    begin: u64,
    end: u64,
}

/// Reads all tensors from bytes, of which there are no more than `left`, in the order of the header.
///
/// # Errors
///
/// `Runtime` if they are no such file, `Memory`.
pub fn read(from: &mut dyn Read, left: u64) -> Result<Named> {
    let length = claimed(from, 8, left)?;
    let length = length.iter().rev().fold(0, |all, it| all << 8 | u64::from(*it));
    let left = left.saturating_sub(8);
    ensure!(length <= LONGEST_HEADER.min(left), Runtime, "it is no `.safetensors` file");
    let text = claimed(from, length, left)?;
    let text = String::from_utf8(text).map_err(|_| Error::runtime("its header is no text"))?;
    let claims = claims(&text)?;
    drop(text);
    let order = order(&claims, left - length)?;
    let mut tensors = buffer::collected(claims.iter().map(|_| None))?;
    for at in order {
        let it = &claims[at];
        tensors[at] = Some(elements::read(from, &it.shape, it.dtype, false, it.end - it.begin)?);
    }
    let both = claims.into_iter().zip(tensors);
    buffer::collected(both.filter_map(|(claim, tensor)| Some((claim.name, tensor?))))
}

/// The order of tensors in the file, which leave no gap and do not overlap.
fn order(claims: &[Claim], left: u64) -> Result<Vec<usize>> {
    let mut order = buffer::collected(0..claims.len())?;
    order.sort_by_key(|&it| (claims[it].begin, claims[it].end));
    let mut at = 0;
    for &it in &order {
        let Claim { name, dtype, shape, begin, end } = &claims[it];
        let size = elements::size(shape, *dtype)?;
        let fits = *begin == at && end.checked_sub(at) == Some(size) && *end <= left;
        ensure!(fits, Runtime, "'{name}' has {size} bytes, and its place is {begin} to {end}");
        at = *end;
    }
    ensure!(at == left, Runtime, "it has {left} bytes of elements, of which {at} have names");
    Ok(order)
}

fn claims(header: &str) -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    json::parse(header, |it| {
        it.entries(|name, it| match name == METADATA {
            true => it.skip(),
            false => buffer::push(&mut claims, claim(name, it)?),
        })
    })?;
    let mut names = buffer::collected(claims.iter().map(|it: &Claim| it.name.as_str()))?;
    names.sort_unstable();
    let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
    ensure!(twice.is_none(), Runtime, "a name is there twice in its header");
    Ok(claims)
}

fn claim(name: String, entry: &mut Rest<'_>) -> Result<Claim> {
    let (mut dtype, mut shape, mut place, mut is_known) = (None, None, None, true);
    entry.entries(|key, it| {
        match key.as_str() {
            "dtype" => {
                let word = it.string()?;
                dtype = NAMES.iter().find(|it| it.1 == word);
            }
            "shape" => shape = Some(it.numbers()?),
            "data_offsets" => place = Some(it.numbers()?),
            _ => {
                is_known = false;
                it.skip()?;
            }
        }
        Ok(())
    })?;
    let sizes =
        |it: Vec<u64>| it.into_iter().map(i64::try_from).collect::<Result<Vec<_>, _>>().ok();
    match (is_known, dtype, shape.and_then(sizes), place.as_deref()) {
        (true, Some((dtype, _)), Some(shape), Some(&[begin, end])) => {
            Ok(Claim { name, dtype: *dtype, shape, begin, end })
        }
        _ => fail!(Runtime, "its header does not say what '{name}' is"),
    }
}
