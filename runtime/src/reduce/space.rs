//! The iteration space of a reduction: kept and reduced dimensions, and how threads share it.
//!
//! Dimensions are kept or reduced. If the innermost one is kept, neighbouring
//! outputs are computed together, as the columns of a block; if it is reduced,
//! each output is a block of its own, and its elements come in runs.

use std::ops::Range;

use smallvec::SmallVec;

use super::gather::Gather;
use super::source::{MOST, Source};
use crate::geometry::{DimSet, Dims, contiguous_strides, same_dims};
use crate::{DType, Result, Tensor, ensure};

/// A dimension that becomes part of the result.
#[derive(Clone, Copy)]
struct KeptDim {
    size: usize,
    stride: isize,
    out_strides: [isize; 2],
}

/// A dimension that goes.
#[derive(Clone, Copy)]
pub(super) struct ReducedDim {
    pub(super) size: usize,
    /// In bytes.
    pub(super) stride: isize,
}

/// Outputs that are computed together.
pub(super) struct OutputBlock {
    /// The first element of the input.
    pub(super) start: *const u8,
    /// The number of outputs.
    pub(super) width: usize,
    /// From one output's elements to the next one's, in bytes.
    pub(super) stride: isize,
    pub(super) outs: [*mut u8; 2],
    pub(super) out_strides: [isize; 2],
}

// SAFETY: a block only says where elements are; each block has outputs of its own.
unsafe impl Sync for OutputBlock {}

/// Where the elements of a reduction are.
pub(super) struct Space {
    start: *const u8,
    outs: [*mut u8; 2],
    /// Innermost first; without the columns of a block.
    kept: SmallVec<[KeptDim; 6]>,
    /// Innermost first.
    reduced: SmallVec<[ReducedDim; 6]>,
    columns: Option<KeptDim>,
    /// The number of elements of one output.
    depth: usize,
    gather: Gather,
}

// SAFETY: as for `OutputBlock`.
unsafe impl Sync for Space {}

impl Space {
    /// So many outputs a block has at most.
    pub(super) const WIDTH: usize = 64;

    /// The most elements of one output that are folded in one go.
    const CHUNK: usize = 1 << 16;

    /// The same if a block has columns.
    const CHUNK_OF_COLUMNS: usize = 1 << 12;

    /// Fewer neighbouring outputs than this are not worth a block.
    const WORTH_COLUMNS: usize = 8;

    /// Outputs of at most so many elements are computed together in any case.
    const SHALLOW: usize = 16;

    /// Of an input whose elements are folded as those of a dtype.
    pub(super) fn new(
        input: &Source<'_>,
        dims: DimSet,
        out: (&Tensor, Option<&Tensor>),
        in_order: bool,
        dtype: DType,
    ) -> Result<Space> {
        let (shape, dense) = (input.shape(), input.tensor().is_none());
        let in_rows = if dense { contiguous_strides(shape) } else { Dims::new() };
        let (strides, start) = match input.tensor() {
            Some(it) => (it.check_readable().map(|()| it.strides())?, it.data_ptr().cast_const()),
            // Where they would lie in a tensor at no address.
            None => (&in_rows[..], std::ptr::null()),
        };
        let first = Destination::of(out.0, shape, dims)?;
        let second = out.1.map(|it| Destination::of(it, shape, dims)).transpose()?;
        let second_strides: &[isize] = second.as_ref().map_or(&[], |it| &it.strides);
        let second_stride = |dim: usize| second_strides.get(dim).copied().unwrap_or(0);
        let mut kept: SmallVec<[KeptDim; 6]> = SmallVec::new();
        let mut reduced: SmallVec<[ReducedDim; 6]> = SmallVec::new();
        let gather = Gather::new(input.dtype(), dtype);
        let bytes = gather.read() as isize;
        for (dim, (&size, &stride)) in shape.iter().zip(strides).enumerate().rev() {
            let (size, stride) = (size as usize, stride as isize * bytes);
            if size == 1 {
                continue;
            }
            if dims.contains(dim) {
                reduced.push(ReducedDim { size, stride });
            } else {
                let out_strides = [first.strides[dim], second_stride(dim)];
                kept.push(KeptDim { size, stride, out_strides });
            }
        }
        let depth = reduced.iter().map(|it| it.size).product();
        if !in_order {
            reduced.sort_by_key(|it| it.stride.abs());
        }
        join_reduced(&mut reduced);
        kept.sort_by_key(|it| it.stride.abs());
        join_kept(&mut kept);
        let columns = take_columns(&mut kept, &reduced);
        let outs = [first.start, second.map_or(std::ptr::null_mut(), |it| it.start)];
        let space = Space { start, outs, kept, reduced, columns, depth, gather };
        ensure!(!dense || space.is_row_by_row(), Runtime, "elements are only made row by row");
        Ok(space)
    }

    /// Whether blocks have columns.
    #[inline]
    pub(super) fn is_vertical(&self) -> bool {
        self.columns.is_some()
    }

    fn blocks_of_columns(&self) -> usize {
        self.columns.map_or(1, |it| it.size.div_ceil(Space::WIDTH))
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.kept.iter().map(|it| it.size).product::<usize>() * self.blocks_of_columns()
    }

    fn chunk_size(&self) -> usize {
        if self.is_vertical() { Space::CHUNK_OF_COLUMNS } else { Space::CHUNK }
    }

    /// The number of chunks of each block.
    pub(super) fn chunks(&self) -> usize {
        self.depth.div_ceil(self.chunk_size())
    }

    /// The most outputs of a block.
    pub(super) fn width(&self) -> usize {
        self.columns.map_or(1, |it| it.size.min(Space::WIDTH))
    }

    /// Roughly the elements of a block.
    pub(super) fn block_weight(&self) -> usize {
        self.depth.saturating_mul(self.width()).max(1)
    }

    /// Roughly the elements of a chunk.
    pub(super) fn chunk_weight(&self) -> usize {
        self.chunk_size() * self.width()
    }

    /// The elements of each output that belong to a chunk.
    pub(super) fn chunk(&self, index: usize) -> Range<usize> {
        let start = index * self.chunk_size();
        start..self.depth.min(start + self.chunk_size())
    }

    /// Whether the elements of each output follow each other, and then come those of the next one.
    fn is_row_by_row(&self) -> bool {
        let (depth, size) = (self.depth, self.gather.read() as isize);
        let inner = match &self.reduced[..] {
            [] => true,
            [one] => one.stride == size,
            _ => false,
        };
        let continues = |it: &KeptDim| it.stride == depth as isize * size;
        let outer = match (&self.columns, &self.kept[..]) {
            (None, []) => true,
            (None, [one]) => continues(one),
            (Some(columns), []) => continues(columns) && depth * Space::WIDTH <= MOST,
            _ => false,
        };
        inner && outer
    }

    /// The elements of several blocks, if they lie row by row.
    pub(super) fn elements(&self, blocks: &Range<usize>) -> Range<usize> {
        let end = self.block(blocks.end - 1);
        self.first(&self.block(blocks.start))..self.first(&end) + end.width * self.depth
    }

    /// Those of a block that belong to a chunk; all of a block with columns.
    pub(super) fn elements_of_chunk(&self, block: &OutputBlock, chunk: usize) -> Range<usize> {
        let first = self.first(block);
        match self.is_vertical() {
            true => first..first + block.width * self.depth,
            false => first + self.chunk(chunk).start..first + self.chunk(chunk).end,
        }
    }

    /// The place of the first element of a block.
    fn first(&self, block: &OutputBlock) -> usize {
        (block.start.addr() - self.start.addr()) / self.gather.read()
    }

    /// How elements are brought together.
    #[inline]
    pub(super) fn gather(&self) -> &Gather {
        &self.gather
    }

    /// The reduced dimensions, innermost first.
    #[inline]
    pub(super) fn reduced(&self) -> &[ReducedDim] {
        &self.reduced
    }

    pub(super) fn block(&self, index: usize) -> OutputBlock {
        let per_row = self.blocks_of_columns();
        let (mut rest, column) = (index / per_row, index % per_row * Space::WIDTH);
        let mut block = OutputBlock {
            start: self.start,
            width: 1,
            stride: 0,
            outs: self.outs,
            out_strides: [0; 2],
        };
        if let Some(columns) = &self.columns {
            block.width = (columns.size - column).min(Space::WIDTH);
            block.stride = columns.stride;
            block.out_strides = columns.out_strides;
            block.advance(columns, column);
        }
        for kept in &self.kept {
            block.advance(kept, rest % kept.size);
            rest /= kept.size;
        }
        block
    }
}

impl OutputBlock {
    /// The same with elements from here on.
    pub(super) fn starting(&self, start: *const u8) -> OutputBlock {
        OutputBlock { start, ..*self }
    }

    fn advance(&mut self, kept: &KeptDim, times: usize) {
        let times = times as isize;
        self.start = self.start.wrapping_offset(kept.stride * times);
        for (out, stride) in self.outs.iter_mut().zip(kept.out_strides) {
            *out = out.wrapping_offset(stride * times);
        }
    }
}

/// Where an output has the results: strides by dimension of the input.
struct Destination {
    start: *mut u8,
    strides: SmallVec<[isize; 4]>,
}

impl Destination {
    fn of(out: &Tensor, shape: &[i64], dims: DimSet) -> Result<Destination> {
        let keeps = out.ndim() == shape.len();
        let expected = dims.reduced_shape(shape, keeps);
        ensure!(
            same_dims(out.shape(), &expected),
            Runtime,
            "the output of a reduction has shape {:?}, expected {:?}",
            out.shape(),
            expected
        );
        let bytes = out.dtype().size() as isize;
        let mut rest = out.strides().iter();
        let mut strides = SmallVec::new();
        for dim in 0..shape.len() {
            let is_reduced = dims.contains(dim);
            let stride = if is_reduced && !keeps { None } else { rest.next() };
            strides.push(if is_reduced { 0 } else { *stride.unwrap_or(&0) as isize * bytes });
        }
        // SAFETY: every element is written before the reduction ends.
        Ok(Destination { start: unsafe { out.overwrite_ptr() }, strides })
    }
}

/// Takes the innermost kept dimension out if it is also the innermost of all,
/// or if there is little to do for each output alone.
fn take_columns(kept: &mut SmallVec<[KeptDim; 6]>, reduced: &[ReducedDim]) -> Option<KeptDim> {
    let (first, innermost) = (kept.first()?, reduced.first()?);
    let depth: usize = reduced.iter().map(|it| it.size).product();
    let is_inner = first.stride.abs() < innermost.stride.abs();
    let is_worth_it = first.stride != 0 && is_worth_columns(first.size, is_inner, depth);
    is_worth_it.then(|| kept.remove(0))
}

/// Whether so many neighbouring outputs of so many elements are computed together; if they are the
/// innermost ones, their elements are neighbours, too.
pub(super) fn is_worth_columns(count: usize, is_inner: bool, depth: usize) -> bool {
    count >= Space::WORTH_COLUMNS && (is_inner || depth <= Space::SHALLOW)
}

/// Joins dimensions where the outer one continues the inner one.
fn join_reduced(dims: &mut SmallVec<[ReducedDim; 6]>) {
    dims.dedup_by(|outer, inner| {
        let continues = outer.stride == inner.stride * inner.size as isize;
        if continues {
            inner.size *= outer.size;
        }
        continues
    });
}

fn join_kept(dims: &mut SmallVec<[KeptDim; 6]>) {
    dims.dedup_by(|outer, inner| {
        let size = inner.size as isize;
        let continues = outer.stride == inner.stride * size
            && outer.out_strides == inner.out_strides.map(|it| it * size);
        if continues {
            inner.size *= outer.size;
        }
        continues
    });
}
