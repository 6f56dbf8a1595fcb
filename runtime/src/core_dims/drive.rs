//! The loop over the loop dimensions, shared by all signatures and dtypes.

use std::array::from_fn;
use std::ops::Range;

use smallvec::SmallVec;

use super::call::{CoreInput, CoreOutput};
use super::operand::CoreOperand;
use super::shapes::{CoreDim, CoreSignature};
use crate::geometry::{Dims, element_count, same_dims};
use crate::parallel::try_share;
use crate::tensor::{Overlap, overlaps, partial_overlap};
use crate::{DType, Result, Tensor, buffer, ensure};

/// A kernel, called with the core elements of all tensors for each index of the loop dimensions.
pub type CoreKernel<'a, const N: usize, const M: usize> =
    dyn Fn([CoreInput<'_>; N], [CoreOutput<'_>; M]) -> Result<()> + Sync + 'a;

/// What a call costs beside its elements, in elements. How long a kernel takes with them is unknown: a
/// few tens of calls are enough for some to be timed, and the rest to be shared.
const CALL: usize = 512;

impl CoreSignature {
    /// Calls a kernel, which takes these dtypes and gives these, for each index of the loop
    /// dimensions, in parallel.
    ///
    /// Tensors are brought to the dtypes that the kernel takes, results to those of the tensors for
    /// them.
    ///
    /// # Errors
    ///
    /// As [`bind`](CoreSignature::bind); `Runtime` if results have other shapes, reach an element
    /// twice or overlap an input; `NotImplemented` on the meta device; what the kernel reports;
    /// `Memory` if there is not enough.
    pub fn run<const N: usize, const M: usize>(
        &self,
        inputs: [(&Tensor, DType); N],
        mut outputs: [(&mut Tensor, DType); M],
        kernel: &CoreKernel<'_, N, M>,
    ) -> Result<()> {
        self.visit(&inputs, &mut outputs, &|all, starts| {
            let at = |at: usize| (starts[at], all[at].dtype, &all[at].shape[..]);
            let inputs = from_fn(|it| {
                let (start, dtype, shape) = at(it);
                // SAFETY: the elements were copied there, and are this call's.
                unsafe { CoreInput::new(start, dtype, shape) }
            });
            let outputs = from_fn(|it| {
                let (start, dtype, shape) = at(N + it);
                // SAFETY: there is room for them, which is this call's.
                unsafe { CoreOutput::new(start, dtype, shape) }
            });
            kernel(inputs, outputs)
        })
    }

    fn visit(
        &self,
        inputs: &[(&Tensor, DType)],
        outputs: &mut [(&mut Tensor, DType)],
        call: CoreCall<'_>,
    ) -> Result<()> {
        let tensors: SmallVec<[&Tensor; 4]> = inputs.iter().map(|it| it.0).collect();
        let shapes = self.bind(&tensors)?;
        let mut values = SmallVec::<[Tensor; 4]>::new();
        for (input, dtype) in inputs {
            values.push(input.to_values_of(*dtype)?);
        }
        let mut all = SmallVec::<[CoreOperand; 4]>::new();
        for ((_, dims), value) in self.inputs.iter().zip(&values) {
            all.push(CoreOperand::new(value, value.data_ptr(), dims.len(), &shapes.looped)?);
        }
        let mut staged = SmallVec::<[Option<Tensor>; 2]>::new();
        for (at, (out, dtype)) in outputs.iter().enumerate() {
            let shape = shapes.whole(self.outputs.get(at).copied().unwrap_or_default());
            check_output(out, &shape, &values)?;
            if outputs[..at].iter().any(|it| overlaps(out, it.0) != Overlap::No) {
                return Err(partial_overlap());
            }
            let is_other = out.dtype() != *dtype;
            let allocate = || Tensor::allocate(&shape, *dtype, out.device());
            staged.push(is_other.then(allocate).transpose()?);
        }
        for (at, (out, _)) in outputs.iter().enumerate() {
            let target = staged[at].as_ref().unwrap_or(out);
            let core = self.outputs.get(at).map_or(0, |it: &&[CoreDim]| it.len());
            // SAFETY: nothing is read through it, and all elements are written below.
            let start = unsafe { target.overwrite_ptr() };
            all.push(CoreOperand::new(target, start, core, &shapes.looped)?);
        }
        let pass = CoreLoop { all: &all, inputs: inputs.len(), looped: &shapes.looped };
        pass.run(call)?;
        for ((out, _), staged) in outputs.iter_mut().zip(&staged) {
            // SAFETY: the loop has written all elements.
            unsafe { staged.as_ref().unwrap_or(out).assume_written() };
            if let Some(staged) = staged {
                out.copy_from(staged)?;
            }
        }
        Ok(())
    }
}

fn check_output(out: &Tensor, shape: &[i64], inputs: &[Tensor]) -> Result<()> {
    ensure!(
        same_dims(out.shape(), shape),
        Runtime,
        "a result of shape {shape:?} does not fit a tensor of shape {:?}",
        out.shape()
    );
    out.check_readable()?;
    out.check_writable()?;
    if inputs.iter().any(|it| overlaps(out, it) != Overlap::No) {
        return Err(partial_overlap());
    }
    Ok(())
}

/// What is done for each index: the operands, and where copies of their core elements are.
type CoreCall<'a> = &'a (dyn Fn(&[CoreOperand], &[*mut u8]) -> Result<()> + Sync);

struct CoreLoop<'a> {
    /// Inputs, and then outputs.
    all: &'a [CoreOperand],
    inputs: usize,
    looped: &'a [i64],
}

impl CoreLoop<'_> {
    fn run(&self, call: CoreCall<'_>) -> Result<()> {
        let count = element_count(self.looped)?;
        let elements = self.all.iter().map(|it| it.bytes / it.dtype.size());
        let weight = elements.fold(CALL, usize::saturating_add);
        try_share(count, weight, &|range| self.part(range, call))
    }

    /// The indices of a range, one after the other.
    fn part(&self, range: Range<usize>, call: CoreCall<'_>) -> Result<()> {
        let words = self.all.iter().map(|it| it.bytes.div_ceil(size_of::<u128>()));
        let mut scratch = buffer::filled(words.clone().sum(), 0_u128)?;
        let mut starts = SmallVec::<[*mut u8; 4]>::new();
        let mut next = scratch.as_mut_ptr();
        for words in words {
            starts.push(next.cast());
            next = next.wrapping_add(words);
        }
        let mut place = LoopPlace::new(self, range.start);
        let mut copied = SmallVec::<[Option<i64>; 4]>::from_elem(None, self.inputs);
        for _ in range {
            for (at, copied) in copied.iter_mut().enumerate() {
                let offset = place.offsets[at];
                if *copied != Some(offset) {
                    // SAFETY: the offset is of this index, and the room was made for it.
                    unsafe { self.all[at].read(offset, starts[at]) };
                    *copied = Some(offset);
                }
            }
            for at in self.inputs..self.all.len() {
                // SAFETY: the room was made for so many bytes, all of which may be zero.
                unsafe { starts[at].write_bytes(0, self.all[at].bytes) };
            }
            call(self.all, &starts)?;
            for at in self.inputs..self.all.len() {
                // SAFETY: as above; no other index leads to these elements.
                unsafe { self.all[at].write(place.offsets[at], starts[at]) };
            }
            place.advance();
        }
        Ok(())
    }
}

/// An index of the loop dimensions, and the offsets of all operands there, in bytes.
struct LoopPlace<'a> {
    looped: &'a [i64],
    all: &'a [CoreOperand],
    index: Dims,
    offsets: SmallVec<[i64; 4]>,
}

impl<'a> LoopPlace<'a> {
    fn new(of: &CoreLoop<'a>, position: usize) -> LoopPlace<'a> {
        let mut index: Dims = of.looped.iter().map(|_| 0).collect();
        let mut rest = position as i64;
        for (slot, &size) in index.iter_mut().zip(of.looped).rev() {
            *slot = rest % size;
            rest /= size;
        }
        let offset =
            |it: &CoreOperand| it.loop_strides.iter().zip(&index).map(|(a, b)| a * b).sum();
        LoopPlace {
            looped: of.looped,
            all: of.all,
            offsets: of.all.iter().map(offset).collect(),
            index,
        }
    }

    fn advance(&mut self) {
        for dim in (0..self.looped.len()).rev() {
            self.index[dim] += 1;
            let steps = if self.index[dim] < self.looped[dim] { 1 } else { 1 - self.index[dim] };
            for (offset, operand) in self.offsets.iter_mut().zip(self.all) {
                *offset += operand.loop_strides[dim] * steps;
            }
            if self.index[dim] < self.looped[dim] {
                return;
            }
            self.index[dim] = 0;
        }
    }
}
