//! Views: `as_strided`, `narrow`, `select`, `permute` and others over the same elements.
//!
//! These are geometry, not operators: dimensions are indices that the caller
//! has wrapped already, and an index out of range is an error all the same.

mod slice;

pub use self::slice::{backward_span, slice};
use super::metadata::{Keys, LayerMetadata};
use super::shared::Shared;
use super::{Impl, Placement, Tensor};
use crate::geometry::{
    self, Dims, broadcast_strides, check_ndim, element_count, same_dims, size_overflow, to_dims,
};
use crate::{DType, Error, Result, ensure};

/// The lowest and the highest element that a geometry reaches, relative to the
/// first, or nothing on overflow. There must be at least one element.
pub(super) fn reach(shape: &[i64], strides: &[i64]) -> Option<(i64, i64)> {
    let (mut low, mut high) = (0_i64, 0_i64);
    for (&size, &stride) in shape.iter().zip(strides) {
        let span = (size - 1).checked_mul(stride)?;
        let end = if span < 0 { &mut low } else { &mut high };
        *end = end.checked_add(span)?;
    }
    high.checked_sub(low)?.checked_add(1)?;
    Some((low, high))
}

/// Any view of the storage: `strides` and `offset` count elements.
///
/// # Errors
///
/// `Runtime` if the view reaches out of the storage, `Overflow` if not even
/// its size can be represented.
pub fn as_strided(tensor: &Tensor, shape: &[i64], strides: &[i64], offset: i64) -> Result<Tensor> {
    ensure!(shape.len() == strides.len(), Runtime, "mismatch in length of strides and shape");
    if shape.is_empty()
        && let Some(storage) = tensor.storage()
        && offset >= 0
        && (offset as usize) < storage.bytes() / tensor.dtype().size()
    {
        return tensor.element(offset);
    }
    let count = element_count(shape)?;
    ensure!(offset >= 0, Runtime, "Tensor: invalid storage offset {offset}");
    if count == 0 {
        // Nothing is there, so nobody can tell where it is.
        return tensor.with_checked_geometry(Placement {
            shape: to_dims(shape),
            strides: geometry::contiguous_strides(shape),
            offset: 0,
        });
    }
    let (low, high) = reach(shape, strides).ok_or_else(|| size_overflow(shape))?;
    if let Some(storage) = tensor.storage() {
        let total = (storage.bytes() / tensor.dtype().size()) as i64;
        let last = high.checked_add(offset).ok_or_else(|| size_overflow(shape))?;
        ensure!(
            offset + low >= 0 && last < total,
            Runtime,
            "setStorage: sizes {shape:?}, strides {strides:?}, and storage offset {offset} \
             are out of bounds for storage of {total} elements"
        );
    }
    tensor.with_checked_geometry(Placement {
        shape: to_dims(shape),
        strides: to_dims(strides),
        offset,
    })
}

/// The same elements in the same places, as a tensor of its own: what layers know of the other is
/// not known of it.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub fn alias(tensor: &Tensor) -> Result<Tensor> {
    tensor.with_wrapped_number(tensor.is_wrapped_number())
}

/// The same elements in the same places, as a tensor that is no view of the other one: layers of
/// that are not its own.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub fn apart(tensor: &Tensor) -> Result<Tensor> {
    let (keys, metadata) = (Keys::apart(tensor), LayerMetadata::new());
    Ok(Tensor(Shared::new(Impl { keys, metadata, ..(*tensor.0).clone() })?))
}

/// The same elements as [`apart`] has them, where what is written through the new tensor is counted
/// apart, from a number on.
///
/// # Errors
///
/// `Memory` if there is not enough.
///
/// ```
/// use opwright_runtime::{Tensor, view};
///
/// let x = Tensor::from_slice(&[2], &[1.0, 2.0])?;
/// let data = view::counted_apart(&x, 0)?;
/// data.bump_version();
/// assert_eq!((x.version(), data.version()), (0, 1));
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub fn counted_apart(tensor: &Tensor, version: u32) -> Result<Tensor> {
    let mut made = apart(tensor)?;
    if let Some(storage) = tensor.storage() {
        let storage = storage.counted_apart(version)?;
        made.make_unique()?.storage = Some(storage);
    }
    Ok(made)
}

/// This tensor stretched to a shape, without a copy.
///
/// # Errors
///
/// `Runtime` if it does not stretch to that shape.
///
/// ```
/// use opwright_runtime::{Tensor, view};
///
/// let row = Tensor::from_slice(&[2], &[1.0, 2.0])?;
/// let rows = view::expand(&row, &[2, 2])?;
/// assert_eq!((rows.strides(), rows.to_vec::<f64>()?), (&[0, 1][..], vec![1.0, 2.0, 1.0, 2.0]));
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub fn expand(tensor: &Tensor, shape: &[i64]) -> Result<Tensor> {
    if same_dims(tensor.shape(), shape) {
        return Ok(tensor.clone());
    }
    element_count(shape)?;
    let mut strides = broadcast_strides(tensor.shape(), tensor.strides(), shape)?;
    // A new dimension of one index is as long as what lies behind it.
    if tensor.ndim() > 0 {
        for dim in (0..shape.len() - tensor.ndim()).rev().filter(|&dim| shape[dim] == 1) {
            strides[dim] = shape[dim + 1].saturating_mul(strides[dim + 1]);
        }
    }
    tensor.with_checked_geometry(Placement {
        shape: to_dims(shape),
        strides,
        offset: tensor.offset(),
    })
}

/// The same elements, each once: a stretched dimension has one index.
///
/// # Errors
///
/// None that this tensor does not have itself.
///
/// ```
/// use opwright_runtime::{Tensor, view};
///
/// let rows = view::expand(&Tensor::from_slice(&[2], &[1.0, 2.0])?, &[3, 2])?;
/// assert_eq!(view::unstretched(&rows)?.shape(), [1, 2]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub fn unstretched(tensor: &Tensor) -> Result<Tensor> {
    if !is_stretched(tensor) {
        return Ok(tensor.clone());
    }
    let dims = tensor.shape().iter().zip(tensor.strides());
    let shape: Dims =
        dims.map(|(&size, &stride)| if stride == 0 { size.min(1) } else { size }).collect();
    let (strides, offset) = (to_dims(tensor.strides()), tensor.offset());
    tensor.with_checked_geometry(Placement { shape, strides, offset })
}

/// Whether a dimension has several places at one element.
pub(crate) fn is_stretched(tensor: &Tensor) -> bool {
    tensor.shape().iter().zip(tensor.strides()).any(|(&size, &stride)| stride == 0 && size > 1)
}

/// The dimensions in another order: the result's dimension `i` is this
/// tensor's dimension `order[i]`.
///
/// # Errors
///
/// `Runtime` if `order` is not a permutation of the dimensions.
///
/// ```
/// use opwright_runtime::{Tensor, view};
///
/// let x = Tensor::from_slice(&[1, 2, 3], &[0_u8; 6])?;
/// assert_eq!(view::permute(&x, &[2, 0, 1])?.shape(), [3, 1, 2]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub fn permute(tensor: &Tensor, order: &[usize]) -> Result<Tensor> {
    let ndim = tensor.ndim();
    let mut seen = geometry::DimSet::EMPTY;
    for &dim in order {
        ensure!(dim < ndim && !seen.contains(dim), Runtime, "{order:?} is not a permutation");
        seen = seen.with(dim);
    }
    ensure!(order.len() == ndim, Runtime, "{order:?} does not order {ndim} dimensions");
    if ndim < 2 {
        return tensor.with_checked_slices(tensor.shape(), tensor.strides(), tensor.offset());
    }
    tensor.with_checked_geometry(Placement {
        shape: order.iter().map(|&dim| tensor.shape()[dim]).collect(),
        strides: order.iter().map(|&dim| tensor.strides()[dim]).collect(),
        offset: tensor.offset(),
    })
}

/// Two dimensions exchanged.
///
/// # Errors
///
/// `Index` if there is no such dimension.
pub fn transpose(tensor: &Tensor, a: usize, b: usize) -> Result<Tensor> {
    check_dim(tensor, a)?;
    check_dim(tensor, b)?;
    let mut geometry = geometry(tensor);
    geometry.shape.swap(a, b);
    geometry.strides.swap(a, b);
    tensor.with_checked_geometry(geometry)
}

/// The part at one index of a dimension, without that dimension. The index
/// may count from the end.
///
/// # Errors
///
/// `Index` if there is no such dimension or index.
///
/// ```
/// use opwright_runtime::{Tensor, view};
///
/// let x = Tensor::from_slice(&[2, 2], &[1.0, 2.0, 3.0, 4.0])?;
/// assert_eq!(view::select(&x, 0, -1)?.to_vec::<f64>()?, [3.0, 4.0]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[inline]
pub fn select(tensor: &Tensor, dim: usize, index: i64) -> Result<Tensor> {
    check_dim(tensor, dim)?;
    let size = tensor.shape()[dim];
    ensure!(
        -size <= index && index < size,
        Index,
        "index {index} is out of bounds for dimension {dim} with size {size}"
    );
    let index = if index < 0 { index + size } else { index };
    let offset = tensor.offset() + index * tensor.strides()[dim];
    if tensor.ndim() == 1 {
        return tensor.element(offset);
    }
    if dim == 0 {
        return tensor.with_checked_slices(&tensor.shape()[1..], &tensor.strides()[1..], offset);
    }
    let mut geometry = Placement { offset, ..geometry(tensor) };
    geometry.shape.remove(dim);
    geometry.strides.remove(dim);
    tensor.with_checked_geometry(geometry)
}

/// `length` neighbours along a dimension, from `start` on.
///
/// # Errors
///
/// `Index` if there is no such dimension, `Runtime` if the range reaches
/// out of it.
///
/// ```
/// use opwright_runtime::{Tensor, view};
///
/// let x = Tensor::from_slice(&[4], &[1.0, 2.0, 3.0, 4.0])?;
/// assert_eq!(view::narrow(&x, 0, 1, 2)?.to_vec::<f64>()?, [2.0, 3.0]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub fn narrow(tensor: &Tensor, dim: usize, start: i64, length: i64) -> Result<Tensor> {
    check_dim(tensor, dim)?;
    let size = tensor.shape()[dim];
    ensure!(
        start >= 0 && length >= 0 && start <= size && length <= size - start,
        Runtime,
        "start ({start}) + length ({length}) exceeds dimension size ({size})."
    );
    let mut geometry = geometry(tensor);
    // The end of a dimension may be out of the storage; nothing is there.
    if length > 0 {
        geometry.offset += start * geometry.strides[dim];
    }
    geometry.shape[dim] = length;
    tensor.with_checked_geometry(geometry)
}

/// The indices of a dimension in reverse order, by a negative stride.
///
/// # Errors
///
/// `Index` if there is no such dimension.
pub fn flip(tensor: &Tensor, dim: usize) -> Result<Tensor> {
    check_dim(tensor, dim)?;
    let mut geometry = geometry(tensor);
    if geometry.shape[dim] > 1 && tensor.numel() > 0 {
        geometry.offset += (geometry.shape[dim] - 1) * geometry.strides[dim];
        geometry.strides[dim] = -geometry.strides[dim];
    }
    tensor.with_checked_geometry(geometry)
}

/// A dimension of size one before dimension `dim`.
///
/// # Errors
///
/// `Index` if `dim` is greater than the number of dimensions.
pub fn unsqueeze(tensor: &Tensor, dim: usize) -> Result<Tensor> {
    ensure!(dim <= tensor.ndim(), Index, "there is no place {dim} for a dimension");
    check_ndim(tensor.ndim() + 1)?;
    let mut geometry = geometry(tensor);
    let stride = match tensor.shape().get(dim) {
        Some(&size) => size.max(1).saturating_mul(tensor.strides()[dim]),
        None => 1,
    };
    geometry.shape.insert(dim, 1);
    geometry.strides.insert(dim, stride);
    tensor.with_checked_geometry(geometry)
}

/// Without dimension `dim`, whose size must be one.
///
/// # Errors
///
/// `Index` if there is no such dimension, `Runtime` if its size is not one.
pub fn squeeze(tensor: &Tensor, dim: usize) -> Result<Tensor> {
    check_dim(tensor, dim)?;
    ensure!(tensor.shape()[dim] == 1, Runtime, "dimension {dim} is not of size one");
    let mut geometry = geometry(tensor);
    geometry.shape.remove(dim);
    geometry.strides.remove(dim);
    tensor.with_checked_geometry(geometry)
}

/// The diagonal of two dimensions as a new last one, in place of both.
///
/// # Errors
///
/// `Index` if there is no such dimension, `Runtime` if both are the same.
pub fn diagonal(tensor: &Tensor, first: usize, second: usize, shift: i64) -> Result<Tensor> {
    check_dim(tensor, first)?;
    check_dim(tensor, second)?;
    ensure!(first != second, Runtime, "a diagonal needs two dimensions, not {first} twice");
    let (rows, columns) = (tensor.shape()[first], tensor.shape()[second]);
    let (down, right) = (shift.min(0).saturating_neg(), shift.max(0));
    let length = rows.saturating_sub(down).min(columns.saturating_sub(right)).max(0);
    let mut geometry = geometry(tensor);
    if length > 0 {
        geometry.offset += down * tensor.strides()[first] + right * tensor.strides()[second];
    }
    let stride = tensor.strides()[first].saturating_add(tensor.strides()[second]);
    for dim in [first.max(second), first.min(second)] {
        geometry.shape.remove(dim);
        geometry.strides.remove(dim);
    }
    geometry.shape.push(length);
    geometry.strides.push(if length > 1 { stride } else { 1 });
    tensor.with_checked_geometry(geometry)
}

/// The same elements in another shape, one of whose sizes may be -1,
/// without a copy; `None` if there has to be one.
///
/// # Errors
///
/// `Runtime` if the shape does not hold as many elements.
pub fn with_shape(tensor: &Tensor, shape: &[i64]) -> Result<Option<Tensor>> {
    let shape = geometry::infer_shape(shape, tensor.numel())?;
    if tensor.is_contiguous() {
        return tensor.in_row_major_order(shape).map(Some);
    }
    let strides = geometry::strides_for_shape(tensor.shape(), tensor.strides(), &shape);
    let Some(strides) = strides else { return Ok(None) };
    tensor.with_checked_geometry(Placement { shape, strides, offset: tensor.offset() }).map(Some)
}

/// The same elements in another shape, one of whose sizes may be -1, with a
/// copy only if there has to be one.
///
/// # Errors
///
/// As [`with_shape`], and `Memory`.
///
/// ```
/// use opwright_runtime::{Tensor, view};
///
/// let x = Tensor::from_slice(&[2, 3], &[1, 2, 3, 4, 5, 6])?;
/// assert_eq!(view::select(&view::reshape(&x, &[3, 2])?, 0, 1)?.to_vec::<i32>()?, [3, 4]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub fn reshape(tensor: &Tensor, shape: &[i64]) -> Result<Tensor> {
    if let Some(view) = with_shape(tensor, shape)? {
        return Ok(view);
    }
    let copy = tensor.to_contiguous()?;
    Ok(with_shape(&copy, shape)?.expect("a contiguous tensor can have any shape"))
}

/// The same bytes as elements of another dtype; the last dimension grows or
/// shrinks with the size of an element.
///
/// # Errors
///
/// `Runtime` if sizes, strides or the offset do not allow it.
pub fn reinterpret(tensor: &Tensor, dtype: DType) -> Result<Tensor> {
    let (old, new) = (tensor.dtype().size() as i64, dtype.size() as i64);
    let mut geometry = geometry(tensor);
    match old.cmp(&new) {
        std::cmp::Ordering::Equal => {}
        std::cmp::Ordering::Greater => split_elements(tensor, dtype, old / new, &mut geometry)?,
        std::cmp::Ordering::Less => join_elements(tensor, dtype, new / old, &mut geometry)?,
    }
    let mut result = tensor.with_checked_geometry(geometry)?;
    if let Some(storage) = tensor.storage() {
        let address = storage.address();
        let alignment = (new as usize).min(8);
        ensure!(
            address.is_multiple_of(alignment),
            Runtime,
            "the memory is not aligned for {dtype}"
        );
    }
    Shared::get_mut(&mut result.0).expect("a new tensor has one handle").dtype = dtype;
    Ok(result)
}

fn split_elements(
    tensor: &Tensor,
    dtype: DType,
    ratio: i64,
    geometry: &mut Placement,
) -> Result<()> {
    check_last_dim(tensor, dtype)?;
    let last = tensor.ndim() - 1;
    for (dim, stride) in geometry.strides.iter_mut().enumerate() {
        // A dimension of size one may have any stride.
        *stride = stride.saturating_mul(if dim == last { 1 } else { ratio });
    }
    geometry.shape[last] *= ratio;
    geometry.offset *= ratio;
    Ok(())
}

fn join_elements(
    tensor: &Tensor,
    dtype: DType,
    ratio: i64,
    geometry: &mut Placement,
) -> Result<()> {
    check_last_dim(tensor, dtype)?;
    let (old, last) = (tensor.dtype().title(), tensor.ndim() - 1);
    let (new, size) = (dtype.title(), tensor.shape()[last]);
    ensure!(
        size % ratio == 0,
        Runtime,
        "self.size(-1) must be divisible by {ratio} to view {old} as {new} (different \
         element sizes), but got {size}"
    );
    ensure!(
        tensor.offset() % ratio == 0,
        Runtime,
        "self.storage_offset() must be divisible by {ratio} to view {old} as {new} \
         (different element sizes), but got {}",
        tensor.offset()
    );
    for (dim, stride) in geometry.strides.iter_mut().enumerate() {
        if dim == last {
            continue;
        }
        ensure!(
            *stride % ratio == 0,
            Runtime,
            "self.stride({dim}) must be divisible by {ratio} to view {old} as {new} \
             (different element sizes), but got {stride}"
        );
        *stride /= ratio;
    }
    geometry.shape[last] /= ratio;
    geometry.offset /= ratio;
    Ok(())
}

fn check_last_dim(tensor: &Tensor, dtype: DType) -> Result<()> {
    let (old, new) = (tensor.dtype().title(), dtype.title());
    ensure!(
        tensor.ndim() > 0,
        Runtime,
        "self.dim() cannot be 0 to view {old} as {new} (different element sizes)"
    );
    let stride = tensor.strides()[tensor.ndim() - 1];
    ensure!(
        stride == 1 || tensor.shape()[tensor.ndim() - 1] == 1,
        Runtime,
        "self.stride(-1) must be 1 to view {old} as {new} (different element sizes), but \
         got {stride}"
    );
    Ok(())
}

/// The real parts of a complex tensor.
///
/// # Errors
///
/// `Runtime` if the tensor is not complex.
pub fn real(tensor: &Tensor) -> Result<Tensor> {
    complex_part(tensor, 0)
}

/// The imaginary parts of a complex tensor.
///
/// # Errors
///
/// `Runtime` if the tensor is not complex.
pub fn imag(tensor: &Tensor) -> Result<Tensor> {
    complex_part(tensor, 1)
}

fn complex_part(tensor: &Tensor, place: i64) -> Result<Tensor> {
    ensure!(
        tensor.dtype().is_complex_number(),
        Runtime,
        "only complex tensors have parts, not {}",
        tensor.dtype()
    );
    let mut inner = Impl {
        dtype: tensor.dtype().to_real(),
        keys: Keys::of_view(tensor),
        metadata: LayerMetadata::of_view(tensor),
        ..(*tensor.0).clone()
    };
    inner.offset = inner.offset * 2 + place;
    for (size, stride) in inner.shape.iter().zip(&mut inner.strides) {
        // A dimension of size one may have any stride.
        *stride = if *size > 1 { stride.saturating_mul(2) } else { 1 };
    }
    inner.is_row_major = geometry::is_row_major(&inner.shape, &inner.strides);
    inner.is_wrapped_number = false;
    Ok(Tensor(Shared::new(inner)?))
}

fn geometry(tensor: &Tensor) -> Placement {
    Placement {
        shape: to_dims(&tensor.0.shape),
        strides: to_dims(&tensor.0.strides),
        offset: tensor.offset(),
    }
}

fn check_dim(tensor: &Tensor, dim: usize) -> Result<()> {
    if dim < tensor.ndim() { Ok(()) } else { Err(no_dim(tensor, dim)) }
}

#[cold]
fn no_dim(tensor: &Tensor, dim: usize) -> Error {
    Error::out_of_range(format_args!(
        "there is no dimension {dim} in a tensor of {} dimensions",
        tensor.ndim()
    ))
}
