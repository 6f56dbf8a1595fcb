//! Reductions: many elements to one accumulator, for each of many outputs.
//!
//! A reduction is a [`Fold`]. How elements are grouped depends on shape and
//! strides only, never on threads, so results repeat bit by bit. Groups are
//! small and are combined like the branches of a tree: the rounding error of a
//! long sum grows with the logarithm of its length.

mod accumulators;
mod columns;
mod emit;
mod fold;
mod fused_input;
mod gather;
mod loops;
mod rows;
mod small;
mod source;
mod space;

pub use self::fold::Fold;
pub use self::source::{Source, dims_of};

pub(crate) use self::source::{Feed, Hand, MOST};

use std::ops::Range;

use self::accumulators::{AccumulatorWord, Accumulators, CombineTree, words_of};
use self::emit::{Emit, One, PairResult};
use self::fold::{Indexed, UnfinishedFold};
use self::fused_input::{FusedInput, Producer};
use self::loops::{Loops, LoopsOf};
use self::small::{LARGEST, Small};
use self::space::{OutputBlock, Space};
use crate::geometry::DimSet;
use crate::parallel::{get_num_threads, share};
use crate::tensor::{Overlap, overlaps};
use crate::{DType, Element, Result, Tensor, buffer, ensure, interrupt, warning};

/// Folds the elements along `dims` into each element of `out`, which keeps the
/// reduced dimensions with size one, or has none.
///
/// Elements come in no particular order. If there are none, the result is
/// `finish(start)`.
///
/// # Errors
///
/// `Runtime` if `out` has another shape or overlaps the input or itself,
/// `NotImplemented` on the meta device, `Memory` if there is not enough.
pub fn reduce<'a, T, A, O, F, C, D>(
    input: impl Into<Source<'a>>,
    dims: DimSet,
    out: &mut Tensor,
    fold: Fold<A, F, C, D>,
) -> Result<()>
where
    T: Element,
    A: Copy + Send + Sync,
    O: Element,
    F: Fn(A, T) -> A + Sync,
    C: Fn(A, A) -> A + Sync,
    D: Fn(A) -> O + Sync,
{
    let Fold { start, fold, combine, finish } = fold;
    let loops = LoopsOf::new(UnfinishedFold { start, fold, combine });
    let dtypes = [T::DTYPE, O::DTYPE, O::DTYPE];
    run(input.into(), dims, (out, None), false, dtypes, &loops, &One::<A, O, D>::new(finish))
}

/// The same for two results.
///
/// # Errors
///
/// As [`reduce`], and `Runtime` if the outputs differ in shape or overlap.
pub fn reduce_pair<'a, T, A, O, P, F, C, D>(
    input: impl Into<Source<'a>>,
    dims: DimSet,
    out: (&mut Tensor, &mut Tensor),
    fold: Fold<A, F, C, D>,
) -> Result<()>
where
    T: Element,
    A: Copy + Send + Sync,
    O: Element,
    P: Element,
    F: Fn(A, T) -> A + Sync,
    C: Fn(A, A) -> A + Sync,
    D: Fn(A) -> (O, P) + Sync,
{
    let Fold { start, fold, combine, finish } = fold;
    let loops = LoopsOf::new(UnfinishedFold { start, fold, combine });
    let dtypes = [T::DTYPE, O::DTYPE, P::DTYPE];
    run(
        input.into(),
        dims,
        (out.0, Some(out.1)),
        false,
        dtypes,
        &loops,
        &PairResult::<A, O, P, D>::new(finish),
    )
}

/// [`reduce`], and `fold` also gets the element's place among those it is
/// reduced with, counted in row-major order.
///
/// # Errors
///
/// As [`reduce`].
pub fn reduce_indexed<'a, T, A, O, F, C, D>(
    input: impl Into<Source<'a>>,
    dims: DimSet,
    out: &mut Tensor,
    fold: Fold<A, F, C, D>,
) -> Result<()>
where
    T: Element,
    A: Copy + Send + Sync,
    O: Element,
    F: Fn(A, T, usize) -> A + Sync,
    C: Fn(A, A) -> A + Sync,
    D: Fn(A) -> O + Sync,
{
    let Fold { start, fold, combine, finish } = fold;
    let loops = LoopsOf::new(Indexed { start, fold, combine });
    let dtypes = [T::DTYPE, O::DTYPE, O::DTYPE];
    run(input.into(), dims, (out, None), true, dtypes, &loops, &One::<A, O, D>::new(finish))
}

/// [`reduce_indexed`] for two results, the second of which is left out if nobody wants it.
///
/// # Errors
///
/// As [`reduce_pair`].
pub fn reduce_indexed_pair<'a, T, A, O, P, F, C, D>(
    input: impl Into<Source<'a>>,
    dims: DimSet,
    out: (&mut Tensor, Option<&mut Tensor>),
    fold: Fold<A, F, C, D>,
) -> Result<()>
where
    T: Element,
    A: Copy + Send + Sync,
    O: Element,
    P: Element,
    F: Fn(A, T, usize) -> A + Sync,
    C: Fn(A, A) -> A + Sync,
    D: Fn(A) -> (O, P) + Sync,
{
    let Fold { start, fold, combine, finish } = fold;
    let loops = LoopsOf::new(Indexed { start, fold, combine });
    let dtypes = [T::DTYPE, O::DTYPE, P::DTYPE];
    run(input.into(), dims, out, true, dtypes, &loops, &PairResult::<A, O, P, D>::new(finish))
}

/// What is compiled once for all reductions: dtypes are those of elements and outputs.
fn run(
    input: Source<'_>,
    dims: DimSet,
    out: (&mut Tensor, Option<&mut Tensor>),
    in_order: bool,
    dtypes: [DType; 3],
    loops: &dyn Loops,
    emit: &dyn Emit,
) -> Result<()> {
    // Those of a tensor are cast group by group.
    let input = match input.tensor() {
        Some(it) => {
            warning::check_cast(it.dtype(), dtypes[0]);
            input
        }
        None => input.into_dtype(dtypes[0])?,
    };
    let made = input.begin(dims)?;
    let (first, second) = out;
    let first = Output::new(first, dtypes[1], &input)?;
    let second = second.map(|it| Output::new(it, dtypes[2], &input)).transpose()?;
    let targets = (first.target(), second.as_ref().map(Output::target));
    let is_small = |it: &&Tensor| it.dtype() == dtypes[0] && loops.size() <= LARGEST;
    let small = input.tensor().filter(is_small);
    match small.and_then(|it| Small::of(it, dims, targets.0, targets.1)) {
        // SAFETY: the input is of this dtype, and is initialised; accumulators are small.
        Some(small) => unsafe { small.fold([dtypes[1].size(), dtypes[2].size()], loops, emit) },
        None => {
            execute(&Space::new(&input, dims, targets, in_order, dtypes[0])?, made, loops, emit)?;
        }
    }
    made.map_or(Ok(()), FusedInput::finish)?;
    first.finish()?;
    second.map_or(Ok(()), Output::finish)
}

/// An output, and what stands for it while its dtype is another.
struct Output<'a> {
    out: &'a mut Tensor,
    staged: Option<Tensor>,
}

impl<'a> Output<'a> {
    fn new(out: &'a mut Tensor, dtype: DType, input: &Source<'_>) -> Result<Output<'a>> {
        out.check_readable()?;
        out.check_writable()?;
        ensure!(
            input.tensor().is_none_or(|it| overlaps(out, it) == Overlap::No),
            Runtime,
            "unsupported operation: the output of a reduction overlaps its input"
        );
        let staged = if out.dtype() == dtype {
            None
        } else {
            Some(Tensor::allocate(out.shape(), dtype, out.device())?)
        };
        Ok(Output { out, staged })
    }

    /// What is written to.
    fn target(&self) -> &Tensor {
        self.staged.as_ref().unwrap_or(self.out)
    }

    fn finish(self) -> Result<()> {
        // SAFETY: a reduction writes every element of its outputs.
        unsafe { self.target().assume_written() };
        match &self.staged {
            Some(staged) => self.out.copy_from(staged),
            None => Ok(()),
        }
    }
}

/// Reduces all blocks, each in as many chunks as it needs.
fn execute(
    space: &Space,
    made: Option<&FusedInput<'_>>,
    loops: &dyn Loops,
    emit: &dyn Emit,
) -> Result<()> {
    if space.chunks() <= 1 || space.blocks() >= get_num_threads().saturating_mul(2) {
        share(space.blocks(), space.block_weight(), &|range| {
            let Some(mut producer) = producer(made, || space.elements(&range)) else { return };
            let mut all = Accumulators::room(loops, space.width());
            for index in range {
                let block = space.block(index);
                reduce_block(space, &block, &mut producer, loops, all.as_mut_ptr());
                // SAFETY: so many were accumulated, and outputs have these elements, each of them once.
                unsafe { emit.emit(all.as_ptr(), block.width, block.outs, block.out_strides) };
            }
        });
        return Ok(());
    }
    let mut all = Accumulators::room(loops, space.width());
    for index in 0..space.blocks() {
        let block = space.block(index);
        let part = |chunk, part: *mut u8| {
            match producer(made, || space.elements_of_chunk(&block, chunk)) {
                Some(mut producer) => {
                    reduce_chunk(space, &block, chunk, &mut producer, loops, part)
                }
                // SAFETY: there is room for the accumulators of a block.
                None => unsafe { loops.start(part, block.width) },
            }
        };
        combine_shared(space, block.width, loops, part, all.as_mut_ptr())?;
        // SAFETY: as above.
        unsafe { emit.emit(all.as_ptr(), block.width, block.outs, block.out_strides) };
    }
    Ok(())
}

/// Who makes the elements of a range, if they are made; nothing if that failed.
#[inline]
fn producer<'a>(
    made: Option<&'a FusedInput<'_>>,
    range: impl FnOnce() -> Range<usize>,
) -> Option<Option<Producer<'a>>> {
    match made {
        None => Some(None),
        Some(made) => made.producer(range()).map(Some),
    }
}

/// So many chunks are folded by several threads before their accumulators are
/// combined, so that there is no list as long as the input.
const CHUNKS_AT_ONCE: usize = 256;

/// Accumulators that threads write, each its own.
struct PartialAccumulators {
    first: *mut u8,
    bytes: usize,
}

// SAFETY: a part is handed to one thread.
unsafe impl Sync for PartialAccumulators {}

impl PartialAccumulators {
    fn part(&self, index: usize) -> *mut u8 {
        self.first.wrapping_add(index * self.bytes)
    }
}

/// Folds the chunks of one block in several threads, and writes what they come to.
fn combine_shared(
    space: &Space,
    width: usize,
    loops: &dyn Loops,
    part: impl Fn(usize, *mut u8) + Sync,
    all: *mut u8,
) -> Result<()> {
    let words = words_of(loops, width);
    let at_once = CHUNKS_AT_ONCE.min(space.chunks());
    let mut room = buffer::filled(words * at_once, AccumulatorWord::uninit())?;
    let bytes = words * size_of::<AccumulatorWord>();
    let parts = PartialAccumulators { first: room.as_mut_ptr().cast(), bytes };
    let mut tree = CombineTree::new(loops, width);
    for first in (0..space.chunks()).step_by(CHUNKS_AT_ONCE) {
        let count = CHUNKS_AT_ONCE.min(space.chunks() - first);
        share(count, space.chunk_weight(), &|range| {
            for index in range {
                part(first + index, parts.part(index));
            }
        });
        for index in 0..count {
            // SAFETY: there is room for so many bytes in each branch and in each part.
            tree.push(|branch| unsafe {
                branch.copy_from_nonoverlapping(parts.part(index), loops.size() * width);
            });
        }
    }
    tree.finish(all);
    Ok(())
}

/// Reduces a block in one thread, with the result that several would have.
fn reduce_block(
    space: &Space,
    block: &OutputBlock,
    producer: &mut Option<Producer<'_>>,
    loops: &dyn Loops,
    all: *mut u8,
) {
    if space.chunks() <= 1 {
        return reduce_chunk(space, block, 0, producer, loops, all);
    }
    let mut tree = CombineTree::new(loops, block.width);
    for chunk in 0..space.chunks() {
        interrupt::check();
        tree.push(|branch| reduce_chunk(space, block, chunk, producer, loops, branch));
    }
    tree.finish(all);
}

/// Writes the accumulators of one chunk of a block.
fn reduce_chunk(
    space: &Space,
    block: &OutputBlock,
    chunk: usize,
    producer: &mut Option<Producer<'_>>,
    loops: &dyn Loops,
    all: *mut u8,
) {
    // SAFETY: the space leads to initialised elements of the input, or of what was made of it, which
    // are of the loops' type; there is room for the accumulators of a block.
    unsafe {
        match producer {
            None if space.is_vertical() => columns::accumulate(space, block, chunk, loops, all),
            None => rows::accumulate(space, block, chunk, loops, all),
            Some(producer) => {
                let elements = space.elements_of_chunk(block, chunk);
                if space.is_vertical() {
                    let made = block.starting(producer.elements(elements.start, elements.len()));
                    columns::accumulate(space, &made, chunk, loops, all);
                } else {
                    let index = space.chunk(chunk).start;
                    rows::accumulate_made(elements, index, producer, loops, all);
                }
            }
        }
    }
}
