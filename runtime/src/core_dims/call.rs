//! Arguments and results of kernels of core dimensions.

use std::marker::PhantomData;

use ndarray::{Array, ArrayView, ArrayViewMut, Dimension};

use crate::{DType, Element, Error, Result, ensure};

/// The core elements of a tensor: a copy, side by side.
#[derive(Debug)]
pub struct CoreInput<'a>(CoreElements<'a>);

/// Room for the core elements of a result: zeros at first.
#[derive(Debug)]
pub struct CoreOutput<'a>(CoreElements<'a>);

#[derive(Debug)]
struct CoreElements<'a> {
    start: *mut u8,
    dtype: DType,
    shape: &'a [usize],
    memory: PhantomData<&'a mut [u8]>,
}

impl<'a> CoreInput<'a> {
    /// # Safety
    ///
    /// For as long as `'a`, so many elements of this dtype are there, which nobody writes to.
    #[inline]
    pub(super) unsafe fn new(start: *mut u8, dtype: DType, shape: &'a [usize]) -> CoreInput<'a> {
        CoreInput(CoreElements { start, dtype, shape, memory: PhantomData })
    }
}

impl<'a> CoreOutput<'a> {
    /// # Safety
    ///
    /// For as long as `'a`, so many elements of this dtype are there, which nobody else uses.
    #[inline]
    pub(super) unsafe fn new(start: *mut u8, dtype: DType, shape: &'a [usize]) -> CoreOutput<'a> {
        CoreOutput(CoreElements { start, dtype, shape, memory: PhantomData })
    }
}

impl CoreElements<'_> {
    /// The dimensions as a kernel has them.
    #[inline(always)]
    fn dim<T: Element, D: Dimension>(&self) -> Result<D> {
        let ndim = self.shape.len();
        if self.dtype != T::DTYPE || D::NDIM.is_some_and(|it| it != ndim) {
            return Err(self.misfit(T::DTYPE, D::NDIM));
        }
        let mut dim = D::zeros(ndim);
        for (at, &size) in self.shape.iter().enumerate() {
            dim[at] = size;
        }
        Ok(dim)
    }

    #[cold]
    fn misfit(&self, dtype: DType, ndim: Option<usize>) -> Error {
        if self.dtype != dtype {
            return Error::runtime(format_args!(
                "the kernel takes {} where it is given {}",
                dtype.name(),
                self.dtype.name()
            ));
        }
        Error::runtime(format_args!(
            "the kernel takes arrays of {} dimensions where its core dimensions are {}",
            ndim.unwrap_or_default(),
            self.shape.len()
        ))
    }
}

/// What a kernel of core dimensions can take for a tensor.
#[diagnostic::on_unimplemented(
    message = "a kernel of core dimensions cannot take `{Self}` for a tensor",
    label = "take an `ArrayView` of the core dimensions, or a single element if there are none"
)]
pub trait CoreArgument<'a>: Sized {
    /// The core elements as such.
    ///
    /// # Errors
    ///
    /// `Runtime` if they have another dtype, or another number of dimensions.
    fn of(input: CoreInput<'a>) -> Result<Self>;
}

impl<'a, T: Element, D: Dimension> CoreArgument<'a> for ArrayView<'a, T, D> {
    #[inline(always)]
    fn of(input: CoreInput<'a>) -> Result<Self> {
        let dim = input.0.dim::<T, D>()?;
        // SAFETY: so many elements of this dtype are there for as long as the view.
        Ok(unsafe { ArrayView::from_shape_ptr(dim, input.0.start.cast_const().cast()) })
    }
}

impl<T: Element> CoreArgument<'_> for T {
    #[inline(always)]
    fn of(input: CoreInput<'_>) -> Result<Self> {
        input.0.dim::<T, ndarray::Ix0>()?;
        // SAFETY: one element of this dtype is there.
        Ok(unsafe { input.0.start.cast::<T>().read() })
    }
}

/// Hands the core elements of a tensor to a kernel.
///
/// # Errors
///
/// As [`CoreArgument::of`].
#[inline(always)]
pub fn argument<'a, T: CoreArgument<'a>>(input: CoreInput<'a>) -> Result<T> {
    T::of(input)
}

/// What a kernel of core dimensions can fill.
#[diagnostic::on_unimplemented(
    message = "a kernel of core dimensions cannot fill `{Self}`",
    label = "take an `ArrayViewMut` of the core dimensions, or return the result"
)]
pub trait CoreFilled<'a>: Sized {
    /// The core elements as such.
    ///
    /// # Errors
    ///
    /// As [`CoreArgument::of`].
    fn of(output: CoreOutput<'a>) -> Result<Self>;
}

impl<'a, T: Element, D: Dimension> CoreFilled<'a> for ArrayViewMut<'a, T, D> {
    #[inline(always)]
    fn of(output: CoreOutput<'a>) -> Result<Self> {
        let dim = output.0.dim::<T, D>()?;
        // SAFETY: so many elements of this dtype are there for as long as the view, for it alone.
        Ok(unsafe { ArrayViewMut::from_shape_ptr(dim, output.0.start.cast()) })
    }
}

/// Hands the room for a result to a kernel.
///
/// # Errors
///
/// As [`CoreFilled::of`].
#[inline(always)]
pub fn filled<'a, T: CoreFilled<'a>>(output: CoreOutput<'a>) -> Result<T> {
    T::of(output)
}

/// What a kernel of core dimensions can return for one tensor.
pub trait CorePart {
    /// Writes it where it belongs.
    ///
    /// # Errors
    ///
    /// `Runtime` if it has another shape or dtype than the core dimensions.
    fn write(self, output: CoreOutput<'_>) -> Result<()>;
}

impl<T: Element> CorePart for T {
    #[inline]
    fn write(self, output: CoreOutput<'_>) -> Result<()> {
        output.0.dim::<T, ndarray::Ix0>()?;
        // SAFETY: there is room for one element of this dtype.
        unsafe { output.0.start.cast::<T>().write(self) };
        Ok(())
    }
}

impl<T: Element, D: Dimension> CorePart for Array<T, D> {
    #[inline]
    fn write(self, output: CoreOutput<'_>) -> Result<()> {
        ensure!(
            self.shape() == output.0.shape,
            Runtime,
            "the kernel returned an array of shape {:?} where its core dimensions are {:?}",
            self.shape(),
            output.0.shape
        );
        let mut room = filled::<ArrayViewMut<'_, T, D>>(output)?;
        match (room.as_slice_mut(), self.as_slice()) {
            (Some(room), Some(elements)) => room.copy_from_slice(elements),
            _ => room.assign(&self),
        }
        Ok(())
    }
}

/// What a kernel of core dimensions can return for so many tensors.
#[diagnostic::on_unimplemented(
    message = "a kernel of core dimensions cannot return `{Self}` for {M} results",
    label = "return an `Array` or a single element for each, or fill an `ArrayViewMut` for each; or a `Result` of these"
)]
pub trait CoreResults<const M: usize> {
    /// Writes them where they belong.
    ///
    /// # Errors
    ///
    /// What the kernel reports; as [`CorePart::write`].
    fn write(self, outputs: [CoreOutput<'_>; M]) -> Result<()>;
}

impl<P: CorePart> CoreResults<1> for P {
    #[inline]
    fn write(self, [output]: [CoreOutput<'_>; 1]) -> Result<()> {
        CorePart::write(self, output)
    }
}

impl<const M: usize, R: CoreResults<M>> CoreResults<M> for Result<R> {
    #[inline]
    fn write(self, outputs: [CoreOutput<'_>; M]) -> Result<()> {
        self?.write(outputs)
    }
}

macro_rules! tuples {
    ($($count:literal ($($part:ident $value:ident $output:ident),*))*) => {$(
        impl<$($part: CorePart),*> CoreResults<$count> for ($($part,)*) {
            #[inline]
            fn write(self, [$($output),*]: [CoreOutput<'_>; $count]) -> Result<()> {
                let ($($value,)*) = self;
                $($value.write($output)?;)*
                Ok(())
            }
        }
    )*};
}

tuples! {
    0 ()
    2 (A a x, B b y)
    3 (A a x, B b y, C c z)
    4 (A a x, B b y, C c z, D d w)
}

/// Writes what a kernel returns.
///
/// # Errors
///
/// As [`CoreResults::write`].
#[inline]
pub fn returned<const M: usize>(
    results: impl CoreResults<M>,
    outputs: [CoreOutput<'_>; M],
) -> Result<()> {
    results.write(outputs)
}
