//! What happens around the innermost loop, compiled once.

use super::buffer::Buffering;
use super::cast::cast_loop;
use super::plan::{Inner, MAX_OPERANDS, Plan, Ptrs, Strides};
use crate::geometry::{Dims, broadcast_strides};
use crate::parallel::share;
use crate::tensor::{Overlap, overlaps, partial_overlap};
use crate::{DType, Result, Tensor, ensure};

/// Tensors and the dtypes in which a loop wants to see them.
type Operands<'a> = &'a [(&'a Tensor, DType)];

/// A loop before it runs.
pub(super) struct Job<'a> {
    outputs: Operands<'a>,
    inputs: Operands<'a>,
    in_order: bool,
}

/// In-place loops up to this length run element by element.
const WORTH_BUFFERING: usize = 64;

impl<'a> Job<'a> {
    #[inline]
    pub(super) fn new(outputs: Operands<'a>, inputs: Operands<'a>) -> Job<'a> {
        debug_assert!(outputs.len() + inputs.len() <= MAX_OPERANDS);
        Job { outputs, inputs, in_order: false }
    }

    /// Visits the elements in row-major order.
    #[inline]
    pub(super) fn in_order(self) -> Job<'a> {
        Job { in_order: true, ..self }
    }

    pub(super) fn run(self, inner: Inner<'_>) -> Result<()> {
        // 1. What cannot go well is refused before anything is written.
        self.check()?;
        let first = self.outputs[0].0;
        if first.count() == 0 {
            return self.inputs.iter().try_for_each(|(input, _)| {
                broadcast_strides(input.shape(), input.strides(), first.shape()).map(drop)
            });
        }

        // 2. Where operands start, and which ones the loop sees through a buffer.
        let mut singles = [0_u128; MAX_OPERANDS];
        let mut buffering = Buffering::new(self.outputs.len(), self.operands().count());
        let ptrs = self.place(&mut singles, &mut buffering)?;

        // 3. In which order elements are visited.
        let plan = self.plan(ptrs, &singles)?;

        // 4. The loop.
        if buffering.is_needed() {
            execute(&plan, &|run| buffering.pass(run, inner));
        } else {
            execute(&plan, inner);
        }

        // 5. Now outputs may be read.
        for (out, _) in self.outputs {
            // SAFETY: the loop has written every element of each output.
            unsafe { out.assume_written() };
        }
        Ok(())
    }

    fn operands(&self) -> impl Iterator<Item = &(&'a Tensor, DType)> {
        self.outputs.iter().chain(self.inputs)
    }

    fn check(&self) -> Result<()> {
        for (tensor, _) in self.operands() {
            tensor.check_readable()?;
        }
        for (out, _) in self.outputs {
            out.check_writable()?;
        }
        if let [(first, _), (second, _)] = self.outputs {
            ensure!(
                overlaps(first, second) == Overlap::No,
                Runtime,
                "unsupported operation: two outputs refer to the same memory location"
            );
            ensure!(first.shape() == second.shape(), Runtime, "outputs differ in shape");
        }
        Ok(())
    }

    /// Finds the first element of each operand and decides about buffers.
    ///
    /// A single element of another dtype is cast at once, into `singles`.
    fn place(&self, singles: &mut [u128; MAX_OPERANDS], buffers: &mut Buffering) -> Result<Ptrs> {
        let mut ptrs = [std::ptr::null_mut(); MAX_OPERANDS];
        for (index, &(tensor, dtype)) in self.inputs.iter().enumerate() {
            let k = self.outputs.len() + index;
            ptrs[k] = tensor.data_ptr();
            let is_aliased = self.is_output(tensor)?;
            if tensor.dtype() != dtype {
                let convert = cast_loop(tensor.dtype(), dtype);
                if tensor.count() == 1 {
                    let slot = (&raw mut singles[k]).cast::<u8>();
                    // SAFETY: there is one element, and the slot holds any.
                    unsafe { convert(slot, 0, ptrs[k], 0, 1) };
                } else {
                    buffers.set(k, convert, dtype.size());
                }
            } else if is_aliased && !self.takes_alias(index) && tensor.count() > WORTH_BUFFERING {
                buffers.set(k, cast_loop(dtype, dtype), dtype.size());
            }
        }
        for (k, &(out, dtype)) in self.outputs.iter().enumerate() {
            // SAFETY: the loop writes all elements before anybody reads one.
            ptrs[k] = unsafe { out.overwrite_ptr() };
            if out.dtype() != dtype {
                buffers.set(k, cast_loop(dtype, out.dtype()), dtype.size());
            }
        }
        Ok(ptrs)
    }

    /// Whether the innermost loop is fast even if this input is the output.
    fn takes_alias(&self, index: usize) -> bool {
        index == 0 && self.inputs.len() <= 2 && self.outputs.len() == 1
    }

    /// Whether an input is the same view as an output.
    fn is_output(&self, input: &Tensor) -> Result<bool> {
        let mut is_aliased = false;
        for (out, _) in self.outputs {
            match overlaps(out, input) {
                Overlap::No => {}
                Overlap::Full => is_aliased = true,
                Overlap::Partial => return Err(partial_overlap()),
            }
        }
        Ok(is_aliased)
    }

    fn plan(&self, mut ptrs: Ptrs, singles: &[u128; MAX_OPERANDS]) -> Result<Plan> {
        let (first, count) = (self.outputs[0].0, self.outputs[0].0.count());
        let mut strides: Strides = [0; MAX_OPERANDS];
        let mut is_flat = true;
        for (k, &(tensor, dtype)) in self.operands().enumerate() {
            if tensor.count() == 1 && k >= self.outputs.len() {
                // What a single element needs is checked below, or it fits any shape.
                is_flat &= tensor.ndim() <= first.ndim();
                if tensor.dtype() != dtype {
                    ptrs[k] = (&raw const singles[k]).cast_mut().cast();
                }
            } else {
                is_flat &= tensor.is_contiguous() && tensor.shape() == first.shape();
                strides[k] = tensor.dtype().size() as isize;
            }
        }
        if is_flat { Ok(Plan::flat(count, ptrs, strides)) } else { self.general_plan(ptrs) }
    }

    fn general_plan(&self, ptrs: Ptrs) -> Result<Plan> {
        let shape = self.outputs[0].0.shape();
        let mut strides: [Dims; MAX_OPERANDS] = Default::default();
        let mut sizes = [0; MAX_OPERANDS];
        for (k, &(tensor, _)) in self.operands().enumerate() {
            strides[k] = broadcast_strides(tensor.shape(), tensor.strides(), shape)?;
            sizes[k] = tensor.dtype().size() as i64;
            if tensor.count() == 1 {
                strides[k].fill(0);
            }
        }
        let of = |k: usize, dim: usize| (strides[k][dim] * sizes[k]) as isize;
        Ok(Plan::new(shape, self.operands().count(), ptrs, of, self.in_order))
    }
}

/// Runs a loop, on several threads if it turns out to take long.
fn execute(plan: &Plan, inner: Inner<'_>) {
    share(plan.count(), 1, &|range| plan.visit(range, inner));
}
