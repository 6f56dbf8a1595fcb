//! Lines of elements of any dtype, for loops that see them as bytes.

use smallvec::SmallVec;

use opwright_runtime::tensor::{Overlap, overlaps};
use opwright_runtime::{DType, Result, Tensor};

/// Where elements of any dtype are, for threads that use each some of them.
#[derive(Clone, Copy)]
pub(super) struct Bytes(pub(super) *mut u8);

// SAFETY: a pointer alone does nothing; threads write to places of their own.
unsafe impl Sync for Bytes {}

impl Bytes {
    #[inline]
    pub(super) fn at(&self, bytes: usize) -> *mut u8 {
        self.0.wrapping_add(bytes)
    }
}

/// The lines along a dimension of a tensor.
pub(super) struct Runs {
    first: Bytes,
    pub(super) length: usize,
    /// From one element to the next, in bytes.
    pub(super) stride: isize,
    pub(super) count: usize,
    /// Sizes and distances in bytes of the other dimensions.
    others: SmallVec<[(usize, isize); 4]>,
}

impl Runs {
    /// A tensor without dimensions is one line.
    pub(super) fn new(tensor: &Tensor, dim: usize, first: Bytes) -> Runs {
        let length = tensor.shape().get(dim).map_or(1, |&it| it as usize);
        let bytes = tensor.dtype().size() as isize;
        let stride = tensor.strides().get(dim).map_or(0, |&it| it as isize * bytes);
        let count = tensor.numel() / length.max(1);
        let mut others = SmallVec::new();
        if tensor.is_contiguous() && dim + 1 == tensor.ndim() {
            others.push((count, length as isize * bytes));
        } else {
            let dims = tensor.shape().iter().zip(tensor.strides()).enumerate();
            let dims = dims.filter(|&(at, (&size, _))| at != dim && size != 1);
            others
                .extend(dims.map(|(_, (&size, &stride))| (size as usize, stride as isize * bytes)));
        }
        Runs { first, length, stride, count, others }
    }

    /// The first element of a line.
    pub(super) fn start(&self, mut index: usize) -> *mut u8 {
        let mut start = self.first.at(0);
        for &(size, stride) in self.others.iter().skip(1).rev() {
            start = start.wrapping_offset((index % size) as isize * stride);
            index /= size;
        }
        // The outermost dimension has what is left.
        let outermost = self.others.first().map_or(0, |&(_, stride)| stride);
        start.wrapping_offset(index as isize * outermost)
    }
}

/// Where results are written, one behind the other and apart from the input: an output, or what is
/// copied to it afterwards.
pub(super) struct Target<'a> {
    out: &'a mut Tensor,
    staged: Option<Tensor>,
}

impl<'a> Target<'a> {
    pub(super) fn new(out: &'a mut Tensor, input: &Tensor, dtype: DType) -> Result<Target<'a>> {
        out.check_readable()?;
        let is_apart = overlaps(out, input) == Overlap::No;
        let fits = out.dtype() == dtype && out.is_contiguous() && is_apart;
        let staged = match fits {
            true => None,
            false => Some(Tensor::allocate(out.shape(), dtype, out.device())?),
        };
        Ok(Target { out, staged })
    }

    pub(super) fn target(&self) -> &Tensor {
        self.staged.as_ref().unwrap_or(self.out)
    }

    pub(super) fn first(&self) -> Bytes {
        // SAFETY: nothing is read before all elements are written.
        Bytes(unsafe { self.target().overwrite_ptr() })
    }

    /// All elements were written.
    pub(super) fn finish(self) -> Result<()> {
        // SAFETY: whoever finishes has written each result.
        unsafe { self.target().assume_written() };
        match &self.staged {
            Some(staged) => self.out.copy_from(staged),
            None => Ok(()),
        }
    }
}

/// A tensor whose bytes are values: those of truth values are 0 and 1.
pub(super) fn values_of(input: &Tensor) -> Result<Tensor> {
    input.check_readable()?;
    if input.dtype().is_boolean() { input.to_values::<bool>() } else { Ok(input.clone()) }
}
