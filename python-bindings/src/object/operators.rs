//! The operators behind Python's syntax: indexing, conversions, attributes, numbers.
//!
//! This is the only file that knows how a tensor is looked at otherwise or copied; all others call
//! these functions, so that each layer above the backends sees what is done. They call the kernels
//! themselves, as an error says what a person wrote and not what it came to.
//!
//! Without the feature `ops` there are no operators to call. Then the runtime does the same for
//! tensors that are at a backend alone, and no others are taken.

#[cfg(feature = "ops")]
use opwright_runtime::Op;
use opwright_runtime::autograd::check_writable;
use opwright_runtime::{
    DType, Device, KeySet, MemoryFormat, Result, Scalar, Storage, Tensor, view,
};
#[cfg(not(feature = "ops"))]
use opwright_runtime::{autograd::is_recording, ensure};

/// Functions that hand on what they get: the keys of a call, the operator and its arguments, and
/// what is done where there are no operators.
macro_rules! operators {
    ($(
        $(#[$about:meta])*
        $name:ident($($parameter:ident: $type:ty),*) -> $result:ty, keys $keys:expr,
        $base:ident::$overload:ident($($argument:expr),*), else $raw:expr;
    )*) => {$(
        $(#[$about])*
        #[inline(always)]
        pub(crate) fn $name($($parameter: $type),*) -> Result<$result> {
            let keys = $keys;
            #[cfg(feature = "ops")]
            {
                let kernels = <opwright_ops::$base::$overload as Op>::kernels();
                kernels.get(keys)?($($argument),*)
            }
            #[cfg(not(feature = "ops"))]
            {
                no_layers(keys, stringify!($base))?;
                $raw
            }
        }
    )*};
}

operators! {
    /// One index of a dimension, which goes away.
    select(tensor: &Tensor, dim: usize, index: i64) -> Tensor, keys of(tensor),
        select::int(tensor, dim as i64, index),
        else view::select(tensor, dim, index);

    /// Every `step`-th index of a dimension from `start` to before `end`.
    slice(tensor: &Tensor, dim: usize, start: i64, end: i64, step: i64) -> Tensor, keys of(tensor),
        slice::Tensor(tensor, dim as i64, Some(start), Some(end), step),
        else view::slice(tensor, dim, start, end, step);

    /// A new dimension of size one.
    unsqueeze(tensor: &Tensor, dim: usize) -> Tensor, keys of(tensor),
        unsqueeze::Default_(tensor, dim as i64),
        else view::unsqueeze(tensor, dim);

    /// The indices of a dimension one after the other, by one call.
    unbind(tensor: &Tensor, dim: usize) -> Vec<Tensor>, keys of(tensor),
        unbind::int(tensor, dim as i64),
        else (0..tensor.shape()[dim]).map(|it| view::select(tensor, dim, it)).collect();

    /// Without a dimension, which is of size one.
    squeeze(tensor: &Tensor, dim: usize) -> Tensor, keys of(tensor),
        squeeze::dim(tensor, dim as i64),
        else view::squeeze(tensor, dim);

    /// The same elements in the same places, as another tensor.
    alias(tensor: &Tensor) -> Tensor, keys of(tensor),
        alias::Default_(tensor),
        else view::alias(tensor);

    /// The elements of the memory at these strides, from an offset on.
    as_strided(tensor: &Tensor, size: &[i64], stride: &[i64], offset: i64) -> Tensor,
        keys of(tensor),
        as_strided::Default_(tensor, size, stride, Some(offset)),
        else view::as_strided(tensor, size, stride, offset);

    /// The dimensions in another order.
    permute(tensor: &Tensor, order: &[i64]) -> Tensor, keys of(tensor),
        permute::Default_(tensor, order),
        else view::permute(tensor, &order.iter().map(|&it| it as usize).collect::<Vec<_>>());

    /// Two dimensions exchanged.
    transpose(tensor: &Tensor, a: usize, b: usize) -> Tensor, keys of(tensor),
        transpose::int(tensor, a as i64, b as i64),
        else view::transpose(tensor, a, b);

    /// The elements in another shape.
    reshape(tensor: &Tensor, shape: &[i64]) -> Tensor, keys of(tensor),
        reshape::Default_(tensor, shape),
        else view::reshape(tensor, shape);

    /// The real parts.
    real(tensor: &Tensor) -> Tensor, keys of(tensor),
        real::Default_(tensor),
        else if tensor.dtype().is_complex_number() { view::real(tensor) } else { Ok(tensor.clone()) };

    /// The imaginary parts.
    imag(tensor: &Tensor) -> Tensor, keys of(tensor),
        imag::Default_(tensor),
        else view::imag(tensor);

    /// The conjugate transpose of each matrix of a batch.
    adjoint(tensor: &Tensor) -> Tensor, keys of(tensor),
        adjoint::Default_(tensor),
        else transposed(tensor, 2..);

    /// The conjugate transpose of a matrix.
    hermitian(tensor: &Tensor) -> Tensor, keys of(tensor),
        matrix_H::Default_(tensor),
        else transposed(tensor, 2..=2);

    /// The same elements without what layers know of them.
    detach(tensor: &Tensor) -> Tensor, keys read(tensor),
        detach::Default_(tensor),
        else view::apart(tensor);

    /// The only element.
    item(tensor: &Tensor) -> Scalar, keys read(tensor),
        _local_scalar_dense::Default_(tensor),
        else tensor.to_scalar();

    /// A tensor whose elements are not set.
    empty(size: &[i64], dtype: DType, device: Device) -> Tensor,
        keys KeySet::EMPTY.with_device(device),
        empty::memory_format(size, Some(dtype), None, Some(device), None, None),
        else Tensor::allocate(size, dtype, device);

    /// A copy in an order of memory.
    clone(tensor: &Tensor, format: MemoryFormat) -> Tensor, keys of(tensor),
        clone::Default_(tensor, Some(format)),
        else converted(tensor, tensor.dtype(), tensor.device(), format);

    /// A copy with another dtype, on another device, in an order of memory.
    to_copy(tensor: &Tensor, dtype: DType, device: Device, format: MemoryFormat) -> Tensor,
        keys of(tensor).with_device(device),
        _to_copy::Default_(tensor, Some(dtype), None, Some(device), None, false, Some(format)),
        else converted(tensor, dtype, device, format);

    /// Puts a tensor over a storage.
    set_storage(tensor: &mut Tensor, source: &Storage) -> (), keys of(tensor),
        set_::source_Storage(tensor, source),
        else {
            let count = (source.bytes() / tensor.dtype().size()) as i64;
            tensor.set_storage(source, 0, &[count], None)
        };

    /// Puts a tensor over some elements of a storage.
    set_storage_at(
        tensor: &mut Tensor, source: &Storage, offset: i64, size: &[i64], stride: &[i64]
    ) -> (), keys of(tensor),
        set_::source_Storage_storage_offset(tensor, source, offset, size, stride),
        else tensor.set_storage(source, offset, size, (!stride.is_empty()).then_some(stride));

    /// Puts a tensor over another one.
    set_tensor(tensor: &mut Tensor, source: &Tensor) -> (), keys of(tensor).with_tensor(source),
        set_::source_Tensor(tensor, source),
        else tensor.set_tensor(source);

    /// Puts a tensor over some elements of the storage of another one.
    set_tensor_at(
        tensor: &mut Tensor, source: &Tensor, offset: i64, size: &[i64], stride: &[i64]
    ) -> (), keys of(tensor).with_tensor(source),
        set_::source_Tensor_storage_offset(tensor, source, offset, size, stride),
        else {
            let mut set = tensor.clone();
            set.set_tensor(source)?;
            if let Some(storage) = source.storage() {
                set.set_storage(storage, offset, size, (!stride.is_empty()).then_some(stride))?;
            }
            *tensor = set;
            Ok(())
        };

    /// Leaves a tensor without elements.
    set_empty(tensor: &mut Tensor) -> (), keys of(tensor),
        set_::Default_(tensor),
        else tensor.set_empty();

    /// Writes the elements of another tensor, without counting it.
    write_copy(tensor: &mut Tensor, source: &Tensor) -> (), keys of(tensor).or(of(source)),
        copy_::Default_(tensor, source, false),
        else tensor.copy_from(source);

    /// Writes a number to all elements, without counting it.
    write_number(tensor: &mut Tensor, value: Scalar) -> (), keys of(tensor),
        fill_::Scalar(tensor, value),
        else tensor.fill(value);
}

/// Writes the elements of another tensor, stretched and cast.
pub(crate) fn copy_(tensor: &mut Tensor, source: &Tensor) -> Result<()> {
    check_writable(of(tensor), tensor)?;
    write_copy(tensor, source)?;
    tensor.bump_version();
    Ok(())
}

/// Writes a number to all elements.
pub(crate) fn fill_(tensor: &mut Tensor, value: Scalar) -> Result<()> {
    check_writable(of(tensor), tensor)?;
    write_number(tensor, value)?;
    tensor.bump_version();
    Ok(())
}

#[inline(always)]
fn of(tensor: &Tensor) -> KeySet {
    // Without operators, layers have nothing to do but to record.
    #[cfg(not(feature = "ops"))]
    if !(tensor.requires_grad() && is_recording()) {
        return KeySet::EMPTY;
    }
    KeySet::EMPTY.with_tensor(tensor)
}

/// The same for what is not recorded.
#[inline(always)]
fn read(tensor: &Tensor) -> KeySet {
    match cfg!(feature = "ops") {
        true => of(tensor),
        false => KeySet::EMPTY,
    }
}

/// Whether a layer is to see what is done with a tensor.
#[inline(always)]
pub(crate) fn has_layers(tensor: &Tensor) -> bool {
    of(tensor).has_layers()
}

/// The tensor if it is of that dtype already, else a copy.
///
/// # Errors
///
/// As [`to_copy`].
pub(crate) fn to_dtype(tensor: &Tensor, dtype: DType) -> Result<Tensor> {
    if tensor.dtype() == dtype {
        return Ok(tensor.clone());
    }
    to_copy(tensor, dtype, tensor.device(), MemoryFormat::Contiguous)
}

/// A copy of bytes, which are elements of a dtype in this order of bytes or in the other one.
pub(crate) fn of_bytes(bytes: &Tensor, dtype: DType, is_swapped: bool) -> Result<Tensor> {
    if dtype == DType::Bool {
        return bytes.to_dtype(DType::Bool);
    }
    let count = bytes.numel() as i64;
    // The parts of a complex number are swapped each by itself.
    let width = dtype.to_real().size() as i64;
    let rows = view::reshape(bytes, &[count / width, width])?;
    let rows = if is_swapped { view::flip(&rows, 1)? } else { rows };
    let mut copy = Tensor::allocate(&[count], DType::UInt8, Device::Cpu)?;
    view::reshape(&copy, &[count / width, width])?.copy_from(&rows)?;
    copy.settle();
    // Nobody else has it, so that it can be taken for what it is.
    copy = view::reinterpret(&copy, dtype)?;
    Ok(copy)
}

/// The same memory behind a tensor that is not recorded, and whose writes are counted apart.
pub(crate) fn counted_apart(tensor: &Tensor, version: u32) -> Result<Tensor> {
    view::counted_apart(&detach(tensor)?, version)
}

/// The tensor if it is in row-major order already, else a copy.
///
/// # Errors
///
/// As [`clone`].
pub(crate) fn contiguous(tensor: &Tensor) -> Result<Tensor> {
    if tensor.is_contiguous() {
        return Ok(tensor.clone());
    }
    clone(tensor, MemoryFormat::Contiguous)
}

#[cfg(not(feature = "ops"))]
fn no_layers(keys: KeySet, operator: &str) -> Result<()> {
    ensure!(
        !keys.has_layers(),
        NotImplemented,
        "this module has no operator `{operator}` for tensors with gradients; the feature `ops` of \
         `opwright` adds it"
    );
    Ok(())
}

/// A view of real matrices with both dimensions exchanged.
#[cfg(not(feature = "ops"))]
fn transposed(tensor: &Tensor, dims: impl std::ops::RangeBounds<usize>) -> Result<Tensor> {
    let ndim = tensor.ndim();
    ensure!(
        ndim >= 2 && dims.contains(&ndim),
        Runtime,
        "a tensor of {ndim} dimensions is no matrix that could be transposed"
    );
    ensure!(
        !tensor.dtype().is_complex_number(),
        NotImplemented,
        "this module has no operator `conj`; the feature `ops` of `opwright` adds it"
    );
    view::transpose(tensor, ndim - 2, ndim - 1)
}

#[cfg(not(feature = "ops"))]
fn converted(
    tensor: &Tensor,
    dtype: DType,
    device: Device,
    format: MemoryFormat,
) -> Result<Tensor> {
    let moved = tensor.to_device(device)?;
    let format = if format == MemoryFormat::Preserve { MemoryFormat::Contiguous } else { format };
    let mut result = Tensor::allocate_in_format(moved.shape(), dtype, device, format)?;
    result.copy_from(&moved)?;
    Ok(result)
}
