//! Loop tiling over two dimensions.
//!
//! If neighbours in the output are far apart in an input, as in a transposed
//! copy, a row of the output touches as many cache lines of the input as it has
//! elements. Within a tile those lines are used up before they are evicted.

use smallvec::SmallVec;

use super::plan::{Dim, Plan, advance};

/// Rows of a tile: so many elements, or half of them, are in a cache line.
const ROWS: usize = 16;

/// Columns of a tile at most: as many cache lines stay in the cache from row to row, and a row is
/// long enough to be worth a call.
const COLUMNS: usize = 256;

/// What has fewer rows or columns is not tiled.
const FEWEST: usize = 32;

/// Smaller plans stay in the cache anyway.
const WORTH_TILING: usize = 1 << 14;

/// Elements at least so many bytes apart do not share a cache line.
const CACHE_LINE: usize = 64;

impl<const M: usize> Plan<M> {
    /// Whether an operand would rather have another innermost dimension.
    #[inline]
    pub(super) fn is_worth_tiling(&self) -> bool {
        self.count >= WORTH_TILING && self.dims.len() > 1 && self.other_inner_dim().is_some()
    }

    /// The dimension along which an operand is dense that is not along the
    /// innermost one.
    fn other_inner_dim(&self) -> Option<usize> {
        let (innermost, outer) = self.dims.split_first()?;
        if innermost.size < FEWEST {
            return None;
        }
        let is_dense = |stride: isize| (1..CACHE_LINE).contains(&stride.unsigned_abs());
        let is_far = |stride: isize| stride.unsigned_abs() >= CACHE_LINE;
        let wants = |dim: &Dim<M>| {
            let mut strides = dim.strides.iter().zip(&innermost.strides);
            dim.size >= FEWEST && strides.any(|(&other, &inner)| is_dense(other) && is_far(inner))
        };
        outer.iter().position(wants).map(|position| position + 1)
    }

    /// The same elements: all whole tiles, then what is left at two sides.
    pub(super) fn into_tiles(self) -> SmallVec<[Self; 3]> {
        let Some(other) = self.other_inner_dim() else {
            return SmallVec::from_iter([self]);
        };
        let (inner, outer) = (self.dims[0], self.dims[other]);
        let tile = [inner.size / inner.size.div_ceil(COLUMNS), ROWS];
        let (columns, rows) = (inner.size / tile[0] * tile[0], outer.size / ROWS * ROWS);
        let mut plans = SmallVec::new();
        plans.push(self.tiled(other, rows, columns, tile));
        if columns < inner.size {
            plans.push(self.part(&[(0, columns, inner.size)]));
        }
        if rows < outer.size {
            plans.push(self.part(&[(0, 0, columns), (other, rows, outer.size)]));
        }
        plans
    }

    /// The elements of ranges of dimensions.
    fn part(&self, ranges: &[(usize, usize, usize)]) -> Self {
        let (mut dims, mut ptrs) = (self.dims.clone(), self.ptrs);
        for &(dim, start, end) in ranges {
            advance(&mut ptrs, &dims[dim].strides, start as isize);
            dims[dim].size = end - start;
        }
        let count = dims.iter().map(|dim| dim.size).product();
        Plan { dims, ptrs, count }
    }

    /// The first rows and columns, a multiple of those of a tile, tile by tile.
    fn tiled(&self, other: usize, rows: usize, columns: usize, tile: [usize; 2]) -> Self {
        let mut plan = self.part(&[(0, 0, columns), (other, 0, rows)]);
        let (inner, outer) = (plan.dims[0], plan.dims[other]);
        plan.dims[0] = tiles_of(inner, tile[0]);
        plan.dims[other] = tiles_of(outer, tile[1]);
        let within = [Dim { size: tile[0], ..inner }, Dim { size: tile[1], ..outer }];
        plan.dims.insert_many(0, within);
        plan
    }
}

/// From tile to tile.
fn tiles_of<const M: usize>(dim: Dim<M>, tile: usize) -> Dim<M> {
    Dim { size: dim.size / tile, strides: dim.strides.map(|it| it * tile as isize) }
}
