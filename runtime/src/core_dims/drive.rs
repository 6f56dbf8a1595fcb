//! Calls of kernels of core dimensions: tensors are checked, brought to dtypes, and looped over.

use std::array::from_fn;

use smallvec::SmallVec;

use super::call::{CoreInput, CoreOutput};
use super::looped::{CoreLoop, CoreRun};
use super::operand::CoreOperand;
use super::shapes::{CoreDim, CoreSignature};
use crate::geometry::same_dims;
use crate::tensor::{Overlap, overlaps, partial_overlap};
use crate::{DType, Result, Tensor, ensure};

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
        kernel: &(impl Fn([CoreInput<'_>; N], [CoreOutput<'_>; M]) -> Result<()> + Sync + ?Sized),
    ) -> Result<()> {
        self.visit(&inputs, &mut outputs, &|run| {
            let inputs: [_; N] = from_fn(|it| run.operand(it));
            let outputs: [_; M] = from_fn(|it| run.operand(N + it));
            for index in 0..run.count {
                // SAFETY: the elements were copied there, and are this call's.
                let taken = inputs.map(|it| unsafe { it.input(index) });
                // SAFETY: there is room for them, which is this call's: no two indices share some.
                let room = outputs.map(|it| unsafe { it.output(index) });
                kernel(taken, room)?;
            }
            Ok(())
        })
    }

    fn visit(
        &self,
        inputs: &[(&Tensor, DType)],
        outputs: &mut [(&mut Tensor, DType)],
        call: &(dyn Fn(CoreRun<'_>) -> Result<()> + Sync),
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
        CoreLoop::new(&mut all, inputs.len(), shapes.looped)?.run(call)?;
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
