//! Recurrent layer in one direction as one operator.
//!
//! What does not depend on states is one product over all steps. Then, step by step, the states of all
//! sequences, which stay in one matrix, are multiplied by their weights, and gates are activated in
//! place. Sequences that have ended or not yet begun keep the rows that they have there: after the last
//! step it holds the last states of all.

use std::ops::{Range, RangeInclusive};

use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::structured::common_device;
use opwright_runtime::{
    DType, Error, Result, Scalar, Tensor, buffer, dispatch, ensure, interrupt, view,
};
use opwright_vecmath::blocks;
use opwright_vecmath::elementary::Elementary;

use super::recurrence::Recurrence::{self, Gru, Lstm, Relu, Tanh};
use super::recurrence::Weights;
use super::recurrent_gates::{add, add_products, few_products, interpolate, lstm_cell, scale};
use crate::matrices::product::multiply;

const ONE: Scalar = Scalar::Int(1);

/// So many rows are multiplied by a weight one by one; one alone is a product with a vector.
const FEW: RangeInclusive<i64> = 2..=8;

/// So many products with a weight are worth transposing it.
const WORTH_TRANSPOSING: usize = 16;

/// Whether there is a kernel for layers of this dtype.
pub(super) fn has_kernel(dtype: DType) -> bool {
    matches!(dtype, DType::Float32 | DType::Float64)
}

/// The rows of each step, in the order in which the states follow from each other.
pub(super) fn steps(batch_sizes: &[i64], is_reverse: bool) -> Result<Vec<Range<i64>>> {
    let mut end = 0_i64;
    let mut steps = buffer::collected(batch_sizes.iter().map(|&size| {
        end = end.saturating_add(size);
        end - size..end
    }))?;
    if is_reverse {
        steps.reverse();
    }
    Ok(steps)
}

/// The sizes of a layer.
#[derive(Clone, Copy)]
struct LayerSize {
    /// Rows of all steps.
    rows: i64,
    /// Sequences.
    batch: i64,
    /// Elements of a state.
    hidden: i64,
}

fn size_of(
    mode: Recurrence,
    hx: &Tensor,
    cx: Option<&Tensor>,
    batch_sizes: &[i64],
) -> Result<LayerSize> {
    let &[batch, hidden] = hx.shape() else {
        return Err(Error::runtime(format_args!(
            "hx must be a matrix with a row for each sequence, but has the shape {:?}",
            hx.shape()
        )));
    };
    let cell = cx.map(Tensor::shape);
    ensure!(
        cell == (mode == Lstm).then_some(hx.shape()),
        Runtime,
        "cx must be of the shape of hx in long short-term memory, and is not taken else, but is {cell:?}"
    );
    ensure!(
        batch_sizes.iter().all(|it| (0..=batch).contains(it)),
        Runtime,
        "batch_sizes must not be greater than the {batch} rows of hx, but are {batch_sizes:?}"
    );
    let rows = batch_sizes.iter().try_fold(0_i64, |sum, it| sum.checked_add(*it));
    Ok(LayerSize { rows: rows.unwrap_or(i64::MAX), batch, hidden })
}

#[native_op(_recurrent_layer)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn recurrent_layer(
    input: &Tensor,
    hx: &Tensor,
    cx: Option<&Tensor>,
    w_ih: &Tensor,
    w_hh: &Tensor,
    b_ih: Option<&Tensor>,
    b_hh: Option<&Tensor>,
    batch_sizes: &[i64],
    mode: i64,
    reverse: bool,
) -> Result<(Tensor, Tensor, Tensor, Tensor, Tensor)> {
    let mode = Recurrence::of(mode)?;
    let size = size_of(mode, hx, cx, batch_sizes)?;
    ensure!(
        input.ndim() == 2 && input.shape()[0] == size.rows,
        Runtime,
        "input must be a matrix with the {} rows of batch_sizes, but has the shape {:?}",
        size.rows,
        input.shape()
    );
    let weights = Weights {
        of_row: w_ih,
        of_state: w_hh,
        row_bias: b_ih,
        state_bias: b_hh,
        projection: None,
    };
    weights.check_sizes(mode, input.shape()[1], size.hidden, size.hidden)?;
    let (dtype, device) = (input.dtype(), input.device());
    if !has_kernel(dtype) {
        return Err(dtype.unsupported("_recurrent_layer"));
    }
    for it in [Some(hx), cx, Some(w_ih), Some(w_hh), b_ih, b_hh].into_iter().flatten() {
        common_device(&[input, it])?;
        ensure!(
            it.dtype() == dtype,
            Runtime,
            "input and parameters must have the same dtype, but have {dtype} and {}",
            it.dtype()
        );
    }
    let matrix = |rows, columns| Tensor::allocate(&[rows, columns], dtype, device);
    let cells = i64::from(mode == Lstm);
    let mut layer = LayerForward {
        states: matrix(size.rows, size.hidden)?,
        hidden: matrix(size.batch, size.hidden)?,
        cell: matrix(size.batch * cells, size.hidden)?,
        gates: matrix(size.rows, mode.saved_gates() * size.hidden)?,
        before: matrix(size.rows, (1 + cells) * size.hidden)?,
    };
    if !device.is_meta() {
        layer.hidden.copy_from(hx)?;
        if let Some(cx) = cx {
            layer.cell.copy_from(cx)?;
        }
        let steps = steps(batch_sizes, reverse)?;
        dispatch!(dtype, "_recurrent_layer", calculated floating, |T| {
            layer.run::<T>(mode, &input.to_contiguous()?, &weights, &steps)
        })?;
    }
    Ok((layer.states, layer.hidden, layer.cell, layer.gates, layer.before))
}

/// What the pass forward writes.
struct LayerForward {
    states: Tensor,
    /// The states at the step at hand, in the end the last ones.
    hidden: Tensor,
    cell: Tensor,
    /// Activated gates of each row, and for gated recurrent units the state's part of the new one.
    gates: Tensor,
    /// The states before each row, hidden ones and cells side by side.
    before: Tensor,
}

/// Rows of a matrix.
pub(super) fn rows(matrix: &Tensor, range: &Range<i64>) -> Result<Tensor> {
    view::narrow(matrix, 0, range.start, range.end - range.start)
}

/// The elements of a dense matrix.
///
/// # Safety
///
/// Nobody writes to them as long as these are used.
pub(super) unsafe fn elements<T: Element>(matrix: &Tensor) -> &[T] {
    debug_assert!(matrix.is_contiguous() && matrix.dtype() == T::DTYPE);
    // SAFETY: a contiguous tensor of this type has so many elements from there on.
    unsafe { std::slice::from_raw_parts(matrix.data_ptr().cast(), matrix.numel()) }
}

/// The same of a matrix that is written to.
///
/// # Safety
///
/// Nobody else has references to them, or uses them, as long as these are used.
#[allow(clippy::mut_from_ref, reason = "the elements are shared, and the caller vouches for them")]
pub(super) unsafe fn elements_mut<T: Element>(matrix: &Tensor) -> &mut [T] {
    debug_assert!(matrix.is_contiguous() && matrix.dtype() == T::DTYPE);
    // SAFETY: as in `elements`.
    unsafe { std::slice::from_raw_parts_mut(matrix.data_ptr().cast(), matrix.numel()) }
}

impl LayerForward {
    fn run<T: Element + Float + Elementary>(
        &mut self,
        mode: Recurrence,
        input: &Tensor,
        weights: &Weights<'_>,
        steps: &[Range<i64>],
    ) -> Result<()> {
        let width = self.hidden.shape()[1];
        let gates = mode.gates() * width;
        let mut projected = view::narrow(&self.gates, 1, 0, gates)?;
        self.gates.fill(Scalar::Int(0))?;
        if let Some(bias) = weights.row_bias {
            projected.copy_from(bias)?;
        }
        multiply(ONE, input, &view::transpose(weights.of_row, 0, 1)?, ONE, &mut projected)?;
        // Few rows are not worth packing the weight, more of them its transpose once.
        let batch = self.hidden.shape()[0];
        let are_few = FEW.contains(&batch);
        let mut weight = match are_few {
            true => weights.of_state.clone(),
            false => view::transpose(weights.of_state, 0, 1)?,
        };
        if are_few || steps.len() >= WORTH_TRANSPOSING {
            weight = weight.to_contiguous()?;
        }
        let bias = weights.state_bias.map(Tensor::to_vec::<T>).transpose()?;
        let of_state = Tensor::zeroed(&[batch, gates], T::DTYPE, input.device())?;
        for range in steps {
            let first = 0..range.end - range.start;
            let hidden = rows(&self.hidden, &first)?;
            let mut of_state = rows(&of_state, &first)?;
            if are_few {
                // SAFETY: as below, and nobody writes to the inputs of an operator.
                let (hidden, weight, products) =
                    unsafe { (elements::<T>(&hidden), elements(&weight), elements_mut(&of_state)) };
                few_products(first.end as usize, hidden, weight, products);
            } else {
                multiply(ONE, &hidden, &weight, Scalar::Int(0), &mut of_state)?;
            }
            // SAFETY: nobody else has these tensors, and none of the slices is used where a product
            // reads or writes them.
            unsafe {
                StepRows {
                    mode,
                    width: width as usize,
                    bias: bias.as_deref(),
                    of_state: elements_mut(&of_state),
                    gates: elements_mut(&rows(&self.gates, range)?),
                    before: elements_mut(&rows(&self.before, range)?),
                    states: elements_mut(&rows(&self.states, range)?),
                    hidden: elements_mut(&hidden),
                    cell: elements_mut::<T>(&self.cell),
                }
                .run();
            }
            interrupt::check();
        }
        Ok(())
    }
}

/// The rows of one step, each of so many elements.
struct StepRows<'a, T> {
    mode: Recurrence,
    width: usize,
    bias: Option<&'a [T]>,
    of_state: &'a mut [T],
    gates: &'a mut [T],
    before: &'a mut [T],
    states: &'a mut [T],
    hidden: &'a mut [T],
    cell: &'a mut [T],
}

impl<T: Element + Float + Elementary> StepRows<'_, T> {
    fn run(self) {
        let width = self.width;
        if width == 0 {
            return;
        }
        let (gates, states) =
            (self.mode.gates() as usize, self.before.len() / self.states.len().max(1));
        let each = self.of_state.chunks_exact_mut(gates * width);
        let each = each.zip(self.gates.chunks_exact_mut(self.mode.saved_gates() as usize * width));
        let each = each.zip(self.before.chunks_exact_mut(states.max(1) * width));
        let each = each.zip(self.states.chunks_exact_mut(width));
        let each = each.zip(self.hidden.chunks_exact_mut(width));
        let mut cells = self.cell.chunks_exact_mut(width);
        for ((((of_state, gates), before), state), hidden) in each {
            if let Some(bias) = self.bias {
                add(of_state, bias);
            }
            before[..width].copy_from_slice(hidden);
            match self.mode {
                Tanh => {
                    add(gates, of_state);
                    blocks::tanh(gates);
                    hidden.copy_from_slice(gates);
                }
                Relu => {
                    add(gates, of_state);
                    gates
                        .iter_mut()
                        .for_each(|it| *it = if *it <= T::ZERO { T::ZERO } else { *it });
                    hidden.copy_from_slice(gates);
                }
                Lstm => {
                    let Some(cell) = cells.next() else { return };
                    before[width..].copy_from_slice(cell);
                    add(gates, of_state);
                    blocks::sigmoid(&mut gates[..2 * width]);
                    blocks::tanh(&mut gates[2 * width..3 * width]);
                    blocks::sigmoid(&mut gates[3 * width..]);
                    lstm_cell(gates, cell);
                    hidden.copy_from_slice(cell);
                    blocks::tanh(hidden);
                    scale(hidden, &gates[3 * width..]);
                }
                Gru => {
                    let (reset_update, new) = gates.split_at_mut(2 * width);
                    let (new, of_new) = new.split_at_mut(width);
                    add(reset_update, &of_state[..2 * width]);
                    blocks::sigmoid(reset_update);
                    of_new.copy_from_slice(&of_state[2 * width..]);
                    add_products(new, &reset_update[..width], of_new);
                    blocks::tanh(new);
                    interpolate(hidden, new, &reset_update[width..]);
                }
            }
            state.copy_from_slice(hidden);
        }
    }
}
