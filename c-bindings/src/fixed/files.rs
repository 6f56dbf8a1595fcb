//! Tensors in files and bytes. Paths are opened here.

use std::ffi::c_char;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};

use opwright_runtime::file::{self, npy, npz, safetensors};
use opwright_runtime::{Error, Result, buffer, ensure, fail};

use crate::call::{guarded, run};
use crate::error::Status;
use crate::handle::Tensor;
use crate::list::{self, NamedTensorList};
use crate::ready::ready;

/// What keeps several tensors.
enum Format {
    Safetensors,
    Npz,
}

impl Format {
    fn of(path: &str) -> Result<Format> {
        let ending = path.rsplit_once('.').map_or("", |it| it.1);
        match ending {
            _ if ending.eq_ignore_ascii_case("safetensors") => Ok(Format::Safetensors),
            _ if ending.eq_ignore_ascii_case("npz") => Ok(Format::Npz),
            _ => fail!(Value, "'{path}' ends with neither `.safetensors` nor `.npz`"),
        }
    }
}

/// A mistake with a file.
fn within(path: &str, error: &Error) -> Error {
    Error::new(error.kind(), format_args!("'{path}': {}", error.message()))
}

/// Reads a file, which is at the end of a path, and as long as this.
fn read<T>(path: &str, read: impl FnOnce(&mut BufReader<File>, u64) -> Result<T>) -> Result<T> {
    let opened = || {
        let file = File::open(path)?;
        let about = file.metadata()?;
        Ok((file, about))
    };
    let (file, about) = opened().map_err(|it| within(path, &file::failed(&it)))?;
    ensure!(about.is_file(), Runtime, "'{path}': it is no file");
    read(&mut BufReader::new(file), about.len()).map_err(|it| within(path, &it))
}

/// Writes a file, in place of one that may be there.
fn write(path: &str, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let failed = |it| within(path, &file::failed(&it));
    let mut file = BufWriter::new(File::create(path).map_err(failed)?);
    write(&mut file).map_err(|it| within(path, &it))?;
    file.flush().map_err(failed)
}

pub unsafe fn tensor_save(tensor: *const Tensor, path: *const c_char) -> Status {
    run("tensor_save self path", &mut |c| unsafe {
        // SAFETY: as the header says.
        let (tensor, path) = (c.object(tensor, 1)?, c.text(path, 2)?);
        let image = npy::Image::of(tensor)?;
        write(path, |to| image.write(to))
    })
}

pub unsafe fn tensor_load(path: *const c_char, result: *mut *mut Tensor) -> Status {
    run("tensor_load path", &mut |c| unsafe {
        // SAFETY: as the header says.
        let path = c.text(path, 1)?;
        let tensor = read(path, |from, length| npy::read(from, length))?;
        ready(result, tensor)?.write();
        Ok(())
    })
}

pub unsafe fn tensors_save(
    names: *const *const c_char,
    tensors: *const *const Tensor,
    len: usize,
    path: *const c_char,
) -> Status {
    run("tensors_save names tensors path", &mut |c| unsafe {
        // SAFETY: as the header says.
        let (names, tensors) = (c.texts(names, len, 1)?, c.objects(tensors, len, 2)?);
        let path = c.text(path, 3)?;
        let named = buffer::collected(names.into_iter().zip(tensors.iter().copied()))?;
        match Format::of(path)? {
            Format::Safetensors => {
                let image = safetensors::Image::of(&named)?;
                write(path, |to| image.write(to))
            }
            Format::Npz => {
                let archive = npz::prepared(&named)?;
                write(path, |to| archive.write(to))
            }
        }
    })
}

pub unsafe fn tensors_load(path: *const c_char, result: *mut NamedTensorList) -> Status {
    run("tensors_load path", &mut |c| unsafe {
        // SAFETY: as the header says.
        let path = c.text(path, 1)?;
        let named = match Format::of(path)? {
            Format::Safetensors => read(path, |from, length| safetensors::read(from, length)),
            Format::Npz => read(path, |from, _| npz::read(from)),
        }?;
        ready(result, named)?.write();
        Ok(())
    })
}

pub unsafe fn named_tensor_list_free(list: *mut NamedTensorList) {
    // SAFETY: it is NULL or a list that the library filled or emptied.
    guarded((), || unsafe {
        if let Some(list) = list.as_mut() {
            list::free_named(list);
        }
    });
}

pub unsafe fn tensor_to_bytes(
    tensor: *const Tensor,
    result: *mut *mut u8,
    len: *mut usize,
) -> Status {
    run("tensor_to_bytes self", &mut |c| unsafe {
        // SAFETY: as the header says.
        let image = npy::Image::of(c.object(tensor, 1)?)?;
        let mut bytes = buffer::with_capacity(image.len() as usize)?;
        image.write(&mut bytes)?;
        let count = bytes.len();
        if !result.is_null() {
            result.write(list::bytes(&bytes)?.hand_out());
        }
        if !len.is_null() {
            len.write(count);
        }
        Ok(())
    })
}

pub unsafe fn tensor_from_bytes(bytes: *const u8, len: usize, result: *mut *mut Tensor) -> Status {
    run("tensor_from_bytes bytes", &mut |c| unsafe {
        // SAFETY: as the header says.
        let mut bytes: &[u8] = c.slice(bytes, len, 1)?;
        ready(result, npy::read(&mut bytes, len as u64)?)?.write();
        Ok(())
    })
}

pub unsafe fn bytes_free(bytes: *mut u8, _len: usize) {
    // SAFETY: it is NULL, or bytes that were handed out and are not used any more.
    unsafe { list::free_bytes(bytes) };
}
