//! Cutting a product for several threads.

use std::sync::{Mutex, PoisonError};

use ndarray::{ArrayViewMut2, Axis};
use opwright_runtime::dtype::Number;
use opwright_runtime::{Result, buffer, parallel};

use super::gemm::{Product, multiplications};
use super::packed::{AT_ONCE, TILE};

/// A part of a product, with the place where it goes.
struct Piece<'f, 'o, T, S> {
    product: Product<'f, T>,
    out: ArrayViewMut2<'o, S>,
}

/// Fewer multiplications than this are not worth another thread.
const WORTH_SHARING: usize = 96 * 96 * 96;

/// More pieces than threads, so that a late thread does not hold up the rest.
const PIECES_PER_THREAD: usize = 2;

/// So many inner elements are multiplied in one go, at least, where there are as many.
const DEPTH: usize = 512;

/// Calls `body` with pieces that make up the product, on several threads if it is large.
/// None has a single row or column, unless the product has.
pub(super) fn for_pieces<T: Number, S: Send>(
    product: Product<'_, T>,
    out: ArrayViewMut2<'_, S>,
    body: impl Fn(Product<'_, T>, ArrayViewMut2<'_, S>) -> Result<()> + Sync,
) -> Result<()> {
    let most = most_elements(out.dim(), product.a.ncols());
    if out.len() <= most {
        return body(product, out);
    }
    let mut pieces = Vec::new();
    Piece { product, out }.cut(most, &mut pieces)?;
    parallel::try_for_each(pieces.len(), &|index| {
        // Each index comes once, so nobody ever waits here.
        let piece = pieces[index].lock().unwrap_or_else(PoisonError::into_inner).take();
        piece.map_or(Ok(()), |it| body(it.product, it.out))
    })
}

/// How many elements of the product a piece has, at most: few enough for an interrupt and
/// for all threads to have some.
fn most_elements((rows, columns): (usize, usize), inner: usize) -> usize {
    let bearable = AT_ONCE / inner.clamp(1, DEPTH);
    let worth = multiplications(rows, columns, inner) / WORTH_SHARING;
    if worth < 2 {
        return bearable;
    }
    let count = match parallel::get_num_threads() {
        1 => return bearable,
        threads => threads.saturating_mul(PIECES_PER_THREAD).min(worth),
    };
    // Not all halves are equal.
    let share = (rows * columns).div_ceil(count);
    bearable.min(share + share / 4)
}

impl<'f, 'o, T: Number, S> Piece<'f, 'o, T, S> {
    /// Halves the longer side until no piece has more elements than `most`.
    fn cut(self, most: usize, pieces: &mut Vec<Mutex<Option<Self>>>) -> Result<()> {
        let axis = Axis(usize::from(self.out.ncols() > self.out.nrows()));
        let middle = self.out.len_of(axis) / 2 / TILE * TILE;
        if self.out.len() <= most || middle == 0 {
            return buffer::push(pieces, Mutex::new(Some(self)));
        }
        let (first, second) = self.split_at(axis, middle);
        first.cut(most, pieces)?;
        second.cut(most, pieces)
    }

    fn split_at(self, axis: Axis, middle: usize) -> (Self, Self) {
        let Piece { product, out } = self;
        let (first, second) = out.split_at(axis, middle);
        let products = if axis == Axis(0) {
            let (above, below) = product.a.split_at(axis, middle);
            (Product { a: above, ..product }, Product { a: below, ..product })
        } else {
            let (left, right) = product.b.split_at(axis, middle);
            (Product { b: left, ..product }, Product { b: right, ..product })
        };
        (Piece { product: products.0, out: first }, Piece { product: products.1, out: second })
    }
}
