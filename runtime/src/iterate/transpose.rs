//! Blocked copies of transposed matrices.
//!
//! A tile is read and written by whole pieces of rows. So it does not matter whether the rows of
//! either side displace each other in the cache, as they do if a power of two lies between them.

#[cfg(target_arch = "x86_64")]
mod registers;

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::slice::{from_raw_parts, from_raw_parts_mut};

#[cfg(target_arch = "x86_64")]
use crate::Isa;
use crate::parallel::{Pointer, share};
use crate::tensor::overlap::{Overlap, overlaps};
use crate::{Result, Tensor, multiversion};

/// Rows and columns of a tile: of eight bytes, they fill a cache line.
const TILE: usize = 8;

/// So many rows are written at a time, tile by tile.
const STRIP: usize = 64;

/// Smaller matrices are visited faster element by element.
const WORTH_TILING: usize = 1 << 14;

/// So many bytes do not stay in the cache.
const LARGE: usize = 1 << 22;

/// Rows at such a distance in bytes, or a multiple, displace each other in the cache.
const SAME_PLACE: usize = 1 << 10;

/// Copies the columns of a matrix to the rows of a contiguous one; says whether that is what there
/// was to do.
pub(super) fn copy(source: &Tensor, out: &Tensor) -> Result<bool> {
    let (&[rows, columns], &[1, distance]) = (source.shape(), source.strides()) else {
        return Ok(false);
    };
    let is_matrix = distance >= rows && out.is_contiguous() && out.shape() == source.shape();
    let is_same = out.dtype() == source.dtype() && rows.min(columns) >= TILE as i64;
    let is_apart = out.device() == source.device() && overlaps(out, source) == Overlap::No;
    let size = out.dtype().size();
    let is_worth = out.numel() >= WORTH_TILING
        && (out.numel() * size >= LARGE || (distance as usize * size).is_multiple_of(SAME_PLACE));
    if !is_matrix || !is_same || !is_apart || !is_worth {
        return Ok(false);
    }
    match size {
        4 => columns_to_rows::<u32>(source, out, distance as usize),
        8 => columns_to_rows::<[u32; 2]>(source, out, distance as usize),
        _ => Ok(false),
    }
}

fn columns_to_rows<W: Copy + Sync>(source: &Tensor, out: &Tensor, distance: usize) -> Result<bool> {
    out.check_readable()?;
    out.check_writable()?;
    source.check_readable()?;
    let (rows, columns) = (out.shape()[0] as usize, out.shape()[1] as usize);
    let from = source.data_ptr().cast::<W>();
    // SAFETY: every element is written below, before anything is read.
    let to = unsafe { out.overwrite_ptr() }.cast::<W>();
    if !from.is_aligned() || !to.is_aligned() {
        return Ok(false);
    }
    let from =
        MatrixColumns { first: Pointer(from), distance, rows, columns, elements: PhantomData };
    let to = Pointer(to.cast::<MaybeUninit<W>>());
    // Few rows are shared by more threads, and between more checks for an interrupt, if cut finer.
    let strip_rows = if rows < 8 * STRIP { TILE } else { STRIP };
    share(rows.div_ceil(strip_rows), strip_rows * columns, &|strips| {
        for first in strips.map(|strip| strip * strip_rows) {
            let height = strip_rows.min(rows - first);
            // SAFETY: these rows are this strip's alone, and lie side by side.
            let to =
                unsafe { from_raw_parts_mut(to.at((first * columns) as isize), height * columns) };
            strip(from, first, to);
        }
    });
    // SAFETY: every row has been written.
    unsafe { out.assume_written() };
    Ok(true)
}

/// The columns of a matrix; what lies between them is not its own.
#[derive(Clone, Copy)]
struct MatrixColumns<'a, W> {
    first: Pointer<W>,
    /// From the start of a column to that of the next one.
    distance: usize,
    rows: usize,
    columns: usize,
    elements: PhantomData<&'a [W]>,
}

impl<'a, W> MatrixColumns<'a, W> {
    #[inline(always)]
    fn column(self, at: usize) -> &'a [W] {
        assert!(at < self.columns, "there is no such column");
        // SAFETY: the column has these elements, and nobody writes to them meanwhile.
        unsafe { from_raw_parts(self.first.at((at * self.distance) as isize), self.rows) }
    }

    /// The elements of a column from this row on.
    #[inline(always)]
    fn piece(self, column: usize, row: usize) -> &'a [W; TILE] {
        self.column(column)[row..].first_chunk().expect("the tile is whole")
    }
}

/// Writes rows from this one on.
fn strip<W: Copy>(from: MatrixColumns<'_, W>, row: usize, to: &mut [MaybeUninit<W>]) {
    #[cfg(target_arch = "x86_64")]
    if size_of::<W>() == size_of::<u64>() && Isa::detect() >= Isa::Avx512 {
        // SAFETY: the processor was asked for the instructions.
        return unsafe { registers::strip(from, row, to) };
    }
    strip_element_by_element(from, row, to);
}

multiversion! {
    avx512 fn strip_element_by_element<W>(
        from: MatrixColumns<'_, W>,
        row: usize,
        to: &mut [MaybeUninit<W>],
    )
    where
        [W: Copy]
    {
        strip_by(from, row, to, |pieces, to| {
            let pieces = pieces.map(|it| *it);
            for at in 0..TILE {
                let slots = &mut to[at * from.columns..][..TILE];
                for (slot, piece) in slots.iter_mut().zip(&pieces) {
                    slot.write(piece[at]);
                }
            }
        });
    }
}

/// Writes rows from this one on. `tile` gets pieces of columns, and what is to be written from the
/// first element of their tile on.
#[inline(always)]
fn strip_by<W: Copy>(
    from: MatrixColumns<'_, W>,
    row: usize,
    to: &mut [MaybeUninit<W>],
    tile: impl Fn([&[W; TILE]; TILE], &mut [MaybeUninit<W>]),
) {
    let height = to.len() / from.columns;
    let (rows, columns) = (height / TILE * TILE, from.columns / TILE * TILE);
    // Columns in the outer loop: so a column is read by several lines of the cache at a time.
    for first in (0..columns).step_by(TILE) {
        for top in (0..rows).step_by(TILE) {
            let pieces = std::array::from_fn(|at| from.piece(first + at, row + top));
            tile(pieces, &mut to[top * from.columns + first..]);
        }
    }
    for (at, slots) in to.chunks_exact_mut(from.columns).enumerate() {
        let done = if at < rows { columns } else { 0 };
        for (column, slot) in slots.iter_mut().enumerate().skip(done) {
            slot.write(from.column(column)[row + at]);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{DType, Tensor, view};

    #[test]
    fn every_element_arrives() {
        for (rows, columns) in
            [(64, 64), (65, 71), (512, 8), (9, 600), (7, 1000), (300, 300), (512, 32), (256, 65)]
        {
            let numbers: Vec<i32> = (0..rows * columns).collect();
            for dtype in [DType::Int32, DType::Float64, DType::Complex64, DType::Complex128] {
                let shape = [i64::from(columns), i64::from(rows)];
                let whole = Tensor::from_slice(&shape, &numbers).unwrap().to_dtype(dtype).unwrap();
                let inner = view::narrow(&whole, 1, 1, i64::from(rows) - 1).unwrap();
                for (source, skipped) in [(&whole, 0), (&inner, 1)] {
                    let turned = view::transpose(source, 0, 1).unwrap().to_contiguous().unwrap();
                    assert!(turned.is_contiguous());
                    let expected = (skipped..rows)
                        .flat_map(|row| (0..columns).map(move |column| column * rows + row));
                    assert!(turned.to_vec::<i32>().unwrap().into_iter().eq(expected), "{dtype}");
                }
            }
        }
    }

    #[test]
    fn a_matrix_is_turned_within_a_greater_one() {
        let mut numbers = Tensor::from_vec(&[200, 200], (0..40_000).collect::<Vec<i64>>()).unwrap();
        let turned = view::transpose(&numbers, 0, 1).unwrap();
        assert!(numbers.copy_from(&turned).is_err());
        let copied = turned.copy().unwrap();
        numbers.copy_from(&copied).unwrap();
        assert_eq!(numbers.to_vec::<i64>().unwrap()[..3], [0, 200, 400]);
    }
}
