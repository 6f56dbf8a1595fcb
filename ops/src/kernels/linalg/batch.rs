//! Batches of matrices, as decompositions take and return them.
//!
//! Decompositions are computed in double precision, whatever the dtype: digits
//! are what they are short of, and one copy of each for real and one for
//! complex numbers is enough.

use ndarray::{Array2, ArrayView2, Ix3};
use num_complex::Complex;
use opwright_runtime::dtype::FloatOrComplex;
use opwright_runtime::geometry::Dims;
use opwright_runtime::{
    DType, Device, Element, Error, Result, Tensor, buffer, ensure, interrupt, view,
};

use crate::kernels::reduction::norms::Length;

/// A number of a decomposition.
pub(crate) trait Double: Element + FloatOrComplex<Part = f64> + Length {
    /// A real number.
    fn of(real: f64) -> Self {
        Self::cast_from(real)
    }

    /// The real part.
    fn real(self) -> f64 {
        self.as_f64()
    }
}

impl Double for f64 {}
impl Double for Complex<f64> {}

/// Evaluates an expression with the type of the numbers of a batch.
macro_rules! with_numbers {
    ($batch:expr, |$T:ident| $body:expr) => {
        if $batch.is_complex() {
            type $T = num_complex::Complex<f64>;
            $body
        } else {
            type $T = f64;
            $body
        }
    };
}
pub(super) use with_numbers;

/// Matrices of one shape.
pub(crate) struct Batch {
    /// In double precision, with a single dimension for the batch.
    matrices: Tensor,
    /// The dimensions of the batch.
    sizes: Dims,
    dtype: DType,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

impl Batch {
    /// The matrices of the argument `name`.
    ///
    /// # Errors
    ///
    /// `Runtime` if it has fewer than two dimensions or no floating dtype.
    pub(crate) fn new(name: &str, input: &Tensor) -> Result<Batch> {
        let &[ref sizes @ .., rows, columns] = input.shape() else {
            return Err(too_few_dims(name, input.ndim()));
        };
        let dtype = input.dtype();
        check_dtype(dtype)?;
        let wide = if dtype.is_complex_number() { DType::Complex128 } else { DType::Float64 };
        let count = sizes.iter().product();
        Ok(Batch {
            matrices: view::reshape(&input.to_dtype(wide)?, &[count, rows, columns])?,
            sizes: Dims::from_slice(sizes),
            dtype,
            rows: rows as usize,
            columns: columns as usize,
        })
    }

    /// The same for square matrices.
    ///
    /// # Errors
    ///
    /// As [`Batch::new`], and `Runtime` if they are not square.
    pub(crate) fn square(name: &str, input: &Tensor) -> Result<Batch> {
        let batch = Batch::new(name, input)?;
        ensure!(
            batch.rows == batch.columns,
            Runtime,
            "{name} must be batches of square matrices, but they are {} by {} matrices",
            batch.rows,
            batch.columns
        );
        Ok(batch)
    }

    pub(crate) fn is_complex(&self) -> bool {
        self.dtype.is_complex_number()
    }

    pub(crate) fn is_meta(&self) -> bool {
        self.matrices.device().is_meta()
    }

    /// Whether there is nothing to compute: on the meta device, or for results
    /// of which, in these sizes, no matrix has an element.
    pub(crate) fn is_idle(&self, tails: &[&[usize]]) -> bool {
        self.is_meta() || tails.iter().all(|tail| tail.contains(&0))
    }

    /// The dtype of what was given.
    pub(crate) fn dtype(&self) -> DType {
        self.dtype
    }

    /// The sizes of the batch, and further ones.
    pub(crate) fn shape(&self, tail: &[usize]) -> Dims {
        let mut shape = self.sizes.clone();
        shape.extend(tail.iter().map(|&size| size as i64));
        shape
    }

    /// Calls `f` with each matrix.
    pub(crate) fn for_each<T: Double>(
        &self,
        mut f: impl FnMut(ArrayView2<'_, T>) -> Result<()>,
    ) -> Result<()> {
        // SAFETY: what `f` makes is other memory, and threads that share a tensor
        // do not write to it while an operator reads it.
        let matrices = unsafe { self.matrices.array_view::<T>()? }.into_dimensionality::<Ix3>();
        let matrices = matrices.map_err(|_| Error::runtime("expected a batch of matrices"))?;
        matrices.outer_iter().try_for_each(|matrix| {
            interrupt::check();
            f(matrix)
        })
    }

    /// An empty list with room for a result, `tail` numbers for each matrix.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub(crate) fn list<T>(&self, tail: &[usize]) -> Result<Vec<T>> {
        if self.is_meta() {
            return Ok(Vec::new());
        }
        let count = self.matrices.shape()[0] as usize;
        buffer::with_capacity(tail.iter().fold(count, |all, &size| all.saturating_mul(size)))
    }

    /// A result of these numbers, `tail` of them for each matrix.
    pub(crate) fn collect<T: Element>(
        &self,
        tail: &[usize],
        values: Vec<T>,
        dtype: DType,
    ) -> Result<Tensor> {
        let shape = self.shape(tail);
        if self.is_meta() {
            return Tensor::allocate(&shape, dtype, Device::Meta);
        }
        Tensor::from_vec(&shape, values)?.to_dtype(dtype)
    }
}

/// The identity, or so many rows and columns of it.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub(super) fn identity<T: Double>(rows: usize, columns: usize) -> Result<Array2<T>> {
    let row = |i: usize| (0..columns).map(move |j| if i == j { T::ONE } else { T::ZERO });
    buffer::array((rows, columns), (0..rows).flat_map(row))
}

/// The rows of a matrix in another order.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub(super) fn reordered<T: Double>(
    matrix: ArrayView2<'_, T>,
    order: &[usize],
) -> Result<Array2<T>> {
    let row = |&i: &usize| matrix.row(i).into_iter().copied();
    buffer::array((order.len(), matrix.ncols()), order.iter().flat_map(row))
}

#[cold]
fn too_few_dims(name: &str, ndim: usize) -> Error {
    Error::runtime(format_args!(
        "The input tensor {name} must have at least 2 dimensions, but has {ndim}"
    ))
}

/// Fails if there is no decomposition of such numbers.
///
/// # Errors
///
/// `Runtime`, with the dtype.
pub(crate) fn check_dtype(dtype: DType) -> Result<()> {
    ensure!(
        dtype.is_floating() || dtype.is_complex_number(),
        Runtime,
        "Expected a floating point or complex tensor as input. Got {}",
        dtype.title()
    );
    ensure!(
        !matches!(dtype, DType::Float16 | DType::BFloat16),
        Runtime,
        "Low precision dtypes not supported. Got {}",
        dtype.title()
    );
    Ok(())
}
