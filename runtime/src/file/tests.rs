//! Tests of file formats.

use std::io::Cursor;

use super::{Named, npy, npz, safetensors};
use crate::{DType, ErrorKind, Result, Tensor, bf16, view};

fn npy_bytes(tensor: &Tensor) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    npy::Image::of(tensor)?.write(&mut bytes)?;
    Ok(bytes)
}

fn read_npy(bytes: &[u8]) -> Result<Tensor> {
    npy::read(&mut &*bytes, bytes.len() as u64)
}

fn read_safetensors(bytes: &[u8]) -> Result<Named> {
    safetensors::read(&mut &*bytes, bytes.len() as u64)
}

/// Some tensors, not all of them without gaps.
fn samples() -> Result<Vec<(&'static str, Tensor)>> {
    let matrix = Tensor::from_slice(&[2, 3], &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    Ok(vec![
        ("turned", view::permute(&matrix, &[1, 0])?),
        ("flags", Tensor::from_slice(&[3], &[true, false, true])?),
        ("a number, \"\u{e4}\"", Tensor::from_slice(&[], &[-7_i64])?),
        ("none", Tensor::from_slice::<f64>(&[0, 4], &[])?),
    ])
}

#[track_caller]
fn check_same(found: &Named, expected: &[(&str, Tensor)]) -> Result<()> {
    assert_eq!(found.len(), expected.len());
    for ((found_name, found), (name, tensor)) in found.iter().zip(expected) {
        assert_eq!(
            (&**found_name, found.shape(), found.dtype()),
            (*name, tensor.shape(), tensor.dtype())
        );
        assert_eq!(found.to_text("Tensor")?, tensor.to_text("Tensor")?);
    }
    Ok(())
}

#[test]
fn one_tensor_is_read_back() -> Result<()> {
    for (name, tensor) in samples()? {
        let bytes = npy_bytes(&tensor)?;
        let data = tensor.numel() * tensor.dtype().size();
        assert_eq!((bytes.len() - data) % 64, 0);
        check_same(&vec![(name.to_owned(), read_npy(&bytes)?)], &[(name, tensor)])?;
    }
    Ok(())
}

#[test]
fn other_orders_are_read() -> Result<()> {
    let mut bytes = npy_bytes(&Tensor::from_slice(&[2, 2], &[1_i32, 2, 3, 4])?)?;
    let text = String::from_utf8_lossy(&bytes[10..]).into_owned();
    let at = 10 + text.find("<i4").unwrap_or_default();
    bytes[at] = b'>';
    assert_eq!(read_npy(&bytes)?.to_vec::<i32>()?, [1 << 24, 2 << 24, 3 << 24, 4 << 24]);
    bytes[at] = b'<';
    let at = 10 + text.find("False").unwrap_or_default();
    bytes[at..at + 5].copy_from_slice(b"True ");
    assert_eq!(read_npy(&bytes)?.to_vec::<i32>()?, [1, 3, 2, 4]);
    Ok(())
}

#[test]
fn several_tensors_are_read_back() -> Result<()> {
    let samples = samples()?;
    let named: Vec<(&str, &Tensor)> = samples.iter().map(|(name, it)| (*name, it)).collect();
    let mut bytes = Vec::new();
    npz::write(&named, &mut bytes)?;
    check_same(&npz::read(&mut Cursor::new(bytes))?, &samples)?;
    let mut bytes = Vec::new();
    safetensors::Image::of(&named)?.write(&mut bytes)?;
    check_same(&read_safetensors(&bytes)?, &samples)
}

#[test]
fn formats_have_their_dtypes() -> Result<()> {
    let half = Tensor::from_slice(&[1], &[bf16::ONE])?;
    assert_eq!(npy::Image::of(&half).expect_err("no such name").kind(), ErrorKind::Type);
    let mut bytes = Vec::new();
    safetensors::Image::of(&[("x", &half)])?.write(&mut bytes)?;
    assert_eq!(read_safetensors(&bytes)?[0].1.dtype(), DType::BFloat16);
    let double = half.to_dtype(DType::Complex128)?;
    assert!(safetensors::Image::of(&[("x", &double)]).is_err());
    assert!(safetensors::Image::of(&[("x", &half), ("x", &half)]).is_err());
    assert!(npz::prepared(&[("x", &double), ("x", &double)]).is_err());
    Ok(())
}

/// Every beginning of a file, and every byte of its head changed.
fn damaged(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let cut = (0..bytes.len()).map(|it| bytes[..it].to_vec());
    let changed = (0..bytes.len()).flat_map(|at| [0, 0x7f, 0xff].map(|to| (at, to)));
    cut.chain(changed.map(|(at, to)| {
        let mut bytes = bytes.to_vec();
        bytes[at] = to;
        bytes
    }))
}

#[test]
fn damaged_files_are_refused_or_read() -> Result<()> {
    let (x, y) = (Tensor::from_slice(&[2], &[1_i32, 2])?, Tensor::from_slice(&[1], &[1_i8])?);
    let named = [("x", &x), ("y", &y)];
    let check = |error: &crate::Error| assert_eq!(error.kind(), ErrorKind::Runtime, "{error}");
    let whole = npy_bytes(&x)?;
    damaged(&whole).filter_map(|it| read_npy(&it).err()).for_each(|it| check(&it));
    let mut archive = Vec::new();
    npz::write(&named, &mut archive)?;
    let results = damaged(&archive).map(|it| npz::read(&mut Cursor::new(it)));
    results.filter_map(Result::err).for_each(|it| check(&it));
    let mut file = Vec::new();
    safetensors::Image::of(&named)?.write(&mut file)?;
    damaged(&file).filter_map(|it| read_safetensors(&it).err()).for_each(|it| check(&it));
    Ok(())
}

#[test]
fn claims_are_not_believed() -> Result<()> {
    let whole = npy_bytes(&Tensor::from_slice(&[1], &[1_i8])?)?;
    for sizes in ["99999999999,", "9223372036854775807,", "0, 9223372036854775807, 9"] {
        let text = format!("{{'descr': '|i1', 'fortran_order': False, 'shape': ({sizes})}}");
        let mut bytes = whole[..8].to_vec();
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.bytes());
        assert_eq!(read_npy(&bytes).expect_err("too large").kind(), ErrorKind::Runtime);
    }
    for (shape, place) in [("[99999999999]", "[0,99999999999]"), ("[2]", "[0,1]"), ("[1]", "[1,2]")]
    {
        let text = format!(r#"{{"x":{{"dtype":"I8","shape":{shape},"data_offsets":{place}}}}}"#);
        let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
        bytes.extend(text.bytes().chain([1]));
        assert!(read_safetensors(&bytes).is_err(), "{text}");
    }
    assert!(read_safetensors(&u64::MAX.to_le_bytes()).is_err());
    Ok(())
}

#[test]
fn headers_are_not_larger_in_memory_than_the_file() {
    let refused = |header: &str| {
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        let error = safetensors::read(&mut &bytes[..], bytes.len() as u64).expect_err("no tensors");
        error.message().to_owned()
    };
    let many = "1,".repeat(1 << 20);
    let numbers = format!(r#"{{"a":{{"dtype":"U8","shape":[{many}1],"data_offsets":[0,1]}}}}"#);
    assert!(refused(&numbers).contains("more than 65536 numbers"));
    let empty = format!(r#"{{{}"b":{{}}}}"#, r#""a":{},"#.repeat(1 << 20));
    assert!(refused(&empty).contains("does not say what 'a' is"));
}
