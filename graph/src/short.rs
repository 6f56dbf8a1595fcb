//! Chains over a few elements: one loop after the other, without tensors in between.

use std::mem::MaybeUninit;

use opwright_runtime::iterate::fused::{Link, Operand};
use opwright_runtime::op::{ElementLoop, Value};
use opwright_runtime::{DType, Device, Level, Result, Scalar, Tensor, dispatch};
use smallvec::SmallVec;

use crate::apply::Apply;
use crate::fuse::Fused;

/// So many elements are a few.
const FEW: usize = 64;

/// So many operators are in a chain at most; each has a place for its result.
const MOST_PARTS: usize = 6;

/// So many operands an operator has at most.
const MOST_OPERANDS: usize = 4;

/// The values of one operator, or of an operand that is stretched: each has room for the largest
/// element, and is aligned for any.
type Place = [MaybeUninit<[u64; 2]>; FEW];

/// A chain that may run over a few elements.
pub(crate) struct Short {
    parts: Vec<Part>,
    inputs: usize,
}

/// An operator of it.
struct Part {
    of: &'static ElementLoop,
    dtype: DType,
    others: SmallVec<[Value; 2]>,
    reads: SmallVec<[Operand; MOST_OPERANDS]>,
    /// What its loop reads, which was looked at when the function was made.
    read: &'static [DType],
    result: DType,
}

impl Short {
    /// That of a node, if it is a chain with one result whose loops follow each other without casts.
    pub(crate) fn of(fused: &Fused, node: &Apply) -> Option<Short> {
        let parts = fused.links().iter().map(Part::of).collect::<Option<Vec<_>>>()?;
        let fits = parts.iter().all(|part| {
            part.reads.iter().zip(part.read).all(|(operand, dtype)| match operand {
                Operand::Link(at) => parts[*at].result == *dtype,
                Operand::Input(at) => *at < MOST_PARTS,
            })
        });
        let is_short = !parts.is_empty() && parts.len() <= MOST_PARTS;
        let inputs = node.inputs().len();
        (fits && is_short && inputs <= MOST_PARTS && node.outputs().len() == 1)
            .then_some(Short { parts, inputs })
    }

    /// Runs over the elements of the inputs; nothing, and nothing is done, if they are many, of
    /// several shapes, or have to be cast.
    ///
    /// # Errors
    ///
    /// What making a loop reports; `Memory`.
    pub(crate) fn run(&self, inputs: &[Value]) -> Result<Option<Tensor>> {
        if inputs.len() != self.inputs {
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
        let Some(last) = self.parts.last() else { return Ok(None) };
        let result = Tensor::allocate(whole.shape(), last.result, Device::Cpu)?;
        // SAFETY: nothing is read through the pointer, and this is the only handle.
        let target = unsafe { result.overwrite_ptr() };
        self.over(inputs, count, target)?;
        // SAFETY: the last loop wrote all elements.
        unsafe { result.assume_written() };
        Ok(Some(result))
    }

    /// Whether each operand is what its loop reads: as many elements side by side, or a number.
    fn takes(&self, inputs: &[Value], whole: &Tensor) -> bool {
        self.parts.iter().all(|part| {
            part.reads.iter().zip(part.read).all(|(operand, dtype)| {
                let Operand::Input(at) = operand else { return true };
                match &inputs[*at] {
                    Value::Tensor(it) => {
                        it.dtype() == *dtype
                            && it.shape() == whole.shape()
                            && it.is_contiguous()
                            && it.device() == Device::Cpu
                    }
                    // Another dtype is calculated in than is read, which casts twice.
                    Value::Float(_) | Value::Int(_) | Value::Bool(_) => part.dtype == *dtype,
                    _ => false,
                }
            })
        })
    }

    fn over(&self, inputs: &[Value], count: usize, target: *mut u8) -> Result<()> {
        let mut places = [const { MaybeUninit::<Place>::uninit() }; MOST_PARTS];
        let mut numbers = [const { MaybeUninit::<Place>::uninit() }; MOST_OPERANDS];
        let last = self.parts.len() - 1;
        for (at, part) in self.parts.iter().enumerate() {
            let mut reads = [std::ptr::null::<u8>(); MOST_OPERANDS];
            for (k, (operand, dtype)) in part.reads.iter().zip(part.read).enumerate() {
                reads[k] = match operand {
                    Operand::Link(from) => places[*from].as_ptr().cast(),
                    Operand::Input(from) => match &inputs[*from] {
                        Value::Tensor(it) => it.data_ptr().cast_const(),
                        number => {
                            fill(&mut numbers[k], number.scalar()?, *dtype, count)?;
                            numbers[k].as_ptr().cast()
                        }
                    },
                };
            }
            let write = if at == last { target } else { places[at].as_mut_ptr().cast() };
            let mut others = part.others.clone();
            (part.of.make)(part.dtype, Level::detect(), &mut others, &mut |it| {
                // SAFETY: each operand is so many elements of the dtype that is read, in a tensor or
                // in a place that was written before; the result goes to a place, or to a tensor,
                // with room for as many, which nothing else is read from.
                unsafe { it.over_block(&reads[..part.reads.len()], &[write], count) };
                Ok(())
            })?;
        }
        Ok(())
    }
}

impl Part {
    fn of(link: &Link<'_>) -> Option<Part> {
        let mut others: SmallVec<[Value; 2]> = link.others.iter().cloned().collect();
        let mut read = None;
        let made = (link.of.make)(link.dtype, Level::detect(), &mut others, &mut |it| {
            if it.inputs().len() == link.operands.len() && it.outputs() == [link.result] {
                read = Some(it.inputs());
            }
            Ok(())
        });
        let read = read.filter(|it| made.is_ok() && it.len() <= MOST_OPERANDS)?;
        Some(Part {
            of: link.of,
            dtype: link.dtype,
            others: link.others.iter().cloned().collect(),
            reads: link.operands.iter().copied().collect(),
            read,
            result: link.result,
        })
    }
}

/// Fills a place with a number.
fn fill(place: &mut MaybeUninit<Place>, number: Scalar, dtype: DType, count: usize) -> Result<()> {
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
