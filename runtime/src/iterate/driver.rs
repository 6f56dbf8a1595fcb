//! The driver of element-wise loops: all but the innermost one, compiled once.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;

use super::cast::{cast_loop, fill_loop};
use super::flat::Flat;
use super::inner::in_place;
use super::plan::{Inner, MANY_OPERANDS, MAX_OPERANDS, Plan, Ptrs, Run, Strides};
use super::rows::RowRuns;
use super::staging::Staging;
use crate::fast_path::FastPath;
use crate::geometry::{Dims, broadcast_strides, same_dims};
use crate::parallel::share;
use crate::tensor::overlap::{Overlap, overlaps, partial_overlap};
use crate::{DType, Result, Tensor, ensure};

/// Tensors and the dtypes in which a loop wants to see them.
pub(super) type Operands<'a> = &'a [(&'a Tensor, DType)];

/// A loop of up to so many operands, before it runs.
pub(super) struct Job<'a, const M: usize = MAX_OPERANDS> {
    outputs: Operands<'a>,
    inputs: Operands<'a>,
    in_order: bool,
    at_any_distance: bool,
}

/// Flat loops up to this length are a single run without further ado.
pub(crate) const WORTH_PLANNING: usize = 1 << 13;

impl<'a> Job<'a> {
    #[inline]
    pub(super) fn new(outputs: Operands<'a>, inputs: Operands<'a>) -> Self {
        Job::of(outputs, inputs)
    }

    /// Runs the loop. It is not generic, and compiled here for all crates.
    pub(super) fn run(self, inner: Inner<'_>) -> Result<()> {
        self.run_short_or_any(inner)
    }
}

impl<'a> Job<'a, MANY_OPERANDS> {
    /// A loop of more operands than most have.
    #[inline]
    pub(super) fn many(outputs: Operands<'a>, inputs: Operands<'a>) -> Self {
        Job::of(outputs, inputs)
    }

    /// As [`Job::run`].
    pub(super) fn run_many(self, inner: Inner<'_, MANY_OPERANDS>) -> Result<()> {
        self.run_short_or_any(inner)
    }
}

impl<'a, const M: usize> Job<'a, M> {
    #[inline]
    fn of(outputs: Operands<'a>, inputs: Operands<'a>) -> Self {
        debug_assert!(outputs.len() + inputs.len() <= M);
        Job { outputs, inputs, in_order: false, at_any_distance: false }
    }

    /// Visits the elements in row-major order.
    #[inline]
    pub(super) fn in_order(self) -> Self {
        Job { in_order: true, ..self }
    }

    /// For a loop that takes operands of its dtypes as they lie.
    #[inline]
    pub(super) fn at_any_distance(self) -> Self {
        Job { at_any_distance: true, ..self }
    }

    #[inline(always)]
    fn run_short_or_any(self, inner: Inner<'_, M>) -> Result<()> {
        let singles = Singles::new();
        let mut flat = Flat::new();
        if flat.place_all(self.outputs, self.inputs, &singles, !self.at_any_distance).is_some() {
            let run = flat.run();
            if self.takes_any(&run) || self.is_direct(&run) {
                inner.over(&run);
            } else {
                self.staging().pass(&run, inner);
            }
            // SAFETY: the loop has written every element of the only output.
            unsafe { self.outputs[0].0.assume_written() };
            return Ok(());
        }
        self.run_any(inner, &singles)
    }

    /// Whether a run without casts goes to the loop as it is: most short ones do, for which finding out by
    /// [`Staging`] would cost more than the loop.
    #[inline]
    fn is_direct(&self, run: &Run<'_, M>) -> bool {
        let is_first = self.in_place();
        self.outputs.iter().chain(self.inputs).enumerate().all(|(k, (_, dtype))| {
            let is_dense = run.strides[k] == dtype.size() as isize;
            let is_apart = k == 0 || run.ptrs[k] != run.ptrs[0];
            is_dense && (is_apart || k == 1 && is_first)
        })
    }

    /// Whether the loop takes operands as they lie, and does so by vectors.
    #[inline]
    fn takes_any(&self, run: &Run<'_, M>) -> bool {
        let is_of_two = self.outputs.len() == 1 && self.inputs.len() == 2;
        self.at_any_distance && !(is_of_two && is_slow(run, || self.in_place()))
    }

    /// Whether the loop would read every second element, of which vectors are made faster apart if
    /// they are short.
    #[inline]
    fn has_second(&self, run: &Run<'_, M>) -> bool {
        let is_second = |(k, (_, dtype)): (usize, &(&Tensor, DType))| {
            let size = dtype.size() as isize;
            size <= 4 && run.strides[self.outputs.len() + k] == 2 * size
        };
        self.inputs.len() > 1 && self.inputs.iter().enumerate().any(is_second)
    }

    /// Hands a run to the loop.
    #[inline(always)]
    fn pass(&self, staging: &Staging<M>, run: &Run<'_, M>, inner: Inner<'_, M>) {
        if self.takes_any(run) && !staging.has_casts() && !self.has_second(run) {
            inner.over(run);
        } else {
            staging.pass(run, inner);
        }
    }

    /// What the loop sees, without casts.
    #[inline]
    fn staging(&self) -> Staging<M> {
        let mut sizes = [0; M];
        for (size, (_, dtype)) in sizes.iter_mut().zip(self.outputs.iter().chain(self.inputs)) {
            *size = dtype.size();
        }
        Staging::new(self.outputs.len(), self.operands(), sizes).in_place(self.in_place())
    }

    /// Whether the loop takes its first input in the place of its output: one of few operands does.
    #[inline]
    fn in_place(&self) -> bool {
        let is_one = self.outputs.len() == 1 && M == MAX_OPERANDS;
        is_one && self.inputs.first().is_some_and(|it| in_place(it.1, self.outputs[0].1))
    }

    #[cold]
    fn run_any(self, inner: Inner<'_, M>, singles: &Singles<M>) -> Result<()> {
        // 1. What cannot go well is refused before anything is written.
        self.check_outputs()?;
        let count = self.outputs[0].0.numel();
        if count == 0 {
            return self.check_inputs();
        }

        // 2. Where operands start, and which ones the loop sees through a buffer.
        let mut setup = Setup::new(self.staging());
        self.place_inputs(&mut setup, singles)?;
        self.place_outputs(&mut setup);

        // 3. In which order elements are visited, and the loop.
        let pass = |run: &Run<'_, M>| self.pass(&setup.staging, run, inner);
        if FastPath::OneRun.takes(setup.is_one_run() && count < WORTH_PLANNING) {
            pass(&setup.single_run(count));
        } else {
            let plan = self.plan(&setup)?;
            if plan.has_short_rows() {
                self.execute_rows(plan, &setup.staging, &pass);
            } else if self.takes_runs(&plan, &setup.staging) {
                self.execute(plan, inner);
            } else {
                self.execute(plan, &pass);
            }
        }

        // 4. Now outputs may be read.
        for (out, _) in self.outputs {
            // SAFETY: the loop has written every element of each output.
            unsafe { out.assume_written() };
        }
        Ok(())
    }

    /// Whether the loop takes all runs as they lie: then short ones are not looked at, each of them.
    fn takes_runs(&self, plan: &Plan<M>, staging: &Staging<M>) -> bool {
        plan.dims.first().is_some_and(|it| staging.takes(&it.strides)) && self.are_apart()
    }

    /// Whether no input is where an output is.
    fn are_apart(&self) -> bool {
        let is_apart = |out: &Tensor, input: &Tensor| overlaps(out, input) == Overlap::No;
        self.outputs.iter().all(|(out, _)| self.inputs.iter().all(|(it, _)| is_apart(out, it)))
    }

    fn check_outputs(&self) -> Result<()> {
        for (out, _) in self.outputs {
            out.check_readable()?;
            out.check_writable()?;
        }
        if self.outputs.len() > 1 { self.check_apart() } else { Ok(()) }
    }

    /// Refuses outputs that share memory, or differ in shape.
    #[cold]
    #[inline(never)]
    fn check_apart(&self) -> Result<()> {
        for (at, (first, _)) in self.outputs.iter().enumerate() {
            for (second, _) in &self.outputs[at + 1..] {
                ensure!(
                    overlaps(first, second) == Overlap::No,
                    Runtime,
                    "unsupported operation: two outputs refer to the same memory location"
                );
                ensure!(first.shape() == second.shape(), Runtime, "outputs differ in shape");
            }
        }
        Ok(())
    }

    /// What is left to check if nothing will be read.
    fn check_inputs(&self) -> Result<()> {
        let shape = self.outputs[0].0.shape();
        for (input, _) in self.inputs {
            input.check_readable()?;
            broadcast_strides(input.shape(), input.strides(), shape)?;
        }
        Ok(())
    }

    /// Finds the first element of each input and decides about buffers.
    ///
    /// A single element of another dtype is cast at once, into `singles`.
    fn place_inputs(&self, setup: &mut Setup<M>, singles: &Singles<M>) -> Result<()> {
        let out = self.outputs[0].0;
        for (index, &(tensor, dtype)) in self.inputs.iter().enumerate() {
            tensor.check_readable()?;
            let k = self.outputs.len() + index;
            setup.ptrs[k] = tensor.data_ptr();
            self.check_overlap(tensor)?;
            let is_single = tensor.numel() == 1;
            if tensor.dtype() != dtype {
                let convert = cast_loop(tensor.dtype(), dtype);
                if is_single {
                    // SAFETY: there is one element, and the slot holds any.
                    unsafe { convert(singles.slot(k), 0, setup.ptrs[k], 0, 1) };
                    setup.ptrs[k] = singles.slot(k);
                } else {
                    setup.staging.cast(k, convert);
                }
            }
            // A single element fits any shape that has as many dimensions.
            if is_single {
                setup.is_flat &= tensor.ndim() <= out.ndim();
                setup.is_line &= tensor.ndim() <= out.ndim();
            } else {
                let has_shape = same_dims(tensor.shape(), out.shape());
                setup.is_flat &= tensor.is_contiguous() && has_shape;
                setup.is_line &= has_shape;
                setup.strides[k] = step(tensor);
            }
        }
        Ok(())
    }

    fn place_outputs(&self, setup: &mut Setup<M>) {
        for (k, &(out, dtype)) in self.outputs.iter().enumerate() {
            // SAFETY: the loop writes all elements before anybody reads one.
            setup.ptrs[k] = unsafe { out.overwrite_ptr() };
            setup.strides[k] = step(out);
            setup.is_flat &= out.is_contiguous();
            setup.is_line &= out.ndim() == 1;
            if out.dtype() != dtype {
                setup.staging.cast(k, cast_loop(dtype, out.dtype()));
            }
        }
    }

    /// Refuses an input that is in part the memory of an output.
    fn check_overlap(&self, input: &Tensor) -> Result<()> {
        for (out, _) in self.outputs {
            if overlaps(out, input) == Overlap::Partial {
                return Err(partial_overlap());
            }
        }
        Ok(())
    }

    fn plan(&self, setup: &Setup<M>) -> Result<Plan<M>> {
        if setup.is_flat {
            return Ok(Plan::flat(self.outputs[0].0.numel(), setup.ptrs, setup.strides));
        }
        let shape = self.outputs[0].0.shape();
        let mut strides: [Dims; M] = std::array::from_fn(|_| Dims::default());
        let mut sizes = [0; M];
        let operands = self.outputs.iter().chain(self.inputs);
        for (k, &(tensor, _)) in operands.enumerate() {
            strides[k] = broadcast_strides(tensor.shape(), tensor.strides(), shape)?;
            sizes[k] = tensor.dtype().size() as i64;
            if tensor.numel() == 1 {
                strides[k].fill(0);
            }
        }
        let of = |k: usize, dim: usize| (strides[k][dim] * sizes[k]) as isize;
        Ok(Plan::new(shape, self.operands(), setup.ptrs, of, self.in_order))
    }

    /// Runs a loop, on several threads if it turns out to take long.
    fn execute(&self, plan: Plan<M>, inner: Inner<'_, M>) {
        let visit = |plan: &Plan<M>| share(plan.count(), 1, &|range| plan.visit(range, inner));
        if self.in_order || !plan.is_worth_tiling() {
            visit(&plan);
        } else {
            plan.into_tiles().iter().for_each(visit);
        }
    }

    /// The same where rows are short: they are joined to runs.
    fn execute_rows(&self, plan: Plan<M>, staging: &Staging<M>, inner: Inner<'_, M>) {
        let mut sizes = [0; M];
        for (k, &(tensor, dtype)) in self.outputs.iter().chain(self.inputs).enumerate() {
            // A single element has been cast already.
            sizes[k] = if staging.casts(k) { tensor.dtype() } else { dtype }.size();
        }
        let (row, plan) = plan.into_rows();
        let rows = RowRuns::new(row, self.outputs.len(), self.operands(), sizes);
        let pass = |run: &Run<'_, M>| rows.pass(run, inner);
        share(plan.count(), row.size, &|range| plan.visit(range, &pass));
    }

    fn operands(&self) -> usize {
        self.outputs.len() + self.inputs.len()
    }
}

/// Whether a loop of two inputs would go over a run an element at a time: where an input is the output
/// that the loop does not take in place.
#[inline]
pub(super) fn is_slow<const M: usize>(run: &Run<'_, M>, in_place: impl FnOnce() -> bool) -> bool {
    let is_output = |k: usize| run.ptrs[k] == run.ptrs[0];
    is_output(2) || is_output(1) && !in_place()
}

/// What is known about the operands of a loop.
struct Setup<const M: usize> {
    ptrs: Ptrs<M>,
    /// As they are if all is flat, or a line.
    strides: Strides<M>,
    /// Whether all operands are contiguous and of one shape, or single elements.
    is_flat: bool,
    /// Whether all operands have one dimension, or are single elements.
    is_line: bool,
    staging: Staging<M>,
}

impl<const M: usize> Setup<M> {
    #[inline]
    fn new(staging: Staging<M>) -> Self {
        Setup {
            ptrs: [std::ptr::null_mut(); M],
            strides: [0; M],
            is_flat: true,
            is_line: true,
            staging,
        }
    }

    #[inline]
    fn is_one_run(&self) -> bool {
        self.is_flat || self.is_line
    }

    /// All elements at once.
    #[inline]
    fn single_run(&self, count: usize) -> Run<'_, M> {
        Run { ptrs: &self.ptrs, strides: &self.strides, count, position: 0 }
    }
}

/// How far the next element is, in bytes, if there is one dimension or no gap.
#[inline]
fn step(tensor: &Tensor) -> isize {
    let size = tensor.dtype().size() as isize;
    match tensor.strides() {
        [stride] => *stride as isize * size,
        _ => size,
    }
}

/// Single elements that were cast or repeated, for as long as a loop runs.
pub(super) struct Singles<const M: usize>([UnsafeCell<MaybeUninit<ScalarSlot>>; M]);

/// Room for so many bytes, aligned as any element is.
type ScalarSlot = [u128; 16];

impl<const M: usize> Singles<M> {
    #[inline]
    pub(super) fn new() -> Self {
        Singles([const { UnsafeCell::new(MaybeUninit::uninit()) }; M])
    }

    /// Room for one element of any dtype.
    #[inline]
    pub(super) fn slot(&self, k: usize) -> *mut u8 {
        self.0[k].get().cast()
    }

    /// Copies of an element of this size, as many as a short loop reads; nothing if there is no room.
    ///
    /// # Safety
    ///
    /// There is such an element, and nobody reads the slot of another one.
    #[inline]
    pub(super) unsafe fn repeated(
        &self,
        k: usize,
        element: *const u8,
        size: usize,
        count: usize,
    ) -> Option<*mut u8> {
        if size * count > size_of::<ScalarSlot>() {
            return None;
        }
        // SAFETY: there is room; the element is read before it is written where it may be itself.
        unsafe { fill_loop(size)(self.slot(k), element, count) };
        Some(self.slot(k))
    }
}
