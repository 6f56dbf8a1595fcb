//! Matrices in memory.

use faer::{MatMut, MatRef};
use opwright_runtime::{Result, buffer};

use crate::number::RealOrComplex;

/// A matrix in column-major order.
#[derive(Clone, Debug)]
pub struct ColumnMajor<T> {
    elements: Vec<T>,
    rows: usize,
    columns: usize,
}

impl<T: RealOrComplex> ColumnMajor<T> {
    /// From elements in row-major order.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn of(elements: &[T], (rows, columns): (usize, usize)) -> Result<ColumnMajor<T>> {
        let mut matrix = ColumnMajor::zeros((rows, columns))?;
        transpose(elements, columns, &mut matrix.elements, rows);
        Ok(matrix)
    }

    /// From elements in column-major order, which are as many as the sizes say.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn of_transposed(
        elements: &[T],
        (rows, columns): (usize, usize),
    ) -> Result<ColumnMajor<T>> {
        Ok(ColumnMajor { elements: buffer::copied(elements)?, rows, columns })
    }

    /// The lower triangle of a Hermitian matrix, of which the lower or the upper one is
    /// given, in row-major order.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn triangle(elements: &[T], size: usize, is_upper: bool) -> Result<ColumnMajor<T>> {
        let mut matrix = match is_upper {
            true => ColumnMajor::of_transposed(elements, (size, size))?,
            false => ColumnMajor::of(elements, (size, size))?,
        };
        if is_upper {
            matrix.elements.iter_mut().for_each(|it| *it = it.conjugate());
        }
        for k in 0..size {
            let column = matrix.column_mut(k);
            column[..k].fill(T::ZERO);
            column[k] = T::of_parts(column[k].parts().0, 0.0);
        }
        Ok(matrix)
    }

    /// Of zeros alone.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn zeros((rows, columns): (usize, usize)) -> Result<ColumnMajor<T>> {
        let elements = buffer::filled(rows.saturating_mul(columns), T::ZERO)?;
        Ok(ColumnMajor { elements, rows, columns })
    }

    /// With ones on the diagonal.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn identity((rows, columns): (usize, usize)) -> Result<ColumnMajor<T>> {
        let mut matrix = ColumnMajor::zeros((rows, columns))?;
        for k in 0..rows.min(columns) {
            matrix.elements[k * rows + k] = T::ONE;
        }
        Ok(matrix)
    }

    /// How many rows and columns there are.
    pub fn dim(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// The element in a row and a column.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn at(&self, row: usize, column: usize) -> T {
        self.elements[column * self.rows + row]
    }

    /// All elements in column-major order.
    pub fn elements(&self) -> &[T] {
        &self.elements
    }

    /// The same, to be changed.
    pub fn elements_mut(&mut self) -> &mut [T] {
        &mut self.elements
    }

    /// The elements of a column.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn column_mut(&mut self, column: usize) -> &mut [T] {
        &mut self.elements[column * self.rows..][..self.rows]
    }

    /// Writes the elements in row-major order.
    pub fn write_rows(&self, to: &mut [T]) {
        transpose(&self.elements, self.rows, to, self.columns);
    }

    /// Writes the conjugates of the elements, those of the first columns if there is not
    /// room for all, in column-major order: the rows of the adjoint.
    pub fn write_adjoint(&self, to: &mut [T]) {
        to.iter_mut().zip(&self.elements).for_each(|(to, it)| *to = it.conjugate());
    }

    pub(crate) fn view(&self) -> MatRef<'_, T> {
        MatRef::from_column_major_slice(&self.elements, self.rows, self.columns)
    }

    pub(crate) fn view_mut(&mut self) -> MatMut<'_, T> {
        MatMut::from_column_major_slice_mut(&mut self.elements, self.rows, self.columns)
    }
}

/// Lines and columns of a part that stays in the nearest cache.
const TILE: usize = 16;

/// Writes the columns of a matrix as lines of length `height`, of one with lines of
/// length `width`.
fn transpose<T: Copy>(from: &[T], width: usize, to: &mut [T], height: usize) {
    for top in (0..height).step_by(TILE) {
        for left in (0..width).step_by(TILE) {
            let rows = top..height.min(top + TILE);
            for column in left..width.min(left + TILE) {
                let target = &mut to[column * height..][rows.clone()];
                for (it, row) in target.iter_mut().zip(rows.clone()) {
                    *it = from[row * width + column];
                }
            }
        }
    }
}
