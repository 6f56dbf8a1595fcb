//! Small-tensor fast path: the loops of a chain over a few elements, without tensors in between.

use std::mem::MaybeUninit;

use opwright_runtime::fast_path::FastPath;
use opwright_runtime::iterate::fused::{Link, Operand};
use opwright_runtime::op::{ElementLoop, Value};
use opwright_runtime::{DType, Device, Result, Scalar, Tensor, dispatch};
use smallvec::SmallVec;

use crate::model::op::SmallPath;

/// So many elements are a few.
const FEW: usize = 64;

/// So many operators are in a chain at most; each has a place for its result.
const MOST_PARTS: usize = 6;

/// So many operands an operator has at most.
pub(crate) const MOST_OPERANDS: usize = 4;

/// The values of one operator, or of an operand that is stretched: each has room for the largest
/// element, and is aligned for any.
type Scratch = [MaybeUninit<[u64; 2]>; FEW];

/// A chain that may run over a few elements.
pub(crate) struct SmallChain {
    members: Vec<ChainMember>,
    inputs: usize,
}

/// An operator of it.
struct ChainMember {
    part: BoundLoop,
    reads: SmallVec<[Operand; MOST_OPERANDS]>,
}

/// An operator whose loop runs over elements that are somewhere.
pub(crate) struct BoundLoop {
    of: &'static ElementLoop,
    dtype: DType,
    others: SmallVec<[Value; 2]>,
    /// What its loop reads and writes, which was looked at when the function was made.
    pub(crate) read: &'static [DType],
    pub(crate) result: DType,
}

impl SmallPath for SmallChain {
    /// Nothing, and nothing is done, if the elements are many, of several shapes, or have to be cast.
    fn run(&self, inputs: &[Value]) -> Result<Option<Tensor>> {
        if inputs.len() != self.inputs || !FastPath::SmallChain.is_on() {
            return Ok(None);
        }
        let tensors = inputs.iter().filter_map(|it| match it {
            Value::Tensor(it) => Some(it),
            _ => None,
        });
        let Some(whole) = tensors.max_by_key(|it| (it.ndim(), it.numel())) else { return Ok(None) };
        let count = whole.numel();
        if count == 0 || count > FEW || !self.takes(inputs, whole) {
            return Ok(None);
        }
        let Some(last) = self.members.last() else { return Ok(None) };
        FastPath::SmallChain.taken();
        let result = Tensor::allocate(whole.shape(), last.part.result, Device::Cpu)?;
        // SAFETY: nothing is read through the pointer, and this is the only handle.
        let target = unsafe { result.overwrite_ptr() };
        self.over(inputs, count, target)?;
        // SAFETY: the last loop wrote all elements.
        unsafe { result.assume_written() };
        Ok(Some(result))
    }
}

impl SmallChain {
    /// That of a chain of so many inputs, if its loops follow each other without casts; its result is
    /// that of the last.
    pub(crate) fn of(links: &[Link<'_>], inputs: usize) -> Option<SmallChain> {
        let members = links.iter().map(ChainMember::of).collect::<Option<Vec<_>>>()?;
        let fits = members.iter().all(|member| {
            member.reads().all(|(operand, dtype)| match operand {
                Operand::Link(at) => members[at].part.result == dtype,
                Operand::Input(at) => at < inputs,
            })
        });
        let is_short = !members.is_empty() && members.len() <= MOST_PARTS;
        (fits && is_short).then_some(SmallChain { members, inputs })
    }

    /// Whether each operand is what its loop reads: as many elements side by side, or a number.
    fn takes(&self, inputs: &[Value], whole: &Tensor) -> bool {
        self.members.iter().all(|member| {
            member.reads().all(|(operand, dtype)| {
                let Operand::Input(at) = operand else { return true };
                match &inputs[at] {
                    Value::Tensor(it) => {
                        it.dtype() == dtype
                            && it.shape() == whole.shape()
                            && it.is_contiguous()
                            && it.device() == Device::Cpu
                    }
                    // Another dtype is calculated in than is read, which casts twice.
                    Value::Float(_) | Value::Int(_) | Value::Bool(_) => member.part.dtype == dtype,
                    _ => false,
                }
            })
        })
    }

    fn over(&self, inputs: &[Value], count: usize, target: *mut u8) -> Result<()> {
        let mut places = [const { MaybeUninit::<Scratch>::uninit() }; MOST_PARTS];
        let mut numbers = [const { MaybeUninit::<Scratch>::uninit() }; MOST_OPERANDS];
        let last = self.members.len() - 1;
        for (at, member) in self.members.iter().enumerate() {
            let mut reads = [std::ptr::null::<u8>(); MOST_OPERANDS];
            for (k, (operand, dtype)) in member.reads().enumerate() {
                reads[k] = match operand {
                    Operand::Link(from) => places[from].as_ptr().cast(),
                    Operand::Input(from) => match &inputs[from] {
                        Value::Tensor(it) => it.data_ptr().cast_const(),
                        number => {
                            fill(&mut numbers[k], number.scalar()?, dtype, count)?;
                            numbers[k].as_ptr().cast()
                        }
                    },
                };
            }
            let write = if at == last { target } else { places[at].as_mut_ptr().cast() };
            // SAFETY: each operand is so many elements of the dtype that is read, in a tensor or in
            // a place that was written before; the result goes to a place, or to a tensor, with room
            // for as many, which nothing else is read from.
            unsafe { member.part.run(&reads[..member.reads.len()], write, count) }?;
        }
        Ok(())
    }
}

impl ChainMember {
    fn of(link: &Link<'_>) -> Option<ChainMember> {
        let part =
            BoundLoop::new(link.of, link.dtype, link.others, link.operands.len(), link.result)?;
        Some(ChainMember { part, reads: link.operands.iter().copied().collect() })
    }

    /// What it reads, and as which dtypes.
    fn reads(&self) -> impl Iterator<Item = (Operand, DType)> {
        self.reads.iter().copied().zip(self.part.read.iter().copied())
    }
}

impl BoundLoop {
    /// The operator of a loop that is made so, if it takes so many operands and gives this dtype.
    pub(crate) fn new(
        of: &'static ElementLoop,
        dtype: DType,
        others: &[Value],
        operands: usize,
        result: DType,
    ) -> Option<BoundLoop> {
        let others: SmallVec<[Value; 2]> = others.iter().cloned().collect();
        let mut read = None;
        let made = (of.make)(dtype, &mut others.clone(), &mut |it| {
            if it.inputs().len() == operands && it.outputs() == [result] {
                read = Some(it.inputs());
            }
            Ok(())
        });
        let read = read.filter(|it| made.is_ok() && it.len() <= MOST_OPERANDS)?;
        Some(BoundLoop { of, dtype, others, read, result })
    }

    /// Runs over so many elements.
    ///
    /// # Errors
    ///
    /// What making the loop reports.
    ///
    /// # Safety
    ///
    /// There are so many elements of the dtypes that are read, initialised, and there is room for
    /// as many of the result, apart from them.
    #[inline]
    pub(crate) unsafe fn run(
        &self,
        reads: &[*const u8],
        write: *mut u8,
        count: usize,
    ) -> Result<()> {
        let mut others: SmallVec<[Value; 2]> = SmallVec::new();
        for other in &self.others {
            others.push(other.clone());
        }
        (self.of.make)(self.dtype, &mut others, &mut |it| {
            // SAFETY: the loop is made as it was looked at, so that these are its dtypes; the caller
            // has the elements.
            unsafe { it.over_block(reads, &[write], count) };
            Ok(())
        })
    }
}

/// Fills a place with a number.
fn fill(
    place: &mut MaybeUninit<Scratch>,
    number: Scalar,
    dtype: DType,
    count: usize,
) -> Result<()> {
    let first = place.as_mut_ptr();
    dispatch!(dtype, "fill", all, |T| {
        let number: T = number.wrap();
        for at in 0..count {
            // SAFETY: a place has room for as many of the largest elements, aligned for any.
            unsafe { first.cast::<T>().add(at).write(number) };
        }
        Ok(())
    })
}
