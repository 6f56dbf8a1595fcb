//! `set_`: tensors that are put over other memory.

use opwright_runtime::geometry::{contiguous_strides, element_count};
use opwright_runtime::resolve::Kind;
use opwright_runtime::{Device, Error, Storage, Tensor};
use pyo3::prelude::*;

use super::declare::{defaulted, functions, required, signature};
use crate::args::Call;
use crate::object::{Failure, Ints, operators};
use crate::raw::NewReference;
use crate::storage::PyStorage;

type Result<T = NewReference> = std::result::Result<T, Failure>;

functions! {
    method: true;

    set_ = "set_", c"set_",
        c"set_($self, /, source=..., storage_offset=..., size=..., stride=())\n--\n\n\
          set_()\n\
          set_(Storage source)\n\
          set_(Tensor source)\n\
          set_(Storage source, int storage_offset, tuple of ints size, tuple of ints stride=())\n\
          set_(Tensor source, int storage_offset, tuple of ints size, tuple of ints stride=())\n\n\
          Puts the tensor over a storage or over the memory of another tensor, and returns it.\n\n\
          The elements must be of its dtype, unless the storage is of bytes. A storage that is too \
          small for `size` grows. Without arguments, the tensor has no elements afterwards.",
        set_body,
        [
            signature("set_()", &[], 0),
            signature("set_(Storage source)", &[required("source", Kind::Storage)], 1),
            signature("set_(Tensor source)", &[required("source", Kind::Tensor)], 1),
            signature(
                "set_(Storage source, int storage_offset, tuple of ints size, \
                 tuple of ints stride=())",
                &[
                    required("source", Kind::Storage),
                    required("storage_offset", Kind::SymInt),
                    required("size", Kind::SymInt.list()),
                    defaulted("stride", Kind::SymInt.list()),
                ],
                4,
            ),
            signature(
                "set_(Tensor source, int storage_offset, tuple of ints size, \
                 tuple of ints stride=())",
                &[
                    required("source", Kind::Tensor),
                    required("storage_offset", Kind::SymInt),
                    required("size", Kind::SymInt.list()),
                    defaulted("stride", Kind::SymInt.list()),
                ],
                4,
            ),
        ];
}

/// Where in the memory a call wants the elements.
struct MemoryRegion {
    offset: i64,
    size: Ints,
    stride: Ints,
}

fn place(call: &Call<'_, '_>) -> Result<MemoryRegion> {
    Ok(MemoryRegion {
        offset: call.required(1)?,
        size: call.ints(2)?,
        stride: call.ints_or(3, &[])?,
    })
}

fn set_body(call: &mut Call<'_, '_>) -> Result {
    let mut output = call.receiver_mut()?;
    let tensor = &mut output.tensor;
    match call.overload() {
        0 => operators::set_empty(tensor)?,
        1 => over_storage(tensor, &call.given(0), None)?,
        2 => operators::set_tensor(tensor, call.tensor(0)?)?,
        3 => over_storage(tensor, &call.given(0), Some(place(call)?))?,
        _ => {
            let MemoryRegion { offset, size, stride } = place(call)?;
            operators::set_tensor_at(tensor, call.tensor(0)?, offset, &size, &stride)?;
        }
    }
    tensor.settle();
    tensor.bump_version();
    Ok(output.finish(call.py()))
}

fn over_storage(
    tensor: &mut Tensor,
    source: &Bound<'_, PyAny>,
    place: Option<MemoryRegion>,
) -> Result<()> {
    let source = source.cast::<PyStorage>()?.get();
    if let Some(dtype) = source.elements()
        && dtype != tensor.dtype()
    {
        let text = format_args!(
            "a tensor of {} cannot be put over a storage of {dtype}; convert the storage first, or \
             take its untyped()",
            tensor.dtype()
        );
        return Err(Error::runtime(text).into());
    }
    if source.is_meta() {
        return over_nothing(tensor, source, place);
    }
    if source.is_slice() {
        return over_slice(tensor, source, place);
    }
    let memory: &Storage = source.storage();
    match place {
        None => operators::set_storage(tensor, memory)?,
        Some(MemoryRegion { offset, size, stride }) => {
            operators::set_storage_at(tensor, memory, offset, &size, &stride)?;
        }
    }
    Ok(())
}

/// Puts a tensor over a storage on the meta device.
fn over_nothing(
    tensor: &mut Tensor,
    source: &PyStorage,
    place: Option<MemoryRegion>,
) -> Result<()> {
    let count = source.range().bytes / tensor.dtype().size();
    let source = operators::empty(&[count as i64], tensor.dtype(), Device::Meta)?;
    match place {
        None => operators::set_tensor(tensor, &source)?,
        Some(MemoryRegion { offset, size, stride }) => {
            operators::set_tensor_at(tensor, &source, offset, &size, &stride)?;
        }
    }
    Ok(())
}

/// Puts a tensor over a slice, at whose end it has to stop.
fn over_slice(tensor: &mut Tensor, source: &PyStorage, place: Option<MemoryRegion>) -> Result<()> {
    let part = source.range();
    let size = tensor.dtype().size();
    if !part.start.is_multiple_of(size) {
        let text = format_args!(
            "the slice begins at byte {}, which is no multiple of {size}; clone() it first",
            part.start
        );
        return Err(Error::runtime(text).into());
    }
    let (first, count) = ((part.start / size) as i64, (part.bytes / size) as i64);
    let place = place.unwrap_or_else(|| MemoryRegion {
        offset: 0,
        size: Ints::from_slice(&[count]),
        stride: Ints::new(),
    });
    let MemoryRegion { offset, size, stride } = place;
    if behind(offset, &size, &stride)?.is_none_or(|it| it > count) {
        let text = format_args!(
            "a slice of {count} elements has no room for sizes {:?} from {offset} on, and cannot be \
             resized",
            &size[..]
        );
        return Err(Error::runtime(text).into());
    }
    operators::set_storage_at(tensor, source.storage(), offset + first, &size, &stride)?;
    Ok(())
}

/// The place behind the last element, if there can be one.
fn behind(offset: i64, size: &[i64], stride: &[i64]) -> Result<Option<i64>> {
    if element_count(size)? == 0 {
        return Ok(Some(offset));
    }
    let row_major = contiguous_strides(size);
    let stride = if stride.is_empty() { &row_major[..] } else { stride };
    let mut steps = size.iter().zip(stride).map(|(size, stride)| (size - 1).checked_mul(*stride));
    let last = steps.try_fold(offset, |sum, step| sum.checked_add(step?));
    Ok(last.and_then(|it| it.checked_add(1)))
}
