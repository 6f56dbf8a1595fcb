//! Several element-wise operators over one block after the other, whose values stay in the cache.

use std::ops::Range;

use smallvec::SmallVec;

use super::inner_loop::InnerLoop;
use crate::geometry::{Dims, broadcast_shapes};
use crate::op::{ElementLoop, Value};
use crate::parallel::{self, Pointer};
use crate::{DType, Device, Level, Result, Tensor, buffer, view};

/// So many elements are worked on at a time: few enough that the values of a chain stay in the
/// first cache.
const BLOCK: usize = 256;

/// The largest element.
const MOST_BYTES: usize = 16;

/// An operator of a chain.
#[derive(Clone, Debug)]
pub struct Link<'a> {
    /// Its loop.
    pub of: &'static ElementLoop,
    /// The dtype that the loop is made for.
    pub dtype: DType,
    /// A value for each parameter that is no tensor.
    pub others: &'a [Value],
    /// Where its tensors come from, in the order of its parameters.
    pub operands: &'a [Operand],
    /// The dtype of its result.
    pub result: DType,
}

/// Where a tensor of a link comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// From outside.
    Input(usize),
    /// From the link of this number, which comes before.
    Link(usize),
}

/// Runs a chain over all elements of tensors, and gives the results of these links.
///
/// Nothing, and nothing is done, if the loops do not follow each other without casts, or if a
/// result is of another shape than all inputs together: then the operators have to be called one by
/// one.
///
/// # Errors
///
/// What making a loop reports; `Memory`.
pub fn run(
    links: &[Link<'_>],
    inputs: &[&Tensor],
    wanted: &[usize],
) -> Result<Option<Vec<Tensor>>> {
    let Some(shape) = whole_shape(links, inputs, wanted) else { return Ok(None) };
    if inputs.iter().any(|it| it.device() != Device::Cpu) {
        return Ok(None);
    }
    let mut results = None;
    with_loops(links, &[], &mut |loops| {
        let Some(chain) = Chain::new(links, loops, inputs, &shape)? else { return Ok(()) };
        results = Some(chain.run(wanted)?);
        Ok(())
    })?;
    Ok(results)
}

/// The shape of all inputs together, if every wanted result has it.
fn whole_shape(links: &[Link<'_>], inputs: &[&Tensor], wanted: &[usize]) -> Option<Dims> {
    let all: Vec<&[i64]> = inputs.iter().map(|it| it.shape()).collect();
    let whole = broadcast_shapes(&all).ok()?;
    let mut shapes: Vec<Dims> = Vec::with_capacity(links.len());
    for link in links {
        let operands = link.operands.iter().map(|it| match it {
            Operand::Input(at) => inputs[*at].shape(),
            Operand::Link(at) => &shapes[*at],
        });
        let shape = broadcast_shapes(&operands.collect::<Vec<_>>()).ok()?;
        shapes.push(shape);
    }
    wanted.iter().all(|&it| shapes[it] == whole).then_some(whole)
}

/// Makes all loops, which live while `then` runs.
fn with_loops(
    links: &[Link<'_>],
    made: &[InnerLoop<'_>],
    then: &mut dyn FnMut(&[InnerLoop<'_>]) -> Result<()>,
) -> Result<()> {
    let Some((link, rest)) = links.split_first() else { return then(made) };
    let mut others = link.others.to_vec();
    (link.of.make)(link.dtype, Level::detect(), &mut others, &mut |it| {
        let mut all: SmallVec<[InnerLoop<'_>; 16]> = made.iter().copied().collect();
        all.push(it);
        with_loops(rest, &all, then)
    })
}

/// A chain whose operands are where its loops can read them.
struct Chain<'a> {
    loops: &'a [InnerLoop<'a>],
    /// For each loop where it reads.
    reads: Vec<SmallVec<[Read; 4]>>,
    sources: Vec<Source>,
    results: Vec<DType>,
    shape: &'a [i64],
}

/// Where an operand is read.
#[derive(Clone, Copy)]
enum Read {
    Source(usize),
    Link(usize),
}

/// A tensor from outside, as a loop reads it: as large as the whole, or a single element.
struct Source {
    tensor: Tensor,
    is_single: bool,
}

impl<'a> Chain<'a> {
    fn new(
        links: &[Link<'_>],
        loops: &'a [InnerLoop<'a>],
        inputs: &[&Tensor],
        shape: &'a [i64],
    ) -> Result<Option<Chain<'a>>> {
        let mut known: Vec<(usize, DType, DType)> = Vec::new();
        let mut chain = Chain {
            loops,
            reads: Vec::with_capacity(links.len()),
            sources: Vec::new(),
            results: links.iter().map(|it| it.result).collect(),
            shape,
        };
        for (link, it) in links.iter().zip(loops) {
            if it.outputs() != [link.result] || it.inputs().len() != link.operands.len() {
                return Ok(None);
            }
            let mut reads = SmallVec::new();
            for (operand, &dtype) in link.operands.iter().zip(it.inputs()) {
                reads.push(match *operand {
                    Operand::Link(at) if links[at].result != dtype => return Ok(None),
                    Operand::Link(at) => Read::Link(at),
                    Operand::Input(at) => {
                        // Integers are brought to the dtype that is calculated in before another.
                        let first = if link.dtype.is_integral() { link.dtype } else { dtype };
                        let key = (at, first, dtype);
                        let found = known.iter().position(|it| *it == key);
                        Read::Source(match found {
                            Some(found) => found,
                            None => {
                                known.push(key);
                                let cast = inputs[at].to_dtype(first)?.to_dtype(dtype)?;
                                chain.sources.push(Source::new(&cast, shape)?);
                                chain.sources.len() - 1
                            }
                        })
                    }
                });
            }
            chain.reads.push(reads);
        }
        Ok(Some(chain))
    }

    fn run(&self, wanted: &[usize]) -> Result<Vec<Tensor>> {
        let make = |it: &usize| Tensor::allocate(self.shape, self.results[*it], Device::Cpu);
        let outputs = buffer::try_collected(wanted.iter().map(make))?;
        let target = |link: usize| {
            let at = wanted.iter().position(|it| *it == link)?;
            Some(Pointer(outputs[at].data_ptr()))
        };
        let targets: Vec<Option<Pointer<u8>>> = (0..self.loops.len()).map(target).collect();
        let count = self.shape.iter().product::<i64>() as usize;
        parallel::try_share(count, self.loops.len(), &|range| self.over(range, &targets))?;
        Ok(outputs)
    }

    /// Runs over a range of elements, block by block.
    fn over(&self, range: Range<usize>, targets: &[Option<Pointer<u8>>]) -> Result<()> {
        let block = BLOCK.min(range.len());
        let registers = targets.iter().filter(|it| it.is_none()).count();
        let singles = self.sources.iter().filter(|it| it.is_single).count();
        let mut memory = buffer::filled((registers + singles) * block * MOST_BYTES / 8, 0_u64)?;
        let memory = memory.as_mut_ptr().cast::<u8>();
        // SAFETY: for each register and each single element there is room for a block.
        let room = |at: usize| unsafe { memory.add(at * block * MOST_BYTES) };
        let mut next = 0;
        let mut take = || {
            next += 1;
            room(next - 1)
        };
        let sources: Vec<(*const u8, usize)> = self
            .sources
            .iter()
            .map(|it| {
                let size = it.tensor.dtype().size();
                if !it.is_single {
                    return (it.tensor.data_ptr().cast_const(), size);
                }
                let filled = take();
                // SAFETY: the tensor has an element, and the room is apart from it.
                unsafe { fill(it.tensor.data_ptr(), size, filled, block) };
                (filled.cast_const(), 0)
            })
            .collect();
        let places: Vec<(*mut u8, usize)> = targets
            .iter()
            .zip(&self.results)
            .map(|(target, dtype)| match target {
                Some(target) => (target.0, dtype.size()),
                None => (take(), 0),
            })
            .collect();
        let mut start = range.start;
        while start < range.end {
            let count = block.min(range.end - start);
            for (at, it) in self.loops.iter().enumerate() {
                let reads: SmallVec<[*const u8; 4]> = self.reads[at]
                    .iter()
                    .map(|read| match *read {
                        Read::Source(of) => sources[of].0.wrapping_add(start * sources[of].1),
                        Read::Link(of) => {
                            places[of].0.wrapping_add(start * places[of].1).cast_const()
                        }
                    })
                    .collect();
                let write = places[at].0.wrapping_add(start * places[at].1);
                // SAFETY: sources are contiguous and as large as the whole, or filled blocks; what a
                // link reads, an earlier one wrote; every link writes to memory of its own, of which
                // this range is worked on by nobody else.
                unsafe { it.over_block(&reads, &[write], count) };
            }
            start += count;
        }
        Ok(())
    }
}

impl Source {
    fn new(tensor: &Tensor, shape: &[i64]) -> Result<Source> {
        if tensor.numel() == 1 && shape.iter().product::<i64>() != 1 {
            return Ok(Source { tensor: tensor.to_contiguous()?, is_single: true });
        }
        let tensor =
            if tensor.shape() == shape { tensor.clone() } else { view::expand(tensor, shape)? };
        Ok(Source { tensor: tensor.to_contiguous()?, is_single: false })
    }
}

/// Fills a block with one element.
///
/// # Safety
///
/// There is an element of `size` bytes at `source`, and room for `count` of them at `target`, apart
/// from it.
unsafe fn fill(source: *const u8, size: usize, target: *mut u8, count: usize) {
    for at in 0..count {
        // SAFETY: as above.
        unsafe { target.add(at * size).copy_from_nonoverlapping(source, size) };
    }
}
