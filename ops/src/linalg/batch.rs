//! Batches of matrices, as decompositions take and return them.

use opwright_linalg::MatrixScalar;
use opwright_runtime::geometry::Dims;
use opwright_runtime::{DType, Element, Error, Result, Tensor, ensure, interrupt, parallel, view};

use super::slots::ResultParts;

/// A number of a decomposition.
pub(crate) trait MatrixElement: Element + MatrixScalar<Real: Element> {}

impl<T: Element + MatrixScalar<Real: Element>> MatrixElement for T {}

/// Evaluates an expression with the type of the numbers of a batch.
macro_rules! with_numbers {
    ($batch:expr, |$T:ident| $body:expr) => {
        match $batch.dtype() {
            opwright_runtime::DType::Complex128 => {
                type $T = num_complex::Complex<f64>;
                $body
            }
            opwright_runtime::DType::Complex64 => {
                type $T = num_complex::Complex<f32>;
                $body
            }
            opwright_runtime::DType::Float64 => {
                type $T = f64;
                $body
            }
            _ => {
                type $T = f32;
                $body
            }
        }
    };
}
pub(super) use with_numbers;

/// Matrices of one shape.
pub(crate) struct Batch {
    /// Contiguous, with a single dimension for the batch.
    matrices: Tensor,
    /// The dimensions of the batch.
    sizes: Dims,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

impl Batch {
    /// The matrices of the argument `name`.
    ///
    /// # Errors
    ///
    /// `Runtime` if it has fewer than two dimensions or no floating dtype; `Memory` if
    /// there is not enough.
    pub(crate) fn new(name: &str, input: &Tensor) -> Result<Batch> {
        let &[ref sizes @ .., rows, columns] = input.shape() else {
            return Err(too_few_dims(name, input.ndim()));
        };
        check_dtype(input.dtype())?;
        let count = sizes.iter().product();
        let matrices = view::reshape(input, &[count, rows, columns])?;
        let is_meta = matrices.device().is_meta();
        Ok(Batch {
            matrices: if is_meta { matrices } else { matrices.to_contiguous()? },
            sizes: Dims::from_slice(sizes),
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

    pub(crate) fn is_meta(&self) -> bool {
        self.matrices.device().is_meta()
    }

    /// Whether there is nothing to compute: on the meta device, or for results
    /// of which, in these sizes, no matrix has an element.
    pub(crate) fn is_idle(&self, tails: &[&[usize]]) -> bool {
        self.is_meta() || tails.iter().all(|tail| tail.contains(&0))
    }

    pub(crate) fn dtype(&self) -> DType {
        self.matrices.dtype()
    }

    /// How many matrices there are.
    pub(crate) fn count(&self) -> usize {
        self.matrices.shape()[0] as usize
    }

    /// The sizes of the batch, and further ones.
    pub(crate) fn shape(&self, tail: &[usize]) -> Dims {
        let mut shape = self.sizes.clone();
        shape.extend(tail.iter().map(|&size| size as i64));
        shape
    }

    /// The elements of all matrices.
    ///
    /// # Errors
    ///
    /// `Runtime` if they are no such numbers.
    pub(super) fn matrices<T: MatrixElement>(&self) -> Result<Matrices<'_, T>> {
        // SAFETY: results are other memory, and threads that share a tensor do not write
        // to it while an operator reads it.
        let elements = unsafe { self.matrices.as_slice::<T>()? };
        Ok(Matrices { elements, each: self.rows * self.columns })
    }

    /// Calls `f` with the number of each matrix, its elements in row-major order, and the
    /// parts of the results that are its own; several threads do, if that takes long.
    ///
    /// # Errors
    ///
    /// The first error of `f`.
    pub(super) fn fill<T: MatrixElement, O: ResultParts>(
        &self,
        outputs: O,
        f: impl Fn(usize, &[T], O::Parts) -> Result<()> + Sync,
    ) -> Result<()> {
        if self.is_meta() {
            return Ok(());
        }
        let matrices = self.matrices::<T>()?;
        let weight = self.rows * self.columns * self.rows.min(self.columns).max(8);
        parallel::try_share(self.count(), weight, &|range| {
            range.into_iter().try_for_each(|index| {
                interrupt::check();
                // SAFETY: each index is in one range.
                let parts = unsafe { outputs.parts(index) };
                f(index, matrices.at(index), parts)
            })
        })
    }
}

/// The elements of matrices, each in row-major order.
pub(super) struct Matrices<'a, T> {
    elements: &'a [T],
    each: usize,
}

impl<'a, T> Matrices<'a, T> {
    pub(super) fn at(&self, index: usize) -> &'a [T] {
        &self.elements[index * self.each..][..self.each]
    }
}

#[cold]
fn too_few_dims(name: &str, ndim: usize) -> Error {
    Error::runtime(format_args!(
        "The input tensor {name} must have at least 2 dimensions, but has {ndim}"
    ))
}

/// Fails if matrices are not square.
///
/// # Errors
///
/// `Runtime`, with their sizes.
pub(super) fn check_square(rows: i64, columns: i64) -> Result<()> {
    ensure!(
        rows == columns,
        Runtime,
        "A must be batches of square matrices, but they are {rows} by {columns} matrices"
    );
    Ok(())
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
