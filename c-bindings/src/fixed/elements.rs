//! Elements in and out.

use std::ffi::{c_char, c_void};
use std::ptr;

use opwright_runtime as rt;
use opwright_runtime::{Result, ensure};

use crate::call::{CallNames, run};
use crate::error::Status;
use crate::handle::Tensor;
use crate::ready::ready;
use crate::value::{CValue, Scalar};

/// Copies bytes into a new tensor.
///
/// # Safety
///
/// So many bytes can be read, and the tensor is contiguous and has as many.
pub(super) unsafe fn fill(tensor: &mut rt::Tensor, source: *const u8, bytes: usize) -> Result<()> {
    if bytes > 0 {
        // SAFETY: the caller's; a new tensor overlaps nothing.
        unsafe { ptr::copy_nonoverlapping(source, tensor.data_ptr(), bytes) };
    }
    Ok(())
}

pub unsafe fn tensor_item(tensor: *const Tensor, result: *mut Scalar) -> Status {
    run("tensor_item self", &mut |c| unsafe {
        // SAFETY: as the header says.
        let value = c.object(tensor, 1)?.to_scalar()?;
        if !result.is_null() {
            result.write(value.to_c());
        }
        Ok(())
    })
}

pub unsafe fn tensor_copy_to(tensor: *const Tensor, target: *mut c_void, bytes: usize) -> Status {
    run("tensor_copy_to self target", &mut |c| unsafe {
        // SAFETY: as the header says.
        let tensor: &rt::Tensor = c.object(tensor, 1)?;
        has_bytes(tensor, bytes)?;
        if bytes == 0 {
            return Ok(());
        }
        not_null(c, target, 2)?;
        let dense = tensor.to_contiguous()?;
        ptr::copy_nonoverlapping(dense.data_ptr().cast_const(), target.cast(), bytes);
        Ok(())
    })
}

pub unsafe fn tensor_copy_from(tensor: *mut Tensor, source: *const c_void, bytes: usize) -> Status {
    run("tensor_copy_from self source", &mut |c| unsafe {
        // SAFETY: as the header says.
        let tensor = c.written(tensor, 1)?;
        has_bytes(tensor, bytes)?;
        if bytes == 0 {
            return Ok(());
        }
        not_null(c, source, 2)?;
        let mut dense = rt::Tensor::allocate(tensor.shape(), tensor.dtype(), rt::Device::Cpu)?;
        fill(&mut dense, source.cast(), bytes)?;
        tensor.copy_from(&dense)?;
        tensor.bump_version();
        Ok(())
    })
}

pub unsafe fn tensor_to_string(tensor: *const Tensor, result: *mut *mut c_char) -> Status {
    run("tensor_to_string self", &mut |c| unsafe {
        // SAFETY: as the header says.
        let text = c.object(tensor, 1)?.to_text("Tensor")?;
        ready(result, text)?.write();
        Ok(())
    })
}

fn has_bytes(tensor: &rt::Tensor, bytes: usize) -> Result<()> {
    ensure!(!tensor.device().is_meta(), NotImplemented, "a meta tensor has no elements");
    let own = tensor.numel() * tensor.dtype().size();
    ensure!(bytes == own, Value, "the elements have {own} bytes, and there are {bytes}");
    Ok(())
}

fn not_null<T>(c: CallNames, data: *const T, at: usize) -> Result<()> {
    match data.is_null() {
        true => Err(c.refused(at, "is NULL, expected room for elements")),
        false => Ok(()),
    }
}
