//! Visiting two dimensions tile by tile.
//!
//! If neighbours in the output are far apart in an input, as in a transposed
//! copy, a row of the output touches as many cache lines of the input as it has
//! elements. Within a tile those lines are used up before they are evicted.

use smallvec::SmallVec;

use super::plan::{Dim, Plan, advance};

/// Rows and columns of a tile.
const TILE: usize = 32;

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
        if innermost.size < TILE {
            return None;
        }
        let is_dense = |stride: isize| (1..CACHE_LINE).contains(&stride.unsigned_abs());
        let is_far = |stride: isize| stride.unsigned_abs() >= CACHE_LINE;
        let wants = |dim: &Dim<M>| {
            let mut strides = dim.strides.iter().zip(&innermost.strides);
            dim.size >= TILE && strides.any(|(&other, &inner)| is_dense(other) && is_far(inner))
        };
        outer.iter().position(wants).map(|position| position + 1)
    }

    /// The same elements: all whole tiles, then what is left at two sides.
    pub(super) fn into_tiles(self) -> SmallVec<[Self; 3]> {
        let Some(other) = self.other_inner_dim() else {
            return SmallVec::from_iter([self]);
        };
        let (inner, outer) = (self.dims[0], self.dims[other]);
        let (rows, columns) = (outer.size / TILE * TILE, inner.size / TILE * TILE);
        let mut plans = SmallVec::new();
        plans.push(self.tiled(other, rows, columns));
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

    /// The first rows and columns, a multiple of the tile's, tile by tile.
    fn tiled(&self, other: usize, rows: usize, columns: usize) -> Self {
        let mut plan = self.part(&[(0, 0, columns), (other, 0, rows)]);
        let (inner, outer) = (plan.dims[0], plan.dims[other]);
        plan.dims[0] = tiles_of(inner);
        plan.dims[other] = tiles_of(outer);
        let within = [inner, outer].map(|dim| Dim { size: TILE, ..dim });
        plan.dims.insert_many(0, within);
        plan
    }
}

/// From tile to tile.
fn tiles_of<const M: usize>(dim: Dim<M>) -> Dim<M> {
    Dim { size: dim.size / TILE, strides: dim.strides.map(|it| it * TILE as isize) }
}
