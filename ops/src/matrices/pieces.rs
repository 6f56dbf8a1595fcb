//! Cutting a product for several threads.

use opwright_runtime::{Result, buffer, parallel};

use super::operands::{Operands, multiplications};
use super::packed::{AT_ONCE, TILE};

/// Fewer multiplications than this are not worth another thread.
const WORTH_SHARING: usize = 96 * 96 * 96;

/// More pieces than threads, so that a late thread does not hold up the rest.
const PIECES_PER_THREAD: usize = 2;

/// So many inner elements are multiplied in one go, at least, where there are as many.
const DEPTH: usize = 512;

/// Calls `body` with pieces that make up the product, on several threads if it is large.
/// None has a single row or column, unless the product has.
pub(super) fn for_pieces(
    at: Operands,
    body: &(dyn Fn(Operands) -> Result<()> + Sync),
) -> Result<()> {
    let most = most_elements((at.out.rows, at.out.columns), at.a.columns);
    if at.out.rows * at.out.columns <= most {
        return body(at);
    }
    let mut pieces = Vec::new();
    cut(at, most, &mut pieces)?;
    parallel::try_for_each(pieces.len(), &|index| body(pieces[index]))
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

/// Halves the longer side until no piece has more elements than `most`.
fn cut(at: Operands, most: usize, pieces: &mut Vec<Operands>) -> Result<()> {
    let (rows, columns) = (at.out.rows, at.out.columns);
    let middle = rows.max(columns) / 2 / TILE * TILE;
    if rows * columns <= most || middle == 0 {
        return buffer::push(pieces, at);
    }
    let (first, second) = if columns > rows {
        (at.columns(0..middle), at.columns(middle..columns))
    } else {
        (at.rows(0..middle), at.rows(middle..rows))
    };
    cut(first, most, pieces)?;
    cut(second, most, pieces)
}
