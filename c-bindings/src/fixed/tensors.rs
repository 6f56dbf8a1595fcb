//! Making tensors, freeing them, and what they are.

use std::ffi::c_void;
use std::ptr;

use opwright_runtime as rt;
use opwright_runtime::{Result, buffer, ensure};

use crate::call::{CallNames, guarded, run};
use crate::error::Status;
use crate::handle::{self, Tensor};
use crate::list::{self, IntList, TensorList};
use crate::ready::ready;
use crate::value::{Bool, CValue, Deleter, Device, Dtype, Layout, NONE, Scalar};

/// A tensor, if there is one.
///
/// # Safety
///
/// The handle is NULL or not freed.
pub(super) unsafe fn known<'a>(handle: *const Tensor) -> Option<&'a rt::Tensor> {
    // SAFETY: the caller's.
    unsafe { handle.as_ref() }.filter(|_| handle::is_known(handle)).map(|it| &it.0)
}

pub unsafe fn tensor_from_data(
    data: *const c_void,
    sizes: *const i64,
    ndim: usize,
    dtype: Dtype,
    result: *mut *mut Tensor,
) -> Status {
    run("tensor_from_data data sizes dtype", &mut |c| unsafe {
        // SAFETY: as the header says.
        let (sizes, dtype) = (c.slice(sizes, ndim, 2)?, c.value::<rt::DType>(dtype, 3)?);
        let mut tensor = rt::Tensor::allocate(sizes, dtype, rt::Device::Cpu)?;
        let bytes = tensor.numel() * dtype.size();
        if bytes > 0 && data.is_null() {
            return Err(c.refused(1, "is NULL, expected elements"));
        }
        super::elements::fill(&mut tensor, data.cast(), bytes)?;
        ready(result, tensor)?.write();
        Ok(())
    })
}

/// What calls the deleter when the last tensor over the memory goes.
struct Lender {
    deleter: Deleter,
    context: *mut c_void,
}

// SAFETY: the header says that the deleter is called from any thread.
unsafe impl Send for Lender {}
// SAFETY: nothing of it is reached through a reference.
unsafe impl Sync for Lender {}

impl Drop for Lender {
    fn drop(&mut self) {
        if let Some(deleter) = self.deleter {
            // SAFETY: it is called once, with what was passed for it.
            unsafe { deleter(self.context) };
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "as the header says")]
pub unsafe fn tensor_from_blob(
    data: *mut c_void,
    sizes: *const i64,
    ndim: usize,
    strides: *const i64,
    dtype: Dtype,
    deleter: Deleter,
    context: *mut c_void,
    result: *mut *mut Tensor,
) -> Status {
    run("tensor_from_blob data sizes strides dtype", &mut |c| unsafe {
        // SAFETY: as the header says.
        let (sizes, dtype) = (c.slice(sizes, ndim, 2)?, c.value::<rt::DType>(dtype, 4)?);
        let given = if strides.is_null() { None } else { Some(c.slice(strides, ndim, 3)?) };
        let row_major = match given {
            Some(given) => buffer::copied(given)?,
            None => row_major(sizes)?,
        };
        // Until everything is ready, nobody is to call the deleter.
        let lender = Box::new(Lender { deleter: None, context });
        let called_later = ptr::from_ref::<Lender>(&lender).cast_mut();
        let tensor = rt::Tensor::from_foreign(data.cast(), sizes, &row_major, dtype, lender)?;
        if tensor.numel() == 0 {
            // Such a tensor has no need of the memory.
            let kept = ready(result, tensor)?;
            drop(Lender { deleter, context });
            kept.write();
            return Ok(());
        }
        let kept = ready(result, tensor)?;
        (*called_later).deleter = deleter;
        kept.write();
        Ok(())
    })
}

/// Strides without gaps.
fn row_major(sizes: &[i64]) -> Result<Vec<i64>> {
    let mut strides = buffer::filled(sizes.len(), 1_i64)?;
    for at in (1..sizes.len()).rev() {
        let stride = strides[at].checked_mul(sizes[at].max(1));
        strides[at - 1] = stride.ok_or_else(|| rt::Error::overflow("the sizes are too large"))?;
    }
    Ok(strides)
}

pub unsafe fn tensor_from_scalar(value: Scalar, dtype: Dtype, result: *mut *mut Tensor) -> Status {
    run("tensor_from_scalar value dtype", &mut |c| unsafe {
        // SAFETY: as the header says.
        let value = c.value::<rt::Scalar>(value, 1)?;
        let dtype = c.named::<rt::DType>(dtype, 2)?.unwrap_or(value.storage_dtype());
        ready(result, rt::Tensor::from_scalar(value, dtype)?)?.write();
        Ok(())
    })
}

pub unsafe fn tensor_clone(tensor: *const Tensor, result: *mut *mut Tensor) -> Status {
    run("tensor_clone self", &mut |c| unsafe {
        // SAFETY: as the header says.
        let tensor: &rt::Tensor = c.object(tensor, 1)?;
        ready(result, tensor.clone())?.write();
        Ok(())
    })
}

pub unsafe fn tensor_free(tensor: *mut Tensor) {
    // SAFETY: it is NULL or a handle that nobody uses any more.
    guarded((), || unsafe { handle::free(tensor) });
}

pub unsafe fn tensors_free(tensors: *const *mut Tensor, len: usize) {
    let count = if tensors.is_null() { 0 } else { len };
    for at in 0..count {
        // SAFETY: there are so many, each NULL or a handle that nobody uses any more.
        unsafe { tensor_free(*tensors.add(at)) };
    }
}

pub unsafe fn tensor_assign(tensor: *mut Tensor, other: *const Tensor) {
    // SAFETY: each is NULL or a handle, and no other thread uses what is written to.
    guarded((), || unsafe {
        if let Some(other) = known(other).cloned()
            && known(tensor).is_some()
        {
            (*tensor).0 = other;
        }
    });
}

/// What a function says of a tensor, and this for NULL.
///
/// # Safety
///
/// The handle is NULL or not freed.
unsafe fn ask<T>(tensor: *const Tensor, of_null: T, read: impl FnOnce(&rt::Tensor) -> T) -> T {
    // SAFETY: the caller's.
    match unsafe { known(tensor) } {
        Some(tensor) => read(tensor),
        None => of_null,
    }
}

macro_rules! asked {
    ($($name:ident: $ty:ty = $of_null:expr, $read:expr;)*) => {$(
        pub unsafe fn $name(tensor: *const Tensor) -> $ty {
            // SAFETY: it is NULL or a handle.
            unsafe { ask(tensor, $of_null, $read) }
        }
    )*};
}

asked! {
    tensor_ndim: i64 = -1, |it| it.ndim() as i64;
    tensor_numel: i64 = -1, |it| it.numel() as i64;
    tensor_sizes: *const i64 = ptr::null(), |it| it.shape().as_ptr();
    tensor_strides: *const i64 = ptr::null(), |it| it.strides().as_ptr();
    tensor_offset: i64 = -1, |it| it.offset();
    tensor_dtype: Dtype = NONE, |it| it.dtype().to_c();
    tensor_device: Device = NONE, |it| it.device().to_c();
    tensor_layout: Layout = NONE, |it| it.layout().to_c();
    tensor_element_size: usize = 0, |it| it.dtype().size();
    tensor_nbytes: usize = 0, |it| it.numel().saturating_mul(it.dtype().size());
    tensor_defined: Bool = false.into(), |_| true.into();
    tensor_is_contiguous: Bool = false.into(), |it| it.is_contiguous().into();
    tensor_data: *mut c_void = ptr::null_mut(), |it| match it.storage() {
        Some(_) => it.data_ptr().cast(),
        None => ptr::null_mut(),
    };
}

pub unsafe fn tensor_size(tensor: *const Tensor, dim: i64) -> i64 {
    // SAFETY: it is NULL or a handle.
    unsafe {
        ask(tensor, -1, |it| {
            let at = if dim < 0 { dim + it.ndim() as i64 } else { dim };
            let at = usize::try_from(at).ok();
            at.and_then(|at| it.shape().get(at)).copied().unwrap_or(-1)
        })
    }
}

/// Whether something holds of two tensors.
///
/// # Safety
///
/// The handles are NULL or not freed.
unsafe fn both(
    one: *const Tensor,
    other: *const Tensor,
    holds: impl FnOnce(&rt::Tensor, &rt::Tensor) -> bool,
) -> Bool {
    // SAFETY: the caller's.
    let pair = unsafe { known(one).zip(known(other)) };
    pair.is_some_and(|(one, other)| holds(one, other)).into()
}

pub unsafe fn tensor_is_same(one: *const Tensor, other: *const Tensor) -> Bool {
    // SAFETY: each is NULL or a handle.
    unsafe { both(one, other, rt::Tensor::is_same) }
}

pub unsafe fn tensor_shares_memory(one: *const Tensor, other: *const Tensor) -> Bool {
    // SAFETY: each is NULL or a handle.
    unsafe {
        both(one, other, |one, other| {
            let storages = one.storage().zip(other.storage());
            storages.is_some_and(|(one, other)| one.is_same(other))
        })
    }
}

pub unsafe fn string_free(text: *mut std::ffi::c_char) {
    // SAFETY: it is NULL or a text that was handed out.
    unsafe { list::free_text(text) };
}

pub unsafe fn tensor_list_free(list: *mut TensorList) {
    // SAFETY: it is NULL or a list that the library filled or emptied.
    guarded((), || unsafe {
        if let Some(list) = list.as_mut() {
            list::free_tensors(list);
        }
    });
}

pub unsafe fn int_list_free(list: *mut IntList) {
    // SAFETY: it is NULL or a list that the library filled or emptied.
    if let Some(list) = unsafe { list.as_mut() } {
        // SAFETY: the same.
        unsafe { list::free_ints(list) };
    }
}

pub unsafe fn live_bytes() -> i64 {
    rt::Storage::live_bytes()
}

/// Tensors behind a list of handles, as the header has them.
///
/// # Safety
///
/// There are so many handles.
pub(super) unsafe fn listed<'a>(
    c: CallNames,
    handles: *const *const Tensor,
    len: usize,
    at: usize,
) -> Result<&'a [&'a rt::Tensor]> {
    // SAFETY: the caller's.
    let tensors = unsafe { c.objects(handles, len, at) }?;
    ensure!(!tensors.is_empty(), Value, "there are no tensors");
    Ok(tensors)
}
