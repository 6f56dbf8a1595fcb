//! Memory layout of the matrices of a product: plain numbers, the same for every dtype.

use std::ops::Range;

use opwright_linalg::Strided;
use opwright_runtime::{Result, Tensor, buffer, parallel};

/// A matrix in memory.
#[derive(Clone, Copy)]
pub(super) struct Matrix {
    first: *mut u8,
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// How many bytes it is to the next row, and to the next column.
    steps: (isize, isize),
}

// SAFETY: a matrix only says where elements are; what uses them is `unsafe`.
unsafe impl Send for Matrix {}

// SAFETY: as above.
unsafe impl Sync for Matrix {}

impl Matrix {
    /// The last two dimensions of a tensor that has as many, from an element on.
    pub(super) fn of(tensor: &Tensor, first: *mut u8) -> Matrix {
        let (dim, bytes) = (tensor.ndim() - 2, tensor.dtype().size() as isize);
        let (shape, strides) = (&tensor.shape()[dim..], &tensor.strides()[dim..]);
        // A dimension of size one may have any stride.
        let step = |at: usize| if shape[at] > 1 { strides[at] as isize * bytes } else { 0 };
        let (rows, columns) = (shape[0] as usize, shape[1] as usize);
        Matrix { first, rows, columns, steps: (step(0), step(1)) }
    }

    /// A list of all elements, row by row.
    pub(super) fn of_list<T>(list: &mut [T], rows: usize, columns: usize) -> Matrix {
        debug_assert_eq!(list.len(), rows * columns);
        let bytes = size_of::<T>() as isize;
        let steps = (columns as isize * bytes, bytes);
        Matrix { first: list.as_mut_ptr().cast(), rows, columns, steps }
    }

    /// The same matrix so many bytes further on.
    pub(super) fn moved(self, bytes: isize) -> Matrix {
        Matrix { first: self.first.wrapping_offset(bytes), ..self }
    }

    pub(super) fn rows(self, range: Range<usize>) -> Matrix {
        let rows = range.len();
        Matrix { rows, ..self.moved(range.start as isize * self.steps.0) }
    }

    pub(super) fn columns(self, range: Range<usize>) -> Matrix {
        let columns = range.len();
        Matrix { columns, ..self.moved(range.start as isize * self.steps.1) }
    }

    pub(super) fn transposed(self) -> Matrix {
        let Matrix { first, rows, columns, steps } = self;
        Matrix { first, rows: columns, columns: rows, steps: (steps.1, steps.0) }
    }

    /// The place of an element.
    #[inline(always)]
    pub(super) fn at<T>(self, row: usize, column: usize) -> *mut T {
        let bytes = row as isize * self.steps.0 + column as isize * self.steps.1;
        self.first.wrapping_offset(bytes).cast()
    }

    /// How many elements it is to the next row, and to the next column.
    #[inline]
    pub(super) fn steps<T>(self) -> (isize, isize) {
        let bytes = size_of::<T>() as isize;
        (self.steps.0 / bytes, self.steps.1 / bytes)
    }

    pub(super) fn strided<T>(self) -> Strided<*mut T> {
        Strided { first: self.first.cast(), steps: self.steps::<T>() }
    }

    /// Whether the elements of a row are neighbours.
    fn has_dense_rows(self, bytes: usize) -> bool {
        self.columns <= 1 || self.steps.1 == bytes as isize
    }

    fn is_row_major(self, bytes: usize) -> bool {
        let row = (self.columns * bytes) as isize;
        self.has_dense_rows(bytes) && (self.rows <= 1 || self.steps.0 == row)
    }

    /// A row, if its elements are neighbours.
    ///
    /// # Safety
    ///
    /// There are elements of type `T`, which nobody writes to while they are borrowed.
    #[inline]
    pub(super) unsafe fn row<'a, T>(self, row: usize) -> Option<&'a [T]> {
        // SAFETY: the elements are there, and each is behind the one before it.
        self.has_dense_rows(size_of::<T>())
            .then(|| unsafe { std::slice::from_raw_parts(self.at(row, 0), self.columns) })
    }

    /// All elements row by row, copied to a list if they do not lie so.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    ///
    /// # Safety
    ///
    /// As for [`Matrix::row`].
    pub(super) unsafe fn row_major<T: Copy>(self, room: &mut Vec<T>) -> Result<&[T]> {
        let count = self.rows * self.columns;
        if count > 0 && self.is_row_major(size_of::<T>()) {
            // SAFETY: the elements are there, and each is behind the one before it.
            return Ok(unsafe { std::slice::from_raw_parts(self.first.cast(), count) });
        }
        room.clear();
        buffer::reserve(room, count)?;
        let slots = room.as_mut_ptr();
        for row in 0..self.rows {
            for column in 0..self.columns {
                // SAFETY: the elements are there, and there is room for as many.
                unsafe {
                    slots.add(row * self.columns + column).write(self.at::<T>(row, column).read());
                }
            }
        }
        // SAFETY: all of them have been written.
        unsafe { room.set_len(count) };
        Ok(room)
    }
}

/// The factors, and where their product goes.
#[derive(Clone, Copy)]
pub(super) struct Operands {
    pub(super) a: Matrix,
    pub(super) b: Matrix,
    pub(super) out: Matrix,
}

impl Operands {
    /// What makes the transposed product.
    pub(super) fn transposed(self) -> Operands {
        let Operands { a, b, out } = self;
        Operands { a: b.transposed(), b: a.transposed(), out: out.transposed() }
    }

    /// What makes some rows of the product.
    pub(super) fn rows(self, range: Range<usize>) -> Operands {
        Operands { a: self.a.rows(range.clone()), out: self.out.rows(range), ..self }
    }

    /// What makes some columns of the product.
    pub(super) fn columns(self, range: Range<usize>) -> Operands {
        Operands { b: self.b.columns(range.clone()), out: self.out.columns(range), ..self }
    }
}

/// Calls `body` with bands of so many indices, on several threads if it turns out to take
/// long. A band stands for `weight` elements or so.
///
/// # Errors
///
/// The first error of `body`.
pub(super) fn for_bands(
    count: usize,
    width: usize,
    weight: usize,
    body: &(dyn Fn(Range<usize>) -> Result<()> + Sync),
) -> Result<()> {
    if count <= width {
        return body(0..count);
    }
    parallel::try_share(count.div_ceil(width), weight, &|bands| {
        for start in bands.map(|it| it * width) {
            body(start..count.min(start + width))?;
        }
        Ok(())
    })
}

/// The number of multiplications that a product takes.
pub(super) fn multiplications(rows: usize, columns: usize, inner: usize) -> usize {
    rows.saturating_mul(columns).saturating_mul(inner)
}
