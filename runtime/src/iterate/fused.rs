//! Loop fusion: several element-wise operators over one block at a time, which stays in the cache.

mod fed;
mod prefetch;

use std::ops::Range;

use smallvec::SmallVec;

use self::fed::Fed;
use self::prefetch::Prefetch;

use super::cast::{CastLoop, cast_loop, fill_loop};
use super::inner_loop::{InnerLoop, Operand as Place};
use super::plan::{Plan, Run};
use crate::geometry::{Dims, broadcast_shapes, contiguous_strides, to_dims};
use crate::op::{ElementLoop, Value};
use crate::parallel::{self, Pointer};
use crate::reduce::Source;
use crate::{DType, Device, Result, Spec, Tensor, buffer, view};

/// So many bytes of values that nobody gets are in the first cache, with room for what is read.
const CACHED: usize = 16 << 10;

/// Blocks are neither shorter, for calls cost something, nor longer, for nothing is gained.
const LENGTHS: Range<usize> = 128..2048;

/// Registers are so many times sixteen bytes further apart than they are long: processors take what
/// lies a page apart for the same.
const APART: usize = 12;

/// Registers begin with a line of the cache: else the widest ones of the processor would be read from
/// two of them.
const LINE: usize = 64;

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
/// Nothing, and nothing is done, if a result is of another shape than all inputs together or wanted
/// twice, or if results lie differently: then the operators have to be called one by one.
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
    let Some(strides) = strides(links, inputs, wanted, &shape)? else { return Ok(None) };
    let mut results = None;
    with_loops(links, &[], &mut |loops| {
        let space = Space::new(&shape, &strides);
        let Some(program) = Program::new(links, loops, inputs, (wanted, None), &space)? else {
            return Ok(());
        };
        let outputs = space.allocate_all(links, wanted)?;
        program.run(&outputs, space.count())?;
        results = Some(outputs);
        Ok(())
    })?;
    Ok(results)
}

/// Lets a reduction fold the results of a link while they are made, and gives those of the links
/// that are wanted, too.
///
/// Nothing if the reduction would read other groups of elements than those of a tensor, or as for
/// [`run`]; then what the reduction has written to has no meaning. So it is if the reduction fails,
/// and who calls the operators one by one hears of it.
///
/// # Errors
///
/// As [`run`].
pub fn reduce(
    links: &[Link<'_>],
    inputs: &[&Tensor],
    wanted: &[usize],
    reduced: usize,
    reduction: &mut dyn FnMut(Source<'_>) -> Result<()>,
) -> Result<Option<Vec<Tensor>>> {
    let mut all: SmallVec<[usize; 8]> = wanted.iter().copied().collect();
    if !wanted.contains(&reduced) {
        all.push(reduced);
    }
    let Some(shape) = whole_shape(links, inputs, &all) else { return Ok(None) };
    let Some(strides) = strides(links, inputs, &all, &shape)? else { return Ok(None) };
    let space = Space::new(&shape, &strides);
    if space.order.is_some() || space.count() == 0 {
        return Ok(None);
    }
    let mut results = None;
    with_loops(links, &[], &mut |loops| {
        let wanted_and = (wanted, Some(reduced));
        let Some(program) = Program::new(links, loops, inputs, wanted_and, &space)? else {
            return Ok(());
        };
        let outputs = space.allocate_all(links, wanted)?;
        let fed = Fed::new(&program, &outputs, &space, links[reduced].result);
        if reduction(Source::made(&fed)).is_ok() && fed.has_begun() {
            finish(&outputs);
            results = Some(outputs);
        }
        Ok(())
    })?;
    Ok(results)
}

/// The shape of all inputs together, if every wanted result has it, and none is wanted twice.
fn whole_shape(links: &[Link<'_>], inputs: &[&Tensor], wanted: &[usize]) -> Option<Dims> {
    let is_repeated = wanted.iter().enumerate().any(|(at, it)| wanted[..at].contains(it));
    if is_repeated || inputs.iter().any(|it| it.device() != Device::Cpu) {
        return None;
    }
    let all: SmallVec<[&[i64]; 8]> = inputs.iter().map(|it| it.shape()).collect();
    let whole = broadcast_shapes(&all).ok()?;
    let mut shapes: SmallVec<[Dims; 12]> = SmallVec::new();
    for link in links {
        let operands = link.operands.iter().map(|it| match it {
            Operand::Input(at) => inputs[*at].shape(),
            Operand::Link(at) => &shapes[*at],
        });
        let shape = broadcast_shapes(&operands.collect::<SmallVec<[_; 4]>>()).ok()?;
        shapes.push(shape);
    }
    wanted.iter().all(|&it| shapes[it] == whole).then_some(whole)
}

/// How the operators would lay out what is wanted, if they would do so alike.
fn strides(
    links: &[Link<'_>],
    inputs: &[&Tensor],
    wanted: &[usize],
    shape: &[i64],
) -> Result<Option<Dims>> {
    if inputs.iter().all(|it| it.is_contiguous()) {
        return Ok(Some(contiguous_strides(shape)));
    }
    let on_meta =
        |it: &&Tensor| Tensor::allocate_dense(it.shape(), it.strides(), it.dtype(), Device::Meta);
    let inputs: Vec<Tensor> = inputs.iter().map(on_meta).collect::<Result<_>>()?;
    let mut results: Vec<Tensor> = Vec::with_capacity(links.len());
    for link in links {
        let operands = link.operands.iter().map(|it| match it {
            Operand::Input(at) => &inputs[*at],
            Operand::Link(at) => &results[*at],
        });
        results.push(Spec::elementwise(&operands.collect::<Vec<_>>())?.allocate_meta()?);
    }
    let mut wanted = wanted.iter().map(|&it| results[it].strides());
    let Some(strides) = wanted.next() else { return Ok(None) };
    Ok(wanted.all(|it| it == strides).then(|| to_dims(strides)))
}

/// Makes all loops, which live while `then` runs.
fn with_loops(
    links: &[Link<'_>],
    made: &[InnerLoop<'_>],
    then: &mut dyn FnMut(&[InnerLoop<'_>]) -> Result<()>,
) -> Result<()> {
    let Some((link, rest)) = links.split_first() else { return then(made) };
    let mut others: SmallVec<[Value; 4]> = link.others.iter().cloned().collect();
    (link.of.make)(link.dtype, &mut others, &mut |it| {
        let mut all: SmallVec<[InnerLoop<'_>; 16]> = made.iter().copied().collect();
        all.push(it);
        with_loops(rest, &all, then)
    })
}

/// All elements, in the order in which they lie in the results.
struct Space<'a> {
    shape: &'a [i64],
    strides: &'a [i64],
    /// The dimensions, the outermost first; none if that is their own order.
    order: Option<Vec<usize>>,
    in_order: Dims,
}

impl<'a> Space<'a> {
    fn new(shape: &'a [i64], strides: &'a [i64]) -> Space<'a> {
        if strides == &contiguous_strides(shape)[..] {
            return Space { shape, strides, order: None, in_order: to_dims(shape) };
        }
        let mut order: Vec<usize> = (0..shape.len()).collect();
        order.sort_by_key(|&it| std::cmp::Reverse(strides[it]));
        let in_order = order.iter().map(|&it| shape[it]).collect();
        Space { shape, strides, order: Some(order), in_order }
    }

    fn count(&self) -> usize {
        self.shape.iter().product::<i64>() as usize
    }

    fn allocate(&self, dtype: DType) -> Result<Tensor> {
        match self.order {
            None => Tensor::allocate(self.shape, dtype, Device::Cpu),
            Some(_) => Tensor::allocate_dense(self.shape, self.strides, dtype, Device::Cpu),
        }
    }

    fn allocate_all(&self, links: &[Link<'_>], wanted: &[usize]) -> Result<Vec<Tensor>> {
        buffer::try_collected(wanted.iter().map(|it| self.allocate(links[*it].result)))
    }

    /// A tensor, stretched and in this order.
    fn view(&self, tensor: &Tensor) -> Result<Tensor> {
        let tensor = view::expand(tensor, self.shape)?;
        match &self.order {
            None => Ok(tensor),
            Some(order) => view::permute(&tensor, order),
        }
    }
}

/// What is done with each block, step by step.
struct Program<'a> {
    steps: Vec<FusedStep<'a>>,
    values: Vec<FusedValue>,
    /// For each wanted result its value.
    wanted: Vec<usize>,
    /// The value that is reduced.
    reduced: Option<usize>,
    /// What is read, kept alive.
    sources: Vec<Tensor>,
    known: Vec<(Operand, DType, DType, usize)>,
}

/// A step, which reads values and writes another one.
struct FusedStep<'a> {
    work: StepWork<'a>,
    reads: SmallVec<[usize; 4]>,
    writes: usize,
}

enum StepWork<'a> {
    Loop(InnerLoop<'a>),
    Cast(CastLoop),
    /// Takes the elements of a block from wherever they lie, and casts them.
    Gather(Plan<1>, CastLoop),
}

/// The elements of a value.
struct FusedValue {
    size: usize,
    lies: Lies,
}

/// Where they lie.
#[derive(Clone, Copy)]
enum Lies {
    /// All of them, one behind the other.
    Whole(Pointer<u8>),
    /// One element for all: its stride is 0.
    Broadcast(Pointer<u8>),
    /// Those of a wanted result.
    Output(usize),
    /// Those of a block.
    Register(usize),
    /// Those that a reduction asked for.
    Window,
}

impl<'a> Program<'a> {
    fn new(
        links: &[Link<'_>],
        loops: &[InnerLoop<'a>],
        inputs: &[&Tensor],
        (wanted, reduced): (&[usize], Option<usize>),
        space: &Space<'_>,
    ) -> Result<Option<Program<'a>>> {
        let mut program = Program {
            steps: Vec::with_capacity(links.len() + inputs.len()),
            values: Vec::with_capacity(links.len() + inputs.len()),
            wanted: Vec::new(),
            reduced: None,
            sources: Vec::with_capacity(inputs.len()),
            known: Vec::with_capacity(links.len() + inputs.len()),
        };
        for (at, (link, it)) in links.iter().zip(loops).enumerate() {
            let &[output] = it.outputs() else { return Ok(None) };
            if it.inputs().len() != link.operands.len() {
                return Ok(None);
            }
            let mut reads = SmallVec::new();
            for (&operand, &dtype) in link.operands.iter().zip(it.inputs()) {
                // Integers are brought to the dtype that is calculated in before another.
                let first = if link.dtype.is_integral() { link.dtype } else { dtype };
                reads.push(program.operand(operand, first, dtype, inputs, space)?);
            }
            let mut value = program.step(StepWork::Loop(*it), reads, output);
            if output != link.result {
                value = program.cast(value, output, link.result);
            }
            program.known.push((Operand::Link(at), link.result, link.result, value));
        }
        program.place(wanted, reduced);
        Ok(Some(program))
    }

    /// The value of an operand, cast to one dtype and then to another.
    fn operand(
        &mut self,
        operand: Operand,
        first: DType,
        dtype: DType,
        inputs: &[&Tensor],
        space: &Space<'_>,
    ) -> Result<usize> {
        let key = (operand, first, dtype);
        if let Some(found) = self.known.iter().find(|it| (it.0, it.1, it.2) == key) {
            return Ok(found.3);
        }
        let value = if first != dtype {
            let value = self.operand(operand, first, first, inputs, space)?;
            self.cast(value, first, dtype)
        } else {
            match operand {
                Operand::Input(at) => self.source(inputs[at], dtype, space)?,
                Operand::Link(at) => {
                    let result = |it: &&(Operand, DType, DType, usize)| it.0 == operand;
                    let (_, from, _, value) = *self
                        .known
                        .iter()
                        .find(result)
                        .ok_or_else(|| crate::Error::runtime(format_args!("no link {at}")))?;
                    self.cast(value, from, dtype)
                }
            }
        };
        self.known.push((operand, first, dtype, value));
        Ok(value)
    }

    /// The elements of a tensor, cast to a dtype.
    fn source(&mut self, tensor: &Tensor, dtype: DType, space: &Space<'_>) -> Result<usize> {
        if tensor.numel() == 1 && space.count() != 1 {
            let single = tensor.to_dtype(dtype)?;
            let lies = Lies::Broadcast(Pointer(single.data_ptr()));
            self.sources.push(single);
            return Ok(self.value(dtype, lies));
        }
        let all = space.view(tensor)?;
        let (from, start) = (all.dtype(), Pointer(all.data_ptr()));
        if all.is_contiguous() {
            self.sources.push(all);
            let value = self.value(from, Lies::Whole(start));
            return Ok(if from == dtype { value } else { self.cast(value, from, dtype) });
        }
        let size = from.size() as isize;
        let step = |_, dim: usize| all.strides()[dim] as isize * size;
        let plan = Plan::new(&space.in_order, 1, [start.0], step, true);
        self.sources.push(all);
        Ok(self.step(StepWork::Gather(plan, cast_loop(from, dtype)), SmallVec::new(), dtype))
    }

    fn cast(&mut self, value: usize, from: DType, to: DType) -> usize {
        self.step(StepWork::Cast(cast_loop(from, to)), SmallVec::from_slice(&[value]), to)
    }

    /// Adds a step; its value has no place yet.
    fn step(&mut self, work: StepWork<'a>, reads: SmallVec<[usize; 4]>, dtype: DType) -> usize {
        let writes = self.value(dtype, Lies::Register(0));
        self.steps.push(FusedStep { work, reads, writes });
        writes
    }

    fn value(&mut self, dtype: DType, lies: Lies) -> usize {
        self.values.push(FusedValue { size: dtype.size(), lies });
        self.values.len() - 1
    }

    /// Gives each value a place: wanted ones their result, that which is reduced a window, others a
    /// register until they are read last.
    fn place(&mut self, wanted: &[usize], reduced: Option<usize>) {
        let of_link = |&link: &usize| {
            let mut known = self.known.iter();
            known.find(|it| it.0 == Operand::Link(link)).map_or(0, |it| it.3)
        };
        let (wanted, reduced) =
            (wanted.iter().map(of_link).collect(), reduced.as_ref().map(of_link));
        (self.wanted, self.reduced) = (wanted, reduced);
        let mut last = vec![0; self.values.len()];
        for (at, step) in self.steps.iter().enumerate() {
            step.reads.iter().for_each(|&it| last[it] = at);
        }
        let (mut free, mut count) = (Vec::new(), 0);
        for (at, step) in self.steps.iter().enumerate() {
            let lies = match self.wanted.iter().position(|&it| it == step.writes) {
                Some(output) => Lies::Output(output),
                None if self.reduced == Some(step.writes) => Lies::Window,
                None => Lies::Register(free.pop().unwrap_or_else(|| {
                    count += 1;
                    count - 1
                })),
            };
            self.values[step.writes].lies = lies;
            for (k, &read) in step.reads.iter().enumerate() {
                let is_new = !step.reads[..k].contains(&read);
                if let Lies::Register(register) = self.values[read].lies
                    && last[read] == at
                    && is_new
                {
                    free.push(register);
                }
            }
        }
    }

    fn run(&self, outputs: &[Tensor], count: usize) -> Result<()> {
        let starts = starts(outputs);
        parallel::try_share(count, self.steps.len(), &|range| self.over(range, &starts))?;
        finish(outputs);
        Ok(())
    }

    /// How many elements are worked on at a time.
    fn block(&self) -> usize {
        let length = CACHED / (self.widest() * self.registers()).max(1);
        length.clamp(LENGTHS.start, LENGTHS.end) / 64 * 64
    }

    /// The size of the largest element in a register.
    fn widest(&self) -> usize {
        let sizes = self.values.iter().map(|it| match it.lies {
            Lies::Register(_) | Lies::Broadcast(_) => it.size,
            _ => 0,
        });
        sizes.max().unwrap_or(0)
    }

    /// Those that are written by steps, and one for each single element.
    fn registers(&self) -> usize {
        let count = |it: &FusedValue| match it.lies {
            Lies::Register(at) => at + 1,
            _ => 0,
        };
        let singles = self.values.iter().filter(|it| matches!(it.lies, Lies::Broadcast(_))).count();
        self.values.iter().map(count).max().unwrap_or(0) + singles
    }

    /// Runs over a range of elements, block by block.
    fn over(&self, range: Range<usize>, outputs: &[Pointer<u8>]) -> Result<()> {
        let workspace = self.workspace(self.block().min(range.len()), outputs)?;
        self.pass(range, &workspace);
        Ok(())
    }

    /// Where values are while one thread runs over blocks of so many elements.
    fn workspace(&self, block: usize, outputs: &[Pointer<u8>]) -> Result<Workspace> {
        let room = (block * self.widest()).div_ceil(LINE) * (LINE / size_of::<u128>()) + APART;
        // A step writes what the next ones read.
        let spare = LINE / size_of::<u128>() - 1;
        let mut memory = buffer::with_capacity::<u128>(self.registers() * room + spare)?;
        let first = memory.as_mut_ptr();
        let first = first.wrapping_add(first.align_offset(LINE));
        let register = |at, size| Place::fixed(first.wrapping_add(at * room).cast(), size);
        // The last ones are those of single elements.
        let mut free = self.registers();
        let places: Vec<Place> = self
            .values
            .iter()
            .map(|&FusedValue { size, lies }| match lies {
                Lies::Whole(start) => Place::moving(start.0, size),
                Lies::Output(at) => Place::moving(outputs[at].0, size),
                Lies::Broadcast(start) => {
                    free -= 1;
                    let place = register(free, size);
                    // SAFETY: a register has room for a block, and nobody else has this one.
                    unsafe { fill_loop(size)(place.at(0), start.0, block) };
                    place
                }
                Lies::Register(at) => register(at, size),
                // It is set for each window.
                Lies::Window => Place::fixed(std::ptr::null_mut(), size),
            })
            .collect();
        let operands = self
            .steps
            .iter()
            .map(|step| std::iter::once(&step.writes).chain(&step.reads).map(|&it| places[it]))
            .map(Iterator::collect)
            .collect();
        let streams = self.values.iter().filter_map(|it| match it.lies {
            Lies::Whole(first) => Some((first, it.size)),
            Lies::Output(at) => Some((outputs[at], it.size)),
            _ => None,
        });
        let count = self.sources.iter().map(Tensor::numel).max().unwrap_or(0);
        Ok(Workspace {
            block,
            operands,
            prefetch: Prefetch::of(streams, count),
            _registers: memory,
        })
    }

    /// Runs over a range of elements, in order.
    fn pass(&self, range: Range<usize>, workspace: &Workspace) {
        let mut start = range.start;
        while start < range.end {
            let count = workspace.block.min(range.end - start);
            let next = start + count;
            for (at, (step, operands)) in self.steps.iter().zip(&workspace.operands).enumerate() {
                let share =
                    prefetch::share(at, self.steps.len(), workspace.block.min(range.end - next));
                workspace.prefetch.fetch(next + share.start..next + share.end);
                // SAFETY: sources have all elements, or one; registers have room for a block, and
                // are written by an earlier step; what a step writes is no value that it reads, and
                // this range of the outputs is worked on by nobody else. A window has room for the
                // range.
                unsafe { step.work.run(operands, start, count) };
            }
            start = next;
        }
    }
}

/// What one thread works with.
struct Workspace {
    /// So many elements at a time.
    block: usize,
    /// For each step where its operands are, the written one first.
    operands: Vec<SmallVec<[Place; 4]>>,
    /// The inputs and outputs that are far away.
    prefetch: Prefetch,
    /// What some of them are part of.
    _registers: Vec<u128>,
}

/// Where new tensors begin.
fn starts(outputs: &[Tensor]) -> SmallVec<[Pointer<u8>; 4]> {
    // SAFETY: every element is written before anybody else has a handle, and what is read of a
    // block was written by an earlier step.
    outputs.iter().map(|it| Pointer(unsafe { it.overwrite_ptr() })).collect()
}

/// Lets tensors be read, all of whose elements were written.
fn finish(outputs: &[Tensor]) {
    for output in outputs {
        // SAFETY: each range of elements was written.
        unsafe { output.assume_written() };
    }
}

impl StepWork<'_> {
    /// # Safety
    ///
    /// The operands are those of the step, the written one first: initialised elements from
    /// `start` on where it reads, and so much room apart from them where it writes.
    #[inline]
    unsafe fn run(&self, operands: &[Place], start: usize, count: usize) {
        match self {
            // SAFETY: as above.
            StepWork::Loop(it) => unsafe { it.over_operands(operands, start, count) },
            StepWork::Cast(cast) => {
                let (to, from) = (operands[0], operands[1]);
                // SAFETY: as above.
                unsafe { cast(to.at(start), to.stride, from.at(start), from.stride, count) };
            }
            StepWork::Gather(plan, cast) => {
                let (to, target) = (operands[0].stride, Pointer(operands[0].at(start)));
                plan.visit(start..start + count, &|run: &Run<'_, 1>| {
                    // SAFETY: as above; the run is within the block.
                    unsafe {
                        let target = target.at((run.position - start) as isize * to);
                        cast(target, to, run.ptrs[0], run.strides[0], run.count);
                    }
                });
            }
        }
    }
}
