//! Reductions: many elements to one accumulator, for each of many outputs.
//!
//! A reduction is a [`Fold`]. How elements are grouped depends on shape and
//! strides only, never on threads, so results repeat bit by bit. Groups are
//! small and are combined like the branches of a tree: the rounding error of a
//! long sum grows with the logarithm of its length.

mod columns;
mod few;
mod fold;
mod made;
mod rows;
mod source;
mod space;
mod tree;

pub use self::fold::Fold;
pub use self::source::{Source, dims_of};

pub(crate) use self::source::{Feed, Hand, MOST};

use std::ops::Range;
use std::sync::OnceLock;

use self::few::Few;
use self::fold::{Indexed, Reducer};
use self::made::{Made, Maker};
use self::space::{Block, Space};
use self::tree::Tree;
use crate::geometry::DimSet;
use crate::parallel::{get_num_threads, share};
use crate::tensor::{Overlap, overlaps};
use crate::{Element, Result, Tensor, buffer, ensure, interrupt};

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
    let reducer = Indexed { start, fold: move |all, it, _| fold(all, it), combine };
    run::<T, A, O, O>(input.into(), dims, (out, None), false, &reducer, &move |all| {
        let value = finish(all);
        (value, value)
    })
}

/// The same, and `fold` also gets the element's place among those it is
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
    let reducer = Indexed { start, fold, combine };
    run::<T, A, O, O>(input.into(), dims, (out, None), true, &reducer, &move |all| {
        let value = finish(all);
        (value, value)
    })
}

/// The same for two results.
///
/// # Errors
///
/// As [`reduce`], and `Runtime` if the outputs differ in shape or overlap.
pub fn reduce_indexed_pair<'a, T, A, O, P, F, C, D>(
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
    F: Fn(A, T, usize) -> A + Sync,
    C: Fn(A, A) -> A + Sync,
    D: Fn(A) -> (O, P) + Sync,
{
    let Fold { start, fold, combine, finish } = fold;
    let reducer = Indexed { start, fold, combine };
    run::<T, A, O, P>(input.into(), dims, (out.0, Some(out.1)), true, &reducer, &finish)
}

/// Writes the result of one accumulator: first and second output.
type Emit<'a, A> = &'a (dyn Fn(A, [*mut u8; 2]) + Sync);

fn run<T, A, O, P>(
    input: Source<'_>,
    dims: DimSet,
    out: (&mut Tensor, Option<&mut Tensor>),
    in_order: bool,
    reducer: &impl Reducer<T, A>,
    finish: &(impl Fn(A) -> (O, P) + Sync),
) -> Result<()>
where
    T: Element,
    A: Copy + Send + Sync,
    O: Element,
    P: Element,
{
    let input = input.into_dtype(T::DTYPE)?;
    let made = input.begin(dims)?;
    let (first, second) = out;
    let first = Output::new::<O>(first, &input)?;
    let second = second.map(|it| Output::new::<P>(it, &input)).transpose()?;
    let targets = (first.target(), second.as_ref().map(Output::target));
    let has_second = second.is_some();
    let emit = |all, [to_first, to_second]: [*mut u8; 2]| {
        let (a, b) = finish(all);
        // SAFETY: who emits passes elements of the outputs, which have these dtypes, and each of
        // them once.
        unsafe {
            to_first.cast::<O>().write(a);
            if has_second {
                to_second.cast::<P>().write(b);
            }
        }
    };
    match input.tensor().and_then(|it| Few::of(it, dims, targets.0, targets.1)) {
        // SAFETY: the input was brought to this dtype, and is initialised.
        Some(few) => unsafe { few.fold::<T, A>([size_of::<O>(), size_of::<P>()], reducer, emit) },
        None => execute(&Space::new(&input, dims, targets, in_order)?, made, reducer, &emit)?,
    }
    made.map_or(Ok(()), Made::finish)?;
    first.finish()?;
    second.map_or(Ok(()), Output::finish)
}

/// An output, and what stands for it while its dtype is another.
struct Output<'a> {
    out: &'a mut Tensor,
    staged: Option<Tensor>,
}

impl<'a> Output<'a> {
    fn new<O: Element>(out: &'a mut Tensor, input: &Source<'_>) -> Result<Output<'a>> {
        out.check_readable()?;
        out.check_writable()?;
        ensure!(
            input.tensor().is_none_or(|it| overlaps(out, it) == Overlap::No),
            Runtime,
            "unsupported operation: the output of a reduction overlaps its input"
        );
        let staged = if out.dtype() == O::DTYPE {
            None
        } else {
            Some(Tensor::allocate(out.shape(), O::DTYPE, out.device())?)
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
fn execute<T: Element, A: Copy + Send + Sync>(
    space: &Space,
    made: Option<&Made<'_>>,
    reducer: &impl Reducer<T, A>,
    emit: Emit<'_, A>,
) -> Result<()> {
    if space.chunks() <= 1 || space.blocks() >= get_num_threads().saturating_mul(2) {
        share(space.blocks(), space.block_weight(), &|range| {
            let Some(mut maker) = maker(made, || space.elements(&range)) else { return };
            for index in range {
                reduce_block(space, &space.block(index), &mut maker, reducer, emit);
            }
        });
        return Ok(());
    }
    for index in 0..space.blocks() {
        let block = space.block(index);
        let part_of = |chunk| maker(made, || space.elements_of_chunk(&block, chunk));
        if space.is_vertical() {
            let part = |chunk| match part_of(chunk) {
                Some(mut maker) => columns_of(space, &block, chunk, &mut maker, reducer),
                None => [reducer.start(); Space::WIDTH],
            };
            let all = combine_shared(space, part, |a, b| combine_columns(a, b, reducer))?;
            all.iter().for_each(|all| finish_block(&block, all, emit));
        } else {
            let part = |chunk| match part_of(chunk) {
                Some(mut maker) => row_of(space, &block, chunk, &mut maker, reducer),
                None => reducer.start(),
            };
            let all = combine_shared(space, part, |a, b| reducer.combine(a, b))?;
            all.iter().for_each(|&all| emit(all, block.outs));
        }
    }
    Ok(())
}

/// Who makes the elements of a range, if they are made; nothing if that failed.
#[inline]
fn maker<'a>(
    made: Option<&'a Made<'_>>,
    range: impl FnOnce() -> Range<usize>,
) -> Option<Option<Maker<'a>>> {
    match made {
        None => Some(None),
        Some(made) => made.maker(range()).map(Some),
    }
}

/// So many chunks are folded by several threads before their accumulators are
/// combined, so that there is no list as long as the input.
const CHUNKS_AT_ONCE: usize = 256;

/// Folds the chunks of one block in several threads.
fn combine_shared<A: Send + Sync>(
    space: &Space,
    part: impl Fn(usize) -> A + Sync,
    combine: impl Fn(A, A) -> A,
) -> Result<Option<A>> {
    let mut tree = Tree::new(combine);
    for first in (0..space.chunks()).step_by(CHUNKS_AT_ONCE) {
        let count = CHUNKS_AT_ONCE.min(space.chunks() - first);
        let parts = buffer::collected((0..count).map(|_| OnceLock::new()))?;
        share(count, space.chunk_weight(), &|range| {
            for index in range {
                let is_first = parts[index].set(part(first + index)).is_ok();
                debug_assert!(is_first, "a chunk is folded once");
            }
        });
        let parts = parts.into_iter().map(|it| it.into_inner().expect("every chunk was folded"));
        parts.for_each(|part| tree.push(part));
    }
    Ok(tree.finish())
}

/// Reduces a block in one thread, with the result that several would have.
fn reduce_block<T: Element, A: Copy>(
    space: &Space,
    block: &Block,
    maker: &mut Option<Maker<'_>>,
    reducer: &impl Reducer<T, A>,
    emit: Emit<'_, A>,
) {
    if space.is_vertical() {
        let part = |chunk| columns_of(space, block, chunk, maker, reducer);
        let all = combine_alone(space, part, |a, b| combine_columns(a, b, reducer));
        finish_block(block, &all, emit);
    } else {
        let part = |chunk| row_of(space, block, chunk, maker, reducer);
        emit(combine_alone(space, part, |a, b| reducer.combine(a, b)), block.outs);
    }
}

/// Folds the chunks of one block, or the empty one, in this thread.
fn combine_alone<A>(
    space: &Space,
    mut part: impl FnMut(usize) -> A,
    combine: impl Fn(A, A) -> A,
) -> A {
    let first = part(0);
    if space.chunks() <= 1 {
        return first;
    }
    let mut tree = Tree::new(combine);
    tree.push(first);
    for chunk in 1..space.chunks() {
        interrupt::check();
        tree.push(part(chunk));
    }
    tree.finish().expect("one was pushed")
}

/// The accumulators of one chunk, one for each output of the block.
fn columns_of<T: Element, A: Copy>(
    space: &Space,
    block: &Block,
    chunk: usize,
    maker: &mut Option<Maker<'_>>,
    reducer: &impl Reducer<T, A>,
) -> [A; Space::WIDTH] {
    let mut all = [reducer.start(); Space::WIDTH];
    let made = maker.as_mut().map(|maker| {
        let Range { start, end } = space.elements_of_chunk(block, chunk);
        block.starting(maker.elements(start, end - start))
    });
    // SAFETY: the space leads to initialised elements of the input, or of what was made of it,
    // which are of type `T`.
    unsafe { columns::accumulate(space, made.as_ref().unwrap_or(block), chunk, reducer, &mut all) };
    all
}

/// The accumulator of one chunk of a block of one output.
fn row_of<T: Element, A: Copy>(
    space: &Space,
    block: &Block,
    chunk: usize,
    maker: &mut Option<Maker<'_>>,
    reducer: &impl Reducer<T, A>,
) -> A {
    if let Some(maker) = maker {
        let (all, index) = (space.elements_of_chunk(block, chunk), space.chunk(chunk).start);
        // SAFETY: what is made of the input is of type `T`.
        return unsafe { rows::accumulate_made(all, index, maker, reducer) };
    }
    // SAFETY: the space leads to initialised elements of the input, which are
    // of type `T`.
    unsafe { rows::accumulate(space, block, chunk, reducer) }
}

fn combine_columns<T, A: Copy>(
    mut earlier: [A; Space::WIDTH],
    later: [A; Space::WIDTH],
    reducer: &impl Reducer<T, A>,
) -> [A; Space::WIDTH] {
    for (a, b) in earlier.iter_mut().zip(later) {
        *a = reducer.combine(*a, b);
    }
    earlier
}

fn finish_block<A: Copy>(block: &Block, all: &[A], emit: Emit<'_, A>) {
    let mut outs = block.outs;
    for &one in &all[..block.width] {
        emit(one, outs);
        for (out, stride) in outs.iter_mut().zip(block.out_strides) {
            *out = out.wrapping_offset(stride);
        }
    }
}
