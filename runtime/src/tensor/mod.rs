//! Tensors: strided views of shared memory.
//!
//! A [`Tensor`] is a handle, one pointer wide, to metadata that never changes:
//! dtype, shape, strides, and where in a shared buffer the elements are. What
//! looks like a change of the metadata replaces what the handle points to, so
//! other handles do not see it. The elements are shared and do change.
//!
//! # Aliasing
//!
//! Handles are cloned freely and views share memory, so the borrow checker does
//! not see which elements a `&mut Tensor` reaches, and numpy may reach them too.
//! Hence what is safe hands out no reference to elements that others can reach:
//! [`Tensor::array`] and [`Tensor::to_vec`] copy them, [`Tensor::array_mut`] and
//! [`Tensor::as_mut_slice`] want the only handle. [`Tensor::array_view`], its
//! like and [`along_dim`](crate::along_dim) lend shared elements, and are `unsafe`. What
//! goes through raw pointers inside this crate accepts exact aliases;
//! [`iterate`](crate::iterate) refuses outputs that overlap inputs in another way,
//! whoever the memory belongs to. Kernels of structured operators need not care,
//! because staging (see [`structured`](crate::structured)) hands them an output
//! that shares nothing with their inputs, unless they asked for exact aliases.
//!
//! What is left to callers are other threads. Nobody writes to elements while
//! another thread uses them, or both find whatever numbers there are, as in numpy.
//! Operators read a number that decides about memory once, so that it is no more
//! than a wrong number.

mod allocate;
mod arrays;
mod copy;
mod create;
pub mod dlpack;
mod foreign;
mod format;
mod metadata;
pub(crate) mod overlap;
mod pages;
mod pieces;
mod set;
mod shared;
mod show;
mod storage;
pub mod text;
pub mod view;

pub(crate) use self::overlap::partial_overlap;
pub use self::overlap::{Overlap, has_internal_overlap, overlaps};
pub use self::pieces::Pieces;
pub(crate) use self::storage::clear_buffer_cache;
pub use self::storage::{ALIGNMENT, PinnedStorage, Storage};

use self::metadata::{Keys, LayerMetadata};
use self::shared::{Shared, SharedValue};
use crate::geometry::{Dims, contiguous_strides, element_count, is_row_major, same_dims, to_dims};
use crate::{DType, Device, Element, Error, Layout, Result, Scalar};

/// A handle to a strided view of shared memory.
///
/// ```
/// use opwright_runtime::{DType, Device, Tensor, view};
///
/// let x = Tensor::from_slice(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// assert_eq!((x.shape(), x.dtype(), x.device()), (&[2, 3][..], DType::Float64, Device::Cpu));
///
/// // A view shares the memory: what is written through one is read through the other.
/// let mut column = view::select(&x, 1, 0)?;
/// column.fill(0.into())?;
/// assert_eq!(x.to_vec::<f64>()?, [0.0, 2.0, 3.0, 0.0, 5.0, 6.0]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[derive(Clone)]
pub struct Tensor(Shared<Impl>);

#[derive(Clone)]
struct Impl {
    /// `None` on the meta device.
    storage: Option<Storage>,
    /// In elements from the start of the storage.
    offset: i64,
    count: usize,
    shape: Dims,
    strides: Dims,
    dtype: DType,
    is_wrapped_number: bool,
    is_row_major: bool,
    keys: Keys,
    metadata: LayerMetadata,
}

impl SharedValue for Impl {
    fn note_inference(&mut self) {
        // A view is what its base is, and another handle of a storage what that is.
        let is_new = self.storage.as_ref().is_none_or(Storage::is_inference);
        if is_new && !self.metadata.is_view() {
            self.keys.set_inference(true);
        }
    }
}

/// Where the elements of a new tensor are in a storage.
struct Placement {
    shape: Dims,
    strides: Dims,
    offset: i64,
}

impl Tensor {
    /// A view of the storage of `self`; the geometry must be within it.
    #[inline]
    fn with_checked_geometry(&self, geometry: Placement) -> Result<Tensor> {
        let Placement { shape, strides, offset } = geometry;
        debug_assert_eq!(shape.len(), strides.len());
        Ok(Tensor(Shared::made_by(|| Impl {
            storage: self.0.storage.clone(),
            offset,
            count: shape.iter().product::<i64>() as usize,
            is_row_major: is_row_major(&shape, &strides),
            shape,
            strides,
            dtype: self.0.dtype,
            is_wrapped_number: false,
            keys: Keys::of_view(self),
            metadata: LayerMetadata::of_view(self),
        })?))
    }

    /// The same of a geometry that was just put together number by number: to move that as a whole
    /// would have to wait until its numbers are in memory.
    fn with_checked_slices(&self, shape: &[i64], strides: &[i64], offset: i64) -> Result<Tensor> {
        debug_assert_eq!(shape.len(), strides.len());
        Ok(Tensor(Shared::made_by(|| Impl {
            storage: self.0.storage.clone(),
            offset,
            count: shape.iter().product::<i64>() as usize,
            is_row_major: is_row_major(shape, strides),
            shape: to_dims(shape),
            strides: to_dims(strides),
            dtype: self.0.dtype,
            is_wrapped_number: false,
            keys: Keys::of_view(self),
            metadata: LayerMetadata::of_view(self),
        })?))
    }

    /// A view without dimensions of the element at a place in the storage, which exists.
    #[inline]
    fn element(&self, offset: i64) -> Result<Tensor> {
        Ok(Tensor(Shared::made_by(|| Impl {
            storage: self.0.storage.clone(),
            offset,
            count: 1,
            shape: Dims::new(),
            strides: Dims::new(),
            dtype: self.0.dtype,
            is_wrapped_number: false,
            is_row_major: true,
            keys: Keys::of_view(self),
            metadata: LayerMetadata::of_view(self),
        })?))
    }

    /// The same elements, which are contiguous, in a shape for as many.
    #[inline]
    fn in_row_major_order(&self, shape: Dims) -> Result<Tensor> {
        debug_assert!(self.is_contiguous());
        Ok(Tensor(Shared::made_by(|| Impl {
            storage: self.0.storage.clone(),
            offset: self.0.offset,
            count: self.0.count,
            strides: contiguous_strides(&shape),
            shape,
            dtype: self.0.dtype,
            is_wrapped_number: false,
            keys: Keys::of_view(self),
            metadata: LayerMetadata::of_view(self),
            is_row_major: true,
        })?))
    }

    /// The sizes of the dimensions.
    #[inline]
    pub fn shape(&self) -> &[i64] {
        &self.0.shape
    }

    /// The distance between neighbours along each dimension, in elements.
    #[inline]
    pub fn strides(&self) -> &[i64] {
        &self.0.strides
    }

    /// The number of dimensions.
    #[inline]
    pub fn ndim(&self) -> usize {
        self.0.shape.len()
    }

    /// The number of elements.
    #[inline]
    pub fn numel(&self) -> usize {
        self.0.count
    }

    /// The size of dimension `dim`, which may count from the end.
    ///
    /// # Errors
    ///
    /// `Index` if there is no such dimension.
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    ///
    /// let x = Tensor::from_slice(&[2, 3], &[0_u8; 6])?;
    /// assert_eq!((x.size_of(0)?, x.size_of(-1)?), (2, 3));
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn size_of(&self, dim: i64) -> Result<i64> {
        let index = crate::geometry::wrap_dim(dim, self.ndim())?;
        self.0.shape.get(index).copied().ok_or_else(|| {
            Error::out_of_range(format_args!(
                "Dimension specified as {dim} but tensor has no dimensions"
            ))
        })
    }

    /// The first element's place in the storage, in elements.
    #[inline]
    pub fn offset(&self) -> i64 {
        self.0.offset
    }

    /// The type of the elements.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.0.dtype
    }

    /// Where the elements are.
    #[inline]
    pub fn device(&self) -> Device {
        if self.0.storage.is_some() { Device::Cpu } else { Device::Meta }
    }

    /// How the elements are found.
    #[inline]
    pub fn layout(&self) -> Layout {
        Layout::Strided
    }

    /// Whether this is a Python number that came where a tensor was asked for,
    /// and so gives way in type promotion.
    #[inline]
    pub fn is_wrapped_number(&self) -> bool {
        self.0.is_wrapped_number
    }

    /// The same tensor, marked as a Python number or as none.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn with_wrapped_number(&self, is_wrapped_number: bool) -> Result<Tensor> {
        Ok(Tensor(Shared::new(Impl {
            is_wrapped_number,
            keys: Keys::of_view(self),
            metadata: LayerMetadata::of_view(self),
            ..(*self.0).clone()
        })?))
    }

    /// Whether the elements lie in row-major order without gaps.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        self.0.is_row_major
    }

    /// Whether the elements fill their memory without gaps, in any order.
    #[inline]
    pub fn is_dense(&self) -> bool {
        self.is_contiguous() || self.is_dense_in_some_order()
    }

    fn is_dense_in_some_order(&self) -> bool {
        let mut dims: Vec<(i64, i64)> =
            self.strides().iter().copied().zip(self.shape().iter().copied()).collect();
        dims.retain(|&(_, size)| size != 1);
        dims.sort_unstable();
        let mut expected = 1;
        dims.iter().all(|&(stride, size)| {
            let continues = stride == expected;
            expected *= size;
            continues
        })
    }

    /// The shared memory; none on the meta device.
    #[inline]
    pub fn storage(&self) -> Option<&Storage> {
        self.0.storage.as_ref()
    }

    /// How often operators have written to its memory, through any tensor; 0 on the meta device.
    #[inline]
    pub fn version(&self) -> u32 {
        self.storage().map_or(0, Storage::version)
    }

    /// Counts that an operator has written to it.
    #[inline]
    pub fn bump_version(&self) {
        if let Some(storage) = self.storage() {
            storage.bump_version();
        }
    }

    /// Says how often somebody has written to its memory, for who knows better than the operators.
    pub fn set_version(&self, version: u32) {
        if let Some(storage) = self.storage() {
            storage.set_version(version);
        }
    }

    /// Whether both handles point to the same metadata.
    #[inline]
    pub fn is_same(&self, other: &Tensor) -> bool {
        Shared::is_same(&self.0, &other.0)
    }

    /// A pointer to the first element; null on the meta device.
    ///
    /// The memory that the tensor reaches from there is initialised. It stays
    /// valid as long as a handle to the storage lives.
    #[inline]
    pub fn data_ptr(&self) -> *mut u8 {
        match &self.0.storage {
            Some(storage) => self.first_element(storage.ready_ptr()),
            None => std::ptr::null_mut(),
        }
    }

    /// The same of a tensor in memory whose elements have this size.
    #[inline(always)]
    pub(crate) fn data_ptr_of(&self, size: usize) -> *mut u8 {
        debug_assert_eq!(size, self.dtype().size());
        let start = self.0.storage.as_ref().map_or(std::ptr::null_mut(), Storage::ready_ptr);
        start.wrapping_offset((self.0.offset as isize).wrapping_mul(size as isize))
    }

    /// A pointer to elements that may not be initialised, for a kernel that
    /// writes all of them; then [`Tensor::assume_written`] says so.
    ///
    /// They are initialised if others have handles: these may read meanwhile.
    ///
    /// # Safety
    ///
    /// Nothing may be read through the pointer that was not written before, and
    /// nobody else uses this very handle before the elements are written.
    #[inline]
    pub unsafe fn overwrite_ptr(&self) -> *mut u8 {
        self.new_ptr().unwrap_or_else(|| self.data_ptr())
    }

    /// The first element of a tensor that was just made: nobody has written to it, and nobody else
    /// has it or its memory, all of which it is.
    #[inline]
    pub(crate) fn new_ptr(&self) -> Option<*mut u8> {
        let storage = self.0.storage.as_ref().filter(|it| it.is_fresh())?;
        let is_only = Shared::count(&self.0) == 1 && storage.use_count() == 1;
        (is_only && self.covers(storage)).then(|| self.first_element(storage.raw_ptr()))
    }

    /// Says that a tensor that was allocated just now is written.
    ///
    /// # Safety
    ///
    /// Every element of the storage has been written.
    #[inline]
    pub(crate) unsafe fn assume_all_written(&self) {
        if let Some(storage) = &self.0.storage {
            // SAFETY: as above.
            unsafe { storage.assume_ready() };
        }
    }

    /// Whether no other handle leads to the elements, and nobody else's memory
    /// holds them: who can change this handle has them for itself.
    #[inline]
    pub fn is_alone(&self) -> bool {
        self.is_unique() && self.0.storage.as_ref().is_none_or(|it| !it.is_lent())
    }

    /// Whether no other handle leads to the elements, though they may be in memory that others lent.
    #[inline]
    pub fn is_unique(&self) -> bool {
        let Some(storage) = &self.0.storage else { return Shared::count(&self.0) == 1 };
        // A base that nobody but its view holds is no other way, and none at all if it has been
        // left behind with its memory.
        let shares = |base: &&Tensor| base.storage().is_some_and(|it| it.is_same(storage));
        let (is_view_alone, count) = match self.base().filter(shares) {
            Some(base) => (Shared::count(&base.0) == 1, 2),
            None => (true, 1),
        };
        Shared::count(&self.0) == 1 && is_view_alone && storage.is_held_by(count)
    }

    /// Whether nothing is to be filled with zeros any more.
    #[inline]
    pub fn is_settled(&self) -> bool {
        self.0.storage.as_ref().is_none_or(|it| !it.is_fresh())
    }

    /// Sees to it that nothing is to be filled with zeros any more.
    ///
    /// Whoever reads memory that nobody has written to fills it first, and the
    /// others wait. So a tensor is settled before it goes where others may come
    /// upon it, in Python above all.
    #[inline]
    pub fn settle(&self) {
        if let Some(storage) = &self.0.storage {
            storage.ready_ptr();
        }
    }

    /// Ends what [`Tensor::overwrite_ptr`] began.
    ///
    /// # Safety
    ///
    /// Every element of this tensor has been written.
    #[inline]
    pub unsafe fn assume_written(&self) {
        if let Some(storage) = &self.0.storage
            && storage.is_fresh()
            && self.covers(storage)
        {
            // SAFETY: all elements are written, and they are the whole storage.
            unsafe { storage.assume_ready() };
        }
    }

    /// Whether the elements are the whole storage.
    #[inline]
    fn covers(&self, storage: &Storage) -> bool {
        self.0.count * self.0.dtype.size() == storage.bytes() && self.is_dense()
    }

    #[inline]
    fn first_element(&self, start: *mut u8) -> *mut u8 {
        // A tensor without elements may be anywhere, hence the wrapping.
        start.wrapping_offset((self.0.offset as isize).wrapping_mul(self.0.dtype.size() as isize))
    }

    /// Replaces this handle's tensor by one of another shape, as `out=` wants it.
    ///
    /// The storage is kept if it is large enough, as are elements in it;
    /// otherwise the tensor gets a storage of its own.
    ///
    /// # Errors
    ///
    /// As [`Tensor::allocate`].
    ///
    /// ```
    /// use opwright_runtime::{DType, Device, Tensor};
    ///
    /// let mut out = Tensor::zeroed(&[0], DType::Float32, Device::Cpu)?;
    /// out.set_shape(&[2, 2])?;
    /// assert_eq!(out.shape(), [2, 2]);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn set_shape(&mut self, shape: &[i64]) -> Result<()> {
        if same_dims(self.shape(), shape) {
            return Ok(());
        }
        let needed = element_count(shape)?;
        let resized = match &self.0.storage {
            Some(storage) if self.room(storage) >= needed => {
                self.with_checked_geometry(Placement {
                    shape: to_dims(shape),
                    strides: contiguous_strides(shape),
                    offset: self.0.offset,
                })?
            }
            _ => Tensor::allocate(shape, self.dtype(), self.device())?,
        };
        self.replace(resized)
    }

    /// The elements between this tensor's first one and the end of the storage.
    fn room(&self, storage: &Storage) -> usize {
        let total = storage.bytes() / self.0.dtype.size();
        total.saturating_sub(self.0.offset as usize)
    }

    /// The only element.
    ///
    /// # Errors
    ///
    /// `Runtime` if there is not exactly one, `NotImplemented` on the meta device.
    ///
    /// ```
    /// use opwright_runtime::{Scalar, Tensor};
    ///
    /// assert_eq!(Tensor::from_slice(&[1, 1], &[7_i32])?.to_scalar()?, Scalar::Int(7));
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn to_scalar(&self) -> Result<Scalar> {
        crate::ensure!(
            self.numel() == 1,
            Runtime,
            "a Tensor with {} elements cannot be converted to Scalar",
            self.numel()
        );
        self.check_readable()?;
        // SAFETY: there is one element, at the pointer, of the type of the dtype.
        crate::dispatch!(self.dtype(), "to_scalar", all, |T| unsafe {
            Ok(crate::iterate::load::<T>(self.data_ptr()).into_scalar())
        })
    }

    /// The first element in row-major order, if there is any.
    ///
    /// # Errors
    ///
    /// `Runtime` if `T` is not the type of the elements, `NotImplemented` on the
    /// meta device.
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    ///
    /// assert_eq!(Tensor::from_slice(&[2], &[7_i32, 8])?.first::<i32>()?, Some(7));
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn first<T: Element>(&self) -> Result<Option<T>> {
        self.check_dtype::<T>()?;
        self.check_readable()?;
        if self.numel() == 0 {
            return Ok(None);
        }
        // SAFETY: there is an element, at the pointer, of type `T`.
        Ok(Some(unsafe { crate::iterate::load(self.data_ptr()) }))
    }

    /// Whether there are elements to read.
    ///
    /// # Errors
    ///
    /// `NotImplemented` on the meta device.
    #[inline]
    pub fn check_readable(&self) -> Result<()> {
        if self.0.storage.is_some() { Ok(()) } else { Err(no_data()) }
    }

    /// Fails unless the elements are of type `T`.
    #[inline]
    pub(crate) fn check_dtype<T: Element>(&self) -> Result<()> {
        self.check_dtype_of(T::DTYPE)
    }

    /// The same of a dtype.
    #[inline]
    pub(crate) fn check_dtype_of(&self, dtype: DType) -> Result<()> {
        if self.dtype() == dtype { Ok(()) } else { Err(self.wrong_dtype(dtype)) }
    }

    #[cold]
    fn wrong_dtype(&self, expected: DType) -> Error {
        Error::runtime(format_args!(
            "expected scalar type {} but found {}",
            expected.title(),
            self.dtype().title()
        ))
    }
}

#[cold]
fn no_data() -> Error {
    Error::not_implemented("cannot read or write the elements of a meta tensor: it has none")
}
